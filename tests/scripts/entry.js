import { entryPage, newsOf } from './entry_page.js'
import { equal, open, settle, test } from './harness.js'

const CARD = '<a href="/help/card" data-card="card">hands</a><dialog id="card" data-styles="/card.css"><form method="dialog"><button>back</button></form></dialog>'
const LIST = '<div data-waiting data-words=\'{"round": "waits", "change": "change"}\'></div>'

const begin = async (given = {}, { around = '', ...options } = {}) => {
  const page = await open(CARD + LIST + around + entryPage(given), { url: '/night/round', ...options })
  if (given.form?.includes('data-saves')) page.$('[data-save]').dataset.offline = 'waits'
  await page.load('entry.js')
  return page
}

test('hands, drafts, results and saving work together', async () => {
  const page = await begin({ form: 'data-fresh data-saves' })
  equal(page.next().url, '/night/state?')
  await page.tap('[data-piece=As]')
  equal([page.value('players-0-hand'), page.texts('.slot b')], ['As', ['As']])
  await page.tap('[data-way=won_by]')
  equal(page.value('way'), 'won_by')
  page.$('[data-save]').click()
  const saved = page.requests.find(({ url }) => url === '/night/round')
  equal([saved.method, page.visits], ['POST', []])
  await saved.answer({ address: '/night/lines/3' }, 201, { 'Content-Security-Policy': 'ours' })
  equal([page.visits, Object.keys(localStorage).filter((key) => /typed|waiting/.test(key))], [[['replace', '/night/lines/3']], []])
})

test('a form that waits to be sent is locked, but for its buttons', async () => {
  const page = await begin({ form: 'data-fresh data-saves' })
  page.requests.splice(0)
  page.$('[data-save]').click()
  await page.next().fail()
  const locked = () => [...page.$('#entry').children].filter(({ inert }) => inert).length
  equal([locked() > 0, page.$('.docked').inert, 'saving' in page.$('#entry').dataset, page.$('.seat.active'), page.texts('[data-missing]')], [true, false, true, null, ['unsaved']])
  await page.tap('.row button')
  equal([locked(), 'saving' in page.$('#entry').dataset, page.texts('[data-missing]')], [0, false, ['']])
})

test('a form that is not saved here is sent as without scripts', async () => {
  const page = await begin()
  page.$('[data-save]').click()
  await settle()
  equal(page.visits, [['submit', 'save']])
})

test('a house rule that changes the form has it rendered again', async () => {
  const page = await begin({ fields: '<input name="rules-a" data-redraw><input name="rules-b"><button id="redraw" name="do" value="rules"></button>' })
  page.fire('[name=rules-b]', 'change')
  page.fire('[name=rules-a]', 'change')
  equal(page.visits, [['submit', 'rules-on']])
})

const DEALERS = '<p id="dealers"><label><input type="radio" name="dealer" value="0" checked> Ana </label><label><input type="radio" name="dealer" value="1">$&</label></p>'

test('the name of the dealer is shown, also when another phone chose', async () => {
  const page = await begin({ fields: DEALERS }, { around: '<span data-dealer="{player} deals">server</span>' })
  equal(page.texts('[data-dealer]'), ['Ana deals'])
  await page.tap('[name=dealer][value="1"]')
  equal(page.texts('[data-dealer]'), ['$& deals'])
  page.$('[name=dealer]').checked = true
  page.fire(page.document, 'applied')
  equal(page.texts('[data-dealer]'), ['Ana deals'])
})

test('where no dealer is chosen or shown, nothing is', async () => {
  equal((await begin({ fields: DEALERS.replace('checked', '') }, { around: '<span data-dealer="{player} deals">server</span>' })).texts('[data-dealer]'), ['server'])
  await begin({ fields: DEALERS })
})

test('the screen stays on in a night, and elsewhere once something is entered', async () => {
  const locks = []
  const prepare = ({ fake, window }) => fake(window.navigator, 'wakeLock', { request: async () => { locks.push(1) } })
  await begin({}, { prepare })
  await settle()
  equal(locks.splice(0).length, 1)
  const page = await begin({ draft: false }, { prepare })
  await settle()
  equal(locks.length, 0)
  page.fire('#entry', 'pointerdown')
  await settle()
  equal(locks.length > 0, true)
})

test('going back after saving loads the next form', async () => {
  for (const [form, persisted, visits] of [['data-fresh', true, [['reload']]], ['data-fresh', false, []], ['', true, []]]) {
    const page = await begin({ form })
    page.fire(page.window, 'pageshow', { persisted })
    equal(page.visits, visits, form)
  }
})

test('screen readers begin at what is new', async () => {
  const rows = [['<p id="problems" tabindex="-1"></p><p id="won" tabindex="-1"></p>', 'problems'], ['<p id="refused" tabindex="-1"></p>', 'refused'], ['<p id="effects" class="effects" tabindex="-1"></p>', 'effects'], ['<p id="won" tabindex="-1"></p>', 'won'], ['', '']]
  for (const [around, id] of rows) equal((await begin({}, { around })).document.activeElement.id, id)
})

test('a settled page shows no hand as active', async () => {
  const page = await begin({}, { around: '<p id="won"></p>' })
  await page.next().answer(newsOf())
  equal(page.$('.seat.active'), null)
})
