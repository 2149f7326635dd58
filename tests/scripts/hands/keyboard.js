import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openEntry(given)
  const keyboard = await page.load('hands/keyboard.js')
  const { seats } = await page.load('hands/seats.js')
  const look = (key) => [key.getAttribute('aria-pressed'), key.getAttribute('aria-disabled'), key.className, key.dataset.owner, key.getAttribute('aria-description')]
  return { page, seats, look, ...keyboard }
}

const keys = (...pieces) => pieces.map((piece, at) => `<button type="button" class="key k${at}" data-piece="${piece}" aria-label="the ${piece}" aria-pressed="false"><b>${piece}</b></button>`).join('')

test('keys of the active hand are pressed; those of other hands show whose they are', async () => {
  const { seats: [ana, beto], drawKeys, look, page } = await begin({ seats: [{ name: 'Ana', hand: 'as' }, { name: 'Beto', hand: 'ks' }], keys: keys('As', 'Ks', 'Qs') })
  drawKeys(ana)
  equal(page.$$('.key').map(look), [
    ['true', 'false', 'key k0', undefined, null],
    ['false', 'true', 'key k1 player-1', 'B', 'Beto'],
    ['false', 'false', 'key k2', undefined, null],
  ])
  drawKeys(beto)
  equal(page.$$('.key').map(look), [
    ['false', 'true', 'key k0 player-0', 'A', 'Ana'],
    ['true', 'false', 'key k1', undefined, null],
    ['false', 'false', 'key k2', undefined, null],
  ])
  drawKeys(null)
  equal(page.$$('.key').map((key) => key.dataset.owner), ['A', 'B', undefined])
})

test('a card that is in two hands is shown as the one of the active hand', async () => {
  const { seats: [ana], drawKeys, look, page } = await begin({ seats: [{ name: 'Ana', hand: 'as' }, { name: 'Beto', hand: 'as' }] })
  drawKeys(ana)
  equal(look(page.$('[data-piece=As]')), ['true', 'false', 'key', undefined, null])
})

test('each card of a hand is pressed', async () => {
  const { seats: [ana], drawKeys, page } = await begin({ seats: [{ name: 'Ana', hand: 'as ks qs' }] })
  drawKeys(ana)
  equal(page.$$('[aria-pressed=true]').map(({ dataset }) => dataset.piece), ['As', 'Ks', 'Qs'])
})

test('a piece with two keys is greyed out once both are elsewhere', async () => {
  const { seats: [ana, beto, caro], drawKeys, page } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'as' }, 'Caro'], keys: keys('As', 'As') })
  const state = () => page.$$('.key').map((key) => [key.getAttribute('aria-pressed'), key.dataset.owner])
  drawKeys(ana)
  equal(state(), [['false', undefined], ['false', undefined]])
  ana.line.value = 'as'
  drawKeys(ana)
  equal(state(), [['true', undefined], ['false', undefined]])
  ana.line.value = ''
  caro.line.value = 'as'
  drawKeys(ana)
  equal(state(), [['false', 'B'], ['false', 'B']])
})

test('a key that looks the same is not touched', async () => {
  const { seats: [ana], drawKeys, page } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'ks' }] })
  drawKeys(ana)
  const watch = new page.window.MutationObserver(() => {})
  watch.observe(page.$('[data-picker]'), { attributes: true, subtree: true })
  drawKeys(ana)
  equal(watch.takeRecords().length, 0)
})

test('a name is the one that is read out', async () => {
  const { faces, nameOf, page } = await begin()
  equal([nameOf('As'), nameOf('xx'), faces.get('As')], ['the As', 'xx', page.$('[data-piece=As]').innerHTML])
})

test('a greyed key says who has its card', async () => {
  const { seats: [ana], drawKeys, tellOwner, page } = await begin({ seats: ['Ana', { name: 'Beto', hand: 'ks' }] })
  drawKeys(ana)
  tellOwner(page.$('[data-piece=Ks]'))
  equal(page.texts('[data-missing]'), ['the Ks: Beto'])
  page.$('[data-missing]').remove()
  tellOwner(page.$('[data-piece=Ks]'))
})

test('a page without keys has none', async () => {
  const page = await openEntry()
  page.$('[data-picker]').remove()
  equal((await page.load('hands/keyboard.js')).keys, [])
})

test('arrows move between keys as they lie', async () => {
  const { focusKey, moveFocus, keys: all, page } = await begin({ keys: keys('As', 'Ks', 'Qs', 'Js', 'Ts', 'Ah', 'Kh', 'Qh') })
  // rows of 3, 3 and 2, the last one indented
  all.forEach((key, at) => Object.assign(key.style, { position: 'fixed', width: '40px', height: '40px', left: `${(at % 3) * 50 + (at > 5 ? 20 : 0)}px`, top: `${Math.floor(at / 3) * 50}px` }))
  const rows = [
    [0, 'ArrowRight', 1], [2, 'ArrowRight', 3], [7, 'ArrowRight', 0], [0, 'ArrowLeft', 7], [5, 'ArrowLeft', 4],
    [1, 'ArrowDown', 4], [5, 'ArrowUp', 2], [4, 'ArrowUp', 1], [3, 'ArrowUp', 0], [3, 'ArrowDown', 6], [7, 'ArrowUp', 5], [0, 'ArrowUp', 0], [7, 'ArrowDown', 7],
  ]
  for (const [from, arrow, to] of rows) {
    focusKey(all[from])
    moveFocus(all[from], arrow)
    equal([all.indexOf(page.document.activeElement), all.findIndex((key) => key.tabIndex === 0), all.filter((key) => key.tabIndex === 0).length], [to, to, 1], `${from} ${arrow}`)
  }
})
