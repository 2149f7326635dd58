import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const SIZES = '<label><input type="radio" name="more" value="0" data-size="5"></label><label><input type="radio" name="most" value="0" data-size="4"></label>'

test('a seat knows its parts; one of another phone has no hand to enter', async () => {
  const page = await openEntry({ seats: ['Ana', { name: 'Beto', mine: false }] })
  const { openSeats, piecesOf, seats } = await page.load('hands/seats.js')
  equal(seats.map(({ number, name, line, tab }) => [number, name.value, Boolean(line), tab.dataset.tab]), [['0', 'Ana', true, '0'], ['1', 'Beto', false, '1']])
  equal(openSeats.map(({ number }) => number), ['0'])
  equal(piecesOf(seats[1]), [])
})

test('a hand is what its line says, or what a photograph proposes', async () => {
  const page = await openEntry({ seats: [{ name: 'Ana', hand: 'as, 10h xx' }] })
  const { piecesOf, seats: [seat], tokensOf } = await page.load('hands/seats.js')
  equal([tokensOf(seat), piecesOf(seat)], [['as', '10h', 'xx'], ['As', 'Th', 'xx']])
  seat.proposed = { held: ['Ks'], unsure: new Set() }
  equal(piecesOf(seat), ['Ks'])
})

test('accepting a proposal enters it as if it had been tapped', async () => {
  const page = await openEntry()
  const { acceptProposal, seats: [seat] } = await page.load('hands/seats.js')
  const told = []
  for (const type of ['input', 'accepted']) page.$('#entry').addEventListener(type, ({ target }) => told.push([type, target.name, seat.line.value, seat.proposed]))
  seat.proposed = { held: ['Ks', 'As'], unsure: new Set() }
  acceptProposal(seat)
  equal(told, [['input', 'players-0-hand', 'Ks As', null], ['accepted', '', 'Ks As', null]])
})

test('the largest answer decides how many cards a hand has', async () => {
  const page = await openEntry({ seats: [{ name: 'Ana', chips: SIZES }] })
  const { sizeOf, seats: [seat] } = await page.load('hands/seats.js')
  const sizes = [sizeOf(seat)]
  for (const name of ['most', 'more']) {
    page.$(`[name=${name}]`).checked = true
    sizes.push(sizeOf(seat))
  }
  equal(sizes, [3, 4, 5])
})

test('who shows a winning hand may have more cards', async () => {
  const page = await openEntry({ seats: [{ name: 'Ana', chips: SIZES }] })
  const { sizeOf, seats: [seat] } = await page.load('hands/seats.js')
  page.document.body.insertAdjacentHTML('afterbegin', '<section id="at-table" data-cards="6"></section>')
  equal(sizeOf(seat), 6)
  page.$('#at-table').removeAttribute('data-cards')
  equal(sizeOf(seat), 3)
})

test('who is out', async () => {
  const page = await openEntry({ seats: ['Ana', { name: 'Beto', attributes: 'data-out' }, 'Caro', 'Dani'] })
  const { isOut, seats } = await page.load('hands/seats.js')
  page.$('[name=players-2-dropped]').checked = true
  page.$('[name=players-3-dropped]').checked = true
  page.$('[name=players-3-dropped]').closest('span').hidden = true // another question stands in for it
  equal(seats.map(isOut), [false, true, true, false])
})

test('a hand lies face down until something is entered over it', async () => {
  const page = await openEntry({ seats: ['Ana', { name: 'Beto', down: 'down 3' }, { name: 'Caro', hand: 'as ks qs' }, { name: 'Dani', down: 'down 3', hand: 'as' }] })
  const { confirmOverwrite, isFaceDown, isFull, seats } = await page.load('hands/seats.js')
  equal(seats.map(isFaceDown), [false, true, false, false])
  equal(seats.map(isFull), [false, true, true, false])
  seats[1].name.value = '$& Beto'
  page.confirms = false
  equal([confirmOverwrite(seats[1]), page.asked], [false, ['over $& Beto']])
})

test('a chip has its letters and colour', async () => {
  const page = await openEntry()
  const { chipOf, seats } = await page.load('hands/seats.js')
  equal(chipOf(seats[1]), { monogram: 'B', colour: 'player-1' })
})
