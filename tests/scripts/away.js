import { equal, open, test } from './harness.js'

test('the offline page links to the last night, if there is a copy of it', async () => {
  for (const [night, link] of [['/night', ['/night', false]], ['', ['', true]]]) {
    const page = await open('<a href="" data-last hidden>night</a><p data-waits hidden></p>', { attributes: `data-night="${night}"` })
    await page.load('away.js')
    equal([page.$('a').getAttribute('href'), page.$('a').hidden], link)
  }
})

test('the offline page loads the page that was asked for, once the server answers', async () => {
  const page = await open('<p data-waits hidden></p>', { url: '/night/lines/3?since=2', attributes: 'lang="en" data-seen="2026-03-07T19:00:00Z"' })
  await page.load('away.js')
  equal(page.$('p').hidden, false)
  const wait = async () => {
    await page.tick(600)
    return page.requests.length
  }
  equal([page.requests[0].url, page.requests[0].cache, page.requests[0].headers], ['/night/lines/3?since=2', 'no-store', {}])
  await page.next().fail()
  equal(await wait(), 1)
  await page.next().answer('', 502)
  equal(await wait(), 1)
  await page.tick(10_000) // nothing answers
  equal(page.requests.length, 0)
  await page.untilSent()
  equal(page.visits, [])
  await page.next().answer('', 200)
  await page.tick(14_000)
  equal([page.requests.length, page.visits], [0, [['reload']]])
})

test('a page that is shown instead of a form answer is not loaded by itself', async () => {
  const page = await open('<p data-again></p><p data-posted></p><a href="/home" data-back hidden></a>', { attributes: 'lang="en" data-seen="2026-03-07T19:00:00Z" data-posted' })
  await page.load('away.js')
  await page.tick(15_000)
  equal([page.requests.length, page.$('[data-again]').hidden, page.$('p[data-posted]').hidden, page.$('a').hidden], [0, true, false, false])
})

test('the page itself, opened while the server answers, asks for nothing', async () => {
  const page = await open('<p data-waits hidden></p>', { url: '/offline' })
  await page.load('away.js')
  await page.tick(15_000)
  equal([page.requests.length, page.$('p').hidden], [0, true])
})
