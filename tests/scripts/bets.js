import { openEntry } from './entry_page.js'
import { equal, test } from './harness.js'

const panel = ({ bets = '', betting = 'on', open = true, folded = '', turn = 'Ana', buttons = ['act-check', 'act-bet-5'] } = {}) => `
<section id="betting" data-folded="${folded}" ${open ? 'data-open' : ''}><input type="hidden" name="betting" value="${betting}"><input type="hidden" name="bets" value="${bets}">
  <p class="turn"><b>${turn}</b></p>${buttons.map((value) => `<button name="do" value="${value}" data-bet>${value}</button>`).join('')}</section>`
const SUMS = '<p data-sums><label><input type="checkbox" name="sum"></label><input name="amount"></p><div id="rules"><input name="rules-ante"><select name="rules-x"></select></div><input name="other">'

const begin = async (given, { fields = SUMS, strip = '<a href="#betting" data-tab="bets"><b>Bets</b></a>', before = '', prepare = () => {}, ...more } = {}) => {
  const page = await openEntry({ fields: panel(given) + fields, strip, before, ...more })
  prepare(page)
  const { begin: beginHands } = await page.load('hands.js')
  beginHands()
  await page.load('bets.js')
  const changes = []
  page.$('#entry').addEventListener('change', ({ target }) => changes.push(target.name))
  return {
    page, changes,
    state: () => [page.document.body.classList.contains('betting'), page.$('.seat.active')?.id ?? null, page.$('[data-tab=bets]')?.hasAttribute('aria-current'), page.$('[data-way]').getAttribute('aria-current')],
    out: () => page.$$('.seat').map(({ dataset }) => 'out' in dataset),
  }
}

const BETS = [true, null, true, null]

test('while bets are open they are shown; then the hands', async () => {
  const { page, state, out } = await begin({ folded: 'Beto\nCaro' })
  equal([state(), out()], [BETS, [false, true, true]])
  await page.tap('[value=act-check]')
  await page.next().answer(panel({ open: false, folded: 'Ana' }))
  equal([state(), out()], [[false, 'seat-1', false, null], [true, false, false]])
})

test('a button is applied by the server; only the bets are drawn again', async () => {
  const { page, changes } = await begin()
  await page.tap('[value=act-bet-5]')
  const sent = page.next()
  equal([sent.url, sent.method, Object.fromEntries(sent.body).do, page.visits], ['/night/round', 'POST', 'act-bet-5', []])
  await sent.answer(`<nav data-strip><small class="stack">95</small><small class="stack">90</small><small class="stack">85</small></nav>${panel({ bets: 'b1', turn: 'Beto' })}`)
  equal([page.texts('.stack'), page.value('bets'), page.texts('[data-told]'), changes], [['95', '90', '85'], 'b1', ['Beto'], ['betting', 'bets']])
})

test('other buttons send the form as without scripts', async () => {
  const { page } = await begin()
  await page.tap('[data-settle]')
  page.fire('#entry', 'submit', { submitter: null })
  equal([page.visits.map(([, value]) => value), page.requests.length], [['settle', null], 0])
})

test('the focus comes back to the same button, or to the first', async () => {
  const { page } = await begin()
  const focused = () => page.document.activeElement.value
  page.$('[value=act-bet-5]').focus()
  page.$('[value=act-bet-5]').click()
  await page.next().answer(panel({ bets: 'b1' }))
  equal(focused(), 'act-bet-5')
  page.$('[value=act-bet-5]').click()
  await page.next().answer(panel({ bets: 'b2', buttons: ['act-call', 'act-raise'] }))
  equal(focused(), 'act-call')
  page.$('[name=other]').focus()
  page.$('[value=act-call]').click()
  await page.next().answer(panel({ bets: 'b3', turn: '' }).replace('<p class="turn"><b></b></p>', ''))
  equal([page.document.activeElement.name, page.texts('[data-told]')], ['other', ['']])
})

test('a page that another phone overtook is not drawn', async () => {
  const { page, changes } = await begin()
  await page.tap('[value=act-check]')
  page.$('[name=bets]').value = 'of another phone'
  await page.next().answer(panel({ bets: 'b1' }))
  equal([page.value('bets'), changes], ['of another phone', []])
})

test('bets of another phone are drawn, and not sent back', async () => {
  const { page, changes } = await begin()
  page.fire('#entry', 'bets')
  const sent = page.next()
  equal(Object.fromEntries(sent.body).do, 'act')
  await sent.answer(panel({ bets: '', turn: 'Caro' }))
  equal([page.texts('.turn b'), changes], [['Caro'], []])
})

test('changing a house rule draws open bets again', async () => {
  const { page } = await begin()
  page.fire('[name=other]', 'change')
  equal(page.requests.length, 0)
  page.fire('[name=rules-ante]', 'change')
  page.fire('[name=rules-x]', 'change')
  equal(page.requests.length, 2)
  const off = await begin({ betting: '' })
  off.page.fire('[name=rules-ante]', 'change')
  equal(off.page.requests.length, 0)
})

test('sums give way to bets, and are cleared where the mode changes', async () => {
  const { page } = await begin()
  const state = () => [page.$('[data-sums]').hidden, page.$('[name=sum]').checked]
  page.$('[name=sum]').checked = true
  await page.tap('[value=act-check]')
  await page.next().answer(panel({ bets: 'b1' }))
  equal(state(), [true, true])
  await page.tap('[value=act-check]')
  await page.next().answer(panel({ bets: 'b2', betting: '' }))
  equal(state(), [false, false])
})

test('without a connection the bets stay, and the page says so', async () => {
  const { page } = await begin()
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('<h1>proxy</h1>', 502)]) {
    page.$('[data-missing]').textContent = ''
    await page.tap('[value=act-check]')
    await fail(page.next())
    equal([page.texts('[data-missing]'), page.value('bets')], [['betless'], ''])
  }
})

test('tabs lead to the bets, and back to the hands', async () => {
  const { page, state } = await begin({ open: false }, { before: '<a href="#betting" data-bets>enter bets</a>' })
  equal(state(), [false, 'seat-0', false, null])
  await page.tap('[data-tab=bets]')
  equal([state(), page.visits], [BETS, []])
  await page.tap('[data-tab="1"]')
  equal(state(), [false, 'seat-1', false, null])
  await page.tap('[data-bets]')
  equal([state(), page.visits], [BETS, []])
})

test('the way in which the round is entered is marked while the bets are not shown', async () => {
  const { page, state } = await begin({ open: false }, { prepare: (opened) => { opened.$('[name=way]').value = 'won_by' } })
  equal(state().slice(2), [false, 'true'])
  await page.tap('[data-tab=bets]')
  equal(state().slice(2), [true, null])
  page.document.body.classList.remove('betting')
  page.$('[data-strip]').click()
  equal(state().slice(2), [false, 'true'])
})

test('a phone without a tab for bets has them as well', async () => {
  const { state, page } = await begin({}, { strip: '' })
  equal(state().slice(0, 2), [true, null])
  equal(page.$('[data-tab=bets]'), null)
})
