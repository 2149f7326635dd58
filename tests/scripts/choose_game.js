import { equal, open, test } from './harness.js'

const begin = async (entered = '') => {
  const page = await open(`<input type="hidden" name="csrf_token" value="token"><nav data-choose="/night/play" data-number="3" ${entered && `data-entered="${entered}"`}>
    <a id="now" href="/night?game=knock" aria-current="true">Knock</a><a id="other" href="/night?game=dompe&x=1"><b>Dompe</b></a></nav><a id="else" href="/help">help</a>`, { url: '/night' })
  page.fake(page.window.crypto, 'getRandomValues', (numbers) => numbers.map((_, at) => at + 1))
  await page.load('choose_game.js')
  return page
}

test('the server is told the new game before the page goes there', async () => {
  const page = await begin()
  await page.tap('b')
  const sent = page.next()
  equal([sent.url, sent.method, sent.headers, Object.fromEntries(sent.body)],
    ['/night/play', 'POST', { Accept: 'application/json' }, { do: 'game', game: 'dompe', number: '3', key: '1-2-3-4', csrf_token: 'token' }])
  equal([page.document.body.inert, page.visits, page.asked], [true, [], []])
  await sent.answer({ problem: 'a hand is in play' }, 409)
  equal(page.visits, [['assign', '/night?game=dompe&x=1']])
  page.fire(page.window, 'pagehide')
  equal(page.document.body.inert, false)
})

test('the page goes there without an answer as well, after a while', async () => {
  const lost = await begin()
  await lost.tap('#other')
  await lost.next().fail()
  equal(lost.visits.length, 1)
  const slow = await begin()
  await slow.tap('#other')
  await slow.tick(2999)
  equal(slow.visits, [])
  await slow.tick(1)
  equal(slow.visits, [['assign', '/night?game=dompe&x=1']])
})

test('what was entered is asked about', async () => {
  const page = await begin('Round 3 is being entered')
  page.confirms = false
  await page.tap('#other')
  equal([page.asked, page.requests.length, page.visits], [['Round 3 is being entered'], 0, []])
  page.confirms = true
  await page.tap('#other')
  equal(page.requests.length, 1)
})

test('the current game, other links, and links opened in a new tab are left to the browser', async () => {
  const page = await begin()
  const isLeft = (selector, properties = {}) => page.fire(selector, 'click', { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...properties })
  page.document.addEventListener('click', (event) => event.stopPropagation()) // the harness follows no link
  equal(['#now', '#else'].map((selector) => isLeft(selector)), [true, true])
  equal([{ button: 1 }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }].map((properties) => isLeft('#other', properties)), [true, true, true, true])
  equal([page.requests.length, isLeft('#other'), page.requests.length], [0, false, 1])
})
