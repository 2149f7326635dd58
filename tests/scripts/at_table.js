import { BET, KNOCK, hand, openTable } from './at_table_page.js'
import { equal, open, settle, test } from './harness.js'

test('a hand is prepared when the page is there, and again whenever it is drawn', async () => {
  const page = await openTable({}, { says: { buttons: KNOCK } })
  await page.load('at_table.js')
  const state = () => [page.$$('[data-chips] [hidden]').length, page.$('[data-hold]').textContent, page.$('.raise').textContent]
  equal(state(), [0, 'Hold to knock', 'Raise 5'])
  page.$('#place').innerHTML = hand({ amount: '10' })
  await settle()
  equal(state(), [0, 'Hold to knock', 'Raise 10'])
  page.$('.raise').textContent = 'x'
  page.document.body.append('news elsewhere')
  await settle()
  equal(page.$('.raise').textContent, 'x')
})

test('all buttons of the hand work', async () => {
  const page = await openTable({}, { says: { buttons: BET + KNOCK }, around: '<a data-at-table href="#at-table">table</a>' })
  await page.load('at_table.js')
  await page.tap('[data-add="25"]')
  equal(page.$('.raise').textContent, 'Raise 25')
  await page.tap('.fold')
  await page.next().answer({})
  page.fire('[data-hold]', 'pointerdown', { button: 0 })
  equal(page.$$('.held').length, 1)
  await page.tap('[data-at-table]')
  equal(page.$('.seated') === page.document.body, false)
})

test('a page without a hand waits for one', async () => {
  const page = await open('<div id="place"></div>')
  await page.load('at_table.js')
  page.$('#place').innerHTML = hand()
  await settle()
  equal(page.$('.raise').textContent, 'Raise 5')
})

test('a hand that is drawn again keeps the refusal, the lock and the amount', async () => {
  const page = await openTable()
  await page.load('at_table.js')
  await page.tap('[data-add="25"]')
  await page.tap('.fold')
  page.$('#place').innerHTML = hand()
  await settle()
  equal([page.$('#at-table').inert, page.value('amount')], [true, '25'])
  await page.next().answer({ problem: 'not your turn' })
  await page.next().answer(hand())
  equal([page.$('#at-table').inert, page.texts('.error'), page.value('amount')], [false, ['not your turn'], '25'])
  page.$('#place').innerHTML = hand()
  await settle()
  equal(page.texts('.error'), ['not your turn'])
})

test('a button that another phone put under a thumb rests for a moment', async () => {
  const page = await openTable({}, { says: { buttons: BET } })
  await page.load('at_table.js')
  const isInert = () => [page.$('#at-table').inert, page.$('#rail').inert]
  equal(isInert(), [false, false])
  page.$('[data-says]').lastElementChild.innerHTML = KNOCK
  await settle()
  equal(isInert(), [true, true])
  await page.tick(499)
  equal(isInert(), [true, true])
  page.$('#place').append('the same buttons, drawn again')
  await page.tick(1)
  equal(isInert(), [false, false])
})
