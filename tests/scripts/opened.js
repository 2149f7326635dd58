import { equal, open, test } from './harness.js'

const fold = (words, isOpen = false) => `<details${isOpen ? ' open' : ''}><summary>${words}</summary><p></p></details>`

test('what was opened is open in what replaces it, and nothing else', async () => {
  const page = await open(`<div id="before">${fold('Draws')}${fold('Deal', true)}${fold('Gone', true)}</div><div id="fresh">${fold('Deal')}${fold('Draws')}${fold('Rules', true)}</div>`)
  const { keepOpened } = await page.load('opened.js')
  keepOpened(page.$('#before'), page.$('#fresh'))
  equal(page.$$('#fresh details').map((one) => one.open), [true, false, true])
})

test('a page that follows the night keeps what was opened', async () => {
  const news = (version) => `<div id="felt"></div><div id="news" data-follow="/night/state" data-version="${version}">${fold('Deal')}</div>`
  const page = await open(news(1), { url: '/night' })
  await page.load('follow.js')
  page.$('details').open = true
  await page.next().answer({ version: 2, saved: 0, closed: false, down: [], key: '' }, 200, { ETag: 'v2' })
  await page.next().answer(news(2))
  equal([page.$('#news').dataset.version, page.$('details').open], ['2', true])
})
