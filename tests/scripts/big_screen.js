import { equal, open, settle, test } from './harness.js'

const news = (stage, text, more = '') => `<div id="news" class="screen is-${stage}" data-stage="${stage}" ${more}><b>${text}</b></div>`

const begin = async (html = news('down', 'one')) => {
  const page = await open(`${html}<p data-seen-text="since {time}"></p>`, { url: '/night/screen?x=1' })
  await page.load('big_screen.js')
  let changes = 0
  page.document.addEventListener('news', () => changes++)
  const element = page.$('#news')
  // Answers the open poll, and waits for the next one.
  const answer = async (...given) => {
    await page.next().answer(...given)
    await page.untilSent()
  }
  return { page, element, answer, changes: () => changes, state: () => [element.className, element.textContent.trim(), { ...element.dataset }] }
}

test('the table view shows what the server sends, and asks for what is newer', async () => {
  const { page, element, answer, state, changes } = await begin(news('bets', 'one', 'data-closed'))
  const first = page.requests[0]
  equal([first.url, first.cache, first.headers], ['/night/screen?x=1', 'no-store', {}])
  await answer(news('down', 'two'), 200, { ETag: 'v1' })
  equal([state(), changes(), page.$('#news') === element], [['screen is-down', 'two', { stage: 'down' }], 1, true])
  equal(page.requests[0].headers, { 'If-None-Match': 'v1' })
  await answer('', 304)
  equal([state()[1], changes(), page.requests[0].headers], ['two', 1, { 'If-None-Match': 'v1' }])
})

test('hands turn over together, if they were face down before', async () => {
  const rows = [['down', 'shown', true], ['down', 'result', true], ['down', 'down', false], ['bets', 'shown', false], ['shown', 'result', false]]
  for (const [before, after, isTurning] of rows) {
    const { answer, element } = await begin(news(before, 'one'))
    await answer(news(after, 'two'))
    equal([element.className, element.dataset.stage], [`screen is-${after}${isTurning ? ' turning' : ''}`, after], `${before} ${after}`)
  }
})

test('a closed night is asked about slowly', async () => {
  for (const [more, wait] of [['data-closed', 15_000], ['', 600]]) {
    const { page } = await begin()
    await page.next().answer(news('closed', 'end', more))
    await page.tick(wait - 1)
    equal(page.requests.length, 0)
    await page.tick(1)
    equal(page.requests.length, 1)
  }
})

test('what says nothing new counts as none', async () => {
  const { page, answer, state, changes } = await begin()
  const seen = () => page.$('[data-seen-text]').textContent
  await page.next().fail()
  equal(seen(), 'since 20:00')
  await page.untilSent()
  await answer('<p>proxy</p>', 200, { ETag: 'x' })
  equal([seen(), page.requests[0].headers], ['', {}])
  await answer(news('result', 'two'), 500)
  equal(seen().slice(0, 5), 'since')
  await answer(news('result', 'two'), 499)
  equal([seen(), state()[1], changes()], ['', 'one', 0])
})

test('an answer that breaks off is none', async () => {
  const { page, changes } = await begin()
  page.requests.splice(0)
  page.window.fetch = async () => ({ ok: true, status: 200, headers: new Headers(), text: async () => { throw new TypeError('broken off') } })
  await page.hide(false)
  await settle()
  equal(changes(), 0)
})

test('without access or without a night, the page is loaded again', async () => {
  for (const status of [403, 404]) {
    const { page, answer } = await begin()
    await answer('', status)
    equal(page.visits, [['reload']])
  }
})

test('the screen stays on', async () => {
  let locks = 0
  const page = await open(news('down', 'one'), { prepare: ({ fake, window }) => fake(window.navigator, 'wakeLock', { request: async () => { locks++ } }) })
  await page.load('big_screen.js')
  equal(locks, 1)
})
