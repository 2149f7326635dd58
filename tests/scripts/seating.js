import { equal, open, test } from './harness.js'

const row = (name) => `<li data-row style="height:40px"><span data-handle>=</span>${name}
  <button name="do" value="up" data-move="-1">up</button><button name="do" value="down" data-move="1">down</button></li>`

const begin = async (save = '<button data-save-order value="order" hidden>Save</button>') => {
  const page = await open(`<style>body { margin: 0 }</style><form><ul data-seating style="margin:0;padding:0">${['Ana', 'Beto', 'Caro'].map(row).join('')}</ul>${save}</form>`)
  for (const [selector, isOff] of [['[data-row]:first-child [data-move="-1"]', true], ['[data-row]:last-child [data-move="1"]', true]]) page.$(selector).disabled = isOff
  await page.load('seating.js')
  return {
    page,
    names: () => page.texts('[data-row]').map((text) => /Ana|Beto|Caro/.exec(text)[0]),
    off: () => page.$$('[data-move]:disabled').map((arrow) => arrow.closest('[data-row]').textContent.match(/Ana|Beto|Caro/)[0] + arrow.dataset.move),
    arrow: (name, by) => page.$$('[data-row]').find((each) => each.textContent.includes(name)).querySelector(`[data-move="${by}"]`),
    handle: (at) => page.$$('[data-handle]')[at],
  }
}

test('arrows move a row; the first cannot go up, nor the last one down', async () => {
  const { page, names, off, arrow } = await begin()
  arrow('Ana', 1).click()
  equal([names(), off(), page.visits], [['Beto', 'Ana', 'Caro'], ['Beto-1', 'Caro1'], [['submit', 'order']]])
  arrow('Caro', -1).click()
  equal([names(), off()], [['Beto', 'Caro', 'Ana'], ['Beto-1', 'Ana1']])
})

test('the focus stays at the arrow, or goes to the other one at the end', async () => {
  const { page, arrow } = await begin()
  arrow('Ana', 1).click()
  equal(page.document.activeElement === arrow('Ana', 1), true)
  arrow('Ana', 1).click()
  equal(page.document.activeElement === arrow('Ana', -1), true)
})

test('an arrow at the end moves nothing', async () => {
  const { page, names, arrow } = await begin()
  arrow('Ana', -1).disabled = false
  arrow('Ana', -1).click()
  equal([names(), page.visits], [['Ana', 'Beto', 'Caro'], []])
})

test('an order that is saved with the rest is only moved', async () => {
  const { page, names, arrow } = await begin('')
  arrow('Ana', 1).click()
  equal([names(), page.visits], [['Beto', 'Ana', 'Caro'], []])
})

// Drags the row at an index to heights, one after the other.
const drag = ({ page, handle, names }, at, heights, end = 'pointerup') => {
  const held = handle(at)
  const captured = []
  held.setPointerCapture = (id) => captured.push(id)
  const isDefault = page.fire(held, 'pointerdown', { pointerId: 7 })
  const seen = heights.map((clientY) => {
    page.fire(held, 'pointermove', { clientY })
    return names().join(' ')
  })
  const isDragged = held.closest('[data-row]').classList.contains('dragged')
  page.fire(held, end)
  page.fire(held, 'pointermove', { clientY: 20 })
  return [isDefault, captured, isDragged, held.closest('[data-row]').classList.contains('dragged'), seen]
}

test('a row is dragged over others, and the order is saved once it is let go', async () => {
  const begun = await begin()
  equal(drag(begun, 0, [20, 60, 100, 60, 200]), [false, [7], true, false, ['Ana Beto Caro', 'Beto Ana Caro', 'Beto Caro Ana', 'Beto Ana Caro', 'Beto Ana Caro']])
  equal([begun.names(), begun.off(), begun.page.visits], [['Beto', 'Ana', 'Caro'], ['Beto-1', 'Caro1'], [['submit', 'order']]])
})

test('a row that comes back to its place, or is on an edge, changes nothing', async () => {
  const begun = await begin()
  drag(begun, 2, [60, 100])
  drag(begun, 0, [40, 80, 120], 'pointercancel')
  equal([begun.names(), begun.page.visits], [['Ana', 'Beto', 'Caro'], []])
})

test('a drag ends wherever the pointer is let go, and is over then', async () => {
  const begun = await begin()
  const { page, handle, names } = begun
  handle(0).setPointerCapture = () => {}
  page.fire(handle(0), 'pointerdown', { pointerId: 7 })
  page.fire(page.document.body, 'pointermove', { clientY: 60 })
  page.fire(page.document.body, 'pointerup')
  equal([names(), page.$$('.dragged').length, page.visits.length], [['Beto', 'Ana', 'Caro'], 0, 1])
  drag(begun, 0, [], 'pointercancel')
  drag(begun, 1, [], 'pointercancel')
  equal(page.visits.length, 1)
})

test('a drag that the browser ends is saved as well', async () => {
  const begun = await begin()
  drag(begun, 2, [20], 'pointercancel')
  equal([begun.names(), begun.page.visits], [['Caro', 'Ana', 'Beto'], [['submit', 'order']]])
})
