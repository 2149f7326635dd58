import { KNOCK, line, openTable } from '../at_table_page.js'
import { equal, open, test } from '../harness.js'

test('the state line is drawn again if it says something else', async () => {
  const page = await openTable()
  const { drawRail } = await page.load('at_table/rail.js')
  const sentence = page.$('[role=status]')
  equal(drawRail(line({ phase: 'deal', said: 'Beto deals', buttons: KNOCK })), true)
  equal([page.$('[role=status]') === sentence, sentence.textContent, page.$('[data-says]').dataset.phase], [true, 'Beto deals', 'deal'])
  equal([page.$('.fold'), page.$('[data-hold]').value], [null, 'knocks-a'])
  equal(drawRail(line({ phase: 'deal', said: 'Beto deals', buttons: KNOCK })), false)
  for (const nothing of [undefined, '<p>proxy</p>']) equal(drawRail(nothing), false)
})

test('who had the focus in the rail keeps it there', async () => {
  const page = await openTable()
  const { drawRail } = await page.load('at_table/rail.js')
  page.$('.call').focus()
  drawRail(line({ buttons: KNOCK }))
  equal(page.document.activeElement.value, 'knocks-a')
  drawRail(line({ buttons: '' }))
  equal(page.$('.button'), null)
})

test('a page without a rail is left alone', async () => {
  const page = await open('<p></p>')
  const { drawRail, rail, stateLine } = await page.load('at_table/rail.js')
  equal([drawRail(line()), rail(), stateLine()], [false, null, undefined])
})
