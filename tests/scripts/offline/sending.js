import { equal, open, settle, test } from '../harness.js'

const OURS = { 'Content-Security-Policy': 'ours' }
const WORDS = { booked: 'saved', drop: 'Discard', kept: 'kept', look: 'View', change: 'Change', more: 'Another', others: '{n} wait', refused: 'refused', unkept: 'not kept', unsent: 'not sent' }
const LIST = `<div data-waiting data-alive="/alive" data-words='${JSON.stringify(WORDS)}'></div>`
const LOAN = `<form id="loan" method="post" action="/night/move" data-offline="waits"><p><input type="hidden" name="key" value="k1"><input name="amount" value="5">
  <button name="do" value="lend">Record</button><button id="other" name="do" value="gift" formaction="/night/gift">Give</button><button id="now" name="do" value="now" data-offline="stays">Now</button></p></form>`
const NOTE = '<form id="note" method="post" action="/night/note"><input name="text"></form>'
const SLOT = 'waiting:/night/move:k1'

const put = (slot, given = {}) => localStorage.setItem(slot, JSON.stringify({ action: 'https://table.test/night/move', body: 'key=k1&amount=5', at: 1, isRound: false, hasWaited: false, isRefused: false, ...given }))
const get = (slot = SLOT) => JSON.parse(localStorage.getItem(slot))
const begin = async (html = LOAN + NOTE + LIST, { url = '/night/money?tab=1', ...options } = {}) => {
  const page = await open(html, { url, ...options })
  return Object.assign(page, await page.load('offline.js'), await page.load('offline/sending.js'))
}
const state = (page) => [page.$('#loan p').inert, page.$('[value=lend]').disabled, 'booking' in page.$('#loan').dataset, 'saving' in page.$('#loan').dataset]
const note = (page) => page.texts('.waiting:not([data-waiting]) > *')

test('a form is locked, stored and sent, with the button that was tapped', async () => {
  const page = await begin()
  await page.tap('#loan [value=lend]')
  equal(state(page), [true, true, true, false])
  equal(get(), { action: 'https://table.test/night/move', body: 'key=k1&amount=5&do=lend', isRound: false, at: Date.parse('2026-03-07T20:00:00Z'), hasWaited: false, isRefused: false })
  page.fire('#loan', 'submit', { submitter: null }) // a second tap
  equal(page.requests.length, 1)
  const sent = page.next()
  equal([sent.url, sent.method, sent.body], ['/night/move', 'POST', [['key', 'k1'], ['amount', '5'], ['do', 'lend']]])
})

test('a button may send its form elsewhere; the Enter key has no button', async () => {
  const rows = [['#other', '/night/gift', 'gift'], [null, '/night/move', null]]
  for (const [button, url, value] of rows) {
    localStorage.clear()
    const page = await begin()
    if (button) await page.tap(button)
    else page.fire('#loan', 'submit', { submitter: null })
    const sent = page.next()
    equal([sent.url, sent.body[2]?.[1] ?? null, Object.keys(localStorage)], [url, value, [`waiting:${url}:k1`]])
  }
})

test('what was saved leads to its page, or draws this one again', async () => {
  const rows = [
    ['/night/lines/4', [['assign', '/night/lines/4']], '?tab=1'],
    ['/night/money?tab=2', [['assign', '/night/money?tab=2']], '?tab=1'],
    ['/night/money?tab=1#moves', [['reload']], '?tab=1#moves'],
  ]
  for (const [address, visits, here] of rows) {
    const page = await begin()
    await page.tap('#loan [value=lend]')
    await page.next().answer({ address }, 201, OURS)
    equal([page.visits, get(), page.window.location.search + page.window.location.hash], [visits, null, here], address)
  }
})

test('a page on which something else is being typed stays, with a link to what was saved', async () => {
  const page = await begin()
  page.enter('amount', '12')
  await page.tap('#loan [value=lend]')
  page.enter('text', 'cake')
  await page.next().answer({ address: '/night/lines/4' }, 201, OURS)
  equal([page.visits, page.value('amount'), page.value('key') === 'k1', page.value('text'), state(page)], [[], '5', false, 'cake', [false, false, false, false]])
  equal([page.texts('[data-waiting] .carried'), page.$('.carried a').getAttribute('href')], [['saved'], '/night/lines/4'])
})

test('a form of another page is sent from here as well', async () => {
  put('waiting:/night/gift:k9', { action: 'https://table.test/night/gift', body: 'key=k9' })
  const page = await begin()
  await page.tick()
  await page.next().answer({ address: '/night/lines/4' }, 201, OURS)
  equal([page.visits, page.texts('.carried'), localStorage.length], [[], ['saved'], 0])
})

test('a refused form is shown by the server, unless something else is being typed', async () => {
  for (const typed of ['', 'cake']) {
    const page = await begin()
    await page.tap('#loan [value=lend]')
    page.enter('text', typed)
    await page.next().answer('', 400, OURS)
    equal(get().isRefused, true, typed)
    if (typed) equal([page.visits, note(page), state(page)], [[], ['refusedViewDiscard'], [false, false, false, false]])
    else equal([page.visits, sessionStorage.getItem('handed')], [[['post', '/night/move', { key: 'k1', amount: '5', do: 'lend' }]], SLOT])
    page.requests.splice(0)
  }
})

test('a refused form of another page waits in the list', async () => {
  put('waiting:/night/gift:k9', { action: 'https://table.test/night/gift' })
  const page = await begin()
  await page.tick()
  await page.next().answer('', 400, OURS)
  equal([page.visits, page.texts('[data-waiting] span')], [[], ['refused']])
  await page.tick(10_000)
  equal(page.requests, []) // it is not sent again by itself
  localStorage.clear()
  page.fire(page.window, 'storage') // it was looked at in another tab
  equal(page.texts('[data-waiting] span'), [])
})

test('while the server is away the form waits, and is sent again', async () => {
  const rows = [[(sent) => sent.fail(), 2000], [(sent) => sent.answer('', 503, { ...OURS, 'Retry-After': '9' }), 9000]]
  for (const [answer, delay] of rows) {
    localStorage.clear()
    const page = await begin()
    await page.tick()
    await page.tap('#loan [value=lend]')
    await answer(page.next())
    equal([state(page), get().hasWaited, note(page)], [[true, true, false, true], true, ['keptChangeAnother']])
    await page.tick(delay - 1)
    equal(page.requests, [], delay)
    await page.tick(1)
    await page.next().answer({ address: '/night/lines/4' }, 201, OURS)
    equal([page.visits.length, get()], [1, null])
  }
})

test('forms are sent one at a time, in order; none overtakes one that waits', async () => {
  for (const [key, at] of [['k7', 3], ['k8', 2], ['k9', 4]]) put(`waiting:/night/gift:${key}`, { at, body: `key=${key}` })
  const page = await begin()
  await page.tick()
  await page.sendAll()
  const key = () => page.next().body[0][1]
  equal([page.requests.length, page.requests[0].body[0][1]], [1, 'k8'])
  await page.next().answer({ address: '/night/lines/4' }, 201, OURS)
  equal(page.requests[0].body[0][1], 'k7')
  await page.next().fail()
  equal(page.requests, [])
  await page.tick(2000)
  equal(key(), 'k7')
})

test('what was refused at once is settled by the next form of its kind, a round or what waited is not', async () => {
  const page = await begin()
  const others = { k7: {}, k8: { isRound: true }, k9: { hasWaited: true } }
  for (const [key, given] of Object.entries(others)) put(`waiting:/night/move:${key}`, { isRefused: true, ...given })
  put('waiting:/night/gift:k6', { isRefused: true })
  await page.tap('#loan [value=lend]')
  await page.next().answer({ address: '/night/lines/4' }, 201, OURS)
  equal(Object.keys(localStorage).filter((slot) => slot.startsWith('waiting:')).sort(), ['waiting:/night/gift:k6', 'waiting:/night/move:k8', 'waiting:/night/move:k9'])
})

test('a refused form does not hold up the others', async () => {
  for (const key of ['k8', 'k9']) put(`waiting:/night/gift:${key}`, { at: Number(key[1]), body: `key=${key}` })
  const page = await begin()
  await page.tick()
  await page.next().answer('', 400, OURS)
  equal(page.next().body, [['key', 'k9']])
})

test('an answer to a form that was taken back meanwhile counts for nothing', async () => {
  for (const again of [null, { at: 2 }]) {
    put(SLOT)
    const page = await begin(NOTE + LIST)
    await page.tick()
    localStorage.removeItem(SLOT)
    if (again) put(SLOT, again)
    await page.next().answer('', 400, OURS)
    equal([page.visits, get()?.isRefused, page.requests], [[], again ? false : undefined, []])
  }
})

test('an error of ours is reported, and the form sent again', async () => {
  const page = await begin()
  const reported = []
  page.window.reportError = (error) => reported.push(error.message)
  await page.tap('#loan [value=lend]')
  await page.next().fail(new Error('ours'))
  equal([reported, state(page)[3]], [['ours'], true])
  await page.tick(2000)
  equal(page.requests.length, 1)
})

test('a form for which there is no room is sent, and stays on the page until there is an answer', async () => {
  const rows = [
    [(sent) => sent.answer({ address: '/night/lines/4' }, 201, OURS), [['assign', '/night/lines/4']], []],
    [(sent) => sent.answer('', 400, OURS), [['post', '/night/move', { key: 'k1', amount: '5', do: 'lend' }]], []],
    [(sent) => sent.fail(), [], ['not kept']],
  ]
  for (const [answer, visits, told] of rows) {
    const page = await begin()
    page.window.Storage.prototype.setItem = () => { throw new page.window.DOMException('', 'QuotaExceededError') }
    await page.tap('#loan [value=lend]')
    await answer(page.next())
    equal([page.visits, note(page), state(page)[0]], [visits, told, !told.length])
    if (told.length) await page.tap('#loan [value=lend]') // it can be sent again
    equal(page.requests.length, told.length)
    page.requests.splice(0)
  }
})

test('a form that was handed over takes its old place when it is sent again', async () => {
  for (const [path, at] of [['move', 1], ['gift', Date.parse('2026-03-07T20:00:00Z')]]) {
    localStorage.clear()
    const handed = `waiting:/night/${path}:k0`
    put(handed, { isRefused: true, hasWaited: true })
    sessionStorage.setItem('handed', handed)
    const page = await begin(LOAN + LIST, { attributes: 'lang="en" data-answer' })
    await page.tap('#loan [value=lend]')
    equal([get().at, get(handed)?.at, sessionStorage.getItem('handed')], path === 'move' ? [at, undefined, null] : [at, 1, handed])
  }
})

test('what was handed over and never waited is as lost as other input on a page that is left', async () => {
  const rows = [[{}, '', false], [{ hasWaited: true }, '', true], [{ isRound: true }, '', true], [{}, 'data-posted', true], [{}, 'data-answer', true]]
  for (const [given, attributes, isKept] of rows) {
    put(SLOT, { isRefused: true, ...given })
    sessionStorage.setItem('handed', SLOT)
    await begin(LOAN + LIST, { attributes: `lang="en" ${attributes}` })
    equal(get() !== null, isKept, JSON.stringify(given) + attributes)
  }
})

test('what makes no sense later is sent only if the server responds', async () => {
  const rows = [[(sent) => sent.answer('', 200), [['submit', 'now']], []], [(sent) => sent.answer('', 502), [], ['not sent']], [(sent) => sent.fail(), [], ['not sent']]]
  for (const [answer, visits, told] of rows) {
    const page = await begin()
    await page.tap('#now')
    await page.tap('#now') // nothing is asked twice
    const sent = page.next()
    equal([sent.url, sent.cache, page.requests, localStorage.length], ['/alive', 'no-store', [], 0])
    await answer(sent)
    equal([page.visits, note(page), state(page)], [visits, told, [false, false, false, false]])
  }
})

test('all other forms are sent by the browser', async () => {
  const rows = [[LOAN + NOTE + LIST, '#note'], [LOAN + NOTE, '#loan'], [LOAN + NOTE + LIST, '#loan', (event) => event.preventDefault()]]
  for (const [html, form, listen] of rows) {
    const page = await open(html, { url: '/night/money' })
    if (listen) page.$(form).addEventListener('submit', listen)
    await page.load('offline.js')
    page.fire(form, 'submit', { submitter: null })
    equal([page.requests, page.visits], [[], listen ? [] : [['submit', null]]])
  }
  const old = await open(LOAN + LIST, { url: '/night/money', prepare: ({ window }) => { delete window.HTMLFormElement.prototype.requestSubmit } })
  await old.load('offline.js')
  await old.tap('#loan [value=lend]')
  equal([old.requests, old.visits], [[], [['submit', 'lend']]])
})

test('a page that the browser kept can be used again for another form', async () => {
  for (const [persisted, isNew] of [[true, true], [false, false]]) {
    const page = await begin()
    await page.tap('#loan [value=lend]')
    page.fire(page.window, 'pageshow', { persisted })
    equal([page.value('key') !== 'k1', state(page)[0]], [isNew, !isNew])
    page.requests.splice(0)
  }
  const quiet = await begin()
  quiet.fire(quiet.window, 'pageshow', { persisted: true })
  equal(quiet.value('key'), 'k1')
})

test('a form that another tab has sent is left', async () => {
  for (const typed of ['', 'cake']) {
    const page = await begin()
    await page.tap('#loan [value=lend]')
    await page.next().fail()
    page.enter('text', typed)
    page.fire(page.window, 'storage')
    equal([page.visits, page.value('key')], [[], 'k1'])
    localStorage.clear()
    page.fire(page.window, 'storage')
    equal([page.visits, page.value('key') === 'k1'], typed ? [[], false] : [[['reload']], true])
    await settle()
  }
})
