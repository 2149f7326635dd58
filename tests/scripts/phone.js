import { equal, open, settle, test } from './harness.js'

const begin = async (refuses = () => false) => {
  const page = await open('')
  const locks = []
  page.fake(page.window.navigator, 'wakeLock', {
    request: async (what) => {
      if (refuses()) throw new Error('only after a tap')
      const lock = { what, released: false, release: () => { lock.released = true } }
      locks.push(lock)
      return lock
    },
  })
  return { page, locks, ...await page.load('phone.js') }
}

test('the screen stays on, also after the page was hidden', async () => {
  const { page, locks, stayAwake } = await begin()
  stayAwake()
  await settle()
  equal(locks.map(({ what }) => what), ['screen'])
  page.fire(page.window, 'pointerdown')
  await settle()
  equal(locks.length, 1)
  locks[0].released = true
  await page.hide()
  equal(locks.length, 1)
  await page.hide(false)
  equal(locks.length, 2)
})

test('what is refused at first is tried again after a tap', async () => {
  let isRefused = true
  const { page, locks, stayAwake } = await begin(() => isRefused)
  stayAwake()
  await settle()
  isRefused = false
  page.fire(page.window, 'pointerdown')
  await settle()
  equal(locks.length, 1)
})

test('a phone that rests may turn its screen off, whatever happens then', async () => {
  const { page, locks, stayAwake, rest } = await begin()
  rest()
  stayAwake()
  await settle()
  rest()
  await settle()
  equal(locks[0].released, true)
  page.fire(page.window, 'pointerdown')
  await page.hide(false)
  equal(locks.length, 1)
})

test('the screen is kept on once, however often that is asked for', async () => {
  const { page, locks, stayAwake, rest } = await begin()
  stayAwake()
  page.fire(page.window, 'pointerdown')
  rest()
  await settle()
  equal(locks.map(({ released }) => released), [true])
})

test('a browser that can do neither is left alone', async () => {
  const { page, stayAwake, rest, buzz } = await begin()
  page.fake(page.window.navigator, 'wakeLock', undefined)
  page.fake(page.window.navigator, 'vibrate', undefined)
  stayAwake()
  await settle()
  rest()
  buzz()
})

test('a buzz is short', async () => {
  const { page, buzz } = await begin()
  buzz()
  equal(page.buzzes, [60])
})
