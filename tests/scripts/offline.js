import { equal, open, settle, test } from './harness.js'

const SLOT = 'waiting:/night/round:k1'
const FORM = `<h1>Round 1</h1><form id="entry" method="post" action="/night/round" data-fresh>
  <input type="hidden" name="key" value="k2"><input type="hidden" name="number" value="3"><input type="hidden" name="game" value="knock">
  <input type="hidden" name="seat" value="a"><input type="hidden" name="seat" value="b">
  <input type="hidden" name="csrf_token" value="new"><input type="hidden" name="bets" value=""><input type="hidden" name="betting" value="">
  <input name="hand"><input name="untouched" value="x"><input type="checkbox" name="won" value="y" checked><input type="checkbox" name="dropped" value="y">
  <input type="radio" name="knocker" value="0" checked><input type="radio" name="knocker" value="1"><input value="unnamed">
  <button name="do" value="save" data-offline="waits">Save</button><button name="do" value="settle">Settle</button></form>`
const LIST = '<div data-waiting data-words=\'{"round": "waits"}\'></div>'
const BODY = 'key=k1&number=3&game=knock&seat=a&seat=b&csrf_token=old&bets=b1&betting=on&hand=as&dropped=y&knocker=1&do=save'

const put = (slot, given = {}) => localStorage.setItem(slot, JSON.stringify({ action: 'https://table.test/night/round', body: BODY, at: 1, isRound: true, hasWaited: true, isRefused: false, ...given }))
const get = () => JSON.parse(localStorage.getItem(SLOT))

const begin = async ({ html = FORM + LIST, url = '/night/round', isBegun = true, ...options } = {}) => {
  const page = await open(html, { url, ...options })
  const offline = await page.load('offline.js')
  const held = []
  let booked = 0
  const form = page.$('#entry')
  if (isBegun) offline.begin(form, { hold: (isHeld) => held.push(isHeld), booked: () => booked++ })
  return { page, form, held, booked: () => booked }
}

test('saving stores the round and sends it; the button waits for the answer', async () => {
  const { page, form, booked } = await begin()
  const save = page.$('[value=save]')
  await page.tap('[value=save]')
  equal([page.visits, 'booking' in form.dataset, save.disabled], [[], true, true])
  equal(JSON.parse(localStorage.getItem('waiting:/night/round:k2')).body.endsWith('&do=save'), true)
  const sent = page.next()
  equal(sent.body.at(-1), ['do', 'save'])
  await sent.answer({ address: '/night/lines/3' }, 201, { 'Content-Security-Policy': 'ours' })
  equal([booked(), page.visits], [1, [['replace', '/night/lines/3']]])
})

test('other buttons, and the Enter key, send the form as without scripts', async () => {
  const { page, form } = await begin()
  await page.tap('[value=settle]')
  page.fire(form, 'submit', { submitter: null })
  equal([page.visits.map(([, value]) => value), page.requests.length, 'booking' in form.dataset], [['settle', null], 0, false])
})

test('a round for which there is no room is sent without being stored', async () => {
  const { page } = await begin()
  page.window.Storage.prototype.setItem = () => { throw new page.window.DOMException('', 'QuotaExceededError') }
  await page.tap('[value=save]')
  equal([page.next().body.at(-1), localStorage.length], [['do', 'save'], 0])
})

test('a waiting round fills the form of its page again, and locks it', async () => {
  put(SLOT)
  const { form, held } = await begin()
  equal([...new FormData(form)], [['key', 'k1'], ['number', '3'], ['game', 'knock'], ['seat', 'a'], ['seat', 'b'], ['csrf_token', 'new'], ['bets', 'b1'], ['betting', 'on'],
    ['hand', 'as'], ['untouched', 'x'], ['dropped', 'y'], ['knocker', '1']])
  equal([held, form.querySelector('input:not([name])').value, form.querySelector('[value=save]').value], [[true], 'unnamed', 'save'])
})

test('a round of an earlier number, another game or table stays away from the form', async () => {
  for (const [is, other] of [['number=3', 'number=2'], ['game=knock', 'game=dompe'], ['seat=a&seat=b', 'seat=b&seat=a'], ['seat=b', 'seat=b&seat=c']]) {
    put(SLOT, { body: BODY.replace(is, other) })
    const { page, form, held } = await begin()
    equal([form.elements.hand.value, form.elements.key.value, held], ['', 'k2', []], other)
    page.requests.splice(0)
  }
})

test('the form that the server returned is left as it is', async () => {
  put(SLOT)
  const { form, held } = await begin({ html: FORM.replace('data-fresh', '') + LIST })
  equal([form.elements.hand.value, held], ['', []])
})

test('rounds are sent as soon as the page is there, and when there is a connection', async () => {
  put(SLOT)
  const { page } = await begin()
  equal(page.requests.length, 0)
  await page.tick(0)
  await page.next().fail()
  page.fire(page.window, 'online')
  equal(page.requests.length, 1)
})

test('a round that was handed over is dropped where it was saved, and otherwise kept', async () => {
  const rows = [
    // the page, its URL, whether the round is still stored, whether it is still handed over
    ['', '/night/lines/3?saved=1', false, false],
    ['', '/night/lines/3', true, false],
    [FORM, '/night/round', true, false],
    [FORM, '/night/round', true, true, 'data-answer'],
    [FORM, '/night/round', true, false, 'data-posted'],
  ]
  for (const [html, url, isStored, isHanded, attributes = ''] of rows) {
    put(SLOT, { isRefused: true })
    sessionStorage.setItem('handed', SLOT)
    await begin({ html, url, isBegun: false, attributes })
    equal([Boolean(get()), sessionStorage.getItem('handed') !== null], [isStored, isHanded], `${url} ${html.length}`)
  }
})

test('a copy of a page says how old it is', async () => {
  const notice = '<p data-seen-text="since {time}"></p>'
  const { page } = await begin({ html: notice, isBegun: false, attributes: 'lang="en" data-seen="2026-03-07T19:00:00Z"' })
  equal(page.texts('p'), ['since 19:00'])
  equal((await begin({ html: notice, isBegun: false })).page.texts('p'), [''])
})

// Loads a page with a service worker; returns what is done with it.
const worked = async ({ controller = null, isSecure = true, has = true, html = '<div data-waiting="/night" data-words="{}" data-worker="/worker.js"></div>', register = async () => {} } = {}) => {
  const done = []
  const page = await open(html, { url: '/night?x=1' })
  const ready = Promise.resolve({ active: { postMessage: (message) => done.push(message) } })
  const container = { controller, ready, register: (url) => { done.push(url); return register() } }
  page.fake(page.window.navigator, 'serviceWorker', has ? container : undefined)
  page.fake(page.window, 'isSecureContext', isSecure)
  await page.load('offline.js')
  await page.tick(10_000)
  equal(done, [])
  page.fire(page.window, 'load')
  await page.tick(2999)
  equal(done, [])
  await page.tick(1)
  await settle()
  return done
}

test('the service worker begins some time after the page, and keeps the page of a first visit', async () => {
  equal(await worked(), ['/worker.js', { keep: 'https://table.test/night?x=1' }])
  equal(await worked({ controller: {} }), ['/worker.js'])
})

test('without a service worker, or if it is refused, the page works', async () => {
  equal(await worked({ html: '' }), [])
  equal(await worked({ html: '<div data-waiting="/night" data-words="{}"></div>' }), [])
  equal(await worked({ isSecure: false }), [])
  equal(await worked({ has: false }), [])
  equal(await worked({ register: async () => { throw new Error('untrusted certificate') } }), ['/worker.js'])
})
