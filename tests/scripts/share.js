import { equal, open, settle, test, until } from './harness.js'

const BUTTON = '<button data-share data-copy="Copy" data-copied="Copied" data-save="Save the picture" data-saved="Picture saved" data-share-picture="Share the picture" hidden><i></i><span>Share</span></button>'
const TEXT = '<textarea data-text>Ana wins</textarea>'
const SVG = "<img data-picture='night.png' src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"30\" height=\"20\"/></svg>'>"

const begin = async (html, { share = null, canShare = () => false, clipboard = true } = {}) => {
  const page = await open(html)
  const done = []
  const { navigator, URL } = page.window
  page.fake(navigator, 'share', share && (async (what) => {
    done.push(what)
    share()
  }))
  page.fake(navigator, 'canShare', canShare ?? undefined)
  page.fake(navigator, 'clipboard', clipboard ? { writeText: async (text) => done.push(text) } : undefined)
  URL.createObjectURL = (file) => `blob:${file.name}`
  URL.revokeObjectURL = (url) => done.push(`gone ${url}`)
  await page.load('share.js')
  await settle()
  const button = page.$('[data-share]')
  return { page, done, button, tap: () => page.tap('[data-share]'), label: () => button.querySelector('span')?.textContent ?? button.textContent }
}

test('the text is shared, if the phone can', async () => {
  const { done, button, tap, label } = await begin(BUTTON + TEXT, { share: () => {} })
  equal([button.hidden, label()], [false, 'Share'])
  await tap()
  equal([done, label()], [[{ text: 'Ana wins' }], 'Share'])
})

test('otherwise it is copied', async () => {
  const { done, button, tap, label } = await begin(BUTTON + TEXT)
  equal([button.hidden, label()], [false, 'Copy'])
  await tap()
  equal([done, label(), button.querySelector('i') !== null], [['Ana wins'], 'Copied', true])
  equal((await begin(BUTTON.replace('<i></i><span>Share</span>', 'Share') + TEXT)).label(), 'Copy')
})

test('the picture is shared as a PNG of its size', async () => {
  const { done, button, tap, label } = await begin(BUTTON + TEXT + SVG, { share: () => {}, canShare: ({ files }) => files.length === 1 })
  await until(() => !button.hidden)
  equal(label(), 'Share the picture')
  await tap()
  const [{ files: [file], text }] = done
  const drawn = await createImageBitmap(file)
  const { width, height } = drawn
  const context = document.createElement('canvas').getContext('2d')
  context.drawImage(drawn, 0, 0)
  equal([[0, 0], [29, 19]].map(([x, y]) => context.getImageData(x, y, 1, 1).data[3]), [255, 255])
  equal([file.name, file.type, text, width, height], ['night.png', 'image/png', 'Ana wins', 30, 20])
})

test('the picture is saved where it cannot be shared', async () => {
  for (const options of [{}, { share: () => {} }]) {
    const { page, done, button, tap, label } = await begin(BUTTON + TEXT + SVG, options)
    const saved = []
    page.window.HTMLAnchorElement.prototype.click = function note() { saved.push(this.href, this.download) }
    await until(() => !button.hidden)
    equal(label(), 'Save the picture')
    await tap()
    equal([saved, label()], [['blob:night.png', 'night.png'], 'Picture saved'])
    await page.tick(9999)
    equal(done, [])
    await page.tick(1)
    equal(done, ['gone blob:night.png'])
  }
})

test('a browser without canShare saves the picture', async () => {
  const { button, label } = await begin(BUTTON + TEXT + SVG, { share: () => {}, canShare: null })
  await until(() => !button.hidden)
  equal(label(), 'Save the picture')
})

test('a picture that cannot be drawn leaves its text', async () => {
  const { button, done, tap } = await begin(`${BUTTON}${TEXT}<img data-picture="night.png" src="data:image/png,x">`, { share: () => {} })
  await until(() => !button.hidden)
  await tap()
  equal(done, [{ text: 'Ana wins' }])
})

test('where nothing can be shared or copied, there is no button', async () => {
  equal((await begin(BUTTON + TEXT, { clipboard: false })).button.hidden, true)
  equal((await begin(BUTTON)).button.hidden, true)
  equal((await begin(TEXT)).button, null)
})

test('a sheet that was closed is no error; others are ours', async () => {
  const { page, tap } = await begin(BUTTON + TEXT, { share: () => { throw new DOMException('', 'AbortError') } })
  await tap()
  equal(page.errors, [])
  const other = await begin(BUTTON + TEXT, { share: () => { throw new RangeError('ours') } })
  await other.tap()
  await until(() => other.page.errors.length)
  equal(other.page.errors.splice(0).length, 1)
})
