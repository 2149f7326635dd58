import { openEntry } from '../entry_page.js'
import { equal, settle, test } from '../harness.js'


const begin = async (seats) => {
  const page = await openEntry({ seats, form: 'data-fresh data-later="/later.css"' })
  const hands = await page.load('hands.js')
  hands.begin()
  hands.draw()
  ;(await page.load('entry/move_hand.js')).beginMoves()
  page.window.HTMLDialogElement.prototype.showModal = function show() { this.open = true }
  return {
    page,
    lines: () => hands.openSeats.map(({ line }) => line.value),
    at: () => page.$('.seat.active').id,
    ask: async (number) => {
      await page.tap(`#seat-${number} [data-move-hand]`)
      const sheet = page.$('link[rel=stylesheet]')
      if (sheet) page.fire(sheet, 'load')
      await settle()
    },
    give: (row) => page.tap(`.move .button:nth-of-type(${row + 1})`),
  }
}

test('a hand goes to somebody without one, or in exchange; the next tap may undo it', async () => {
  const { page, lines, at, ask, give } = await begin([{ name: 'Ana', hand: 'as ks qs' }, { name: 'Beto', hand: 'js ts' }, 'Caro'])
  await ask(1)
  equal(page.texts('.move small'), ['swap ' + page.texts('[data-tab="0"] small')[0], 'same', 'free'])
  await give(2)
  equal([lines(), at(), page.$('.move')], [['as ks qs', '', 'js ts'], 'seat-1', null])
  await page.tap('[data-offer]')
  equal([lines(), page.$('[data-offer]')], [['as ks qs', 'js ts', ''], null])
  await ask(1)
  await give(0)
  equal(lines(), ['js ts', 'as ks qs', ''])
  await page.tap('[data-piece=Ah]')
  equal([lines(), page.$('[data-offer]')], [['js ts', 'as ks qs', 'Ah'], null])
})

test('the player whose seat it leaves empty comes next, before those who follow', async () => {
  const { lines, at, ask, give } = await begin([{ name: 'Ana', hand: 'as ks qs' }, 'Beto', 'Caro', 'Dani'])
  await ask(0)
  await give(2)
  equal([lines(), at()], [['', '', 'as ks qs', ''], 'seat-0'])
})

test('nothing changes for the player it is entered for, nor by a tap next to the dialog', async () => {
  const { page, lines, ask, give } = await begin([{ name: 'Ana', hand: 'as ks qs' }, 'Beto'])
  await ask(0)
  await give(0)
  equal(page.$('.move'), null)
  await ask(0)
  page.$('.move').click()
  await settle()
  equal([lines(), page.$('.move'), page.$('[data-offer]')], [['as ks qs', ''], null, null])
})

test('who dropped is back in with the hand, and out again when it is undone', async () => {
  const { page, lines, ask, give } = await begin([{ name: 'Ana', hand: 'as ks qs' }, 'Beto', 'Caro'])
  const box = page.$('[name=players-1-dropped]')
  await page.tap('[name=players-1-dropped]')
  await ask(0)
  equal(page.texts('.move small').slice(1), ['back dropped', 'free'])
  await give(1)
  equal([lines(), box.checked], [['', 'as ks qs', ''], false])
  await page.tap('[data-offer]')
  equal([lines(), box.checked], [['as ks qs', '', ''], true])
})

test('hands that lie face down, and players whom the bets say are out, are not offered', async () => {
  const { page, ask } = await begin([{ name: 'Ana', hand: 'as' }, { name: 'Beto', down: 'down 3' }, { name: 'Caro', attributes: 'data-out' }, 'Dani'])
  await ask(0)
  equal(page.texts('.move b'), ['Ana', 'Dani'])
})

test('the button is there while the hand has cards', async () => {
  const { page } = await begin(['Ana', 'Beto'])
  const isHidden = () => page.$$('[data-move-hand]').map((button) => button.hidden)
  equal(isHidden(), [true, true])
  await page.tap('[data-piece=As]')
  equal(isHidden(), [false, true])
})

test('what comes later has its styles with the first card, on a page with one hand too', async () => {
  const page = await openEntry({ form: 'data-fresh data-later="/later.css"' })
  page.$('[data-move-hand]')?.remove()
  const hands = await page.load('hands.js')
  hands.begin()
  ;(await page.load('entry/move_hand.js')).beginMoves()
  equal(page.$$('link[rel=stylesheet]').length, 0)
  await page.tap('[data-piece=As]')
  await page.tap('[data-piece=Ks]')
  equal(page.$$('link[rel=stylesheet]').length, 1)
})
