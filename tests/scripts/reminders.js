import { equal, open, settle, test, until } from './harness.js'

const SENTENCES = ['on', 'off', 'denied', 'no-worker', 'failed', 'told'].map((why) => `<p data-why="${why}" hidden>${why}</p>`).join('')
const form = (box) => `<form data-reminders="/s/n/reminders" data-key="BKey" data-worker="/worker.js" hidden><input type="hidden" name="csrf_token" value="token">${box}${SENTENCES}</form>`
const FORM = form('<input type="checkbox">')

// Opens a page with the switch. `permission`: what the user answers, or has answered; `answer`: what the server says with
// its status; `fails`: the name of the error with which the browser refuses the first time; `installs`: whether the
// browser installs the worker.
const begin = async ({ permission = 'granted', answer = [200, '{}'], fails = '', html = FORM, isAble = true, installs = true } = {}) => {
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
  const registration = { pushManager }
  const register = async (url) => {
    done.push(url)
    if (!installs) throw new Error('SecurityError')
  }
  const worker = { ready: installs ? Promise.resolve(registration) : new Promise(() => {}), register }
  page.fake(window.navigator, 'serviceWorker', isAble ? worker : undefined)
  page.fake(window, 'isSecureContext', true)
  window.PushManager = class {}
  window.Notification = { permission, requestPermission: async () => permission }
  window.fetch = async (url, { body }) => {
    const { csrf_token: token, ...sent } = Object.fromEntries(body)
    done.push([url, token, ...Object.values(sent)].join(' '))
    const [status, text] = answer
    return new Response(text, { status })
  }
  await page.load('reminders.js')
  const box = page.$('[type=checkbox]')
  const said = () => [...page.document.querySelectorAll('[data-why]')].filter((one) => !one.hidden).map((one) => one.textContent).join()
  const flip = async () => {
    box.checked = !box.checked
    page.fire(box, 'change')
    await until(() => !box.disabled)
    await settle()
    return [box.checked, said()]
  }
  return { done, flip, isHidden: () => page.$('form').hidden, stands: () => [box.checked, said()] }
}

test('a phone asks its browser for an address, and tells the server', async () => {
  const { done, flip, isHidden, stands } = await begin()
  equal([isHidden(), stands(), await flip()], [false, [false, ''], [true, 'on']])
  equal(done, ['/worker.js', 'subscribe true BKey', '/s/n/reminders token on https://push.test/1 p a'])
  done.length = 0
  equal([await flip(), done], [[false, 'off'], ['/s/n/reminders token off']])
})

test('one that was made for another key is replaced', async () => {
  const { done, flip } = await begin({ fails: 'InvalidStateError' })
  equal(await flip(), [true, 'on'])
  equal(done.slice(1, 4), ['subscribe true BKey', 'unsubscribe', 'subscribe true BKey'])
})

test('without permission the switch goes back, and says why', async () => {
  const denied = await begin({ permission: 'denied' })
  equal([await denied.flip(), denied.done], [[false, 'denied'], []])
  equal(await (await begin({ fails: 'NotAllowedError' })).flip(), [false, 'denied'])
})

test('a permission that was taken back is told when the page opens', async () => {
  const html = form('<input type="checkbox" checked>')
  equal((await begin({ html, permission: 'denied' })).stands(), [false, 'denied'])
  equal((await begin({ html })).stands(), [true, ''])
})

test('a browser that installs no worker is not waited for', async () => {
  const { flip, done } = await begin({ installs: false })
  equal([await flip(), done], [[false, 'no-worker'], ['/worker.js']])
})

test('a push service or a server that can not be reached is told', async () => {
  equal(await (await begin({ fails: 'AbortError' })).flip(), [false, 'failed'])
  for (const text of ['', '{}']) equal(await (await begin({ answer: [503, text] })).flip(), [false, 'failed'])
})

test('why the server refuses is told in its words', async () => {
  equal(await (await begin({ answer: [422, '{"problem": "Too many"}'] })).flip(), [false, 'Too many'])
})

test('where the browser can not do it there is no switch', async () => {
  equal((await begin({ isAble: false })).isHidden(), true)
  await begin({ html: '<input type="checkbox">' })
})
