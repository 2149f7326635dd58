import { newsOf, openEntry, readingOf } from '../entry_page.js'
import { equal, settle, test } from '../harness.js'

const SLOT = 'typed:/night/draft'
const HAND = 'players-0-hand'

const begin = async (given, options) => {
  const page = await openEntry(given, { url: '/night/round?since=2', ...options })
  const fields = await page.load('live/fields.js')
  const exchange = await page.load('live/exchange.js')
  // Types, and sends it; returns the request.
  const typed = async (name, value) => {
    page.enter(name, value)
    fields.markTyped(name)
    exchange.send()
    return page.next()
  }
  // Polls, and gets the news.
  const polled = async (news, status = 200) => {
    const result = exchange.poll()
    await page.next().answer(newsOf(news), status)
    return result
  }
  const told = () => page.$('[data-missing]').textContent
  return { page, ...fields, ...exchange, typed, polled, told, stored: () => JSON.parse(localStorage.getItem(SLOT)) }
}

test('what was typed is sent with its round, and then counts as received', async () => {
  const { typed, unsent, stored, markTyped, page } = await begin()
  page.$('[name=players-1-dropped]').checked = true
  for (const name of ['players-1-dropped', 'players-2-dropped', 'asked-knocker', 'gone']) markTyped(name)
  const sent = await typed(HAND, 'as')
  equal([sent.url, sent.method, sent.headers], ['/night/draft', 'POST', { Accept: 'application/json', 'X-CSRFToken': 'token' }])
  equal(sent.body, [['key', 'k1'], ['number', '3'], ['game', 'knock'], ['seats', 'a.b.c'], ['way', ''],
    ['players-1-dropped', 'y'], ['touched', 'players-2-dropped'], ['asked-knocker', ''], [HAND, 'as']])
  equal(unsent.size, 5)
  await sent.answer(newsOf())
  equal([unsent.size, stored().unsent, stored().fields[HAND]], [0, [], 'as'])
})

test('what is entered on this phone depends on how, and hands are shown by an action', async () => {
  const { page, send } = await begin()
  page.$('[name=way]').value = 'won_by'
  send('show')
  equal(page.next().body.slice(3), [['seats', 'a.b.c'], ['way', 'won_by'], ['do', 'show']])
})

test("the scorekeeper's own hand is sent as such", async () => {
  const { page, typed } = await begin()
  page.$('[name=way]').insertAdjacentHTML('afterend', '<input type="hidden" name="own" value="yes">')
  const sent = await typed(HAND, 'as')
  equal(sent.body.filter(([name]) => name === 'own'), [['own', 'yes']])
})

test('what the page of the own hand was left with is sent by the next, and not shown there', async () => {
  const left = { number: '3', seats: ['a', 'b'], fields: { [HAND]: 'as', 'players-0-foul': false, 'players-1-hand': 'ks' }, unsent: [HAND, 'players-0-foul'] }
  const kept = () => JSON.parse(localStorage.getItem(`${SLOT} own`)).unsent
  localStorage.setItem(`${SLOT} own`, JSON.stringify(left))
  const { page, sendOwnInput, unsent } = await begin()
  const answers = [['lost', left.unsent], [409, left.unsent], [200, []]]
  for (const [how, rest] of answers) {
    const done = sendOwnInput()
    const sent = page.next()
    equal(sent.body.slice(3), [['seats', 'a.b'], ['way', ''], ['own', 'yes'], [HAND, 'as'], ['touched', 'players-0-foul']])
    if (how === 'lost') await sent.fail()
    else await sent.answer(newsOf(), how)
    await done
    equal(kept(), rest)
  }
  await sendOwnInput() // nothing is left
  equal([page.value(HAND), unsent.size, page.requests.length], ['', 0, 0])
})

test('nor is that of another round, nor on the page itself', async () => {
  for (const [number, fields] of [['2', ''], ['3', '<input type="hidden" name="own" value="yes">']]) {
    localStorage.setItem(`${SLOT} own`, JSON.stringify({ number, seats: [], fields: {}, unsent: [HAND] }))
    const { ownInput } = await (await openEntry({ fields })).load('live/storage.js')
    equal(ownInput(), null)
  }
})

test('a form without results to enter says no way', async () => {
  const { page, send, poll } = await begin({ ways: [] })
  page.$('[name=way]').remove()
  send()
  const sent = page.next()
  equal(sent.body.at(-1), ['way', ''])
  await sent.answer(newsOf())
  poll()
  equal(page.next().url, '/night/state?since=2')
})

test('changes are sent together, a moment after the last one', async () => {
  const { page, sendSoon } = await begin()
  sendSoon()
  await page.tick(59)
  sendSoon()
  await page.tick(59)
  equal(page.requests.length, 0)
  await page.tick(1)
  equal(page.requests.length, 1)
})

test('what changed while a request was in flight is sent again', async () => {
  const { typed, page, unsent, markTyped, stored } = await begin()
  markTyped('players-1-hand')
  const sent = await typed(HAND, 'as')
  page.enter(HAND, 'as ks')
  await sent.answer(newsOf({ fields: { [HAND]: 'as' } }))
  equal([page.value(HAND), [...unsent], stored().unsent], ['as ks', [HAND], [HAND]])
  await page.tick(60)
  equal(page.next().body.at(-1), [HAND, 'as ks'])
})

test('nothing more is sent if all was received', async () => {
  const { typed, page } = await begin()
  await (await typed(HAND, 'as')).answer(newsOf())
  await page.tick(5000)
  equal(page.requests.length, 0)
})

test('one request at a time: another one waits', async () => {
  const { page, send } = await begin()
  send()
  const first = page.next()
  send()
  await page.tick(1499)
  equal(page.requests.length, 0)
  await first.answer(newsOf())
  await page.tick(1)
  equal(page.requests.length, 1)
})

test('nothing is sent, and no news count, while the round is being saved', async () => {
  for (const state of ['saving', 'booking']) {
    const { page, send, poll } = await begin()
    poll()
    page.$('#entry').dataset[state] = ''
    await page.next().answer(newsOf({ fields: { [HAND]: 'as' } }))
    send()
    poll()
    await page.tick(1499)
    equal([page.value(HAND), page.requests.length], ['', 0], state)
    delete page.$('#entry').dataset[state]
    await page.tick(1)
    equal(page.requests.length, 1, state)
  }
})

test('an older answer does not undo newer input', async () => {
  const { page, polled, typed } = await begin()
  await polled({ version: 0, fields: { [HAND]: 'ts' } })
  equal(page.value(HAND), 'ts')
  await polled({ version: 5, fields: { [HAND]: 'as' } })
  await polled({ version: 4, fields: { [HAND]: 'ks' } })
  equal(page.value(HAND), 'as')
  await (await typed('players-1-hand', 'qs')).answer(newsOf({ version: 4, fields: { [HAND]: 'ks' } }))
  equal(page.value(HAND), 'as')
  await polled({ version: 5, fields: { [HAND]: 'qs' } })
  equal(page.value(HAND), 'qs')
  await polled({ version: 6, fields: { [HAND]: 'js' } })
  equal(page.value(HAND), 'js')
})

test('an older answer to what was sent does not undo what a newer poll brought', async () => {
  const { page, typed, poll } = await begin()
  poll()
  const asked = page.next()
  const sent = await typed(HAND, 'as')
  await sent.answer(newsOf({ version: 8, fields: { [HAND]: 'as' } }))
  await asked.answer(newsOf({ version: 7, fields: { [HAND]: '' } }))
  equal(page.value(HAND), 'as')
})

test('news fill in what other phones entered, but not what is still unsent here', async () => {
  const { page, polled, markTyped, unsent } = await begin()
  page.enter(HAND, 'as')
  markTyped(HAND)
  unsent.delete(HAND)
  page.enter('players-1-hand', 'ks')
  const result = polled({ fields: { [HAND]: 'qs', 'players-1-hand': 'js' } })
  markTyped('players-1-hand')
  await result
  equal([page.value(HAND), page.value('players-1-hand')], ['qs', 'ks'])
})

test('an answer on the page is outdated by news for a field, not by others', async () => {
  const dock = '<button name="do" value="save" data-again="Recalculate" id="again">Save round</button>'
  const { page, polled } = await begin({ before: '<p data-overtaken="changed"></p>', saves: '', dock })
  await polled({ fields: { [HAND]: '' } })
  equal(page.$('#again').value, 'save')
  await polled({ fields: { [HAND]: 'as' } })
  equal(page.$('#again').value, 'settle')
})

test('bets of another phone are announced to the script that draws them', async () => {
  const { page, polled } = await begin({ fields: '<input type="hidden" name="bets" value="">' })
  let changes = 0
  page.$('#entry').addEventListener('bets', () => changes++)
  await polled({ fields: { bets: 'Ana bet 5' } })
  await polled({ fields: { bets: 'Ana bet 5', [HAND]: 'as' } })
  equal([changes, page.value('bets')], [1, 'Ana bet 5'])
  const none = await begin()
  none.page.$('#entry').addEventListener('bets', () => changes++)
  await none.polled({ fields: { [HAND]: 'ks' } })
  equal(changes, 1)
})

test('news are shown, and told to other scripts', async () => {
  const { page, polled, told } = await begin()
  const details = []
  page.document.addEventListener('applied', ({ detail }) => details.push(detail.version))
  await polled({ version: 2, number: 4, key: 'k9', live: readingOf({ missing: 'cards' }), down: [1], in_front: { 0: '75' }, late: ['Ana changed'] })
  equal([told(), page.$('[data-seat="1"]').classList.contains('down'), page.$('.stack').textContent, page.texts('[data-late] li')], ['cards', true, 'stack 75', ['Ana changed']])
  equal([page.value('number'), page.value('key'), details], ['4', 'k9', [2]])
  await polled({ version: 3, number: 4 })
  equal(page.value('key'), 'k9')
})

test('a poll asks for what is new since the last one', async () => {
  const { page, poll, polled } = await begin()
  poll()
  const sent = page.next()
  equal([sent.url, sent.method, sent.cache, sent.headers], ['/night/state?since=2', 'GET', 'no-store', {}])
  await sent.answer(newsOf({ mark: 'm7' }))
  page.$('[name=way]').value = 'won_by'
  poll()
  const next = page.next()
  equal([next.url, next.headers], ['/night/state?since=2&way=won_by', { 'If-None-Match': 'W/"m7"' }])
  await next.answer('', 304)
  poll()
  equal(page.next().headers, { 'If-None-Match': 'W/"m7"' })
  equal(await polled({ closed: false }), { isClosed: false })
})

test('a poll is left out while the page is hidden, something is sent, or unsent', async () => {
  const { page, poll, send, unsent } = await begin()
  await page.hide()
  await poll()
  equal(page.requests.length, 0)
  await page.hide(false)
  send()
  const sent = page.next()
  await poll()
  equal(page.requests.length, 0)
  await sent.answer(newsOf())
  unsent.add(HAND)
  await poll()
  equal(page.requests.length, 0)
  unsent.clear()
  poll()
  equal(page.requests.length, 1)
})

test('without access or without a night, the page is loaded again', async () => {
  for (const [status, visits] of [[404, [['reload']]], [403, [['reload']]], [304, []], [429, []], [500, []]]) {
    const { page, poll } = await begin()
    const result = poll()
    await page.next().answer('', status)
    equal([await result, page.visits], [undefined, visits], status)
  }
})

test('a round that was saved elsewhere is shown', async () => {
  const rows = [
    // saved, page, where it leads, buzzes
    [{ saved: 2 }, {}, [], []],
    [{ saved: 3 }, {}, [['replace', '/night/lines/3']], []],
    [{ saved: 4 }, {}, [['replace', '/night/lines/4']], []],
    [{ saved: 4, me: 0 }, { form: 'data-fresh data-follows="0"' }, [['replace', '/night/lines/4?since=2']], [60]],
  ]
  for (const [news, given, visits, buzzes] of rows) {
    localStorage.setItem(SLOT, '{}')
    const { page, polled } = await begin(given)
    await polled(news)
    equal([page.visits, page.buzzes, localStorage.getItem(SLOT)], [visits, buzzes, visits.length ? null : '{}'], JSON.stringify(news))
  }
})

test('input that is only here stays when the round was saved elsewhere', async () => {
  const { page, typed, told, stored, unsent } = await begin()
  const sent = await typed(HAND, 'as')
  page.enter(HAND, 'as ks')
  await sent.answer(newsOf({ saved: 3, problem: 'saved already' }))
  equal([page.visits, told(), [...unsent], Boolean(stored())], [[], 'saved already', [HAND], true])
  const silent = await begin()
  const again = await silent.typed(HAND, 'as')
  silent.page.enter(HAND, 'as ks')
  await again.answer(newsOf({ saved: 3 }))
  equal(silent.told(), '')
})

test('a closed night is left; what it says first is the saved round', async () => {
  const { page, polled } = await begin()
  equal(await polled({ closed: true }), { isClosed: true })
  equal(page.visits, [['replace', '/night']])
  const saved = await begin()
  await saved.polled({ closed: true, saved: 3 })
  equal(saved.page.visits, [['replace', '/night/lines/3']])
})

test('the page is loaded again for another game, other seats, or another player here', async () => {
  const player = (seat) => ({ form: `data-fresh data-follows="${seat}"` })
  const rows = [
    [{ game: 'dompe' }, {}, '/night/round?since=2#changed'],
    [{ seats: ['a', 'b'] }, {}, '/night/round?since=2'],
    [{ seats: ['b', 'a', 'c'] }, {}, '/night/round?since=2'],
    [{ me: null }, player('0'), '/night/round?since=2'],
    [{ me: 1 }, player('0'), '/night/round?since=2'],
    [{ me: 0 }, player('0'), null],
    [{ me: 1 }, {}, null],
    [{ own: true }, {}, '/night/round?since=2'], // this phone keeps score no longer
  ]
  for (const [news, given, url] of rows) {
    const { page, polled } = await begin(given)
    await polled({ ...news, fields: { [HAND]: 'as' } })
    const { href, origin } = page.window.location
    equal([page.visits, href.slice(origin.length), page.value(HAND)], url ? [[['reload']], url, ''] : [[], '/night/round?since=2', 'as'], JSON.stringify(news))
  }
})

test('input that the server refused stays unsent if the seats changed, else it is told why', async () => {
  const moved = await begin()
  await (await moved.typed(HAND, 'as')).answer(newsOf({ seats: ['b', 'a', 'c'] }))
  equal([[...moved.unsent], moved.page.visits], [[HAND], [['reload']]])
  localStorage.clear()
  const { typed, unsent, told, stored } = await begin()
  await (await typed(HAND, 'as')).answer({ problem: 'no' }, 409)
  equal([[...unsent], told(), stored()], [[], 'no', null])
  await (await typed(HAND, 'ks')).answer({}, 409)
  equal(told(), '')
})

test('what is refused although there is news is told beside it', async () => {
  const { typed, told, page } = await begin()
  await (await typed('players-0-dropped', true)).answer(newsOf({ problem: 'too late' }), 409)
  equal([told(), page.$('[data-missing]').classList.contains('wrong')], ['too late', true])
  await (await typed(HAND, 'as')).answer(newsOf())
  equal([told() === 'too late', page.$('[data-missing]').classList.contains('wrong')], [false, false])
})

test('without a connection, input waits here and is sent again', async () => {
  const { page, typed, told, unsent, stored } = await begin({ before: '<p data-seen-text="since {time}"></p>' })
  await (await typed(HAND, 'as')).fail()
  equal([told(), page.texts('[data-seen-text]'), page.$('[data-missing]').className, [...unsent]], ['kept', ['since 20:00'], 'away', [HAND]])
  await page.tick(1499)
  equal(page.requests.length, 0)
  await page.tick(1)
  const sent = page.next()
  equal(sent.body.at(-1), [HAND, 'as'])
  await sent.answer('<h1>proxy</h1>', 502)
  equal(told(), 'kept')
  await page.tick(1500)
  await page.next().answer(newsOf({ live: readingOf({ missing: 'cards' }) }))
  equal([told(), page.texts('[data-seen-text]'), unsent.size, stored().unsent], ['cards', [''], 0, []])
})

test('what nobody answers is given up, and sent again', async () => {
  const { page, typed, unsent, poll, told } = await begin()
  const sent = await typed(HAND, 'as')
  await page.tick(9999)
  equal([sent.signal.aborted, told()], [false, ''])
  await page.tick(1)
  equal([sent.signal.aborted, [...unsent], told() === ''], [true, [HAND], false])
  await page.tick(1500)
  await page.next().answer(newsOf())
  equal([unsent.size, told()], [0, 'missing'])
  poll()
  await page.tick(10_000)
  equal(told() === 'missing', false)
})

test('a login page of a Wi-Fi is no connection', async () => {
  const { page, poll, told } = await begin()
  poll()
  await page.next().answer('<h1>log in</h1>')
  equal(told(), 'behind')
})

test('after a break in the connection everything is asked for', async () => {
  const { page, poll, polled, told } = await begin()
  await polled({ mark: 'm7' })
  poll()
  await page.next().fail()
  equal([told(), page.$('[data-missing]').className], ['behind', 'away'])
  poll()
  equal(page.next().headers, {})
})

test('a server in trouble is no connection, and one that answers is', async () => {
  const { page, poll } = await begin({ before: '<p data-seen-text="since {time}"></p>' })
  for (const [status, text] of [[500, 'since 20:00'], [304, ''], [503, 'since 20:00'], [499, '']]) {
    poll()
    await page.next().answer('', status)
    equal(page.texts('[data-seen-text]'), [text], status)
  }
})

test('saving ends what is being sent; if saving fails, it is sent again', async () => {
  const { page, typed, stopSending, told, send } = await begin()
  const sent = await typed(HAND, 'as')
  stopSending()
  await settle()
  equal([sent.signal.aborted, told(), page.requests.length], [true, '', 0])
  await page.tick(1500)
  await page.next().answer(newsOf())
  stopSending()
  await page.tick(1500)
  equal(page.requests.length, 0)
  send()
  equal(page.requests.length, 1)
})

test('a fault of ours is not taken for a lost connection', async () => {
  const { page, typed, poll, told } = await begin()
  await (await typed(HAND, 'as')).fail(new page.window.RangeError('ours'))
  equal(told(), '')
  await (await typed(HAND, 'ks')).answer(newsOf())
  const asked = poll()
  asked.catch(() => {})
  await page.next().fail(new page.window.RangeError('ours too'))
  equal(told(), 'missing')
  equal(page.errors.splice(0).map((error) => error.split('\n')[0]), ['RangeError: ours'])
})

test('a single round or a correction sends its form, and shows what it is worth', async () => {
  const { page, send, told, unsent, markTyped, stored, typed } = await begin({ draft: false }, { url: '/settle/knock' })
  markTyped(HAND)
  const sent = await typed(HAND, 'as')
  equal([sent.url, Object.fromEntries(sent.body)[HAND]], ['/settle/knock/live', 'as'])
  await sent.answer({ live: readingOf({ missing: 'cards' }) })
  equal([told(), unsent.size, stored()], ['cards', 1, null])
  send()
  await page.next().answer({ problem: 'no' }, 400)
  equal(told(), 'no')
  send()
  await page.next().fail()
  await page.tick(10_000)
  equal([told(), page.requests.length], ['kept', 0])
})

test('the table is lively again after something was sent, not after a refusal', async () => {
  const { page, typed } = await begin()
  const { keepAsking } = await page.load('pace.js')
  let polls = 0
  keepAsking(() => { polls++ })
  await page.tick(21_000)
  const until = async () => {
    polls = 0
    await page.tick(7200)
    return polls
  }
  equal(await until(), 8)
  await (await typed(HAND, 'as')).answer({ problem: 'no' }, 409)
  equal(await until(), 8)
  await (await typed(HAND, 'ks')).answer(newsOf())
  equal(await until(), 12)
})

test('a field that had the focus catches up once it is left', async () => {
  const { page, polled, catchUp } = await begin()
  catchUp()
  equal(page.requests.length, 0)
  await polled({ mark: 'm1' })
  catchUp()
  equal(page.requests.length, 0)
  page.$(`[name=${HAND}]`).focus()
  await polled({ mark: 'm2', fields: { [HAND]: 'as', nowhere: 'x' } })
  equal(page.value(HAND), '')
  page.document.activeElement.blur()
  catchUp()
  const sent = page.next()
  equal(sent.headers, {})
  await sent.answer(newsOf({ fields: { [HAND]: 'as', nowhere: 'x' } }))
  equal(page.value(HAND), 'as')
  catchUp()
  equal(page.requests.length, 0)
})
