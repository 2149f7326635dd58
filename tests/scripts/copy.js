import { equal, open, test } from './harness.js'

const BUTTON = '<button data-copy-text="0321" data-copied="Copied" hidden>Copy</button>'

test('a button copies its text, and says so', async () => {
  const page = await open(BUTTON)
  const copied = []
  page.fake(page.window.navigator, 'clipboard', { writeText: async (text) => { copied.push(text) } })
  await page.load('copy.js')
  equal(page.$('button').hidden, false)
  await page.tap('button')
  equal([copied, page.$('button').textContent], [['0321'], 'Copied'])
})

test('without a clipboard it copies what it selects', async () => {
  const page = await open(BUTTON)
  page.fake(page.window.navigator, 'clipboard', undefined)
  const copied = []
  page.fake(page.window.document, 'execCommand', () => { copied.push(page.$('textarea').value) })
  await page.load('copy.js')
  await page.tap('button')
  equal([copied, page.$('textarea'), page.$('button').textContent], [['0321'], null, 'Copied'])
})
