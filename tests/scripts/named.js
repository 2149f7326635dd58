import { equal, open, test } from './harness.js'

const ROW = (key) => `<div class="payer"><label class="${key}" data-step="25" data-scale="100"><span>${key}</span><input id="one-${key}" name="${key}"></label></div>`

const begin = async (names = '') => {
  const page = await open(`<input id="called" list="before"><datalist id="before">${names}</datalist><div data-called hidden></div>
    <label data-step="25" data-scale="100"><span>all</span><input id="everyone-pays"></label>${ROW('pays')}${ROW('gets')}`)
  await page.load('named.js')
  const press = async (id, sign) => {
    await page.tap(`#${id} ${sign === '+' ? '+ .step' : ''}, .step:has(+ #${id})`.split(', ').at(sign === '+' ? 0 : 1))
    return page.$(`#${id}`).value
  }
  return { page, press }
}

test('the buttons change an amount by a stake, and never below nothing', async () => {
  const { press } = await begin()
  equal([await press('everyone-pays', '+'), await press('everyone-pays', '+'), await press('everyone-pays', '−')], ['0.25', '0.50', '0.25'])
  equal([await press('one-gets', '−'), await press('one-gets', '+')], ['0.00', '0.25'])
})

test('a payment of one s own begins at what all pay, and text stays', async () => {
  const { page, press } = await begin()
  page.$('#everyone-pays').value = '1,5'
  equal([await press('one-pays', '+'), await press('one-gets', '+')], ['1.75', '0.25'])
  page.$('#one-gets').value = 'all'
  equal(await press('one-gets', '+'), 'all')
})

test('names used before are buttons', async () => {
  const { page } = await begin('<option value="Hearts"></option><option value="Perudo"></option>')
  equal([page.$('[data-called]').hidden, page.$('[data-called]').textContent], [false, 'HeartsPerudo'])
  await page.tap('[data-called] button:last-child')
  equal(page.$('#called').value, 'Perudo')
})
