import { equal, open, test } from './harness.js'

test('a download is said', async () => {
  const page = await open('<a data-tells="Downloaded">Add</a><p data-told></p>')
  await page.load('download.js')
  equal(page.$('[data-told]').textContent, '')
  await page.tap('a')
  equal(page.$('[data-told]').textContent, '✓ Downloaded')
})

test('a page without a download has nothing to say', async () => {
  const page = await open('<p></p>')
  await page.load('download.js')
  equal(page.$('p').textContent, '')
})
