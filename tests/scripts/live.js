import { newsOf, openEntry } from './entry_page.js'
import { equal, settle, test } from './harness.js'

const SLOT = 'typed:/night/draft'
const HAND = 'players-0-hand'
const stored = () => JSON.parse(localStorage.getItem(SLOT))

const begin = async (given, { prepare, url = '/night/round' } = {}) => {
  const page = await openEntry(given, { url, prepare })
  const live = await page.load('live.js')
  const fields = await page.load('live/fields.js')
  live.begin()
  return { page, ...live, ...fields }
}

test('what is typed is marked, stored and sent', async () => {
  const { page, unsent } = await begin()
  await page.next().answer(newsOf())
  page.enter(HAND, 'as')
  equal([...unsent], [HAND])
  await page.tick(16)
  equal([stored().unsent, page.requests.length], [[HAND], 0])
  await page.tick(60)
  equal(page.next().body.at(-1), [HAND, 'as'])
})

test('a box or an answer counts when it changes', async () => {
  const { page, unsent } = await begin()
  await page.next().answer(newsOf())
  await page.tap('[name=players-1-dropped]')
  await page.tap('[name=asked-knocker][value="2"]')
  page.fire('[name=players-2-hand]', 'change') // by a script
  equal([...unsent], ['players-1-dropped', 'asked-knocker', 'players-2-hand'])
})

test('fields without a name, and those of the keys, are nothing to send', async () => {
  const { page, typedHere } = await begin({ fields: '<input id="search">', keys: '<input name="bookmark">' })
  page.fire('#search', 'input')
  page.fire('[name=bookmark]', 'input')
  equal(typedHere.size, 0)
})

test('typing clears the errors of its seat, which the server reports again', async () => {
  const error = '<p class="error">wrong</p>'
  const { page } = await begin({ fields: '<input name="stake">', seats: [{ name: 'Ana', inside: error + error }, { name: 'Beto', inside: error }] })
  page.$('[data-tab="0"]').classList.add('wrong')
  page.$(`[name=${HAND}]`).setAttribute('aria-invalid', 'true')
  page.enter('stake', '25')
  equal(page.$$('.error').length, 3)
  page.enter(HAND, 'as')
  equal([page.$$('[data-seat="0"] .error').length, page.$$('.error').length, page.$$('.wrong').length, page.$$('[aria-invalid]').length], [0, 1, 0, 0])
})

test('a page that is left or hidden stores what it has at once', async () => {
  for (const leave of [(page) => page.fire(page.window, 'pagehide'), (page) => page.hide()]) {
    localStorage.clear()
    const { page } = await begin()
    page.enter(HAND, 'as')
    equal(stored(), null)
    leave(page)
    equal(stored().fields[HAND], 'as')
  }
})

test('stored input comes back and is sent; a new form without input sends nothing', async () => {
  localStorage.setItem(SLOT, JSON.stringify({ number: '3', at: Date.parse('2026-03-07T20:00:00Z'), seats: ['a', 'b', 'c'], fields: { [HAND]: 'as' }, unsent: [HAND] }))
  const { page } = await begin()
  equal(page.value(HAND), 'as')
  await page.tick(60)
  equal(page.next().body.at(-1), [HAND, 'as'])
  localStorage.clear()
  const fresh = await begin()
  await fresh.page.next().answer('', 304)
  await fresh.page.tick(500)
  equal(fresh.page.requests.length, 0)
})

test('hands that the server filled in are read', async () => {
  const { page } = await begin({ draft: false, seats: ['Ana', { name: 'Beto', hand: 'as' }] })
  await page.tick(60)
  equal(page.next().url, '/settle/knock/live')
})

test('a form that the server returned is all typed here, stored, and not sent again by a reload', async () => {
  const { page, unsent } = await begin({ form: '', seats: [{ name: 'Ana', hand: 'as' }, 'Beto'] }, { prepare: (opened) => opened.window.history.replaceState('posted', '') })
  equal([[...unsent], stored().fields, page.window.history.state], [[HAND], { [HAND]: 'as' }, null])
  localStorage.clear()
  await begin({ form: '' })
  equal(stored(), null)
  const fresh = await begin({ seats: [{ name: 'Ana', hand: 'as' }] }, { prepare: (opened) => opened.window.history.replaceState('kept', '') })
  equal([stored(), fresh.page.window.history.state], [null, 'kept'])
})

test('hands of other phones are nothing to read', async () => {
  const { page } = await begin({ draft: false, seats: ['Ana', { name: 'Beto', mine: false }] })
  await page.tick(60)
  equal(page.requests.length, 0)
})

test('a draft is polled from the start; a single round is not', async () => {
  const { page } = await begin()
  equal(page.next().url, '/night/state?')
  const single = await begin({ draft: false })
  await single.page.tick(5000)
  equal(single.page.requests.length, 0)
})

test('another way to enter the round asks what is missing then', async () => {
  const { page } = await begin()
  await page.next().answer(newsOf())
  page.fire('#entry', 'way')
  equal(page.next().url, '/night/state?')
  const single = await begin({ draft: false })
  single.page.fire('#entry', 'way')
  await single.page.tick(60)
  equal(single.page.next().url, '/settle/knock/live')
})

test('the next round begins empty; saving ends what is being sent', async () => {
  const { page } = await begin({ dock: '<button name="do" value="next" id="next"></button>' })
  await page.next().answer(newsOf())
  page.enter(HAND, 'as')
  await page.tick(60)
  const sent = page.next()
  page.$('[data-settle]').click()
  equal([sent.signal.aborted, Boolean(stored())], [false, true])
  page.$('[data-save]').click()
  equal([sent.signal.aborted, Boolean(stored())], [true, true])
  page.$('#next').click()
  await settle()
  equal(stored(), null)
  page.window.HTMLFormElement.prototype.requestSubmit.call(page.$('#entry'))
})

test('hands are shown by their button', async () => {
  const { page } = await begin({ dock: '<div class="dock"><div data-says><button name="do" value="show-">Show now</button></div></div>' })
  await page.next().answer(newsOf())
  await page.tap('[value^=show]')
  equal([page.next().body.at(-1), page.visits], [['do', 'show'], []])
})

test('saving waits for the round to be settled', async () => {
  const { page } = await begin({ saves: '<button name="do" value="save" data-save>Save</button>' })
  equal([page.$('[data-save]').hidden, page.$('[data-settle]').classList.contains('primary')], [true, false])
})

test('a page that was loaded again for another game says so, once', async () => {
  const { page } = await begin({}, { url: '/night/round?since=2#changed' })
  const notice = page.$('form').previousElementSibling
  equal([notice.textContent, notice.className, notice.getAttribute('role')], ['playing', 'seen noted', 'status'])
  equal([page.window.location.search, page.window.location.hash], ['?since=2', ''])
  equal((await begin()).page.$('.noted'), null)
})

test('a page with neither draft nor reading is left alone', async () => {
  const { page, unsent } = await begin({ draft: false }, { prepare: (opened) => { delete opened.$('#entry').dataset.live } })
  page.enter(HAND, 'as')
  await page.tick(5000)
  equal([unsent.size, page.requests.length], [0, 0])
})

test('leaving a field catches up with what another phone entered in it', async () => {
  const { page } = await begin()
  page.$(`[name=${HAND}]`).focus()
  await page.next().answer(newsOf({ fields: { [HAND]: 'as' } }))
  equal([page.value(HAND), page.requests.length], ['', 0])
  page.document.activeElement.blur()
  await page.next().answer(newsOf({ fields: { [HAND]: 'as' } }))
  equal(page.value(HAND), 'as')
})
