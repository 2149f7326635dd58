import { equal, open, settle, test } from './harness.js'

const SEAT = 'data-table="/night" data-round="/night/round" data-lines="/night/lines/" data-after="2"'
const RESULT = `${SEAT} data-result`
const PAGE = (attributes = '', version = 1, text = 'one') => `<div id="felt"><b>felt ${text}</b></div>
  <div id="news" data-follow="/night/state" data-version="${version}" ${attributes}><a href="/x">${text}</a><a href="/y">more</a></div><p data-seen-text="since {time}"></p>`

const stateOf = (given) => ({ version: 1, saved: 2, closed: false, down: [], key: '', ...given })

const begin = async (attributes, { html = PAGE(attributes), ...options } = {}) => {
  const page = await open(html, { url: '/night?x=1', ...options })
  await page.load('follow.js')
  // Answers the open poll with a state, and waits for so long, or else for the next poll or the page's request.
  const answer = async (given, time = null) => {
    await page.next().answer(stateOf(given), 200, { ETag: `v${given.version ?? 1}` })
    await (time === null ? page.untilSent() : page.tick(time))
  }
  // Tells that nothing is new, until so long after the page was opened.
  const quiet = async (time) => {
    while (page.window.performance.now() < time - 5000) {
      await page.untilSent()
      await page.next().answer('', 304)
    }
    await page.untilSent()
    await page.tick(time - page.window.performance.now())
  }
  return { page, answer, quiet }
}

test('a page asks what is new, and is drawn again if anything is', async () => {
  const { page, answer } = await begin()
  equal([page.requests[0].url, page.requests[0].cache, page.requests[0].headers], ['/night/state', 'no-store', {}])
  await answer({})
  equal([page.requests[0].url, page.requests[0].headers], ['/night/state', { 'If-None-Match': 'v1' }])
  await page.next().answer('', 304)
  await page.untilSent()
  page.$('[href="/x"]').focus()
  await answer({ version: 2 }, 0)
  const sent = page.next()
  equal([sent.url, sent.headers], ['/night?x=1', { Accept: 'text/html' }])
  equal(await page.focuses(() => sent.answer(PAGE('', 2, 'two'))), [true])
  equal([page.texts('#news a'), page.texts('#felt'), page.$('#news').dataset.version, page.document.activeElement.textContent], [['two', 'more'], ['felt two'], '2', 'two'])
  await page.tick(599)
  equal(page.requests.length, 0)
  await page.tick(1)
  equal(page.next().headers, { 'If-None-Match': 'v2' })
})

test('other payments that a phone looks at stay until the night shows others', async () => {
  const moves = (shown) => ['chips', 'score'].map((way) => `<input type="radio" name="moves" value="${way}"${way === shown ? ' checked' : ''}>`).join('')
  const html = (version, shown) => PAGE('', version).replace('<a href="/x">', `<i class="turning">${moves(shown)}</i>$&`)
  const { page, answer } = await begin('', { html: html(1, 'score') })
  const redraw = async (version, shown) => {
    await answer({ version }, 0)
    await page.next().answer(html(version, shown))
    await page.untilSent()
    return page.$$('#news [name=moves]:checked').map(({ value }) => value)
  }
  page.$('[value=chips]').checked = true
  equal(await redraw(2, 'score'), ['chips'])
  equal(page.$('#news .turning'), null)
  equal(await redraw(3, 'chips'), ['chips'])
  equal(await redraw(4, 'score'), ['score'])
})

test('the focus stays where it is, if it is elsewhere', async () => {
  const { page, answer } = await begin('', { html: `${PAGE()}<a href="/x" id="outside">outside</a>` })
  page.$('#outside').focus()
  await answer({ version: 2 }, 0)
  await page.next().answer(PAGE('', 2, 'two'))
  equal(page.document.activeElement.id, 'outside')
  await page.untilSent()
  page.$('[href="/y"]').focus()
  await answer({ version: 3 }, 0)
  await page.next().answer(PAGE('', 3, 'three').replace('/y', '/z'))
  equal(page.document.activeElement === page.document.body, true)
})

test('a page that could not be drawn again is not up to date', async () => {
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('', 500), (sent) => sent.answer('<p>proxy</p>')]) {
    const { page, answer } = await begin()
    await answer({ version: 2 }, 0)
    await fail(page.next())
    equal(page.texts('#news a')[0], 'one')
    await page.untilSent()
    equal(page.requests[0].headers, {}) // with its version, the server would say that there is nothing new
    await answer({ version: 2 }, 0)
    await page.next().answer(PAGE('', 2, 'two'))
    equal(page.texts('#news a')[0], 'two')
  }
})

test('hands that came while the page could not be drawn call to the table', async () => {
  const { page, answer } = await begin(SEAT)
  await answer({ version: 2 }, 0)
  await page.next().fail()
  await page.untilSent()
  await answer({ version: 3, down: [1] })
  equal(page.visits, [['replace', '/night/round']])
})

test('what is no state is no news', async () => {
  const { page } = await begin()
  await page.next().answer('<h1>log in</h1>')
  await page.tick(600)
  equal([page.requests.length, page.texts('#news a')[0]], [1, 'one'])
})

test('a page without a header is drawn as well', async () => {
  const { page, answer } = await begin('', { html: PAGE().replace('id="felt"', '') })
  await answer({ version: 2 }, 0)
  await page.next().answer(PAGE('', 2, 'two'))
  equal(page.texts('#news a')[0], 'two')
})

test('a table without news is polled at its pace, a closed night slowly', async () => {
  const rows = [[{ closed: true }, 15_000], [{}, 600]]
  for (const [state, wait] of rows) {
    const { page, answer } = await begin()
    await answer(state, wait - 1)
    equal(page.requests.length, 0)
    await page.tick(1)
    equal(page.requests.length, 1)
  }
})

test('while something is left to pay, a closed night is polled at the pace of an open one', async () => {
  const { page, answer } = await begin('', { html: PAGE().replace('<a href="/x">', '<i data-unpaid></i>$&') })
  await answer({ closed: true }, 0)
  await page.tick(600)
  equal(page.requests.length, 1)
  await answer({ closed: true, version: 2 }, 0)
  await page.next().answer(PAGE('', 2, 'two'))
  await page.tick(14_999)
  equal(page.requests.length, 0)
  await page.tick(1)
  equal(page.requests.length, 1)
})

test('what is typed stays when the page is drawn again, the focus on its tick too, and what is shared is new', async () => {
  const html = (version, sums, paid) => PAGE('', version).replace('<a href="/x">', `<input type="hidden" name="amount-0" value="${sums[0]}">
    <input name="amount-0" value="${sums[0]}"><input name="amount-1" value="${sums[1]}"><button name="do" value="x" aria-label="Paid &quot;by&quot; Beto">${paid}</button>$&`) +
    `<textarea data-text>${paid}</textarea>`
  const { page, answer } = await begin('', { html: html(1, [5, 6], 'no') })
  page.$$('[name=amount-0]')[1].value = '2'
  page.$('button').focus()
  await answer({ version: 2 }, 0)
  await page.next().answer(html(2, [4, 3], 'yes'))
  equal([page.$$('#news input').map(({ value }) => value), page.$('[data-text]').value], [['4', '2', '3'], 'yes'])
  equal([page.document.activeElement.textContent, page.document.activeElement.value], ['yes', 'x'])
  page.$('[name=amount-1]').focus()
  await page.untilSent()
  await answer({ version: 3 }, 0)
  await page.next().answer(html(3, [4, 1], 'yes'))
  equal([page.document.activeElement.name, page.document.activeElement.value], ['amount-1', '1'])
})

test('a phone with a seat follows the table', async () => {
  const rows = [
    // the page, whether hands had been entered before, the state, where it goes
    [SEAT, [], { saved: 3 }, '/night/lines/3?since=2'],
    [SEAT, [], { saved: 5, closed: true }, '/night/lines/5?since=2'],
    [SEAT, [], { saved: 2 }, null],
    [SEAT, [], { closed: true }, null],
    [RESULT, [], { closed: true }, '/night'],
    [SEAT, [], { down: [1] }, '/night/round'],
    [SEAT, [0], { down: [1] }, null],
    [RESULT, [0], { key: 'k2' }, '/night/round'],
    [SEAT, [], { key: 'k2' }, null],
    ['', [], { saved: 3 }, null],
    ['', [], { down: [1] }, null],
  ]
  for (const [attributes, down, state, address] of rows) {
    const { page, answer } = await begin(attributes)
    await answer({ down })
    equal(page.visits, [])
    await answer({ ...state, version: 1 })
    equal(page.visits, address ? [['replace', address]] : [], JSON.stringify([attributes, down, state]))
    equal(page.buzzes, address?.includes('lines') ? [60] : [])
  }
})

test('hands that were there when the page was opened call nobody', async () => {
  const { page, answer } = await begin(SEAT)
  await answer({ down: [0, 1] })
  equal(page.visits, [])
})

test('a result stays for a while, unless somebody touches the phone', async () => {
  const touched = [null, 'pointerdown', 'keydown', 'wheel']
  for (const touch of touched) {
    const { page, answer, quiet } = await begin(RESULT)
    await answer({})
    if (touch) page.fire(page.document, touch)
    await quiet(58_000)
    await page.next().answer('', 304)
    equal(page.visits, [], touch)
    await quiet(61_000)
    await page.next().answer('', 304)
    equal(page.visits, touch ? [] : [['replace', '/night/round']], touch)
  }
})

test('a result that somebody reads stays, and its button says that the next round has begun', async () => {
  for (const [touch, given] of [['pointerdown', { key: 'k2' }], ['wheel', { key: 'k2', down: [1] }]]) {
    const html = `${PAGE(RESULT)}<a data-begun="It has begun">Next round</a>`
    const { page, answer } = await begin(RESULT, { html })
    await answer({})
    page.fire(page.document, touch)
    await answer({})
    equal(page.texts('[data-begun]'), ['Next round'])
    await answer(given)
    await answer(given)
    equal([page.visits, page.texts('[data-begun]'), page.buzzes], [[], ['It has begun'], [60]])
    await answer({ saved: 3 })
    equal(page.visits, [['replace', '/night/lines/3?since=2']])
  }
})

test('a result that somebody reads stays without its button, a night that ended calls', async () => {
  const { page, answer } = await begin(RESULT)
  page.fire(page.document, 'keydown')
  await answer({ key: 'k2' })
  equal(page.visits, [])
  await answer({ closed: true })
  equal(page.visits, [['replace', '/night']])
})

test('hands call a touched page that shows no result', async () => {
  const { page, answer } = await begin(SEAT)
  page.fire(page.document, 'pointerdown')
  await answer({})
  await answer({ down: [1] })
  equal(page.visits, [['replace', '/night/round']])
})

test('a result stays exactly a minute, and as long as there is no connection', async () => {
  for (const [wait, visits] of [[60_000, []], [60_001, [['replace', '/night/round']]]]) {
    const { page, quiet } = await begin(RESULT)
    await quiet(wait)
    await page.next().answer('', 304)
    equal(page.visits, visits, wait)
  }
  const { page } = await begin(RESULT)
  await page.tick(70_000)
  await page.untilSent()
  await page.next().fail()
  equal(page.visits, [])
})

test('what changes at the table keeps a result for longer; other pages stay', async () => {
  const { page, answer, quiet } = await begin(RESULT)
  await answer({})
  await quiet(40_000)
  await answer({})
  await quiet(80_000)
  await page.next().answer('', 304)
  equal(page.visits, [])
  const other = await begin(SEAT)
  await other.quiet(90_000)
  await other.page.next().answer('', 304)
  equal(other.page.visits, [])
})

test('without access or without a night, the page is loaded again', async () => {
  for (const status of [403, 404]) {
    const { page } = await begin()
    await page.next().answer('', status)
    equal(page.visits, [['reload']])
  }
})

test('a notice says that there is no connection', async () => {
  const { page } = await begin()
  const rows = [[(sent) => sent.fail(), true], [(sent) => sent.answer('', 304), false], [(sent) => sent.answer('', 500), true], [(sent) => sent.answer('', 499), false]]
  for (const [answer, isAway] of rows) {
    await answer(page.next())
    equal(page.texts('[data-seen-text]')[0] !== '', isAway)
    await page.untilSent()
  }
})

test('the screen of a phone with a seat stays on, until nothing happens any more', async () => {
  const locks = []
  const lock = { prepare: ({ fake, window }) => fake(window.navigator, 'wakeLock', { request: async () => {
    const made = { released: false, release: () => { made.released = true } }
    locks.push(made)
    return made
  } }) }
  await begin('', lock)
  equal(locks.length, 0)
  const { page } = await begin(SEAT, lock)
  await settle()
  equal(locks.length, 1)
  await page.next().answer('', 304)
  for (const [time, isReleased] of [[600_000, false], [1, true]]) {
    await page.hide()
    await page.tick(time)
    await page.hide(false)
    await page.next().answer('', 304)
    equal(locks.at(-1).released, isReleased, time)
  }
})
