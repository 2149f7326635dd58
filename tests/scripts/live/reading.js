import { openEntry, readingOf } from '../entry_page.js'
import { equal, test } from '../harness.js'

const SETTLED = { headline: 'Ana wins', nets: [['Ana', '+5'], ['Beto', '−5']] }
const PLAYER = { form: 'data-fresh data-follows="0"' }

const begin = async (given) => {
  const page = await openEntry(given)
  const reading = await page.load('live/reading.js')
  const buttons = () => [page.$('[data-save]')?.hidden, page.$('[data-settle]').hidden, page.$('[data-settle]').classList.contains('primary')]
  return { page, ...reading, buttons, told: () => page.$('[data-missing]').textContent, marks: () => page.$('[data-missing]').className }
}

test('a sentence is written only if it is another one', async () => {
  const { page, tell } = await begin()
  tell('one')
  const text = page.$('[data-missing]').firstChild
  tell('one')
  equal([page.texts('[data-missing]'), page.$('[data-missing]').firstChild === text], [['one'], true])
  tell('two')
  equal(page.texts('[data-missing]'), ['two'])
})

test('one button: Settle, or Save once the round is settled', async () => {
  const { showButtons, buttons } = await begin()
  const rows = [[[false], [true, false, false]], [[true], [false, true, true]], [[false], [true, false, false]]]
  for (const [given, state] of rows) {
    showButtons(...given)
    equal(buttons(), state, given)
  }
})

test('where nothing is saved, settling is what comes next', async () => {
  const { showButtons, buttons } = await begin({ saves: '' })
  const rows = [[[false], [undefined, false, false]], [[true], [undefined, false, true]]]
  for (const [given, state] of rows) {
    showButtons(...given)
    equal(buttons(), state, given)
  }
})

test('the focus moves on from a button that disappears, and from no other', async () => {
  const { page, showButtons } = await begin()
  const focused = () => page.document.activeElement.value
  showButtons(true)
  page.$('[data-save]').focus()
  showButtons(true)
  equal(focused(), 'save')
  equal(await page.focuses(() => showButtons(false)), [true])
  equal(focused(), 'settle')
  showButtons(true)
  equal(focused(), 'save')
  page.$('.key').focus()
  showButtons(true)
  showButtons(false)
  equal(focused(), '')
  showButtons(true)
  page.$('[data-save]').focus()
  page.$('[data-settle]').remove()
  showButtons(false)
})

test('while the server is away, what was entered can be saved here', async () => {
  const { tellOffline, buttons, told, marks, showReading } = await begin()
  tellOffline('away')
  equal([told(), marks(), buttons()], ['away', 'away', [false, true, true]])
  showReading(readingOf())
  equal([told(), marks(), buttons()], ['missing', '', [true, false, false]])
})

test('a settled answer that is outdated must be settled again', async () => {
  const dock = '<button name="do" value="save" data-again="Recalculate" id="again">Save round</button>'
  const { page, requireSettling } = await begin({ before: '<p data-overtaken="changed"></p>', saves: '', dock })
  requireSettling()
  equal([page.$('#again').value, page.texts('#again'), page.texts('[data-overtaken]')], ['settle', ['Recalculate'], ['changed']])
  page.$('#again').textContent = 'x'
  requireSettling()
  equal(page.texts('#again'), ['x'])
  ;(await begin()).requireSettling()
})

test('hands are described: what they are worth, face down, or how many cards were entered elsewhere', async () => {
  const { page, showReading } = await begin({ seats: ['Ana', 'Beto', { name: 'Caro', mine: false }, { name: 'Dani', mine: false }, { name: 'Eva', mine: false }] })
  showReading(readingOf({ seats: { 0: { reading: 'a pair' }, 1: { size: 3 }, 2: { size: 2 }, 4: { size: 3, reading: 'a flush' } } }), [1])
  equal(page.texts('[data-reading]'), ['a pair', 'down 3', 'held 2', 'nothing', 'a flush'])
  showReading(readingOf(), [0])
  equal(page.texts('[data-reading]'), ['down 0', '', 'nothing', 'nothing', 'nothing'])
  equal(page.$$('.seat').map((seat) => seat.classList.contains('down')), [true, false, false, false, false])
  equal(page.texts('.tab small:first-of-type').slice(0, 2), ['0/3', '0/3'])
  // a tab has room for few words: of one that is complete, that it is in
  showReading(readingOf({ seats: { 0: { size: 3, complete: true }, 1: { size: 2, complete: false } } }), [0, 1])
  equal(page.texts('.tab small:first-of-type').slice(0, 2), ['laid', '2/3'])
  // of one that is shown, its category
  page.$('[name=players-0-hand]').value = 'as ks qs'
  showReading(readingOf({ seats: { 0: { reading: 'full house, nines over fours, leads', brief: 'full house' } } }))
  equal(page.texts('.tab small:first-of-type')[0], 'full house')
})

test('a result is told with its amounts, and clears all errors', async () => {
  const { page, showReading, told, marks, buttons } = await begin({ before: '<div id="problems"></div>', seats: [{ name: 'Ana', inside: '<p class="error"></p>' }] })
  page.$('[name=players-0-hand]').setAttribute('aria-invalid', 'true')
  showReading(readingOf())
  equal(page.$$('.error, #problems, [aria-invalid]').length, 3)
  showReading(readingOf({ settled: SETTLED }))
  equal([told(), marks(), buttons()], ['Ana wins — Ana\u00a0+5\u00a0· Beto\u00a0\u2212\u20605', 'settled', [false, true, true]])
  equal(page.$$('.error, #problems, [aria-invalid]').length, 0)
})

test('a result without amounts has none, and one too long for its place is cut to its headline', async () => {
  const { page, showReading, told } = await begin()
  showReading(readingOf({ settled: { ...SETTLED, nets: [] } }))
  equal(told(), 'Ana wins')
  Object.assign(page.$('[data-missing]').style, { height: '18px', lineHeight: '18px', width: '70px', margin: 0, overflow: 'hidden' })
  showReading(readingOf({ settled: SETTLED }))
  equal(told(), 'Ana wins')
  page.$('[data-missing]').firstChild.data = 'Ana wins'
  const text = page.$('[data-missing]').firstChild
  showReading(readingOf({ settled: SETTLED }))
  equal([told(), page.$('[data-missing]').firstChild === text], ['Ana wins', true])
})

test('a result that was shown whole is cut to its headline once the phone is turned, but not what was told since', async () => {
  const { page, showReading, tellOffline, told } = await begin()
  const turn = () => page.window.dispatchEvent(new page.window.Event('resize'))
  turn()
  showReading(readingOf({ settled: SETTLED }))
  turn()
  equal(told(), 'Ana wins — Ana\u00a0+5\u00a0· Beto\u00a0\u2212\u20605')
  Object.assign(page.$('[data-missing]').style, { height: '18px', lineHeight: '18px', width: '70px', margin: 0, overflow: 'hidden' })
  turn()
  equal(told(), 'Ana wins')
  tellOffline('no connection, which takes more room')
  turn()
  equal(told(), 'no connection, which takes more room')
})

test('what is missing may be long', async () => {
  const { page, showReading, told } = await begin()
  Object.assign(page.$('[data-missing]').style, { height: '1px', overflow: 'hidden' })
  showReading(readingOf({ missing: 'much is missing' }))
  equal(told(), 'much is missing')
})

test('the first problem is told before what is missing', async () => {
  const { showReading, told, marks } = await begin()
  showReading(readingOf({ wrong: [{ text: 'wrong' }, { text: 'also' }] }))
  equal([told(), marks()], ['wrong', 'wrong'])
  showReading(readingOf())
  equal([told(), marks()], ['missing', ''])
})

test('a player is told that the hand is in', async () => {
  const { showReading, told } = await begin({ ...PLAYER, seats: ['Ana', { name: 'Beto', mine: false }] })
  const rows = [[{ 0: { complete: true } }, 'in missing'], [{ 0: { complete: false }, 1: { complete: true } }, 'missing'], [{}, 'missing']]
  for (const [seats, text] of rows) {
    showReading(readingOf({ seats }))
    equal(told(), text)
  }
  showReading(readingOf({ seats: { 0: { complete: true } }, missing: '' }))
  equal(told(), 'in')
  const keeper = await begin({ seats: ['Ana'] })
  keeper.showReading(readingOf({ seats: { 0: { complete: true } } }))
  equal(keeper.told(), 'missing')
})

test('a player sees who is out, and who is the last one in', async () => {
  const { page, showReading } = await begin(PLAYER)
  const marks = () => page.$$('.seat').map(({ dataset }) => ['out' in dataset, 'alone' in dataset])
  showReading(readingOf({ out: { 1: 'mucked' } }))
  equal(marks(), [[false, false], [true, false], [false, false]])
  equal(page.$('#seat-1').dataset.out, 'mucked')
  showReading(readingOf({ out: { 0: 'folded', 1: 'mucked' } }))
  equal(marks(), [[true, false], [true, false], [false, true]])
  showReading(readingOf({ out: { 0: 'folded', 1: 'mucked', 2: 'folded' } }))
  equal(marks(), [[true, false], [true, false], [true, false]])
  showReading(readingOf())
  equal(marks(), [[false, false], [false, false], [false, false]])
})

test('on the page of the scorekeeper, the bets say who is out', async () => {
  const { page, showReading } = await begin()
  showReading(readingOf({ out: { 1: 'mucked' } }))
  equal(page.$$('[data-out], [data-alone]').length, 0)
})

test('what the other phones wait for stands in the bar, and makes Settle the next step', async () => {
  const says = (inside) => `<div data-says>${inside}</div>`
  const { page, showReading, showStateLine } = await begin({ before: `<div class="dock">${says('Beto waits')}</div>` })
  const isNext = () => {
    showReading(readingOf())
    return page.$('[data-settle]').classList.contains('primary')
  }
  equal(isNext(), false)
  const before = page.$('[data-says]')
  for (const same of [undefined, '<p>proxy</p>', says('Beto waits')]) showStateLine(same)
  equal(page.$('[data-says]') === before, true)
  showStateLine(says('All hands are in <a data-place="settle">Settle</a>'))
  equal([page.texts('[data-says]'), isNext()], [['All hands are in Settle'], true])
})

test('a page without a state line shows none', async () => {
  const { page, showStateLine } = await begin()
  showStateLine('<div data-says>Beto waits</div>')
  equal(page.$('[data-says]'), null)
})

test('late changes are listed, each once', async () => {
  const { page, listLateChanges } = await begin()
  const list = page.$('[data-late]')
  const animation = list.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 1000, fill: 'forwards' })
  await animation.ready
  animation.finish()
  listLateChanges(['one', 'two'])
  equal([page.texts('[data-late] li'), list.hidden, animation.playState], [['one', 'two'], false, 'running'])
  animation.finish()
  listLateChanges(['one', 'two'])
  equal(animation.playState, 'finished')
  animation.currentTime = 500
  animation.pause()
  listLateChanges(['three'])
  equal([animation.playState, animation.currentTime], ['running', 0])
  listLateChanges([])
  equal([page.texts('[data-late] li'), list.hidden], [[], true])
  list.remove()
  listLateChanges(['one'])
})

test('the stacks of players are shown in their tabs', async () => {
  const { page, showStacks } = await begin()
  page.$('[data-tab="1"] .stack').remove()
  showStacks({ 0: '75', 1: '125', 7: '1' })
  equal(page.texts('.stack'), ['stack 75', 'stack 100'])
})

test('a page without these elements is left alone', async () => {
  const { page, showReading, tell } = await begin({ saves: '' })
  for (const element of page.$$('[data-missing], [data-settle]')) element.remove()
  const fresh = await openEntry({ saves: '' })
  fresh.$('[data-missing]').remove()
  fresh.$('[data-settle]').remove()
  const module = await fresh.load('live/reading.js')
  module.tell('x')
  module.tellOffline('x')
  module.showReading(readingOf({ settled: SETTLED }))
  tell('x')
  showReading(readingOf())
})
