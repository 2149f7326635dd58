import { openEntry } from './entry_page.js'
import { equal, settle, test, until } from './harness.js'

const begin = async (given, prepare = () => {}) => {
  const page = await openEntry(given)
  prepare(page)
  const hands = await page.load('hands.js')
  const module = await page.load('hands/active.js')
  hands.begin()
  return { page, hands, seats: hands.seats, at: () => hands.seats.indexOf(module.active), active: () => module.active }
}

test('the form is made ready for tapping', async () => {
  const { page, at } = await begin({ dock: '<button data-enter></button>' })
  equal([at(), page.$('#entry').className, page.$('[data-enter]'), page.$('[data-type]').hidden, page.$('[data-slots]').hidden], [0, 'tapping', null, false, false])
  equal(page.$$('.key').map((key) => key.tabIndex), [0, ...Array(9).fill(-1)])
  page.$('.docked').style.height = '123px'
  await until(() => page.document.documentElement.style.getPropertyValue('--docked') === '123px')
})

test('the form opens with the question that was answered', async () => {
  const { page } = await begin({}, (opened) => { opened.$('[name=way]').value = 'won_by' })
  equal([page.$('[data-picker]').hidden, page.$('[data-way]').getAttribute('aria-current')], [true, 'true'])
})

test('keys add a card, or take it back; without an active hand they do nothing', async () => {
  const { page, hands, seats: [ana] } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'ks' }] })
  await page.tap('[data-piece=As]')
  equal([ana.line.value, page.$('[data-piece=As]').getAttribute('aria-pressed')], ['As', 'true'])
  await page.tap('[data-piece=Ks]')
  equal([ana.line.value, page.texts('[data-offer]'), page.texts('[data-told]')], ['As', ['take the Ks from Beto'], ['the Ks: Beto']])
  await page.tap('[data-piece=As]')
  equal(ana.line.value, '')
  hands.activate(null)
  await page.tap('[data-piece=As]')
  equal(ana.line.value, '')
})

test('a key that gets the focus becomes the tab stop', async () => {
  const { page } = await begin()
  const key = page.$('[data-piece=Qs]')
  key.focus()
  equal(page.$$('.key').filter(({ tabIndex }) => tabIndex === 0).map(({ dataset }) => dataset.piece), ['Qs'])
})

test('slots select cards, and activate their hand', async () => {
  const { page, seats: [ana, beto], at } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'as ks' }] })
  await page.tap('[data-seat="1"] .slot:nth-child(2)')
  equal([at(), beto.selected], [1, 1])
  await page.tap('[data-seat="1"] .slot:nth-child(3)')
  equal(beto.selected, 1)
  await page.tap('[data-seat="0"] .slot')
  equal([at(), ana.selected], [0, null])
  page.$('[data-seat="1"] .slots').click()
  equal(at(), 0)
})

test('erasing takes the last card', async () => {
  const { page, seats: [ana] } = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }] })
  await page.tap('[data-seat="0"] [data-erase]')
  equal(ana.line.value, 'As')
})

test('a typed line is drawn, and asks before it covers a hand that lies face down', async () => {
  const { page, seats: [ana, beto] } = await begin({ seats: ['Ana', { name: 'Beto', down: 'down 3' }] })
  page.enter('players-0-hand', 'as')
  equal(page.texts('[data-seat="0"] .slot b'), ['As'])
  ana.line.focus()
  equal(page.asked, [])
  page.confirms = false
  beto.line.focus()
  equal([page.asked, page.document.activeElement === beto.line], [['over Beto'], false])
  page.confirms = true
  beto.line.focus()
  equal(page.document.activeElement === beto.line, true)
})

test('a name is selected to be replaced, and drawn as it is typed', async () => {
  const { page, seats: [ana] } = await begin({ draft: false })
  ana.name.focus()
  equal([ana.name.selectionStart, ana.name.selectionEnd], [0, 3])
  page.enter('players-0-name', 'Dani')
  equal(page.texts('.tab b')[0], 'Dani')
})

test('a tab activates its player, away from bets and results', async () => {
  const { page, at } = await begin({}, (opened) => {
    opened.$('[name=way]').value = 'won_by'
    opened.document.body.classList.add('betting')
  })
  await page.tap('[data-tab="1"]')
  equal([at(), page.visits, page.value('way'), page.document.body.classList.contains('betting')], [1, [], '', false])
})

test('a player who drops is left for the next one; other answers are drawn', async () => {
  const chips = '<label><input type="radio" name="most" value="0" data-size="4"></label>'
  const { page, at } = await begin({ seats: [{ name: 'Ana', chips }, 'Beto', 'Caro'] })
  const texts = () => page.texts('.tab small:first-of-type')
  await page.tap('[name=players-0-dropped]')
  equal([at(), texts()], [1, ['dropped', '0/3', '0/3']])
  await page.tap('[name=players-0-dropped]')
  equal([at(), texts()], [1, ['0/3', '0/3', '0/3']])
  await page.tap('[name=players-2-dropped]')
  equal([at(), texts()], [1, ['0/3', '0/3', 'dropped']])
  await page.tap('[name=most]')
  await page.tap('[name=asked-knocker][value="1"]')
  await page.tap('[name=players-1-won_by]')
  equal(texts(), ['0/4', 'won · knocked · 0/3', 'dropped'])
})

test('a problem leads to its hand', async () => {
  const { page, at } = await begin({ before: '<div id="problems"><a href="#card-2">Caro</a><a href="#stake">stake</a></div>', seats: ['Ana', 'Beto', { name: 'Caro', inside: '<i id="card-2"></i>' }], fields: '<input id="stake">' })
  await page.tap('#problems a')
  equal([at(), page.$('#problems')], [2, null])
})

test('the list of problems, which covers the keys, goes away when anything else is tapped', async () => {
  const { page, seats: [ana] } = await begin({ before: '<div id="problems"><a href="#stake">stake</a></div>', seats: [{ name: 'Ana', inside: '<p class="error"></p>' }] })
  equal(page.$('.error').classList.contains('unseen'), true)
  await page.tap('[data-piece=As]')
  equal([ana.line.value, page.$('#problems'), page.$('.error')?.classList.contains('unseen') ?? false], ['As', null, false])
})

test('a problem elsewhere activates no hand', async () => {
  const { page, at } = await begin({ before: '<div id="problems"><a href="#stake">stake</a></div>', fields: '<input id="stake">' })
  await page.tap('#problems a')
  equal([at(), page.$('#problems')], [0, null])
})

test('the keys give way to typed lines, and come back', async () => {
  const { page } = await begin()
  const state = () => [page.$('#entry').classList.contains('typing'), page.$('[data-type]').getAttribute('aria-pressed'), page.$('[data-picker]').hidden]
  equal(state(), [false, 'false', false])
  await page.tap('[data-type]')
  equal(state(), [true, 'true', true])
  await page.tap('[data-type]')
  equal(state(), [false, 'false', false])
})

test('a line that cannot be read is shown at once', async () => {
  for (const [hand, isTyping] of [['as xx', true], ['as', false]]) {
    const { page } = await begin({ seats: ['Ana', { name: 'Beto', hand }] })
    equal([page.$('#entry').classList.contains('typing'), page.$('[data-picker]').hidden], [isTyping, isTyping], hand)
  }
})

test('a page without tabs, ways and a switch, or where all hands are elsewhere, works too', async () => {
  const { at } = await begin({ seats: [{ name: 'Ana', mine: false }] }, (opened) => {
    for (const element of opened.$$('[data-type], [name=way], .tab')) element.remove()
  })
  equal(at(), -1)
})

test('a seat without a tab can be filled', async () => {
  const { page, seats: [ana] } = await begin({ seats: ['Ana'] }, (opened) => opened.$('.tab').remove())
  await page.tap('[data-piece=As]')
  equal(ana.line.value, 'As')
})

test('typing on a computer enters cards', async () => {
  const { page, seats: [ana] } = await begin()
  for (const key of 'as') page.fire(page.document.body, 'keydown', { key })
  equal(ana.line.value, 'As')
})

test('sending the form confirms proposed hands', async () => {
  const { page, seats: [ana] } = await begin()
  ana.proposed = { held: ['As'], unsure: new Set() }
  page.$('[data-settle]').click()
  await settle()
  equal([ana.line.value, page.visits], ['As', [['submit', 'settle']]])
})

test('a reading is shown, and marks hands that lie face down', async () => {
  const { page, hands: { setReading }, seats: [ana, beto], at } = await begin()
  setReading(beto, 'a pair')
  equal([beto.reading.textContent, beto.root.classList.contains('down'), at()], ['a pair', false, 0])
  setReading(beto, 'down 3', { liesDown: true })
  equal([beto.root.classList.contains('down'), at()], [true, 0])
  setReading(ana, 'down 3', { liesDown: true })
  equal(at(), 2)
  setReading(ana, 'a pair')
  equal(ana.root.classList.contains('down'), false)
  const text = ana.reading.firstChild
  setReading(ana, 'a pair')
  equal(ana.reading.firstChild === text, true) // read out only once
})

test('a hand with cards stays active even if another lies face down for it', async () => {
  const { hands: { setReading }, seats: [ana], at } = await begin({ seats: [{ name: 'Ana', hand: 'as' }, 'Beto'] })
  setReading(ana, 'down 3', { liesDown: true })
  equal(at(), 0)
})

test('Return in a name leads to the next player who is in, and from the last one to the cards', async () => {
  const { page, at } = await begin({ draft: false, seats: ['Ana', { name: 'Beto', attributes: 'data-out' }, 'Caro'] })
  const press = (number, properties = {}) => page.fire(page.$(`[name=players-${number}-name]`), 'keydown', { key: 'Enter', isComposing: false, ...properties })
  page.$('[name=players-0-name]').focus()
  equal([press(0, { key: 'a' }), press(0, { isComposing: true }), at()], [true, true, 0])
  equal([press(0), at(), page.document.activeElement.name], [false, 2, 'players-2-name'])
  equal([press(2), at(), page.document.activeElement.name], [false, 0, undefined])
})

test('a card of another hand is taken by a second tap, elsewhere; a full hand has no room for it', async () => {
  const { page, hands, seats: [ana, beto] } = await begin({ seats: [{ name: 'Ana', hand: 'as' }, { name: 'Beto', hand: 'ks qs' }] })
  hands.activate(ana)
  await page.tap('[data-piece=Ks]')
  await page.tap('[data-piece=Ks]')
  equal([ana.line.value, page.$$('[data-offer]').length], ['as', 1])
  await page.tap('[data-offer]')
  equal([ana.line.value, beto.line.value, page.$('[data-offer]')], ['As Ks', 'Qs', null])
  await page.tap('[data-piece=Js]')
  hands.activate(ana)
  await page.tap('[data-piece=Qs]')
  equal([page.$('[data-offer]'), page.texts('[data-missing]')], [null, ['the Qs: Beto']])
  hands.select(ana, 0)
  await page.tap('[data-piece=Qs]')
  await page.tap('[data-offer]')
  equal([ana.line.value, beto.line.value], ['Qs Ks Js', ''])
})

test('the key that is tapped while a finished hand is in sight is the next hand’s', async () => {
  const { page, hands, seats: [ana, beto], at } = await begin({ seats: ['Ana', 'Beto'] })
  for (const piece of ['As', 'Ks', 'Qs']) await page.tap(`[data-piece=${piece}]`)
  // the keys are the next player's already
  await page.tick(20)
  equal([at(), page.$('.seat.active').id, page.$('[data-piece=Qs]').dataset.owner], [1, 'seat-0', 'A'])
  hands.setReading(ana, 'full house, nines over fours', { brief: 'full house' })
  equal(page.$('#seat-0 [data-reading]').dataset.worth, 'Full house')
  await page.tap('[data-piece=Js]')
  equal([ana.line.value, beto.line.value, page.$('.seat.active').id], ['As Ks Qs', 'Js', 'seat-1'])
  // the last hand stays where it is
  for (const piece of ['Ts', 'Ah']) await page.tap(`[data-piece=${piece}]`)
  await page.tick(20)
  equal([at(), page.$('.seat.active').className], [1, 'seat active last beat'])
  await page.tick(1000)
  equal([at(), page.$('.seat.active').className], [1, 'seat active'])
})

test('a finished hand stays in sight until the next key is pressed, not only let go', async () => {
  const { page, seats: [ana, beto] } = await begin({ seats: ['Ana', 'Beto'] })
  for (const piece of ['As', 'Ks', 'Qs']) await page.tap(`[data-piece=${piece}]`)
  await page.tick(20)
  equal([page.$('.seat.active').id, page.$('.beat').id], ['seat-0', 'seat-0'])
  page.fire(page.$('[data-piece=Js]'), 'pointerdown')
  equal([page.$('.seat.active').id, page.$('.beat'), ana.line.value, beto.line.value], ['seat-1', null, 'As Ks Qs', ''])
  await page.tap('[data-piece=Js]')
  equal([ana.line.value, beto.line.value], ['As Ks Qs', 'Js'])
  // a hand that is left at once has no name to show
  for (const piece of ['Ts', 'Ah']) await page.tap(`[data-piece=${piece}]`)
  await page.tap('[data-tab="0"]')
  await page.tick(20)
  equal([page.$('.seat.active').id, page.$('.beat')], ['seat-0', null])
})

test('what is taken back while a finished hand is in sight is its last card', async () => {
  for (const act of [(page) => page.tap('#seat-0 [data-erase]'), (page) => page.fire(page.document.body, 'keydown', { key: 'Backspace' })]) {
    const { page, seats: [ana], at } = await begin({ seats: ['Ana', 'Beto'] })
    for (const piece of ['As', 'Ks', 'Qs']) await page.tap(`[data-piece=${piece}]`)
    await act(page)
    equal([ana.line.value, at(), page.$('.beat')], ['As Ks', 0, null])
  }
})

test('the form knows whether somebody has answered what only one player does', async () => {
  const { page } = await begin({ strip: '<label><input type="radio" name="asked-knocker" value="nobody">nobody</label>' })
  equal(page.$('#entry').dataset.asked, 'no')
  const nobody = page.$('[value=nobody]')
  nobody.checked = true
  await page.fire(nobody, 'change')
  equal(page.$('#entry').dataset.asked, 'yes')
})

test('after a hand that was given, as by another phone, the next card follows it', async () => {
  const { page } = await begin()
  const { setValue } = await page.load('live/fields.js')
  setValue('players-0-hand', 'as ks')
  await page.tap('[data-piece="Qs"]')
  equal(page.value('players-0-hand').toLowerCase(), 'as ks qs')
})
