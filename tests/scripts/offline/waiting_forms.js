import { equal, open, test } from '../harness.js'

const NAMES = ['booked', 'change', 'drop', 'kept', 'look', 'more', 'next', 'sure', 'unkept', 'unsent']
const WORDS = { ...Object.fromEntries(NAMES.map((name) => [name, name])), after: 'after one', others: '{n} others', refused: 'refused {time}', round: 'round {time}' }
const LIST = `<div data-waiting data-words='${JSON.stringify(WORDS)}'></div>`
const ROUND = `<h1>Round 3</h1><form id="entry" method="post" action="/night/round"><p><input type="hidden" name="key" value="k3">
  <input type="hidden" name="number" value="3"><input name="hand"><button data-sent disabled>Save</button></p></form>`
const OTHER = '<form id="other" method="post" action="/night/move"><p><input type="hidden" name="key" value="k9"><input name="amount"></p></form>'
const PATH = 'waiting:/night/round:'

const put = (slot, number, given = {}) => localStorage.setItem(slot, JSON.stringify({ action: 'https://table.test/night/round', body: `number=${number}`, at: number, isRound: true, isRefused: false, ...given }))
const get = (slot) => JSON.parse(localStorage.getItem(slot))
const number = (key) => Number(new URLSearchParams(get(PATH + key)?.body).get('number'))
const rows = (page) => page.$$('[data-waiting] > *').map(({ textContent }) => textContent)
// Opens a page whose script is only this one; `ways` are those of the form of a round.
const begin = async ({ html = ROUND + OTHER + LIST, url = '/night/round', ways = {}, isEntry = true } = {}) => {
  const page = await open(html, { url })
  const done = []
  const module = await page.load('offline/waiting_forms.js')
  const note = (name) => (...given) => { done.push([name, ...given]) }
  const entry = page.$('#entry')
  if (isEntry && entry) module.setEntry(entry, { hold: note('hold'), booked: note('booked'), next: note('next'), refill: () => true, ...ways })
  entry?.addEventListener('caughtup', () => note('caughtup')())
  page.window.Element.prototype.scrollIntoView = function scroll({ block }) { done.push([this.className || 'list', block]) }
  return Object.assign(page, module, { done, entry, other: page.$('#other'), lineOf: () => get('line:/night/round') })
}
const press = (page, text) => page.$$('button').find((button) => button.textContent === text).click()

test('what was typed into another form is noticed', async () => {
  const cases = [
    ['<input name="x" value="a">', 'input', ['a', false], ['b', true]],
    ['<textarea name="x">a</textarea>', 'textarea', ['a', false], ['', true]],
    ['<input type="hidden" name="x" value="a">', 'input', ['b', false]],
    ['<select name="x"><option>a<option>b</select>', 'select', ['a', false], ['b', true]],
    ['<select name="x"><option>a<option selected>b</select>', 'select', ['b', false], ['a', true]],
    ['<select name="x"></select>', 'select', ['', true]],
    ['<button name="x">', 'button', ['b', false]],
  ]
  for (const [field, selector, ...values] of cases) {
    const page = await begin({ html: `<form id="other"></form><form>${field}</form>` })
    for (const [value, isTyped] of values) {
      page.$(selector).value = value
      equal([page.isElsewhereTyped(page.other), page.isElsewhereTyped(page.$$('form')[1])], [isTyped, false], `${field} ${value}`)
    }
  }
  for (const type of ['checkbox', 'radio']) {
    const page = await begin({ html: `<form id="other"></form><form><input type="${type}" checked></form>` })
    const box = page.$('input')
    const isTyped = [page.isElsewhereTyped(page.other)]
    box.checked = false
    equal([...isTyped, page.isElsewhereTyped(page.other)], [false, true], type)
  }
})

test('the list says what waits, and offers what can be done about it', async () => {
  const money = 'waiting:/night/move:k8'
  const loan = { action: 'https://table.test/night/move', isRound: false }
  const cases = [
    // what waits, where one looks, the rows
    [[], '/night/round', []],
    [[[`${PATH}k1`, 1]], '/night', ['round 00:00look']],
    [[[`${PATH}k1`, 1]], '/night/round', ['round 00:00']],
    [[[`${PATH}k3`, 3]], '/night/round', ['round 00:00changenext']],
    [[[`${PATH}k1`, 1, { isRefused: true }]], '/night', ['refused 00:00lookdrop']],
    [[[`${PATH}k1`, 1, { isRefused: true }], [`${PATH}k2`, 2]], '/night', ['refused 00:00lookdrop', 'after onelook']],
    [[[`${PATH}k1`, 1], [`${PATH}k2`, 2]], '/night', ['2 others']],
    [[[`${PATH}k1`, 1], [`${PATH}k2`, 2]], '/night/round', ['round 00:00', 'round 00:00']],
    [[[money, 1, loan]], '/night', ['1 others']],
    [[[money, 1, { ...loan, isRefused: true, hasWaited: true }]], '/night', ['refused 00:00lookdrop']],
    [[[money, 1, { ...loan, isRefused: true }]], '/night', []], // its own tab shows it
    [[[`${PATH}k1`, 1], [money, 2, loan]], '/night', ['2 others']],
    [[[`${PATH}k1`, 1], [money, 2, loan]], '/night/round', ['round 00:00', '1 others']],
  ]
  for (const [waiting, url, expected] of cases) {
    localStorage.clear()
    for (const [slot, at, given] of waiting) put(slot, at, { ...given, at: Date.parse('2026-03-07T00:00:00Z') + at })
    const page = await begin({ url, html: (url === '/night' ? '' : ROUND) + LIST })
    page.draw()
    equal(rows(page), expected, `${url} ${JSON.stringify(waiting)}`)
  }
  const old = await begin({ html: ROUND })
  old.draw() // a page without a list has none
})

test('a form that was handed over is on the page, not in the list', async () => {
  put(`${PATH}k1`, 1, { isRefused: true })
  sessionStorage.setItem('handed', `${PATH}k1`)
  const page = await begin({ url: '/night' })
  page.draw()
  equal(rows(page), [])
})

test('the list is drawn only if it changed, so that it is read out once', async () => {
  put(`${PATH}k1`, 1)
  const page = await begin()
  page.draw()
  const row = page.$('[data-waiting] .row')
  page.draw()
  equal(page.$('[data-waiting] .row') === row, true)
  page.setUnkept(true)
  equal(rows(page).slice(0, 1), ['unkept'])
  page.setUnkept(false)
  equal(rows(page).length, 1)
})

test('a refused form is viewed, or discarded after a question', async () => {
  put(`${PATH}k1`, 1, { isRefused: true, body: 'number=1&hand=As' })
  const page = await begin()
  page.draw()
  page.confirms = false
  press(page, 'drop')
  equal([page.asked, rows(page).length], [['sure'], 1])
  press(page, 'look')
  equal(page.visits, [['post', '/night/round', { number: '1', hand: 'As' }]])
  sessionStorage.clear()
  page.confirms = true
  page.entry.dataset.ahead = ''
  press(page, 'drop')
  equal([rows(page), localStorage.length, page.done], [[], 0, [['caughtup']]]) // the next round is the table's again
})

test('one that waits is viewed on its own page', async () => {
  put(`${PATH}k1`, 1)
  const page = await begin({ html: LIST, url: '/night' })
  page.draw()
  equal(page.$('[data-waiting]').innerHTML, '<div class="line row"><span>round Jan 1, 00:00</span><div class="chips"><button type="button" class="button small">look</button></div></div>')
  press(page, 'look')
  equal(page.visits, [['assign', '/night/round']])
})

test('a form that waits is locked; it is changed, or emptied for another one', async () => {
  const slot = 'waiting:/night/move:k9'
  for (const [button, value, isKept] of [['change', '7', false], ['more', '', true]]) {
    put(slot, 1, { isRound: false, action: 'https://table.test/night/move' })
    const page = await begin()
    page.enter('amount', '7')
    page.other.dataset.booking = ''
    page.waitHere(slot, page.other)
    equal([page.$('#other p').inert, 'saving' in page.other.dataset, 'booking' in page.other.dataset], [true, true, false])
    equal([page.texts('.waiting > div'), rows(page), page.done], [['keptchangemore'], [], [['waiting', 'center']]])
    press(page, button)
    equal([page.$('#other p').inert, 'saving' in page.other.dataset, page.value('amount'), page.texts('.waiting > div'), page.held.size], [false, false, value, [], 0], button)
    equal([get(slot) !== null, page.other.elements.key.value === 'k9', rows(page).length], [isKept, !isKept, Number(isKept)])
    equal(page.$('[data-sent]'), null) // buttons that were tapped can be tapped again
  }
})

test('a form that could neither be sent nor stored says so', async () => {
  const page = await begin()
  page.tellUnkept(page.other)
  equal([page.texts('.waiting > div'), rows(page)], [['unkept'], []])
  page.clearNote(page.other)
  equal(page.texts('.waiting > div'), [])
  page.clearNote(page.entry)
  page.tellUnkept(page.entry)
  equal([rows(page), page.done.at(-1)], [['unkept'], ['list', 'center']])
})

test('a waiting round comes back to its form, unless that is of a later one or was refused', async () => {
  const cases = [
    // what waits, the number of the form, whether it comes back, whether rounds before it wait
    [[['k1', 3]], 3, true, false],
    [[['k1', 3]], 4, false, false],
    [[['k1', 4]], 3, true, false],
    [[['k1', 3, { isRefused: true }]], 3, false, false],
    [[['k1', 3], ['k2', 4]], 3, true, true],
    [[], 3, false, false],
  ]
  for (const [waiting, at, isBack, isAhead] of cases) {
    localStorage.clear()
    for (const [key, ...given] of waiting) put(PATH + key, ...given)
    const page = await begin({ ways: { refill: (body) => { page.entry.elements.key.value = 'k2'; return body === `number=${waiting.at(-1)[1]}` } } })
    page.entry.elements.number.value = at
    page.resume()
    equal([page.held.size > 0, 'ahead' in page.entry.dataset, page.done], [isBack, isAhead, isBack ? [['hold', true], ['list', 'center']] : []], JSON.stringify(waiting))
  }
  put(`${PATH}k1`, 3)
  const other = await begin({ ways: { refill: () => false } })
  other.resume()
  equal(other.held.size, 0) // other seats
})

test('the next round is entered while one waits, also after a reload', async () => {
  for (const hasNext of [undefined, () => false, () => true]) {
    put(`${PATH}k3`, 3)
    localStorage.setItem('line:/night/round', 9)
    const page = await begin({ ways: { hasNext } })
    page.resume()
    if (!hasNext?.()) press(page, 'next')
    equal([page.value('number'), page.value('key') === 'k3', 'ahead' in page.entry.dataset, page.held.size, page.lineOf()], ['4', false, true, 0, null])
    equal(page.done.slice(-2), [['hold', false], ['next']])
  }
  put(`${PATH}k3`, 3)
  const last = await begin({ ways: { next: undefined } })
  last.draw()
  equal(rows(last)[0].endsWith('change'), true) // a correction has no next one
})

test('a round that is taken back to be changed has its number again', async () => {
  put(`${PATH}k3`, 7)
  const page = await begin()
  page.waitHere(`${PATH}k3`, page.entry)
  press(page, 'change')
  equal([page.value('number'), get(`${PATH}k3`), page.done.at(-1), rows(page)], ['7', null, ['hold', false], []])
})

test('rounds after one that was saved follow its line', async () => {
  const cases = [
    ['/night/lines/5?saved=yes', { isRound: true }, 5, 6],
    ['/night/lines/5?saved=yes', { isRound: false }, null, 6],
    ['/night/money', { isRound: true }, null, 4],
  ]
  for (const [address, given, line, next] of cases) {
    localStorage.clear()
    put(`${PATH}k1`, 3, given)
    put(`${PATH}k2`, 4)
    const page = await begin()
    page.entry.dataset.ahead = ''
    page.dropSaved(`${PATH}k1`, address)
    equal([get(`${PATH}k1`), page.lineOf(), number('k2')], [null, line, next], address)
    equal('ahead' in page.entry.dataset, true) // one still waits
  }
})

test('once no round waits any more, the next one goes on with the table', async () => {
  for (const [line, ahead, expected] of [[5, true, '6'], [null, true, '3'], [5, false, '3']]) {
    localStorage.clear()
    if (line) localStorage.setItem('line:/night/round', line)
    const page = await begin()
    if (ahead) page.entry.dataset.ahead = ''
    page.catchUp()
    equal([page.value('number'), page.done, page.lineOf(), 'ahead' in page.entry.dataset], [expected, ahead ? [['caughtup']] : [], ahead ? null : line, false])
  }
  const none = await begin({ isEntry: false })
  none.catchUp()
})
