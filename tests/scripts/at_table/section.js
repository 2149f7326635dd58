import { hand, openTable } from '../at_table_page.js'
import { equal, test } from '../harness.js'

test('the hand is replaced by what the server has now', async () => {
  const page = await openTable()
  const { numberOf, refresh, section } = await page.load('at_table/section.js')
  equal([numberOf(section()), numberOf(null)], ['3', undefined])
  const done = refresh()
  const sent = page.next()
  equal([sent.url, sent.cache, sent.headers], ['/night?game=knock', 'no-store', { Accept: 'text/html' }])
  await sent.answer(`<main>${hand({ mark: 'm2', number: 4 })}</main>`)
  await done
  equal([section().dataset.mark, numberOf(section())], ['m2', '4'])
})

test('an error, or a page without a hand, changes nothing', async () => {
  const page = await openTable()
  const { refresh, section } = await page.load('at_table/section.js')
  for (const [html, status] of [[hand({ mark: 'm2' }), 500], ['<p>closed</p>', 200]]) {
    refresh()
    await page.next().answer(html, status)
    equal(section().dataset.mark, 'm1')
  }
})

test('what was opened stays open when the hand is replaced, and what was closed closed', async () => {
  const page = await openTable()
  const { refresh, section } = await page.load('at_table/section.js')
  const folded = (words) => `<details><summary>${words}</summary></details>`
  const open = () => page.$$('#at-table details').map((one) => one.open)
  section().insertAdjacentHTML('beforeend', folded('Someone else deals') + folded('Draws'))
  page.$('#at-table details').open = true
  const done = refresh()
  await page.next().answer(hand({ mark: 'm2' }).replace('</section>', `${folded('Draws')}${folded('Someone else deals')}</section>`))
  await done
  equal(open(), [false, true])
})

test('it is told when the own hand may have another number of cards', async () => {
  const page = await openTable()
  const { refresh } = await page.load('at_table/section.js')
  const told = []
  page.document.addEventListener('cards', () => told.push(page.$('#at-table').dataset.cards))
  for (const cards of ['', ' data-cards="6"', ' data-cards="6"', '']) {
    const done = refresh()
    await page.next().answer(`<main>${hand({ mark: 'm2' }).replace(' id="at-table"', ` id="at-table"${cards}`)}</main>`)
    await done
  }
  equal(told, ['6', undefined])
})
