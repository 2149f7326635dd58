import { hand, line, openTable } from '../at_table_page.js'
import { equal, test } from '../harness.js'

const LINK = '<a data-at-table href="#at-table">table</a>'
const PLACE = '<a data-place="hand" class="button" href="/round#entry">My hand</a>'

const begin = async (says = {}, around = LINK) => {
  const page = await openTable({}, { says, around })
  const own = await page.load('at_table/own_hand.js')
  own.beginOwnHand()
  const state = () => [page.document.body.classList.contains('seated'), page.$('[data-at-table]').getAttribute('aria-pressed'), page.$('.calls') !== null]
  const applied = (mark, rail) => page.document.dispatchEvent(new page.window.CustomEvent('applied', { detail: { hand: mark, rail } }))
  // Draws the state line, and returns what that did.
  const drawn = (other) => {
    applied('m1', line(other))
    return state()
  }
  return { page, state, drawn, applied }
}

const HAND = [false, 'false', false]
const TABLE = [true, 'true', false]
const CALLED = [false, 'false', true]
const MINE = 'data-choice'

test('a page opens on the table until the hand is to be shown, or was begun', async () => {
  const typed = '<form id="entry"><input data-hand value="9s"></form>'
  const rows = [[{ phase: 'deal' }, LINK, TABLE], [{ phase: 'playing' }, LINK, TABLE], [{ phase: 'show' }, LINK, HAND], [{ phase: 'playing' }, LINK + typed, HAND]]
  for (const [says, around, expected] of rows) {
    const { page, state } = await begin(says, around)
    equal([page.$('[data-at-table]').getAttribute('role'), state()], ['button', expected], says.phase)
  }
})

test('a turn shows the table, and a hand to enter its keys', async () => {
  const { page, drawn } = await begin({ phase: 'playing', buttons: PLACE })
  equal(drawn({ phase: 'playing', buttons: PLACE }), TABLE)
  await page.tap('[data-place=hand]')
  equal([drawn({ phase: 'last-turns' }), page.buzzes], [CALLED, []])
  equal([drawn({ phase: 'last-turns', attributes: MINE }), page.buzzes], [TABLE, [60]])
  equal([drawn({ phase: 'last-turns', attributes: MINE, said: 'again' }), page.buzzes], [TABLE, [60]])
  equal(drawn({ phase: 'show' }), HAND)
  equal(drawn({ phase: 'deal' }), TABLE)
})

test('the links change between the table and the hand', async () => {
  const { page, state } = await begin({ phase: 'playing', buttons: PLACE })
  await page.tap('[data-at-table]')
  equal([state(), page.visits], [HAND, []])
  await page.tap('[data-at-table]')
  equal(state(), TABLE)
  await page.tap('[data-place=hand]')
  equal([state(), page.visits], [HAND, []])
  page.fire('.says', 'click')
  equal(state(), HAND)
})

test('a phone that cannot vibrate shows the table as well', async () => {
  const { page, drawn } = await begin({ phase: 'show' })
  page.fake(page.window.navigator, 'vibrate', undefined)
  equal(drawn({ attributes: MINE }), TABLE)
})

test('the hand is asked for when it changed, and after each action in any case', async () => {
  const { page, applied } = await begin()
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
    const { page, applied } = await begin()
    applied('m2')
    await fail(page.next())
    applied('m2')
    await page.next().answer(hand({ mark: 'm2' }))
    equal(page.$('#at-table').dataset.mark, 'm2')
  }
})

test('pages without the link are left alone', async () => {
  const { page, applied } = await begin({}, '')
  applied('m2', line())
  page.fire(page.document, 'acted')
  equal([page.requests.length, page.document.body.className], [0, ''])
})
