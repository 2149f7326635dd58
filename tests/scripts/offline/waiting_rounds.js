import { equal, open, settle, test } from '../harness.js'

const NOW = Date.parse('2026-03-07T20:00:00Z')
const WORDS = { waits: 'waits {time}', refused: 'refused {time}', unkept: 'unkept', booked: 'booked', change: 'change', look: 'look', drop: 'drop', sure: 'sure?' }
const SLOT = 'waiting:/night/round:k1'

const PAGE = `<form id="entry" method="post" action="/night/round"><input name="key" value="k1"><input name="hand" value="as">
  <button name="do" value="save">Save</button><button name="do" value="settle">Settle</button></form>
  <div data-waiting="/night" data-words='${JSON.stringify(WORDS)}'></div>`

const put = (slot, given = {}) => localStorage.setItem(slot, JSON.stringify({ action: `https://table.test${slot.split(':')[1]}`, body: 'key=x&hand=ks', at: NOW, isRefused: false, ...given }))
const get = (slot = SLOT) => JSON.parse(localStorage.getItem(slot))

const begin = async ({ html = PAGE, url = '/night/round', hasForm = true } = {}) => {
  const page = await open(html, { url })
  const rounds = await page.load('offline/waiting_rounds.js')
  const held = []
  let booked = 0
  const form = page.$('#entry')
  if (hasForm) rounds.setEntry(form, (isHeld) => held.push(isHeld), () => booked++)
  const scrolls = []
  page.window.Element.prototype.scrollIntoView = function note(how) { scrolls.push([this.hasAttribute('data-waiting'), how]) }
  return {
    page, form, held, scrolls, ...rounds, booked: () => booked, save: page.$('[value=save]'),
    rows: () => page.$$('[data-waiting] .row').map((row) => [row.querySelector('span').textContent, ...[...row.querySelectorAll('button')].map(({ textContent }) => textContent)]),
  }
}

test('a round is stored with its key before it is sent', async () => {
  const { form, save, storeRound, findWaiting, pathOf } = await begin()
  equal(storeRound(form, save), true)
  equal(get(), { action: 'https://table.test/night/round', body: 'key=k1&hand=as&do=save', at: NOW, isRefused: false })
  equal([findWaiting(form), pathOf('https://table.test/a/b?c#d')], [SLOT, '/a/b'])
})

test('a waiting round is found by its page, unless it was refused', async () => {
  const { form, findWaiting } = await begin()
  put('waiting:/night/rounds/2:k7')
  put('other:/night/round:k7')
  put('waiting:/night/round:k8', { isRefused: true })
  equal(findWaiting(form), undefined)
  put('waiting:/night/round:k9')
  equal(findWaiting(form), 'waiting:/night/round:k9')
})

test('a booked round leaves the phone, and its page the form', async () => {
  const { page, form, save, storeRound, sendAll, booked } = await begin()
  storeRound(form, save)
  sendAll()
  const sent = page.next()
  equal([sent.url, sent.method, sent.body, sent.headers], ['/night/round', 'POST', [['key', 'k1'], ['hand', 'as'], ['do', 'save']], { Accept: 'application/json' }])
  await sent.answer({ address: '/night/lines/3?saved=1' }, 201)
  equal([get(), booked(), page.visits], [null, 1, [['replace', '/night/lines/3?saved=1']]])
  await page.tick(10_000)
  equal(page.requests.length, 0)
})

test('a round of another page is booked too, and that is told', async () => {
  put('waiting:/night/rounds/2:k7')
  const { page, sendAll, booked } = await begin()
  sendAll()
  await page.next().answer({ address: '/night/lines/2' }, 201)
  equal([get('waiting:/night/rounds/2:k7'), booked(), page.visits, page.texts('.carried')], [null, 0, [], ['booked']])
  const bare = await begin({ html: '', hasForm: false })
  put('waiting:/night/rounds/2:k7')
  bare.sendAll()
  await bare.page.next().answer({ address: '/night/lines/2' }, 201)
  equal(get('waiting:/night/rounds/2:k7'), null)
})

test('busy, broken and lost servers refuse nothing: the round waits and is sent again', async () => {
  for (const status of [429, 500, 502, 503, 599, null]) {
    localStorage.clear()
    const { page, form, save, storeRound, sendAll, held, scrolls, rows } = await begin()
    form.dataset.booking = ''
    storeRound(form, save)
    sendAll()
    const sent = page.next()
    await (status ? sent.answer('', status) : sent.fail())
    equal([get().isRefused, held, 'booking' in form.dataset, page.visits], [false, [true], false, []], status)
    equal([rows(), scrolls], [[['waits 20:00', 'change']], [[true, { block: 'center' }]]], status)
    await page.tick(1999)
    equal(page.requests.length, 0, status)
    await page.tick(1)
    await page.next().answer({ address: '/night/lines/3' }, 201)
    equal([get(), page.visits], [null, [['replace', '/night/lines/3']]], status)
  }
})

test('an answer that cannot be read leaves the round waiting', async () => {
  const { page, form, save, storeRound, sendAll } = await begin()
  storeRound(form, save)
  sendAll()
  await page.next().answer('<h1>proxy</h1>', 201)
  equal([get().isRefused, page.errors.splice(0).length], [false, 1])
  await page.tick(2000)
  equal(page.requests.length, 1)
})

test('a form that is locked already stays as it is', async () => {
  const { page, form, save, storeRound, sendAll, held, scrolls } = await begin()
  form.dataset.saving = ''
  storeRound(form, save)
  sendAll()
  await page.next().fail()
  equal([held, scrolls], [[], []])
})

test('a refused round is noted, and opened in the page of the server that says why', async () => {
  for (const status of [400, 403, 404, 409, 422, 200]) {
    localStorage.clear()
    sessionStorage.clear()
    const { page, form, save, storeRound, sendAll, rows } = await begin()
    storeRound(form, save)
    sendAll()
    await page.next().answer('', status)
    equal([get().isRefused, sessionStorage.getItem('handed'), page.visits], [true, SLOT, [['post', '/night/round', { key: 'k1', hand: 'as', do: 'save' }]]], status)
    equal(rows(), [], status)
    await page.tick(10_000)
    equal(page.requests.length, 0, status)
  }
})

test('a refused round of another page stays in the list, to be looked at or discarded', async () => {
  const slot = 'waiting:/night/rounds/2:k7'
  put(slot)
  const { page, sendAll, rows } = await begin()
  sendAll()
  await page.next().answer('', 409)
  equal([get(slot).isRefused, page.visits, rows()], [true, [], [['refused 20:00', 'look', 'drop']]])
  page.confirms = false
  await page.tap('.row button:last-child')
  equal([page.asked, Boolean(get(slot))], [['sure?'], true])
  await page.tap('.row button')
  equal([page.visits, sessionStorage.getItem('handed')], [[['post', '/night/rounds/2', { key: 'x', hand: 'ks' }]], slot])
  page.confirms = true
  await page.tap('.row button:last-child')
  equal([get(slot), rows()], [null, []])
})

test('an answer counts only for what was sent', async () => {
  const { page, form, save, storeRound, sendAll, booked } = await begin()
  storeRound(form, save)
  sendAll()
  form.elements.hand.value = 'qs'
  storeRound(form, save)
  await page.next().answer({ address: '/night/lines/3' }, 201)
  equal([get().body, booked(), page.visits], ['key=k1&hand=qs&do=save', 0, []])
})

test('a round that was dropped meanwhile is not sent', async () => {
  put('waiting:/night/rounds/2:k7')
  put('waiting:/night/rounds/3:k8')
  const { page, sendAll } = await begin()
  sendAll()
  const first = page.next()
  for (const slot of ['waiting:/night/rounds/2:k7', 'waiting:/night/rounds/3:k8']) if (!slot.includes(first.url)) localStorage.removeItem(slot)
  await first.fail()
  equal(page.requests.length, 0)
})

test('rounds are sent one after the other, and not twice at once', async () => {
  put('waiting:/night/rounds/2:k7')
  put('waiting:/night/rounds/3:k8')
  const { page, sendAll } = await begin()
  sendAll()
  sendAll()
  const first = page.next()
  equal(page.requests.length, 0)
  await first.answer({ address: '/' }, 201)
  const second = page.next()
  equal([first.url, second.url].sort(), ['/night/rounds/2', '/night/rounds/3'])
  await second.answer('', 409)
  sendAll()
  await page.tick(10_000)
  equal(page.requests.length, 0)
})

test('one round with an error of ours does not stop the others, nor the next attempt', async () => {
  put('waiting:/night/rounds/2:k7')
  put('waiting:/night/rounds/3:k8')
  const { page, sendAll } = await begin()
  sendAll()
  await page.next().fail(new page.window.RangeError('ours'))
  await page.next().answer({ address: '/' }, 201)
  equal(page.errors.splice(0).length, 1)
  await page.tick(2000)
  equal(page.requests.length, 1)
})

test('trying at once replaces the next attempt', async () => {
  put('waiting:/night/rounds/2:k7')
  const { page, sendAll } = await begin()
  sendAll()
  await page.next().fail()
  sendAll()
  await page.tick(2000)
  equal(page.requests.length, 1)
})

test('a waiting round can be changed before it is sent', async () => {
  const { page, form, save, storeRound, sendAll, held, rows } = await begin()
  storeRound(form, save)
  for (const button of page.$$('#entry button')) button.disabled = true
  sendAll()
  await page.next().fail()
  await page.tap('.row button')
  equal([get(), held, rows(), page.$$('#entry button').map(({ disabled }) => disabled)], [null, [true, false], [], [false, true]])
})

test('a waiting round of another page leads there', async () => {
  put('waiting:/night/rounds/2:k7')
  put('waiting:/other/round:k8')
  const { page, sendAll, rows } = await begin()
  sendAll()
  for (let each = 0; each < 2; each++) await page.next().fail()
  equal(rows(), [['waits 20:00', 'look']])
  equal(page.$('.row button').outerHTML, '<button type="button" class="button small">look</button>')
  await page.tap('.row button')
  equal(page.visits, [['assign', '/night/rounds/2']])
  localStorage.clear()
  put('waiting:/night/round:k7')
  const same = await begin()
  same.sendAll()
  await same.page.next().fail()
  equal(same.rows(), [['waits 20:00']])
})

test('the list is drawn again only if it changes', async () => {
  put('waiting:/night/rounds/2:k7')
  const { page, sendAll } = await begin()
  sendAll()
  await page.next().fail()
  const row = page.$('.row')
  equal(row.className, 'line row')
  await page.tick(2000)
  await page.next().fail()
  equal(page.$('.row') === row, true)
})

test('a round for which the phone has no room is sent at once', async () => {
  const { page, form, save, sendUnkept, booked } = await begin()
  sendUnkept(form, save)
  const sent = page.next()
  equal(sent.body, [['key', 'k1'], ['hand', 'as'], ['do', 'save']])
  await sent.answer({ address: '/night/lines/3' }, 201)
  equal([booked(), page.visits], [1, [['replace', '/night/lines/3']]])
})

test('if it is refused, its page says why', async () => {
  const { page, form, save, sendUnkept } = await begin()
  sendUnkept(form, save)
  await page.next().answer('', 409)
  equal([page.visits, sessionStorage.getItem('handed')], [[['post', '/night/round', { key: 'k1', hand: 'as', do: 'save' }]], null])
})

test('if it could not be sent, the form keeps it and says so, until there is room', async () => {
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('', 429), (sent) => sent.answer('', 503), (sent) => sent.answer('<h1>', 201)]) {
    const { page, form, save, sendUnkept, storeRound, sendAll, rows, scrolls } = await begin()
    localStorage.clear()
    form.dataset.booking = ''
    save.disabled = true
    sendUnkept(form, save)
    await fail(page.next())
    equal([rows(), scrolls, save.disabled, 'booking' in form.dataset, page.visits], [[['unkept']], [[true, { block: 'center' }]], false, false, []])
    storeRound(form, save)
    sendAll()
    await page.next().fail()
    equal(rows(), [['waits 20:00', 'change']])
  }
})

test('an error of ours while it is sent is not taken for a lost connection', async () => {
  const { page, form, save, sendUnkept, rows } = await begin()
  let error = null
  sendUnkept(form, save).catch((thrown) => { error = thrown.message })
  await page.next().fail(new page.window.RangeError('ours'))
  equal([error, rows()], ['ours', []])
})

test('a round that was handed over is dropped once it is booked, or stays if its page is left', async () => {
  put(SLOT, { isRefused: true })
  sessionStorage.setItem('handed', SLOT)
  const { keepHandedOver, dropHandedOver } = await begin()
  keepHandedOver()
  equal([Boolean(get()), sessionStorage.getItem('handed')], [true, null])
  dropHandedOver()
  equal(Boolean(get()), true)
  sessionStorage.setItem('handed', SLOT)
  dropHandedOver()
  equal([get(), sessionStorage.getItem('handed')], [null, null])
})

test('booking a round also drops the refused one that filled its form', async () => {
  put('waiting:/night/round:k0', { isRefused: true })
  sessionStorage.setItem('handed', 'waiting:/night/round:k0')
  const { page, form, save, storeRound, sendAll } = await begin()
  storeRound(form, save)
  sendAll()
  await page.next().answer({ address: '/night/lines/3' }, 201)
  equal([get('waiting:/night/round:k0'), get()], [null, null])
  await settle()
})
