import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const draw = async (given) => {
  const page = await openEntry(given)
  const { drawSlots } = await page.load('hands/slots.js')
  const { seats: [seat] } = await page.load('hands/seats.js')
  const shown = () => [...seat.slots.children].map(({ textContent, className }) => `${textContent.slice(0, 2)} ${className}`.trim())
  return { page, seat, drawSlots, shown, slots: seat.slots.children }
}

test('a hand is drawn with its empty slots; the next one is marked in the active hand only', async () => {
  const { seat, drawSlots, shown, slots, page } = await draw({ seats: [{ name: 'Ana', hand: 'as' }] })
  seat.cursor = 1
  drawSlots(seat, true)
  equal(shown(), ['As slot', 'slot empty next', 'slot empty'])
  equal([...slots].map((slot) => [slot.type, slot.getAttribute('aria-label'), slot.getAttribute('aria-pressed')]), [['button', 'the As', 'false'], ['button', 'empty 2', null], ['button', 'empty 3', null]])
  equal(slots[0].innerHTML, page.$('[data-piece=As]').innerHTML)
  equal([seat.root.classList.contains('active'), seat.erase.hidden, seat.slots.hidden], [true, false, false])
  drawSlots(seat, false)
  equal(shown(), ['As slot', 'slot empty', 'slot empty'])
  equal(seat.root.classList.contains('active'), false)
})

test('a selected card is marked, and nothing is next', async () => {
  const { seat, drawSlots, shown, slots } = await draw({ seats: [{ name: 'Ana', hand: 'as ks' }] })
  Object.assign(seat, { cursor: 2, selected: 1 })
  drawSlots(seat, true)
  equal(shown(), ['As slot', 'Ks slot selected', 'slot empty'])
  equal([...slots].map((slot) => slot.getAttribute('aria-pressed')), ['false', 'true', null])
})

test('in a full hand nothing is next', async () => {
  const { seat, drawSlots, shown } = await draw({ seats: [{ name: 'Ana', hand: 'as ks qs' }] })
  seat.cursor = 1
  drawSlots(seat, true)
  equal(shown(), ['As slot', 'Ks slot', 'Qs slot'])
})

test('more cards than fit, and what is no card, are shown too', async () => {
  const { seat, drawSlots, shown } = await draw({ seats: [{ name: 'Ana', hand: 'as xx ks qs' }] })
  seat.cursor = 3
  drawSlots(seat, true)
  equal(shown(), ['As slot', 'xx slot strange', 'Ks slot', 'Qs slot'])
  seat.line.value = 'as'
  drawSlots(seat, true)
  equal(shown(), ['As slot', 'slot empty', 'slot empty'])
})

test('a card of which a photograph is unsure says so', async () => {
  const { seat, drawSlots, shown, slots } = await draw({ camera: { unsure: '{piece}?' } })
  seat.proposed = { held: ['As', 'Ks'], unsure: new Set(['Ks']) }
  drawSlots(seat, false)
  equal(shown(), ['As slot', 'Ks slot unsure', 'slot empty'])
  equal([...slots].map((slot) => slot.getAttribute('aria-label')), ['the As', 'the Ks?', 'empty 3'])
})

test('only what changed is drawn again, and the focus stays', async () => {
  const { page, seat, drawSlots, slots } = await draw({ seats: [{ name: 'Ana', hand: 'as ks qs js' }] })
  seat.cursor = 4
  drawSlots(seat, true)
  const [first, second] = slots
  const faces = [first.firstElementChild, second.firstElementChild]
  first.focus()
  seat.line.value = 'as qs'
  equal(await page.focuses(() => drawSlots(seat, true)), [])
  equal([slots[0] === first, slots[1] === second, page.document.activeElement === first], [true, true, true])
  equal([first, second].map((slot, at) => slot.firstElementChild === faces[at]), [true, false])
  seat.line.value = 'ks qs'
  drawSlots(seat, true)
  equal([...slots].indexOf(page.document.activeElement), 0)
  slots[2].focus()
  seat.line.value = 'as qs ks'
  drawSlots(seat, true)
  equal([...slots].indexOf(page.document.activeElement), 2)
  seat.line.value = 'as qs ks js'
  drawSlots(seat, true)
  slots[3].focus()
  seat.line.value = 'as'
  equal(await page.focuses(() => drawSlots(seat, true)), [true])
  equal([...slots].indexOf(page.document.activeElement), 2)
})

test('long hands have smaller cards', async () => {
  for (const [hand, size] of [['as ks qs js ts', ''], ['as ks qs js ts ah', 'many'], ['as ks qs js ts ah kh', 'many'], ['as ks qs js ts ah kh qh', 'many most']]) {
    const { seat, drawSlots } = await draw({ seats: [{ name: 'Ana', hand }] })
    drawSlots(seat, true)
    equal(seat.slots.className.replace('slots', '').trim(), size)
  }
})

test('who has begun a hand adds no player below it', async () => {
  const { page, seat, drawSlots } = await draw()
  seat.root.insertAdjacentHTML('beforeend', '<div class="foot"><p class="chips"></p></div>')
  const others = page.$('.foot > .chips')
  for (const [hand, isHidden] of [['', false], ['as', true], ['', false]]) {
    seat.line.value = hand
    drawSlots(seat, true)
    equal(others.hidden, isHidden)
  }
})

test('a hand out of the round has no slots, and an empty one nothing to erase', async () => {
  const { seat, drawSlots } = await draw()
  drawSlots(seat, true)
  equal([seat.slots.hidden, seat.erase.hidden], [false, true])
  seat.root.dataset.out = ''
  drawSlots(seat, true)
  equal(seat.slots.hidden, true)
  seat.line.value = 'as'
  drawSlots(seat, true)
  equal([seat.slots.hidden, seat.erase.hidden], [false, false])
})
