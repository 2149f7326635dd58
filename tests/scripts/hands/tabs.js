import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openEntry(given)
  const { drawTab } = await page.load('hands/tabs.js')
  const { seats } = await page.load('hands/seats.js')
  const drawn = (seat, isActive = false) => {
    drawTab(seat, isActive)
    return seat.tab.querySelector('small').textContent
  }
  return { page, seats, drawn, form: await page.load('hands/form.js') }
}

test('a tab says how many cards a hand has, then what it is worth', async () => {
  const { seats: [seat], drawn } = await begin()
  Object.assign(seat, { brief: 'a pair' }).reading.textContent = 'a pair, of kings'
  const shown = ['', 'as', 'as ks qs', 'as ks qs js'].map((line) => {
    seat.line.value = line
    return drawn(seat)
  })
  equal(shown, ['0/3', '1/3', 'a pair', 'a pair'])
})

test('a hand entered elsewhere, and one whose result is entered, have no count', async () => {
  const { seats: [ana, beto, caro], drawn, form } = await begin({ seats: [{ name: 'Ana', down: 'down 3' }, { name: 'Beto', mine: false, down: 'held 3' }, 'Caro'] })
  equal([drawn(ana), drawn(beto)], ['down 3', 'held 3'])
  form.chooseWay('won_by')
  caro.reading.textContent = 'won'
  equal(drawn(caro), 'won')
  caro.line.value = 'as'
  equal(drawn(caro), '1/3')
})

test('a tab says what a player answered', async () => {
  const { page, seats: [seat, other], drawn } = await begin({ seats: ['Ana', { name: 'Beto', attributes: 'data-out' }] })
  page.$('[name=asked-knocker]').checked = true
  page.$('[name=players-0-won_by]').checked = true
  equal(drawn(seat), 'won · knocked · 0/3')
  page.$('[name=players-0-dropped]').checked = true
  equal([drawn(seat), seat.tab.classList.contains('out')], ['dropped', true])
  equal(drawn(other), 'out')
  other.root.dataset.out = 'mucked'
  equal(drawn(other), 'mucked')
  equal(seat.tab.classList.contains('said'), true)
})

test('a tab is marked by words, errors and the keys', async () => {
  const { page, seats: [seat], drawn, form } = await begin()
  const marks = () => [...['said', 'out', 'wrong'].map((name) => seat.tab.classList.contains(name)), seat.tab.getAttribute('aria-current')]
  drawn(seat, true)
  equal(marks(), [false, false, false, 'true'])
  seat.root.insertAdjacentHTML('beforeend', '<p class="error"></p>')
  seat.reading.textContent = 'flush'
  seat.line.value = 'as ks qs'
  drawn(seat, false)
  equal(marks(), [true, false, true, null])
  form.chooseWay('won_by')
  drawn(seat, true)
  equal(marks()[3], null)
  page.$('[data-tab="0"]').remove()
})

test('a name that is typed is shown wherever its player is', async () => {
  const { seats: [seat], drawn } = await begin({ draft: false })
  const rows = [
    ['Beatriz', 'Beatriz', 'B', false, true],
    [' ana ', 'ana', 'A', false, false],
    ['Carlo', 'Carlo', 'C', false, false],
    ['Player 2', 'Player 2', 'P2', false, true],
    ['', 'Player 1', 'P1', true, true],
  ]
  for (const [typed, shown, letters, unnamed, long] of rows) {
    seat.name.value = typed
    drawn(seat)
    const { classList } = seat.tab
    equal([seat.tab.querySelector('b').textContent, seat.root.querySelector('legend').textContent, seat.root.querySelector('.won b').textContent], [shown, shown, shown])
    equal([...[seat.tab, seat.root].map((part) => part.querySelector('.player').textContent), classList.contains('unnamed'), classList.contains('long')], [letters, letters, unnamed, long], typed)
  }
})

test('the chip that the server drew stays while the name is the same', async () => {
  const { seats: [seat], drawn } = await begin()
  seat.tab.querySelector('.player').textContent = 'An'
  drawn(seat)
  equal(seat.tab.querySelector('.player').textContent, 'An')
  seat.root.querySelector('.player').remove()
  seat.name.value = 'Dani'
  drawn(seat)
  equal(seat.tab.querySelector('.player').textContent, 'D')
})

test('a seat without a tab is left alone', async () => {
  const { seats: [seat], page } = await begin()
  seat.tab = null
  ;(await page.load('hands/tabs.js')).drawTab(seat, true)
})
