import { entryPage } from '../entry_page.js'
import { equal, open, settle, test, until } from '../harness.js'

const CARD = '<a href="/help/card?language=es" data-card="card">hands</a><dialog id="card" data-styles="data:text/css,"><form method="dialog"><button>back</button></form></dialog>'
const RULES = '<input type="checkbox" name="rules-wild" value="y" checked><select name="rules-deck"><option>short</option><option>long</option></select><input name="other" value="x">'

const begin = async () => {
  const page = await open(CARD + entryPage({ fields: RULES }), { url: '/night/round' })
  ;(await page.load('entry/hand_list.js')).beginHandList()
  const list = (text) => `<main id="main"><p>${text}</p></main>`
  return { page, list, dialog: page.$('dialog'), show: () => page.tap('[data-card]') }
}

test('the list is shown for the house rules in the form, and asked for once', async () => {
  const { page, list, dialog, show } = await begin()
  await show()
  const sent = page.next()
  equal([sent.url, page.visits, dialog.open], ['/help/card?language=es&wild=true&deck=short', [], false])
  await sent.answer(list('pairs'))
  await until(() => dialog.open)
  equal([dialog.firstElementChild.textContent, page.$$('link[rel=stylesheet]').length], ['pairs', 1])
  dialog.close()
  await show()
  equal([page.requests.length, dialog.open], [0, true])
  dialog.close()
  page.$('[name=rules-deck]').value = 'long'
  page.$('[name=rules-wild]').checked = false
  await show()
  const other = page.next()
  equal(other.url, '/help/card?language=es&wild=false&deck=long')
  await other.answer(list('flushes'))
  await until(() => dialog.open)
  equal([dialog.firstElementChild.textContent, page.$$('link[rel=stylesheet]').length], ['flushes', 1])
})

test('a tap beside the list closes it', async () => {
  const { page, list, dialog, show } = await begin()
  await show()
  await page.next().answer(list('pairs'))
  await until(() => dialog.open)
  const { left, top } = dialog.getBoundingClientRect()
  const click = (target, clientX, clientY) => target.dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, clientX, clientY }))
  click(dialog.firstElementChild, 0, 0) // as a key on something inside gives
  click(dialog, left + 2, top + 2)
  equal(dialog.open, true)
  click(dialog, left - 2, top + 2)
  equal(dialog.open, false)
})

test('the list is shown in its style', async () => {
  const { page, list, dialog, show } = await begin()
  let sheet = null
  page.document.head.append = (link) => { sheet = link }
  await show()
  await page.next().answer(list('pairs'))
  equal([dialog.open, sheet.rel, sheet.getAttribute('href')], [false, 'stylesheet', 'data:text/css,'])
  sheet.onload()
  await settle()
  equal(dialog.open, true)
})

test('the list begins at its top', async () => {
  const { page, list, dialog, show } = await begin()
  Object.assign(dialog.style, { height: '50px', overflow: 'auto' })
  await show()
  await page.next().answer(list('<p style="height:999px"></p>'))
  await until(() => dialog.open)
  dialog.scrollTop = 100
  dialog.close()
  await show()
  equal(dialog.scrollTop, 0)
})

test('a style sheet that is missing hides nothing', async () => {
  const { page, list, dialog, show } = await begin()
  dialog.dataset.styles = 'data:text/plain,no style'
  await show()
  await page.next().answer(list('pairs'))
  await until(() => dialog.open)
})

test('without a connection the list opens as a page', async () => {
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('<p>proxy</p>'), (sent) => sent.answer('<main id="main">busy</main>', 503)]) {
    const { page, dialog, show } = await begin()
    await show()
    await fail(page.next())
    await until(() => page.visits.length)
    equal([page.visits, dialog.open], [[['open', '/help/card?language=es&wild=true&deck=short']], false])
    await settle()
  }
})
