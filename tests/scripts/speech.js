import { equal, open, settle, test } from './harness.js'

const TEXT = '<p data-speak="Ana wins" data-speaks-itself></p>'

const begin = async (html = TEXT, { speaks = true, attributes = 'lang="es-MX"' } = {}) => {
  const said = []
  const page = await open(html, { url: '/night/lines/3', attributes })
  if (speaks) page.fake(page.window, 'speechSynthesis', { cancel: () => said.push('cancel'), speak: (speech) => said.push(speech) })
  else delete page.window.speechSynthesis
  await page.load('speech.js')
  return { page, said, spoken: () => said.filter((speech) => speech !== 'cancel') }
}

test('a result is read aloud once, in the language of the page', async () => {
  const { page, said, spoken } = await begin()
  equal([said[0], said[1].text, said[1].lang], ['cancel', 'Ana wins', 'es-MX'])
  page.fire(page.document, 'news')
  equal(spoken().length, 2) // it has not begun yet
  said.at(-1).dispatchEvent(new page.window.Event('start'))
  page.fire(page.document, 'news')
  equal(spoken().length, 2)
  page.$('[data-speak]').dataset.speak = 'Beto wins'
  page.fire(page.document, 'news')
  equal(spoken().at(-1).text, 'Beto wins')
  page.window.history.replaceState(null, '', '/night/lines/4')
  page.$('[data-speak]').dataset.speak = 'Ana wins'
  page.fire(page.document, 'news')
  equal(spoken().length, 4)
})

test('a browser that speaks only after a tap reads it after the next one', async () => {
  const { page, said, spoken } = await begin()
  const failed = (error) => said.at(-1).dispatchEvent(Object.assign(new page.window.Event('error'), { error }))
  failed('interrupted')
  page.fire(page.window, 'pointerdown')
  equal(spoken().length, 1)
  failed('not-allowed')
  page.fire(page.window, 'pointerdown')
  page.fire(page.window, 'pointerdown')
  await settle()
  equal(spoken().length, 2)
})

test('where there is nothing to read, nothing is read', async () => {
  for (const html of ['', '<p data-speak="" data-speaks-itself></p>', '<button data-speak="Ana wins"></button>']) equal((await begin(html)).said, [], html)
})

test('the setting is shown where the browser can speak', async () => {
  const setting = `${TEXT}<fieldset data-if-spoken hidden></fieldset>`
  equal((await begin(setting)).page.$('fieldset').hidden, false)
  const silent = await begin(setting, { speaks: false })
  equal([silent.page.$('fieldset').hidden, silent.said], [true, []])
})

test('a button reads the result again and again, also one that the news brought', async () => {
  const { page, spoken } = await begin('<main></main>')
  page.$('main').innerHTML = '<button data-speak="Beto wins" data-if-spoken hidden><svg></svg></button>'
  page.fire(page.document, 'news')
  equal([page.$('button').hidden, spoken().length], [false, 0])
  for (const times of [1, 2]) {
    page.$('svg').dispatchEvent(new page.window.MouseEvent('click', { bubbles: true }))
    equal([spoken().length, spoken().at(-1).text], [times, 'Beto wins'])
  }
})
