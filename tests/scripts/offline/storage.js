import { equal, open, test } from '../harness.js'

const begin = async (setItem) => {
  const page = await open('')
  if (setItem) page.window.Storage.prototype.setItem = () => { throw setItem(page.window) }
  return (await page.load('offline/storage.js')).store
}

test('a value is stored as JSON', async () => {
  const store = await begin()
  equal([store('slot', { a: [1] }), localStorage.getItem('slot')], [true, '{"a":[1]}'])
})

test('a full phone stores nothing; other errors are ours', async () => {
  const full = await begin((window) => new window.DOMException('', 'QuotaExceededError'))
  equal(full('slot', 1), false)
  const broken = await begin((window) => new window.RangeError('ours'))
  let error = null
  try { broken('slot', 1) } catch (thrown) { error = thrown.message }
  equal(error, 'ours')
})
