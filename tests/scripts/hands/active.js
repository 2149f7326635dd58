import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const FULL = 'as ks qs'

const begin = async (given) => {
  const page = await openEntry(given)
  const module = await page.load('hands/active.js')
  const { seats } = await page.load('hands/seats.js')
  const { chooseWay } = await page.load('hands/form.js')
  const at = () => seats.indexOf(module.active)
  return { page, module, seats, chooseWay, at }
}

test('the seat that is activated gets the keys, and its cursor comes after its cards', async () => {
  const { page, module, seats, at } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'as ks' }] })
  const state = () => [at(), page.$('[data-picker]').hidden, page.document.body.classList.contains('playing'), page.$$('.seat.active').map(({ dataset }) => dataset.seat)]
  module.activate(seats[1])
  equal([...state(), seats[1].cursor], [1, false, true, ['1'], 2])
  equal(page.$('[data-tab="1"]').getAttribute('aria-current'), 'true')
  seats[1].cursor = 0
  module.activate(seats[1])
  equal(seats[1].cursor, 2)
  module.activate(null)
  equal(state(), [-1, true, false, []])
  page.document.body.classList.add('betting')
  module.activate(null)
  equal(page.document.body.classList.contains('playing'), true)
})

test('setting the active seat draws nothing yet, and leaves the cursor of the same one', async () => {
  const { page, module: { setActive, draw }, seats: [ana, beto] } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'as ks' }] })
  setActive(beto)
  equal([beto.cursor, page.$$('.seat.active').length], [2, 0])
  Object.assign(beto, { cursor: 1, selected: 0 })
  setActive(beto)
  equal([beto.cursor, beto.selected], [1, null])
  draw([])
  equal(page.$$('.seat.active').length, 1)
  setActive(ana)
  draw([])
  equal(page.$$('.seat.active').map(({ id }) => id), ['seat-0'])
})

test('leaving a seat accepts what a photograph proposed for it', async () => {
  const { module: { activate }, seats: [ana, beto] } = await begin()
  activate(ana)
  ana.proposed = { held: ['As'], unsure: new Set() }
  activate(ana)
  equal(Boolean(ana.proposed), true)
  activate(beto)
  equal([ana.proposed, ana.line.value], [null, 'As'])
})

test('the keys are hidden while lines are typed or results entered', async () => {
  const { page, module: { activate }, seats: [ana], chooseWay } = await begin()
  const keyboard = page.$('[data-picker]')
  const type = page.$('[data-type]')
  type.hidden = false
  activate(ana)
  page.$('.key').focus()
  page.$('#entry').classList.add('typing')
  equal(await page.focuses(() => activate(ana)), [true])
  equal([keyboard.hidden, page.document.body.classList.contains('playing'), page.document.activeElement === type], [true, false, true])
  page.$('#entry').classList.remove('typing')
  page.document.activeElement.blur()
  chooseWay('won_by')
  activate(ana)
  equal([keyboard.hidden, page.document.body.classList.contains('playing'), page.document.activeElement === page.document.body], [true, true, true])
})

test('the active player and the typed line are scrolled into view', async () => {
  const { page, module: { activate, scrollToActive }, seats: [, beto] } = await begin()
  const shown = []
  page.window.Element.prototype.scrollIntoView = function note(how) { shown.push([this.id || this.dataset.tab, how]) }
  activate(beto)
  equal(shown, [])
  await page.tick(16)
  equal(shown.splice(0), [['1', { block: 'nearest', inline: 'nearest' }]])
  page.$('#entry').classList.add('typing')
  scrollToActive()
  await page.tick(16)
  equal(shown.splice(0), [['1', { block: 'nearest', inline: 'nearest' }], ['seat-1', { block: 'nearest' }]])
  activate(null)
  await page.tick(16)
  equal(shown, [])
})

test('next is the first player after this one whose hand is missing', async () => {
  const rows = [
    // hands, who is out, from, next
    [['', '', '', ''], [], 0, 1],
    [['', '', '', ''], [], 3, 0],
    [['', '', FULL, ''], [], 1, 3],
    [['', '', FULL, ''], [3], 1, 0],
    [[FULL, '', FULL, FULL], [], 1, 1],
    [[FULL, FULL, FULL, FULL], [], 1, 1],
    [[FULL, '', FULL, FULL], [1], 1, 0],
    [[FULL, '', FULL, FULL], [0, 1], 1, 2],
    [['', '', '', ''], [0, 1, 2, 3], 1, 1],
  ]
  const { module: { advance, nextSeat }, seats, at } = await begin({ seats: ['Ana', 'Beto', 'Caro', 'Dani'] })
  for (const [hands, out, from, next] of rows) {
    seats.forEach((seat, number) => {
      seat.line.value = hands[number]
      seat.root.toggleAttribute('data-out', out.includes(number))
    })
    equal(seats.indexOf(nextSeat(seats[from])), next, hands)
    advance(seats[from])
    equal(at(), next)
  }
})

test('first is the first hand that is missing, or the first at all; none where the answer is shown', async () => {
  const rows = [
    [[FULL, '', ''], [], 1],
    [['', '', ''], [0], 1],
    [[FULL, FULL, FULL], [], 0],
    [[FULL, FULL, FULL], [0], 1],
    [['', '', ''], [0, 1, 2], 0],
  ]
  const { page, module: { activateFirst }, seats, at } = await begin()
  for (const [hands, out, first] of rows) {
    seats.forEach((seat, number) => {
      seat.line.value = hands[number]
      seat.root.toggleAttribute('data-out', out.includes(number))
    })
    activateFirst()
    equal(at(), first, hands)
  }
  page.document.body.insertAdjacentHTML('beforeend', '<p id="won"></p>')
  activateFirst()
  equal(at(), -1)
})

test('a phone whose hands are all elsewhere activates none', async () => {
  const { module: { activateFirst }, at } = await begin({ seats: [{ name: 'Ana', mine: false }] })
  activateFirst()
  equal(at(), -1)
})

test('drawing moves on from a player who is out, unless cards were entered or everybody is out', async () => {
  const { module: { activate, draw }, seats: [ana, beto], at } = await begin({ seats: ['Ana', 'Beto'] })
  activate(ana)
  ana.root.dataset.out = ''
  draw()
  equal(at(), 1)
  beto.root.dataset.out = ''
  draw()
  equal(at(), 1)
  delete ana.root.dataset.out
  beto.line.value = 'as'
  draw()
  equal(at(), 1)
})

test('only what changed is drawn', async () => {
  const { module: { draw }, seats: [ana, beto] } = await begin()
  const texts = () => [ana, beto].map(({ tab }) => tab.querySelector('small').textContent)
  draw([ana])
  equal(texts(), ['0/3', ''])
  draw()
  ana.line.value = beto.line.value = 'as'
  draw([beto])
  equal(texts(), ['0/3', '1/3'])
})

test('hands on other phones have a tab, but no slots', async () => {
  const { module: { draw }, page } = await begin({ seats: ['Ana', { name: 'Beto', mine: false, down: 'held 2' }] })
  draw()
  equal(page.texts('.tab small:first-of-type'), ['0/3', 'held 2'])
})

test('the tab of a player who is out opens it, so that this can be taken back', async () => {
  const { page, module, seats: [ana, beto], at } = await begin({ seats: ['Ana', 'Beto'] })
  module.activate(ana)
  page.$('[name=players-1-dropped]').checked = true
  module.activate(beto)
  module.draw()
  equal(at(), 1)
  module.activate(ana)
  page.$('[name=players-0-dropped]').checked = true
  page.$('[name=players-1-dropped]').checked = false
  module.draw()
  equal(at(), 1)
})
