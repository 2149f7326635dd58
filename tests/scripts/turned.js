import { equal, open, test } from './harness.js'

const begin = async (isTurned) => {
  const page = await open('<div id="rail"><button>Fold</button></div><a href="#x">The table</a>')
  if (isTurned) sessionStorage.setItem('turned', 'yes')
  const { refuseEarlyTaps } = await page.load('turned.js')
  refuseEarlyTaps()
  const heard = []
  for (const what of ['pointerdown', 'click']) page.document.addEventListener(what, ({ type, detail }) => heard.push(`${type} ${detail}`))
  const tap = (where = 'button') => {
    for (const [what, detail] of [['pointerdown', 0], ['click', 1]]) page.fire(where, what, { detail })
    return heard.splice(0)
  }
  return { page, tap, heard }
}
const TAP = ['pointerdown 0', 'click 1']

test('a page that turned by itself takes no tap on its rail for a moment', async () => {
  const { page, tap, heard } = await begin(true)
  equal([tap(), tap('a')], [[], TAP])
  page.fire('button', 'click', { detail: 0 })
  equal(heard.splice(0), ['click 0'])
  await page.tick(699)
  equal(tap(), [])
  await page.tick(1)
  equal(tap(), TAP)
  equal(sessionStorage.getItem('turned'), null)
})

test('a page that its reader opened takes taps at once', async () => {
  const { tap } = await begin(false)
  equal(tap(), TAP)
})
