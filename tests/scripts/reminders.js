import { equal, open, settle, test, until } from './harness.js'

const FORM = '<form data-reminders="/s/n/reminders" data-key="BKey" hidden><input type="hidden" name="csrf_token" value="token"><input type="checkbox"><p role="alert" hidden></p></form>'

// Opens a page with the switch. `permission`: what the user answers; `status`: what the server does; `fails`: the name of
// the error with which the browser refuses the first time.
const begin = async ({ permission = 'granted', status = 200, fails = '', html = FORM, isAble = true } = {}) => {
  const page = await open(html)
  const { window } = page
  const done = []
  const found = { toJSON: () => ({ endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }) }
  let error = fails
  const pushManager = {
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      done.push(`subscribe ${userVisibleOnly} ${applicationServerKey}`)
      const name = error
      error = ''
      if (name) throw Object.assign(new Error(name), { name })
      return found
    },
    getSubscription: async () => ({ unsubscribe: async () => done.push('unsubscribe') })
  }
  page.fake(window.navigator, 'serviceWorker', isAble ? { ready: Promise.resolve({ pushManager }) } : undefined)
  page.fake(window, 'isSecureContext', true)
  window.PushManager = class {}
  window.Notification = { requestPermission: async () => permission }
  window.fetch = async (url, { body }) => {
    const { csrf_token: token, ...sent } = Object.fromEntries(body)
    done.push([url, token, ...Object.values(sent)].join(' '))
    return new Response('', { status })
  }
  await page.load('reminders.js')
  const box = page.$('[type=checkbox]')
  const flip = async () => {
    box.checked = !box.checked
    page.fire(box, 'change')
    await until(() => !box.disabled)
    await settle()
    return [box.checked, page.$('[role=alert]').hidden]
  }
  return { page, done, flip, isHidden: () => page.$('form').hidden }
}

test('a phone asks its browser for an address, and tells the server', async () => {
  const { done, flip, isHidden } = await begin()
  equal([isHidden(), await flip()], [false, [true, true]])
  equal(done, ['subscribe true BKey', '/s/n/reminders token on https://push.test/1 p a'])
  done.length = 0
  equal([await flip(), done], [[false, true], ['/s/n/reminders token off']])
})

test('one that was made for another key is replaced', async () => {
  const { done, flip } = await begin({ fails: 'InvalidStateError' })
  equal(await flip(), [true, true])
  equal(done.slice(0, 3), ['subscribe true BKey', 'unsubscribe', 'subscribe true BKey'])
})

test('without permission the switch goes back, and says why', async () => {
  const denied = await begin({ permission: 'denied' })
  equal([await denied.flip(), denied.done], [[false, false], []])
  equal(await (await begin({ fails: 'NotAllowedError' })).flip(), [false, false])
  equal(await (await begin({ status: 422 })).flip(), [false, false])
})

test('where the browser can not do it there is no switch', async () => {
  equal((await begin({ isAble: false })).isHidden(), true)
  await begin({ html: '<input type="checkbox">' })
})
