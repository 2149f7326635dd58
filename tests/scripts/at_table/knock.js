import { BET, KNOCK, openTable } from '../at_table_page.js'
import { equal, settle, test } from '../harness.js'

const begin = async () => {
  const page = await openTable({}, { says: { buttons: BET + KNOCK } })
  const { beginKnocks, labelHolds } = await page.load('at_table/knock.js')
  beginKnocks()
  return { page, labelHolds, press: (button = 0) => page.fire('[data-hold]', 'pointerdown', { button }), held: () => page.$$('.held').length }
}

test('a knock is held for a while', async () => {
  const { page, press, held } = await begin()
  press()
  equal(held(), 1)
  await page.tick(699)
  equal(page.requests.length, 0)
  await page.tick(1)
  equal([page.next().body.slice(-2), page.buzzes, held()], [[['do', 'knocks-a'], ['sure', 'yes']], [60], 0])
})

test('a phone that cannot vibrate knocks as well', async () => {
  const { page, press } = await begin()
  page.fake(page.window.navigator, 'vibrate', undefined)
  press()
  await page.tick(700)
  equal(page.requests.length, 1)
})

test('letting go earlier knocks nothing', async () => {
  const { page, press, held } = await begin()
  const ends = [
    ...['pointerup', 'pointercancel', 'blur'].map((type) => () => page.fire(page.window, type)),
    () => page.fire('[data-hold]', 'pointerout'),
  ]
  for (const end of ends) {
    press()
    await page.tick(699)
    end()
    equal(held(), 0)
    await page.tick(10_000)
  }
  equal(page.requests.length, 0)
})

test('a hold outlasts what another pointer does, as a mouse that lay there when the line was drawn anew', async () => {
  const { page } = await begin()
  page.fire('[data-hold]', 'pointerdown', { button: 0, pointerId: 2 })
  await page.tick(500)
  for (const end of ['pointerout', 'pointerup', 'pointercancel']) page.fire('[data-hold]', end, { pointerId: 1 })
  await page.tick(200)
  equal(page.requests.length, 1)
})

test('a second press begins anew, and leaving another element ends nothing', async () => {
  const { page, press } = await begin()
  press()
  await page.tick(500)
  page.fire('.fold', 'pointerout')
  press()
  await page.tick(699)
  equal(page.requests.length, 0)
  await page.tick(1)
  equal(page.requests.length, 1)
})

test('a knock outlasts a line that is drawn anew, unless it is no longer offered', async () => {
  const { page, press } = await begin()
  const redrawn = () => { const old = page.$('[data-hold]'); old.replaceWith(old.cloneNode(true)) }
  press()
  redrawn()
  await page.tick(700)
  equal(page.next().body.slice(-2), [['do', 'knocks-a'], ['sure', 'yes']])
  press()
  page.$('[data-hold]').remove()
  await page.tick(700)
  equal([page.requests.length, page.buzzes], [0, [60]])
})

test('the finger that knocked taps nothing as it lifts', async () => {
  const { page, press } = await begin()
  const clicked = []
  page.document.addEventListener('click', ({ target }) => clicked.push(target.className))
  const click = (detail) => page.fire('.fold', 'click', { detail })
  press()
  await page.tick(700)
  equal([click(1), clicked], [false, []])
  equal([click(0), clicked.length], [true, 1]) // a key
  page.fire('.fold', 'pointerdown', { button: 0 })
  equal([click(1), clicked.length], [true, 2])
})

test('other buttons of the mouse, and other buttons of the page, knock nothing', async () => {
  const { page, press } = await begin()
  press(2)
  page.fire('.fold', 'pointerdown', { button: 0 })
  await page.tick(10_000)
  equal(page.requests.length, 0)
})

test('a tap does nothing; a key opens the page that asks', async () => {
  const { page } = await begin()
  const click = (selector, detail) => page.fire(selector, 'click', { detail })
  equal([click('[data-hold]', 1), click('[data-hold]', 0), click('.fold', 1)], [false, true, true])
  await settle()
})

test('holding opens no menu', async () => {
  const { page } = await begin()
  equal([page.fire('[data-hold]', 'contextmenu'), page.fire('.fold', 'contextmenu')], [false, true])
})

test('the button says that it is held', async () => {
  const { page, labelHolds } = await begin()
  labelHolds()
  equal(page.$('[data-hold]').textContent, 'Hold to knock')
})

test('a tap that was too short is told what is missing, once', async () => {
  const { page } = await begin()
  const said = () => page.$$('[role=status] > span:not(.player) > small').map((one) => one.textContent)
  page.fire(page.window, 'pointerup')
  equal(said(), [])
  for (const pointerId of [1, 2]) {
    page.fire('[data-hold]', 'pointerdown', { button: 0, pointerId })
    page.fire(page.window, 'pointerup', { pointerId: 9 })
    equal(said().length, pointerId - 1)
    page.fire(page.window, 'pointerup', { pointerId })
    equal(said(), ['Keep your finger on it'])
  }
})

test('who held long enough is told nothing', async () => {
  const { page, press } = await begin()
  press()
  await page.tick(700)
  page.fire(page.window, 'pointerup')
  equal(page.$$('[role=status] > span:not(.player) > small').length, 0)
})
