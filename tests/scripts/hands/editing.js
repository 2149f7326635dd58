import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openEntry(given)
  const editing = await page.load('hands/editing.js')
  const { seats } = await page.load('hands/seats.js')
  const module = await page.load('hands/active.js')
  for (const seat of seats) seat.line.addEventListener('input', () => module.draw([seat])) // as hands.js does
  module.activate(seats[0])
  // a cursor is shown by its slot, a selection by brackets: "As [Ks] |"
  const state = (seat = seats[0]) => {
    const cards = seat.line.value.split(' ').filter(Boolean).map((card, at) => at === seat.selected ? `[${card}]` : card)
    cards.splice(seat.cursor, 0, '|')
    return cards.join(' ')
  }
  return { page, seats, ...editing, state, at: () => seats.indexOf(module.active), told: () => page.$('[data-told]').textContent }
}

test('cards are added where the cursor is', async () => {
  const { add, seats: [ana, beto], state, told, at, page } = await begin()
  add(ana, 'As')
  equal([state(), told(), at()], ['As |', 'Ana: the As', 0])
  ana.cursor = 0
  add(ana, 'Ks')
  equal(state(), 'Ks | As')
  ana.cursor = 9
  add(ana, 'Qs')
  equal([state(), at(), page.buzzes], ['Ks As Qs |', 1, []])
  add(ana, 'Js')
  equal([state(), told(), at()], ['Ks As Qs |', 'full Ana', 1])
  equal(beto.cursor, 0)
})

test('a full hand moves on to the next, which is felt and seen', async () => {
  const { add, seats: [ana], page, at } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }, { name: 'Beto', hand: 'qs' }] })
  page.window.matchMedia = (query) => ({ matches: query !== '(prefers-reduced-motion: reduce)' })
  const shown = []
  page.window.Element.prototype.scrollIntoView = function note() { shown.push(this.dataset.tab) }
  await page.tick(16)
  shown.splice(0)
  add(ana, 'Js')
  await page.tick(16)
  const shows = () => [page.$('.seat.active').id, page.$('.beat')?.id, page.$('[aria-current]').dataset.tab, page.texts('.slot.next').length]
  equal([at(), page.buzzes, shown.splice(0), shows()], [1, [10], ['0'], ['seat-0', 'seat-0', '0', 0]])
  // it stays in sight for a beat
  await page.tick(1000)
  equal([at(), shown, shows()], [1, ['1'], ['seat-1', undefined, '1', 1]])
})

test('a card that is added to an incomplete hand is not felt', async () => {
  const { add, seats: [ana], page } = await begin()
  page.window.matchMedia = () => ({ matches: false })
  add(ana, 'Js')
  equal(page.buzzes, [])
})

test('a key replaces the selected card; the cursor then comes after the last one', async () => {
  const { add, select, seats: [ana], state } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }] })
  select(ana, 0)
  equal(state(), '[as] ks |')
  add(ana, 'Qs')
  equal(state(), 'Qs Ks |')
  add(ana, 'Js')
  equal(state(), 'Qs Ks Js |')
})

test('the cursor after a replaced card is the same wherever it was before', async () => {
  const { add, select, seats: [ana], state } = await begin({ size: 4, seats: [{ name: 'Ana', hand: 'as ks' }] })
  ana.cursor = 0
  select(ana, 1)
  add(ana, 'Qs')
  equal([state(), ana.selected], ['As Qs |', null])
  add(ana, 'Js')
  equal(state(), 'As Qs Js |')
})

test('replacing in a full hand is allowed, and moves on', async () => {
  const { add, select, seats: [ana], state, at } = await begin({ seats: [{ name: 'Ana', hand: 'as ks qs' }, 'Beto'] })
  select(ana, 1)
  add(ana, 'Js')
  equal([state(), at()], ['As Js Qs |', 1])
})

test('the cursor is at the end of a full hand, however it was filled', async () => {
  const { add, seats: [ana], state } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }] })
  ana.cursor = 0
  add(ana, 'Qs')
  equal(state(), 'Qs As Ks |')
})

test('a card is taken out, and the cursor stays in its place', async () => {
  const { remove, select, seats: [ana], state, told } = await begin({ seats: [{ name: 'Ana', hand: 'as ks qs' }] })
  select(ana, 2)
  remove(ana, 1)
  equal([state(), told()], ['As | Qs', 'Ana: taken the Ks'])
  equal(ana.selected, null)
})

test('backspace takes the selected card, or the one before the cursor', async () => {
  const { backspace, select, seats: [ana], state } = await begin({ seats: [{ name: 'Ana', hand: 'as ks qs' }] })
  const steps = [
    [() => { ana.cursor = 2 }, 'As | Qs'],
    [() => { ana.cursor = 9 }, 'As |'],
    [() => { ana.cursor = 0 }, '| As'],
    [() => select(ana, 0), '|'],
    [() => {}, '|'],
  ]
  for (const [before, after] of steps) {
    before()
    backspace(ana)
    equal(state(), after)
  }
})

test('backspace takes all cards of who shows no hand', async () => {
  const { backspace, seats: [ana], state, told } = await begin({ seats: [{ name: 'Ana', hand: 'as ks qs' }] })
  ana.root.dataset.out = 'dropped'
  backspace(ana)
  equal([state(), told()], ['|', 'Ana: nothing'])
})

test('a card is selected and deselected by a tap', async () => {
  const { select, seats: [ana], state, told, page } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }] })
  select(ana, 1)
  equal([state(), told()], ['as [ks] |', 'selected the Ks'])
  equal(page.texts('.slot.selected b'), ['Ks'])
  page.$('[data-told]').textContent = ''
  select(ana, 1)
  equal([ana.selected, told(), page.$$('.slot.selected').length], [null, '', 0])
  select(ana, 0)
  select(ana, 1)
  equal(state(), 'as [ks] |')
})

test('a proposed hand is changed without entering it, and looking at a card makes it sure', async () => {
  const { add, remove, select, seats: [ana], page, at } = await begin({ camera: { unsure: '{piece}?' } })
  ana.proposed = { held: ['As', 'Ks'], unsure: new Set(['As', 'Ks']) }
  select(ana, 0)
  equal([...ana.proposed.unsure], ['Ks'])
  select(ana, 0)
  ana.cursor = 2
  add(ana, 'Qs')
  equal([ana.proposed.held, ana.line.value, at()], [['As', 'Ks', 'Qs'], '', 0])
  equal(page.texts('[data-seat="0"] .slot b'), ['As', 'Ks', 'Qs'])
  remove(ana, 0)
  equal([ana.proposed.held, ana.line.value], [['Ks', 'Qs'], ''])
  equal(page.texts('[data-seat="0"] .slot b'), ['Ks', 'Qs'])
})

test('a hand that lies face down is replaced only if that is confirmed', async () => {
  const { add, seats: [ana], page, state } = await begin({ seats: [{ name: 'Ana', down: 'down 3' }] })
  page.confirms = false
  add(ana, 'As')
  equal([state(), page.asked], ['|', ['over Ana']])
  page.confirms = true
  add(ana, 'As')
  equal(state(), 'As |')
})

test('names and cards may contain what a replacement would mean', async () => {
  const { add, remove, select, seats: [ana], told } = await begin({ seats: [{ name: '$&', hand: 'as ks qs' }] })
  add(ana, 'Js')
  equal(told(), 'full $&')
  ana.line.value = '$&'
  select(ana, 0)
  equal(told(), 'selected $&')
  remove(ana, 0)
  equal(told(), '$&: taken $&')
})
