import { openEntry } from './entry_page.js'
import { equal, test } from './harness.js'

const PAD = (more = '') => `<div class="picker pad" data-pad ${more} hidden></div>`
const ICON = '<svg class="icon"><path d="M0 0"/></svg>'

const begin = async (given = {}, prepare = () => {}) => {
  const page = await openEntry({ ways: ['won_by', 'counts'], pad: PAD(), ...given })
  page.$('[data-erase]').innerHTML = ICON
  prepare(page)
  const word = await page.load('word.js')
  ;(await page.load('hands.js')).begin()
  word.begin()
  const keys = () => page.$$('[data-pad] .key')
  const key = (text) => keys().find(({ textContent }) => textContent === text)
  const choose = () => page.tap('[data-way=counts]')
  return {
    page, keys, key, choose,
    points: () => page.$$('[data-points]').map(({ value }) => value),
    current: () => page.$$('[data-points]').map((field) => 'current' in field.dataset).indexOf(true),
    pressed: () => keys().filter((each) => each.getAttribute('aria-pressed') === 'true').map(({ textContent }) => textContent),
  }
}

test('the number pad is shown for the question that counts', async () => {
  const { page, keys, choose, current } = await begin()
  const pad = page.$('[data-pad]')
  equal([pad.hidden, current()], [true, -1])
  await page.tap('[data-way=won_by]')
  equal([pad.hidden, current(), page.visits], [true, -1, []])
  await choose()
  equal([pad.hidden, current(), page.$('[data-picker]').hidden], [false, 0, true])
  equal(keys().map(({ textContent }) => textContent), [...Array.from({ length: 28 }, (_, at) => String(at)), '28…', ''])
  equal([keys().at(-1).getAttribute('aria-label'), keys().at(-1).querySelector('.icon path') !== null, keys()[0].type], ['takeBack', true, 'button'])
  equal(page.$$('[data-points]').map(({ inputMode }) => inputMode), ['none', 'none', 'none'])
  await page.tap('[data-tab="0"]')
  equal([pad.hidden, current()], [true, -1])
})

test('a form that opens with that question has its pad', async () => {
  const { page, current } = await begin({}, (opened) => { opened.$('[name=way]').value = 'counts' })
  equal([page.$('[data-pad]').hidden, current()], [false, 0])
})

test('each number goes to the next player without one', async () => {
  const { page, key, choose, points, current, pressed } = await begin()
  await choose()
  const inputs = []
  page.$('#entry').addEventListener('input', ({ target }) => inputs.push(target.name))
  key('12').click()
  equal([points(), current(), pressed(), page.texts('[data-told]')], [['12', '', ''], 1, [], ['Ana: 12']])
  page.$$('[data-points]')[2].focus()
  key('7').click()
  equal([points(), current()], [['12', '', '7'], 1])
  key('0').click()
  equal([points(), current(), pressed(), inputs], [['12', '0', '7'], 1, ['0'], ['players-0-counts', 'players-2-counts', 'players-1-counts']])
})

test('after the last player, the first one without a number is next', async () => {
  const { page, key, choose, current } = await begin()
  await choose()
  page.$$('[data-points]')[2].focus()
  key('7').click()
  equal(current(), 0)
})

test('players who are out need no number', async () => {
  const { page, key, choose, current } = await begin()
  page.$('[name=players-1-dropped]').checked = true
  await choose()
  key('3').click()
  equal(current(), 2)
  page.$('[name=players-1-dropped]').closest('span').hidden = true
  key('3').click()
  equal(current(), 1)
})

test('the first player without a number is next when the question is chosen', async () => {
  const { page, choose, current } = await begin()
  page.enter('players-0-counts', '3')
  await choose()
  equal(current(), 1)
  for (const name of ['players-1-counts', 'players-2-counts']) page.enter(name, '3')
  await choose()
  equal(current(), 0)
})

test('higher numbers are on the next keys, which begin again after the last', async () => {
  const { key, keys, choose, points } = await begin()
  await choose()
  const more = () => keys().at(-2)
  const shown = []
  for (let tap = 0; tap < 5; tap++) {
    shown.push([keys()[0].textContent, keys()[27].textContent, more().textContent])
    more().click()
  }
  equal(shown, [['0', '27', '28…'], ['28', '55', '56…'], ['56', '83', '84…'], ['84', '111', '0…'], ['0', '27', '28…']])
  key('30').click()
  equal([points()[0], keys()[0].textContent], ['30', '0'])
})

test('some games count in halves', async () => {
  const { page, key, keys, choose, points, pressed } = await begin({ pad: PAD('data-halves') })
  await choose()
  const half = () => key('½')
  equal(keys().length, 31)
  half().click()
  equal([keys().slice(0, 3).map(({ textContent }) => textContent), pressed()], [['½', '1½', '2½'], ['½']])
  keys()[2].click()
  equal([points()[0], keys()[0].textContent, pressed()], ['2.5', '0', []])
  page.$$('[data-points]')[0].focus()
  half().click()
  equal(pressed(), ['2½', '½'])
  keys()[0].click()
  equal(points()[0], '0.5')
  page.document.activeElement.blur()
  page.$$('[data-points]')[0].focus()
  keys()[28].click()
  equal(pressed(), ['½', '½'])
  keys()[28].click()
  equal(pressed(), [])
})

test('the number of the current player is pressed, and can be erased', async () => {
  const { page, keys, choose, points, pressed } = await begin()
  page.enter('players-0-counts', ' 12 ')
  await choose()
  page.$$('[data-points]')[0].focus()
  equal(pressed(), ['12'])
  keys().at(-1).click()
  equal([points()[0], pressed(), page.texts('[data-told]')], ['', [], ['Ana: ']])
})

test('a field that gets the focus becomes the current one', async () => {
  const { page, choose, current } = await begin()
  await choose()
  page.$$('[data-points]')[2].focus()
  equal([current(), page.$('.seat.active').id], [2, 'seat-2'])
})

test('a field that still has the focus can be tapped again', async () => {
  const { page, key, choose, current } = await begin()
  await choose()
  page.$$('[data-points]')[1].focus()
  key('3').click()
  equal(current(), 2)
  page.$$('[data-points]')[1].click()
  equal(current(), 1)
})

test('without a question that counts, the keys fill nothing', async () => {
  const { page, keys, points } = await begin()
  keys()[5].click()
  equal([points(), page.texts('[data-told]')], [['', '', ''], ['']])
})

test('a tab keeps the active player, or takes the first', async () => {
  const { page } = await begin({}, (opened) => opened.document.body.classList.add('betting'))
  await page.tap('[data-tab="1"]')
  await page.tap('[data-way=won_by]')
  equal([page.$('.seat.active').id, page.document.body.classList.contains('betting'), page.value('way')], ['seat-1', false, 'won_by'])
  ;(await page.load('hands.js')).activate(null)
  page.document.body.classList.add('betting')
  await page.tap('[data-way=counts]')
  equal([page.$('.seat.active').id, page.document.body.classList.contains('betting')], ['seat-0', false])
})

test('names that were typed stand beside the boxes of the winners', async () => {
  const { page } = await begin({ draft: false })
  page.$('[name=players-0-name]').value = 'Dani'
  page.$$('.won')[1].remove()
  await page.tap('[data-way=won_by]')
  equal(page.texts('.won b'), ['Dani', 'Caro'])
})

test('names may contain what a replacement would mean', async () => {
  const { page, key, choose } = await begin({ seats: ['$&'] })
  await choose()
  key('3').click()
  equal(page.texts('[data-told]'), ['$&: 3'])
})

test('games without a number pad, and without such questions, are left alone', async () => {
  const without = await begin({ pad: '' })
  await without.choose()
  equal(without.current(), -1)
  const page = await openEntry({ ways: [] })
  ;(await page.load('word.js')).begin()
  page.fire('#entry', 'way')
  equal(page.$$('[data-points][data-current]').length, 0)
})
