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

test('a phone that is full, or blocks it, stores nothing', async () => {
  const full = await begin((window) => new window.DOMException('', 'QuotaExceededError'))
  equal(full('slot', 1), false)
})
