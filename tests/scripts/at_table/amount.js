import { hand, openTable } from '../at_table_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openTable(given)
  const amount = await page.load('at_table/amount.js')
  amount.beginAmounts()
  amount.restoreAmount(page.$('#at-table'))
  const redraw = (other) => {
    page.$('#place').innerHTML = hand(other)
    amount.restoreAmount(page.$('#at-table'))
  }
  const taps = async (...selectors) => {
    const values = []
    for (const selector of selectors) {
      await page.tap(selector)
      values.push(page.value('amount'))
    }
    return values
  }
  const state = () => [page.value('amount'), page.$('.raise').textContent, page.$('.primary')?.textContent]
  return { page, ...amount, redraw, taps, state }
}

test('the first chip replaces the smallest amount; the others add up to the largest', async () => {
  const { taps, state } = await begin()
  equal(state(), ['5', 'Raise 5', 'Call'])
  equal(await taps('[data-add="25"]', '[data-add="5"]', '[data-add="25"]', '[data-set]', '[data-add="25"]', '[data-add="25"]', '[data-add="25"]'), ['25', '30', '55', '40', '65', '90', '100'])
  equal(state(), ['100', 'Raise 100', 'Raise 100'])
})

test('a first chip that would change nothing is added', async () => {
  equal(await (await begin()).taps('[data-add="5"]', '[data-add="5"]'), ['10', '15'])
})

test('a raise says what its player puts in, with the call', async () => {
  const raise = 'data-in="4" data-raise="Raise {amount} (put in {total})"'
  const { page, taps, state } = await begin({ raise })
  equal(state()[1], 'Raise 5 (put in 9)')
  await taps('[data-add="25"]')
  equal(state()[1], 'Raise 25 (put in 29)')
  page.enter('amount', 'x')
  equal(state()[1], 'Raise x (put in …)')
  const money = await begin({ raise, chips: 'data-scale="100" data-least="5"', amount: '0.05' })
  money.page.enter('amount', '1,15')
  equal(money.state()[1], 'Raise 1,15 (put in 1.19)')
})

test('an amount is at least the smallest, and may have no limit', async () => {
  const { taps } = await begin({ chips: 'data-scale="1" data-least="10"' })
  equal(await taps('[data-add="5"]', ...Array(5).fill('[data-add="25"]')), ['10', '35', '60', '85', '110', '135'])
})

test('money has its decimals, and may be typed with a comma', async () => {
  const { page, taps, state } = await begin({ chips: 'data-scale="100" data-least="5"', amount: '0.05' })
  equal(await taps('[data-add="25"]', '[data-add="5"]'), ['0.25', '0.30'])
  page.enter('amount', '1,15')
  equal(state(), ['1,15', 'Raise 1,15', 'Raise 1,15'])
  equal(await taps('[data-add="5"]'), ['1.20'])
  page.enter('amount', 'x')
  equal([await taps('[data-add="25"]'), state()[1]], [['x'], 'Raise x'])
  page.enter('amount', '')
  equal(await taps('[data-add="25"]'), ['0.25'])
})

test('an amount stays while the same state of the hand is drawn again', async () => {
  const { page, redraw, state } = await begin()
  page.enter('amount', ' 17 ')
  equal(state(), [' 17 ', 'Raise 17', 'Raise 17'])
  redraw()
  equal(state(), [' 17 ', 'Raise 17', 'Raise 17'])
  redraw({ mark: 'm2' })
  equal(state(), ['5', 'Raise 5', 'Call'])
})

test('an amount that was bet is forgotten', async () => {
  const { page, redraw, state, forgetAmount } = await begin()
  page.enter('amount', '17')
  forgetAmount()
  redraw()
  equal(state(), ['5', 'Raise 5', 'Call'])
})

test('without a field or without a raise there is nothing to write', async () => {
  const { page, restoreAmount, taps } = await begin()
  page.$('.raise').remove()
  equal(await taps('[data-add="25"]'), ['25'])
  page.$('[name=amount]').remove()
  restoreAmount(page.$('#at-table'))
})

test('chips and fields elsewhere are no amounts', async () => {
  const { page } = await begin()
  page.document.body.insertAdjacentHTML('beforeend', '<button data-add="5" id="other"></button><div id="x"><input name="amount" id="field"></div>')
  await page.tap('#other')
  page.fire('#field', 'input')
  page.fire('[name=number]', 'input')
  equal([page.value('amount'), page.$('.raise').textContent], ['5', 'Raise 5'])
})
