import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const begin = async (given, isActive = true) => {
  const page = await openEntry(given)
  const { type } = await page.load('hands/typing.js')
  const { seats } = await page.load('hands/seats.js')
  const module = await page.load('hands/active.js')
  if (isActive) module.activate(seats[0])
  page.document.addEventListener('keydown', type)
  let time = 10_000
  // Returns whether the key was used. `after`: milliseconds since the one before.
  const press = (key, { on = page.document.body, after = 100, ...more } = {}) => {
    time += after
    return !page.fire(on, 'keydown', { key, timeStamp: time, ...more })
  }
  return { page, seats, press, line: () => seats[0].line.value, at: () => seats.indexOf(module.active), module }
}

test('characters add up to a card', async () => {
  const { press, line } = await begin({ size: 5 })
  const used = [...'as', ...'10h', ...'TH'].map((key) => press(key))
  equal([line(), used], ['As Th Th', [false, true, false, false, true, false, true]])
})

test('a pause, or a character that no card goes on with, begins a new card', async () => {
  const rows = [[['a', 100], ['s', 1499], 'As'], [['a', 100], ['s', 1500], ''], [['a', 100], ['k', 100], ['s', 100], 'Ks'], [['s', 100], ['k', 100], ['s', 100], 'Ks']]
  for (const row of rows) {
    const { press, line } = await begin()
    for (const [key, after] of row.slice(0, -1)) press(key, { after })
    equal(line(), row.at(-1), row)
  }
})

test('a card of another hand is not added', async () => {
  const { press, line } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'as' }] })
  press('a')
  equal([press('s'), line()], [true, ''])
})

test('arrows move the cursor and change the player; backspace takes a card', async () => {
  const { press, seats: [ana], line, at } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }, 'Beto', 'Caro'] })
  const cursors = ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight'].map((key) => { press(key); return ana.cursor })
  equal(cursors, [2, 1, 0, 0, 1])
  equal([press('Backspace'), line()], [true, 'Ks'])
  const seats = ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp'].map((key) => { press(key); return at() })
  equal(seats, [2, 0, 1, 0])
})

test('moving the cursor is seen', async () => {
  const { press, page } = await begin({ seats: [{ name: 'Ana', hand: 'as' }] })
  press('ArrowLeft')
  equal(page.$$('[data-seat="0"] .slot').map((slot) => slot.classList.contains('next')), [true, false, false])
})

test('other keys, and keys with modifiers, are left to the browser', async () => {
  const { press, line } = await begin()
  press('a')
  const used = ['Enter', 'F5', ' ', 'Tab'].map((key) => press(key))
  equal(used, [false, false, false, false])
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) equal(press('s', { [modifier]: true }), false, modifier)
  equal(line(), '')
  equal(press('s'), true)
})

test('what is typed into a field stays there', async () => {
  const fields = '<input id="text"><select id="list"></select><textarea id="area"></textarea><input type="checkbox" id="box"><input type="radio" id="one">'
  const { press, page, seats: [ana] } = await begin({ before: fields, seats: [{ name: 'Ana', hand: 'as' }] })
  const used = [...page.$$('main > :is(input, select, textarea)')].map((on) => [press('Backspace', { on }), press('ArrowLeft', { on })])
  equal(used, [[false, false], [false, false], [false, false], [true, true], [true, false]])
  equal(ana.line.value, '')
})

test('on the keys themselves, arrows move between them', async () => {
  const { press, page, seats: [ana] } = await begin({ seats: [{ name: 'Ana', hand: 'as' }] })
  const [first, second] = page.$$('.key')
  first.focus()
  equal([press('ArrowRight', { on: first }), page.document.activeElement === second, ana.cursor], [true, true, 1])
  press('Backspace', { on: second })
  equal(ana.line.value, '')
})

test('nothing is typed without an active hand, without keys, or behind a dialog', async () => {
  const none = await begin({}, false)
  equal(none.press('Backspace'), false)
  const { press, page, seats: [ana] } = await begin({ seats: [{ name: 'Ana', hand: 'as' }] })
  page.$('[data-picker]').hidden = true
  equal(press('Backspace'), false)
  page.$('[data-picker]').hidden = false
  page.document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>')
  equal([press('Backspace'), ana.line.value], [false, 'as'])
})
