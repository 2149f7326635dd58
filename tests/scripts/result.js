import { equal, open, test } from './harness.js'

test('a group remembers whether its results show chips or scores', async () => {
  const page = await open('<fieldset data-moves="moves-g1"><input type="radio" name="way" value="scores"></fieldset><input id="other">')
  const set = []
  page.fake(page.document, 'cookie', '')
  page.window.Object.defineProperty(page.document, 'cookie', { set: (value) => set.push(value) })
  await page.load('result.js')
  page.fire('#other', 'change')
  await page.tap('[value=scores]')
  equal(set, ['moves-g1=scores; path=/; max-age=2678400; samesite=lax'])
})
