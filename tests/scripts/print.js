import { equal, open, test } from './harness.js'

test('the button prints the page', async () => {
  const page = await open('<button data-print hidden>Print</button>')
  let prints = 0
  page.window.print = () => prints++
  await page.load('print.js')
  await page.tap('button')
  equal([page.$('button').hidden, prints], [false, 1])
})
