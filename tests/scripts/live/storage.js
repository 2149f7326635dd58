import { entryPage, openEntry } from '../entry_page.js'
import { equal, open, test } from '../harness.js'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-07T20:00:00Z')
const SLOT = 'typed:/night/draft'

const put = (slot, value) => localStorage.setItem(slot, JSON.stringify(value))
const get = (slot = SLOT) => JSON.parse(localStorage.getItem(slot))
const stored = (given) => ({ number: '3', at: NOW, seats: ['a', 'b', 'c'], fields: { 'players-0-hand': 'as' }, unsent: ['players-0-hand'], ...given })

const begin = async (given, options) => {
  const page = await openEntry(given, options)
  const fields = await page.load('live/fields.js')
  return { page, ...fields, ...await page.load('live/storage.js') }
}

// Opens a page for which something is stored, and returns what came back.
const restored = async (value, given, options, slot = SLOT) => {
  put(slot, value)
  const { page, restoreInput, typedHere, unsent } = await begin(given, options)
  restoreInput()
  return { page, hands: page.$$('[data-hand]').map((field) => field.value), typed: [...typedHere], unsent: [...unsent] }
}

test('what was typed is stored with its round and seats', async () => {
  const { page, markTyped, storeInput, unsent } = await begin()
  page.$('[name=players-0-dropped]').checked = true
  page.enter('players-1-hand', 'as')
  markTyped('players-0-dropped')
  markTyped('players-1-hand')
  unsent.delete('players-0-dropped')
  storeInput()
  equal(get(), { number: '3', at: NOW, seats: ['a', 'b', 'c'], fields: { 'players-0-dropped': true, 'players-1-hand': 'as' }, unsent: ['players-1-hand'] })
})

test('a single round is stored with all names, under its page', async () => {
  const { markTyped, storeInput } = await begin({ draft: false, fields: '<input name="stake" value="25">' }, { url: '/settle/knock?x=1' })
  markTyped('stake')
  storeInput()
  const { number, fields } = get('typed:/settle/knock')
  equal([number, fields], ['', { stake: '25', 'players-0-name': 'Ana', 'players-1-name': 'Beto', 'players-2-name': 'Caro' }])
})

test('input is stored once a tap is drawn, or when the page is left before', async () => {
  const { page, markTyped, storeSoon, storeIfDue } = await begin()
  markTyped('players-0-hand')
  storeIfDue()
  equal(get(), null)
  storeSoon()
  storeSoon()
  await page.tick(15)
  equal(get(), null)
  await page.tick(1)
  equal(get().unsent, ['players-0-hand'])
  localStorage.clear()
  await page.tick(100)
  storeIfDue()
  equal(get(), null)
  storeSoon()
  storeIfDue()
  equal(get().unsent, ['players-0-hand'])
})

test('forgotten input is not stored any more', async () => {
  const { page, markTyped, storeInput, storeSoon, forgetInput } = await begin()
  markTyped('players-0-hand')
  storeInput()
  storeSoon()
  forgetInput()
  await page.tick(100)
  equal(get(), null)
})

test('while the server is away, the page says whether the input is stored', async () => {
  const { page, storeInput, textOfStored } = await begin()
  equal(textOfStored(), 'kept')
  page.window.Storage.prototype.setItem = () => { throw new page.window.DOMException('', 'QuotaExceededError') }
  storeInput()
  equal(textOfStored(), 'unkept')
  page.window.Storage.prototype.setItem = () => {}
  storeInput()
  equal(textOfStored(), 'kept')
})

test('input comes back to its round, and to a single round for six hours, whichever way the clock was set', async () => {
  const [back, none] = [['as', '', ''], ['', '', '']]
  const rows = [
    ['3', 0, back], ['3', -24, back], ['3', 24, back], ['2', 0, none],
    ['', 0, back], ['', -5.9, back], ['', -6, none], ['', 5.9, back], ['', 6, none],
  ]
  for (const [number, hours, hands] of rows) {
    const names = number ? {} : { 'players-0-name': 'Ana', 'players-1-name': 'Beto', 'players-2-name': 'Caro' }
    const value = stored({ number, at: NOW + hours * HOUR, seats: null, fields: { 'players-0-hand': 'as', ...names } })
    const single = [{ draft: false }, { url: '/settle/knock' }, 'typed:/settle/knock']
    equal((await restored(value, ...number ? [] : single)).hands, hands, `${number}, ${hours}`)
  }
  equal((await restored(null)).hands, none)
})

test('the own hand does not come back to the page of all hands', async () => {
  const own = { fields: '<input type="hidden" name="own" value="yes">' }
  equal((await restored(stored(), own, {}, `${SLOT} own`)).hands, ['as', '', ''])
  equal((await restored(stored(), {}, {}, `${SLOT} own`)).hands, ['', '', ''])
})

test('a form that the server returned has its input already', async () => {
  equal((await restored(stored(), { form: '' })).hands, ['', '', ''])
})

test('what the server has is remembered as typed here, and shown only by a copy of the page', async () => {
  const value = stored({ fields: { 'players-0-hand': 'as', 'players-1-hand': 'ks', 'players-2-dropped': true }, unsent: ['players-1-hand'] })
  const names = ['players-0-hand', 'players-1-hand', 'players-2-dropped']
  const fresh = await restored(value)
  equal([fresh.hands, fresh.typed, fresh.unsent, fresh.page.$('[name=players-2-dropped]').checked], [['', 'ks', ''], names, ['players-1-hand'], false])
  const copy = await restored(value, {}, { attributes: 'lang="en" data-seen="2026-03-07T19:00:00Z"' })
  equal([copy.hands, copy.typed, copy.unsent, copy.page.$('[name=players-2-dropped]').checked], [['as', 'ks', ''], names, ['players-1-hand'], true])
})

test('input follows its player to another seat; that of a player who left is dropped', async () => {
  const fields = { 'players-0-hand': 'as', 'players-1-hand': 'ks', 'players-2-hand': 'qs', stake: '25', 'players-x-hand': 'js' }
  const value = { fields, unsent: Object.keys(fields) }
  const extra = { fields: '<input name="stake" value="1">' }
  const same = await restored(stored(value), extra)
  equal([same.hands, same.page.value('stake')], [['as', 'ks', 'qs'], '25'])
  const moved = await restored(stored({ ...value, seats: ['c', 'a', 'z'] }), extra)
  equal([moved.hands, moved.page.value('stake'), moved.typed, moved.unsent], [['ks', '', 'as'], '1', ['players-2-hand', 'players-0-hand'], ['players-2-hand', 'players-0-hand']])
  const before = await restored(stored({ ...value, seats: undefined }), extra)
  equal(before.hands, ['as', 'ks', 'qs'])
})

test('a single round with other seats or rules is rendered anew by the server', async () => {
  const fields = { 'players-0-name': 'Ana', 'players-1-name': 'Beto', 'players-0-hand': 'as', 'players-0-dropped': true, 'players-1-dropped': false, deck: 'short' }
  const given = { draft: false, seats: ['Ana', 'Beto'], fields: '<select name="deck" data-redraw><option>short</option><option>long</option></select>' }
  const rows = [
    [{}, given, false],
    [{ deck: 'long' }, given, true],
    [{ deck: undefined }, given, false],
    [{ 'players-2-hand': 'ks' }, given, true],
    [{}, { ...given, seats: ['Ana', 'Beto', 'Caro'] }, true],
    [{ deck: 'long' }, { ...given, draft: true }, false],
    [{ deck: 'long' }, { ...given, fields: `${given.fields}<input name="number" value="">` }, false],
  ]
  for (const [changed, form, isPosted] of rows) {
    const value = stored({ number: form.draft ? '3' : '', seats: form.draft ? ['a', 'b'] : [], fields: { ...fields, ...changed } })
    put('typed:/settle/knock', value)
    put(SLOT, value)
    const { page, restoreInput, unsent } = await begin(form, { url: '/settle/knock' })
    restoreInput()
    const posted = { ...fields, ...changed, 'players-0-dropped': 'y', csrf_token: 'token', do: 'clear' }
    delete posted['players-1-dropped']
    equal(page.visits, isPosted ? [['post', '/settle/knock', JSON.parse(JSON.stringify(posted))]] : [], JSON.stringify(changed))
    equal(unsent.size, isPosted ? 0 : 1)
  }
})

test('a page without a round has no number', async () => {
  const page = await open(entryPage({ draft: false }), { url: '/settle/knock' })
  ;(await page.load('live/storage.js')).storeInput()
  equal(get('typed:/settle/knock').number, '')
})

test('the bets of a single round come back, and are drawn once their script is there', async () => {
  const bets = '<input type="hidden" name="betting" value="yes"><input type="hidden" name="bets" value="">'
  const single = [{ draft: false, fields: bets }, { url: '/settle/knock' }]
  const first = await begin(...single)
  first.page.$('[name=bets]').value = 'bet 2; fold'
  first.markTyped('players-0-hand')
  first.storeInput()
  const { page, restoreInput } = await begin(...single)
  const redrawn = []
  page.$('#entry').addEventListener('bets', () => redrawn.push(page.value('bets')))
  restoreInput()
  equal([page.value('bets'), page.value('betting'), redrawn], ['bet 2; fold', 'yes', []])
  page.window.dispatchEvent(new page.window.Event('load'))
  equal(redrawn, ['bet 2; fold'])
})

test('the bets of a night are those that the server has', async () => {
  const bets = '<input type="hidden" name="bets" value="bet 4">'
  const { page } = await restored(stored({ fields: { bets: 'bet 2' }, unsent: [] }), { fields: bets })
  equal(page.value('bets'), 'bet 4')
})
