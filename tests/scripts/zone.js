import { equal, open, test } from './harness.js'

const PAGE = '<input data-offset value=""><input id="day" value="2026-12-04"><input id="time" value="20:00">'

test('the offset of the phone at the typed time is sent, and none without one', async () => {
  const page = await open(PAGE)
  await page.load('zone.js')
  const field = page.$('[data-offset]')
  const ahead = (text) => String(-new Date(text).getTimezoneOffset() * 60)
  equal(field.value, ahead('2026-12-04T20:00'))
  page.$('#day').value = '2026-07-04'
  page.$('#day').dispatchEvent(new Event('input'))
  equal(field.value, ahead('2026-07-04T20:00'))
  page.$('#time').value = ''
  page.$('#time').dispatchEvent(new Event('input'))
  equal(field.value, '')
})
