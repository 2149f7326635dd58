import { hand, openTable } from '../at_table_page.js'
import { equal, test } from '../harness.js'

const LINK = { around: '<a data-at-table href="#at-table">table</a>' }
const MINE = 'data-begun data-mine'

const begin = async (given, around = LINK) => {
  const page = await openTable(given, around)
  const own = await page.load('at_table/own_hand.js')
  own.beginOwnHand()
  const state = () => [page.document.body.classList.contains('seated'), page.$('[data-at-table]').getAttribute('aria-pressed'), page.$('.calls') !== null]
  // Draws the hand, and returns what that did.
  const drawn = (other) => {
    const before = page.$('#at-table')
    page.$('#place').innerHTML = hand(other)
    own.callToTable(page.$('#at-table'), before)
    return state()
  }
  return { page, ...own, state, drawn }
}

const HAND = [false, 'false', false]
const TABLE = [true, 'true', false]
const CALLED = [false, 'false', true]

test('the table is shown when a turn begins, and the hand when play is over', async () => {
  const { page, drawn, state } = await begin()
  equal([page.$('[data-at-table]').getAttribute('role'), state()], ['button', HAND])
  equal([drawn({ attributes: MINE, mark: 'm2' }), page.buzzes], [TABLE, [60]])
  equal([drawn({ attributes: MINE, mark: 'm3' }), page.buzzes], [TABLE, [60]])
  equal(drawn({ attributes: 'data-begun', mark: 'm4' }), [true, 'true', true])
  equal([drawn({ attributes: MINE, mark: 'm5' }), page.buzzes], [TABLE, [60, 60]])
  equal(drawn({ attributes: 'data-begun data-over', mark: 'm6' }), HAND)
  await page.tap('[data-at-table]')
  equal(drawn({ attributes: 'data-begun data-over', mark: 'm6' }), TABLE)
})

test('a turn before play has begun is none', async () => {
  const { page, drawn } = await begin()
  equal([drawn({ attributes: 'data-mine', mark: 'm2' }), page.buzzes], [CALLED, []])
})

test('other news only mark the link, until it is followed', async () => {
  const { page, drawn, state } = await begin()
  equal(drawn({ mark: 'm1' }), HAND)
  equal(drawn({ mark: 'm2' }), CALLED)
  await page.tap('[data-at-table]')
  equal([state(), page.visits], [TABLE, []])
  await page.tap('[data-at-table]')
  equal(state(), HAND)
})

test('a page that opens during play shows whose turn it is', async () => {
  const rows = [[MINE, TABLE], ['data-begun', CALLED], ['data-mine', HAND], ['data-begun data-over', CALLED], ['data-over', HAND]]
  for (const [attributes, expected] of rows) {
    const { page, callToTable, state } = await begin({ attributes })
    callToTable(page.$('#at-table'), null)
    equal(state(), expected, attributes)
  }
})

test('a phone that cannot vibrate shows the table as well', async () => {
  const { page, drawn } = await begin()
  page.fake(page.window.navigator, 'vibrate', undefined)
  equal(drawn({ attributes: MINE }), TABLE)
})

test('the hand is asked for when it changed, and after each action in any case', async () => {
  const { page } = await begin()
  const applied = (mark) => page.document.dispatchEvent(new page.window.CustomEvent('applied', { detail: { hand: mark } }))
  applied('m1')
  equal(page.requests.length, 0)
  applied('m2')
  await page.next().answer(hand({ mark: 'm2' }))
  equal(page.$('#at-table').dataset.mark, 'm2')
  applied('m2')
  equal(page.requests.length, 0)
  page.fire(page.document, 'acted')
  applied('m2')
  await page.next().answer(hand({ mark: 'm2' }))
  applied('m2')
  equal(page.requests.length, 0)
})

test('a hand that could not be asked for is asked for again', async () => {
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('', 503), (sent) => sent.answer('<p>no hand</p>')]) {
    const { page } = await begin()
    const applied = () => page.document.dispatchEvent(new page.window.CustomEvent('applied', { detail: { hand: 'm2' } }))
    applied()
    await fail(page.next())
    applied()
    await page.next().answer(hand({ mark: 'm2' }))
    equal(page.$('#at-table').dataset.mark, 'm2')
  }
})

test('pages without the link are left alone', async () => {
  const { page, callToTable } = await begin({}, {})
  callToTable(page.$('#at-table'), null)
  page.document.dispatchEvent(new page.window.CustomEvent('applied', { detail: { hand: 'm2' } }))
  equal([page.requests.length, page.document.body.className], [0, ''])
})
