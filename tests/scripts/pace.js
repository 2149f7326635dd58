import { equal, open, settle, test } from './harness.js'

const begin = async () => {
  const page = await open('')
  const polls = []
  const pace = await page.load('pace.js')
  // Begins to ask; a poll ends when its `end` is called.
  const ask = () => pace.keepAsking(() => new Promise((end, fail) => polls.push({ end: (news) => { end(news); return settle() }, fail })))
  // Ends the open poll, and returns how long it takes until the next one.
  const pause = async (news, most = 20_000) => {
    const { length } = polls
    await polls.at(-1).end(news)
    for (let time = 0; time <= most; time += 20) {
      if (polls.length > length) return time
      await page.tick(20)
    }
    return null
  }
  return { page, polls, ask, pause, ...pace }
}

test('how long the next poll waits', async () => {
  const { delay } = await begin()
  const rows = [
    // closed, since the last change, how long the last poll took, delay
    [false, 0, 0, 600], [false, 19_999, 0, 600], [false, 20_000, 0, 900], [false, 299_999, 0, 900], [false, 300_000, 0, 4000], [true, 0, 0, 15_000],
    [false, 0, 200, 600], [false, 0, 201, 603], [false, 0, 1000, 3000], [false, 0, 5001, 15_000], [false, 0, 60_000, 15_000], [true, 0, 60_000, 15_000],
  ]
  for (const [isClosed, quiet, took, wait] of rows) equal(delay({ isClosed, changedAt: 1000, took }, 1000 + quiet), wait, [isClosed, quiet, took])
})

test('the first poll is made at once, and the next after its answer', async () => {
  const { page, polls, ask, pause } = await begin()
  ask()
  equal(polls.length, 1)
  await page.tick(5000)
  equal(polls.length, 1)
  // it took 5 seconds, so that the next one waits three times as long
  equal(await pause(undefined), 15_000)
  equal(await pause(undefined), 900)
})

test('phones that saw the same change do not poll at the same time', async () => {
  const { page, ask, pause } = await begin()
  ask()
  page.fake(page.window.Math, 'random', () => 0)
  equal(await pause(undefined), 540)
})

test('a phone on which the app runs alone asks as seldom as after a night', async () => {
  const { page, ask, pause } = await begin()
  page.window.document.documentElement.dataset.alone = ''
  ask()
  equal(await pause(undefined), 15_000)
  equal(await pause({}), 15_000)
})

test('the table is quick after news, and slow once the night is closed', async () => {
  const { page, ask, polls, pause, happened } = await begin()
  ask()
  equal(await pause(undefined), 600)
  await page.tick(300_000) // while a poll is open
  equal(await pause(undefined), 15_000)
  equal(await pause(undefined), 4000)
  equal(await pause({}), 600)
  equal(await pause({ isClosed: true }), 15_000)
  equal(await pause(undefined), 15_000)
  equal(await pause({ isClosed: false }), 600)
  await polls.at(-1).end({ isClosed: true })
  await page.tick(1000)
  const { length } = polls
  happened()
  await page.tick(599)
  equal(polls.length, length)
  await page.tick(1)
  equal(polls.length, length + 1)
})

test('what happens before or during a poll changes nothing in its turn', async () => {
  const { page, polls, ask, happened } = await begin()
  happened()
  await page.tick(20_000)
  equal(polls.length, 0)
  ask()
  happened()
  await page.tick(20_000)
  equal(polls.length, 1)
})

test('hidden pages do not poll; a page that is seen again does at once', async () => {
  const { page, polls, ask } = await begin()
  ask()
  await polls[0].end()
  await page.hide()
  await page.tick(60_000)
  equal(polls.length, 1)
  await page.hide(false)
  equal(polls.length, 2)
  await page.hide()
  await polls[1].end()
  await page.tick(60_000)
  equal(polls.length, 2)
})

test('while a phone slept, no server was slow', async () => {
  const { page, ask, pause } = await begin()
  ask()
  await page.hide()
  await page.tick(60_000)
  await page.hide(false)
  equal(await pause(undefined), 900)
})

test('a page is not polled twice at once, and polls as soon as there is a connection', async () => {
  const { page, polls, ask, pause } = await begin()
  ask()
  page.fire(page.window, 'online')
  equal(polls.length, 1)
  await polls[0].end()
  page.fire(page.window, 'online')
  equal(polls.length, 2)
  await page.tick(599) // the other one was given up
  equal(polls.length, 2)
  equal(await pause(undefined), 1800)
})

test('a poll that failed is followed by the next', async () => {
  const { page, polls, ask } = await begin()
  ask()
  polls[0].fail(new Error('ours'))
  await page.tick(600)
  equal(polls.length, 2)
  equal(page.errors.splice(0).map((error) => error.split('\n')[0]), ['Error: ours'])
})

const beginNews = async () => {
  const page = await open('')
  const { askState } = await page.load('pace.js')
  // Asks, and returns what was asked and the response's status.
  const ask = async (address, mark, ...answers) => {
    const done = askState(address, mark)
    const asked = []
    for (const answer of answers) {
      await settle()
      const request = page.next()
      asked.push([request.url, request.headers, request.cache])
      await request.answer(...answer)
    }
    await settle()
    equal(page.requests.length, 0)
    return [asked, (await done).status]
  }
  return { page, ask, askState }
}

const state = (mark, news) => ['{}', mark ? 200 : 304, { ETag: 'v1', ...news && { 'Companion-News': news } }]
const stateOf = (mark) => ['/state', mark ? { 'If-None-Match': mark } : {}, 'no-store']
const NEWS = ['/news/1', {}, 'no-store']

test('the first time the state is asked for, then whether anything is new', async () => {
  const { ask } = await beginNews()
  equal(await ask('/state', null, state('v1', '/news/1')), [[stateOf()], 200])
  equal(await ask('/state', 'v1', ['', 204]), [[NEWS], 304])
  equal(await ask('/state', 'v1', ['', 204]), [[NEWS], 304])
})

test('when something may be new, the state is asked for at once, and gives the next address', async () => {
  const { ask } = await beginNews()
  await ask('/state', null, state('v1', '/news/1'))
  equal(await ask('/state', 'v1', ['', 200], state(null, '/news/2')), [[NEWS, stateOf('v1')], 304])
  equal(await ask('/state', 'v1', ['', 204]), [[['/news/2', {}, 'no-store']], 304])
})

test('a page with another state, or none, or at another address, asks for the state', async () => {
  for (const [address, mark] of [['/state', 'v0'], ['/state', ''], ['/state', null], ['/state?way=word', 'v1']]) {
    const { ask } = await beginNews()
    await ask('/state', null, state('v1', '/news/1'))
    equal(await ask(address, mark, state('v1')), [[[address, mark ? { 'If-None-Match': mark } : {}, 'no-store']], 200])
  }
})

test('a server that gives no address is asked for the state', async () => {
  const { ask } = await beginNews()
  await ask('/state', null, state('v1'))
  equal(await ask('/state', 'v1', state(null)), [[stateOf('v1')], 304])
})

test('without a connection there is no answer', async () => {
  const { page, ask, askState } = await beginNews()
  await ask('/state', null, state('v1', '/news/1'))
  let error = null
  askState('/state', 'v1').catch((caught) => { error = caught })
  await settle()
  page.next().fail()
  await settle()
  equal(error instanceof page.window.TypeError, true)
})

test('a page that is being left asks nothing, until it has loaded or never will', async () => {
  const { page, polls, ask, pause, leave } = await begin()
  ask()
  await polls.at(-1).end()
  let times = 0
  leave(() => { times++ })
  await page.tick(14_000)
  await page.hide()
  await page.hide(false)
  page.fire(page.window, 'online')
  await page.tick(999)
  equal([polls.length, times], [1, 1])
  await page.tick(1)
  equal(polls.length, 2)
  // left in the middle of a poll, as when that brought the news
  leave(() => {})
  equal(await pause({}), 15_000)
})

test('a page that somebody comes back to asks at once', async () => {
  const { page, polls, ask, leave } = await begin()
  ask()
  await polls.at(-1).end()
  leave(() => {})
  page.fire(page.window, 'pagehide')
  await page.hide()
  await page.hide(false)
  equal(polls.length, 2)
})

test('a state that nobody answers is given up', async () => {
  const { page, askState } = await begin()
  const lost = askState('/state').catch((error) => error.name)
  await page.tick(10_000)
  equal(await lost, 'TimeoutError')
})
