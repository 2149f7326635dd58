import { equal, open, test } from '../harness.js'

const NOTICE = '<p data-seen-text="As seen at {time}"></p>'

test('a notice says when the page was last up to date, while there is no connection', async () => {
  const page = await open(NOTICE)
  const { connected } = await page.load('offline/connection.js')
  const notice = page.$('p')
  await page.tick(61_000)
  connected(false)
  equal(notice.textContent, 'As seen at 20:00')
  const text = notice.firstChild
  connected(false)
  equal(notice.firstChild === text, true) // read out only once
  let back = 0
  page.window.document.addEventListener('reconnected', () => back++)
  connected(true)
  connected(true)
  equal([notice.textContent, back], ['', 1])
  await page.tick(61_000)
  connected(false)
  equal(notice.textContent, 'As seen at 20:01')
})

test('a copy of a page was up to date when it was stored', async () => {
  const rows = [['2026-03-07T19:05:00Z', 'As seen at 19:05'], ['2026-03-06T19:05:00Z', 'As seen at Mar 6, 19:05']]
  for (const [seen, text] of rows) {
    const page = await open(NOTICE, { attributes: `lang="en" data-seen="${seen}"` })
    ;(await page.load('offline/connection.js')).connected(false)
    equal(page.texts('p'), [text])
  }
})

test('times are written in the language of the page', async () => {
  const page = await open('', { attributes: 'lang="es-MX"' })
  const { timeOf } = await page.load('offline/connection.js')
  equal([timeOf(new Date('2026-03-07T00:05:00Z')), timeOf(new Date('2026-03-06T21:05:00Z'))], ['00:05', '6 mar, 21:05'])
})

test('a page without a notice shows none', async () => {
  const page = await open('')
  ;(await page.load('offline/connection.js')).connected(false)
})
