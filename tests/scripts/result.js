import { equal, open, test } from './harness.js'

test('single rounds remember whether their results show chips or scores', async () => {
  const page = await open('<fieldset data-moves="moves"><input type="radio" name="way" value="scores"></fieldset><input id="other">')
  const set = []
  page.fake(page.document, 'cookie', '')
  page.window.Object.defineProperty(page.document, 'cookie', { set: (value) => set.push(value) })
  await page.load('result.js')
  page.fire('#other', 'change')
  await page.tap('[value=scores]')
  equal(page.requests, [])
  equal(set, ['moves=scores; path=/; max-age=2678400; samesite=lax'])
})

test('a night sends the choice for all phones, one after the other', async () => {
  const page = await open(`<form action="/s/n1/payments-by" data-for-all><input name="key" value="old"><fieldset>
    <input type="radio" name="moves" value="chips"><input type="radio" name="moves" value="score" checked></fieldset></form>`)
  await page.load('result.js')
  await page.tap('[value=chips]')
  await page.tap('[value=score]')
  const first = page.next()
  equal([first.url, first.method, first.body[1]], ['/s/n1/payments-by', 'POST', ['moves', 'chips']])
  equal(page.requests, [])
  await first.fail()
  const second = page.next()
  equal([second.body[1], second.body[0][1] === first.body[0][1]], [['moves', 'score'], false])
  equal(page.document.cookie.includes('moves'), false)
})
