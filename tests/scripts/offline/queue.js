import { equal, open, test } from '../harness.js'

const OURS = { 'Content-Security-Policy': 'ours' }
const ROUND = 'waiting:/night/round:'
const put = (slot, given = {}) => localStorage.setItem(slot, JSON.stringify({ action: '/night/round', body: 'number=3', at: 1, isRound: true, isRefused: false, ...given }))
const begin = async () => {
  const page = await open('', { url: '/night' })
  return { page, ...await page.load('offline/queue.js') }
}

test('forms wait in the order in which they were sent, whatever the clock says', async () => {
  const { enqueue, waiting, slots } = await begin()
  put('waiting:/night/move:k9', { at: Date.parse('2030-01-01T00:00:00Z'), isRound: false })
  equal([enqueue(`${ROUND}k1`, {}), enqueue(`${ROUND}k0`, {})], [true, true])
  equal(waiting().map((slot) => slot.slice(-2)), ['k9', 'k1', 'k0'])
  equal(enqueue(`${ROUND}k2`, {}, `${ROUND}k1`), true) // corrects a refused one, and takes its place
  equal(slots().map((slot) => slot.slice(-2)), ['k9', 'k2', 'k0'])
})

test('a form is found by its path and key; the key of a round has a colon', async () => {
  const { slotOf, pathOfSlot, keyOf } = await begin()
  for (const key of ['k1', 'round:k1']) {
    const slot = slotOf('/night/round', key)
    equal([slot, pathOfSlot(slot), keyOf(slot)], [ROUND + key, '/night/round', key])
  }
})

test('a round waits for one before it that was refused; other forms do not', async () => {
  const { waiting, isHeldBack } = await begin()
  put(`${ROUND}k1`, { isRefused: true })
  put(`${ROUND}k2`, { at: 2 })
  put('waiting:/night/move:k3', { at: 3, isRound: false })
  equal([waiting(), isHeldBack(`${ROUND}k2`)], [['waiting:/night/move:k3'], true])
})

test('rounds are numbered after the line of the one before', async () => {
  const { renumber, numberIn, load } = { ...await begin(), load: (slot) => JSON.parse(localStorage.getItem(slot)) }
  put(`${ROUND}k1`)
  put(`${ROUND}k2`, { at: 2, body: 'number=4' })
  renumber('/night/round', 7)
  equal([numberIn(load(`${ROUND}k1`)), numberIn(load(`${ROUND}k2`))], [8, 9])
})

test('only an answer of the app counts', async () => {
  const rows = [
    [201, OURS, { address: '/a' }],
    [409, OURS, { body: 'x=1' }],
    [500, OURS, { body: 'x=1' }],
    [503, { ...OURS, 'Retry-After': '5' }, { delay: 5000 }],
    [429, { 'Retry-After': 'soon' }, { delay: 2000 }],
    [200, {}, { delay: 2000 }],
    [201, {}, { delay: 2000 }],
  ]
  for (const [status, headers, told] of rows) {
    const { page, deliver } = await begin()
    const answered = deliver({ action: '/a', body: 'x=1' })
    await page.next().answer({ address: '/a' }, status, headers)
    equal(await answered, told, status)
  }
  const { page, deliver } = await begin()
  const answered = deliver({ action: '/a', body: 'x=1' })
  await page.next().fail()
  equal(await answered, { delay: 2000 })
})

test('a form that is older than its cookie is sent again with a new token', async () => {
  const { page, deliver } = await begin()
  const answered = deliver({ action: '/a', body: 'csrf_token=old' })
  await page.next().answer('', 400, { ...OURS, 'Companion-Token': 'new' })
  const again = page.next()
  equal(again.body, [['csrf_token', 'new']])
  await again.answer({ address: '/b' }, 201, OURS)
  equal(await answered, { address: '/b' })
})
