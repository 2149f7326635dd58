import { equal, open, settle, test } from './harness.js'

const begin = async () => {
  const page = await open('')
  const { askState } = await page.load('news.js')
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
  const { ask } = await begin()
  equal(await ask('/state', null, state('v1', '/news/1')), [[stateOf()], 200])
  equal(await ask('/state', 'v1', ['', 204]), [[NEWS], 304])
  equal(await ask('/state', 'v1', ['', 204]), [[NEWS], 304])
})

test('when something may be new, the state is asked for at once, and gives the next address', async () => {
  const { ask } = await begin()
  await ask('/state', null, state('v1', '/news/1'))
  equal(await ask('/state', 'v1', ['', 200], state(null, '/news/2')), [[NEWS, stateOf('v1')], 304])
  equal(await ask('/state', 'v1', ['', 204]), [[['/news/2', {}, 'no-store']], 304])
})

test('a page with another state, or none, or at another address, asks for the state', async () => {
  for (const [address, mark] of [['/state', 'v0'], ['/state', ''], ['/state', null], ['/state?way=word', 'v1']]) {
    const { ask } = await begin()
    await ask('/state', null, state('v1', '/news/1'))
    equal(await ask(address, mark, state('v1')), [[[address, mark ? { 'If-None-Match': mark } : {}, 'no-store']], 200])
  }
})

test('a server that gives no address is asked for the state', async () => {
  const { ask } = await begin()
  await ask('/state', null, state('v1'))
  equal(await ask('/state', 'v1', state(null)), [[stateOf('v1')], 304])
})

test('without a connection there is no answer', async () => {
  const { page, ask, askState } = await begin()
  await ask('/state', null, state('v1', '/news/1'))
  let error = null
  askState('/state', 'v1').catch((caught) => { error = caught })
  await settle()
  page.next().fail()
  await settle()
  equal(error instanceof page.window.TypeError, true)
})
