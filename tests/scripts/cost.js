import { equal, open, test } from './harness.js'

const SHARER = (key) => `<div data-sharer><label><input type="radio" name="payer" value="${key}" id="paid-${key}"></label>
  <label><input type="checkbox" name="for" value="${key}" id="in-${key}" checked><small data-part>shares it</small></label></div>`

const begin = async (scale = 1) => {
  const page = await open(`<p data-comes-to hidden><b></b><span></span></p>
    <form class="cost" data-scale="${scale}" data-each="{amount} each" data-owes="owes {amount}" data-paid="paid {amount}" data-out="out" data-erase="Take back">
    ${['1', '2', '3'].map((key) => `${SHARER(key)}<input name="share-${key}" value="1">`).join('')}<input name="amount"><div data-keys hidden></div></form>`)
  await page.load('cost.js')
  const keys = [...page.$$('.key')]
  const press = async (text) => {
    for (const key of text) await keys.find((one) => one.textContent === key).click()
  }
  const parts = () => [...page.$$('[data-part]')].map((part) => part.textContent).join(', ')
  return { page, press, parts }
}

test('the keys write the amount, and each chip says its part', async () => {
  const { page, press, parts } = await begin()
  equal(parts(), 'shares it, shares it, shares it')
  await page.tap('#paid-3')
  await press('48')
  equal([page.$('[name=amount]').value, parts(), page.$('[data-comes-to]').textContent], ['48', 'owes 16, owes 16, paid 48', '4816 each'])
  await page.tap('#in-1')
  equal(parts(), 'out, owes 24, paid 48')
})

test('odd units go to the payer first, then in order; shares count', async () => {
  const { page, press, parts } = await begin()
  await page.tap('#paid-2')
  await press('38')
  equal(parts(), 'owes 13, paid 38, owes 12')
  page.$('[name=share-3]').value = '2'
  await press('⌫')
  equal(parts(), 'owes 1, paid 3, owes 1')
})

test('cents have one point and two digits', async () => {
  const { page, press, parts } = await begin(100)
  await press('.')
  await press('10.0.55')
  equal([page.$('[name=amount]').value, parts()], ['0.10', 'owes 0.04, owes 0.03, owes 0.03'])
})
