import { CAMERA, lendCamera, openCamera } from '../camera_page.js'
import { equal, test, until } from '../harness.js'

const TABLE = '<label data-photo-table hidden><input type="file"></label>'
// modules that note what they are asked for
const noting = `data:text/javascript,export const page = globalThis.camera; export const photograph = (...given) => { globalThis.photographed = given }; export const find = (...given) => { globalThis.found = given }`
const camera = { ...CAMERA, module: noting, tableModule: noting }
const { use, table, ...unread } = camera // a page has only what the buttons say

const choose = (page, input) => {
  const files = new DataTransfer()
  files.items.add(new File(['x'], 'hand.jpg'))
  input.files = files.files
  page.fire(input, 'change')
}

const begin = async (given = {}) => {
  const { page } = await openCamera({ camera, before: TABLE, ...given })
  page.window.camera = (await page.load('hands.js')).camera
  ;(await page.load('entry/camera_buttons.js')).beginCameras()
  return page
}

test('a photograph of a hand goes to its script, with its seat', async () => {
  const page = await begin()
  const input = page.$$('[data-photo]')[1]
  choose(page, input)
  await until(() => page.window.photographed)
  const [seat, file, from] = page.window.photographed
  equal([seat.number, file.name, from === input, input.value], ['1', 'hand.jpg', true, ''])
})

test('one of the table goes to its script', async () => {
  const page = await begin()
  const input = page.$('[data-photo-table] input')
  equal(page.$('[data-photo-table]').hidden, false)
  choose(page, input)
  await until(() => page.window.photographed)
  equal([page.window.photographed[0].name, page.window.photographed[1] === input], ['hand.jpg', true])
})

test('a camera that was left without a picture does nothing', async () => {
  const page = await begin()
  page.fire('[data-photo]', 'change')
  equal(page.window.photographed, undefined)
})

test('a camera that cannot be used says why', async () => {
  const page = await begin({ camera: { ...camera, off: 'no pictures here' } })
  equal([page.fire('[data-photo]', 'click'), page.texts('[data-missing]'), page.texts('[data-told]')], [false, ['no pictures here'], ['no pictures here']])
  const on = await begin({ before: '' })
  equal([on.fire('[data-photo]', 'click'), on.texts('[data-told]')], [false, ['']])
  await until(() => on.window.found)
})

test('so does the button of the table, and a photo is taken instead on request', async () => {
  const page = await begin()
  lendCamera(page)
  const input = page.$('[data-photo-table] input')
  equal(page.fire(input, 'click'), false)
  await until(() => page.window.found)
  equal(page.window.found[0] === input, true)
  input.dataset.still = 'yes'
  equal([page.fire(input, 'click'), page.fire(input, 'click')], [true, false])
})

test('where the camera can be used live, the button opens the viewfinder', async () => {
  const page = await begin()
  const lent = lendCamera(page)
  const [, input] = page.$$('[data-photo]')
  equal(page.fire(input, 'click'), false)
  await until(() => page.window.found)
  equal([page.window.found[0].number, page.window.found[1] === input, lent.asked], ['1', true, 0])
})

test('a photo is taken instead on request, and always without a camera', async () => {
  const page = await begin()
  lendCamera(page)
  const [input] = page.$$('[data-photo]')
  input.dataset.still = 'yes'
  equal([page.fire(input, 'click'), page.fire(input, 'click')], [true, false])
  page.$('#entry').dataset.noCamera = 'yes'
  equal(page.fire(input, 'click'), true)
})

test('without HTTPS a photo is taken, and why is said', async () => {
  const page = await begin()
  page.fake(page.window.navigator, 'mediaDevices', undefined)
  equal([page.fire('[data-photo]', 'click'), page.texts('[data-missing]')], [true, ['']])
  page.fake(page.window, 'isSecureContext', false)
  equal([page.fire('[data-photo]', 'click'), page.texts('[data-missing]'), page.texts('[data-told]')], [true, ['plain'], ['plain']])
})

test('what the scripts say is fetched once, when the camera is first used', async () => {
  const page = await begin({ camera: { ...unread, words: '/words' } })
  const [input] = page.$$('[data-photo]')
  choose(page, input)
  equal([page.requests.length, page.requests[0].url], [1, '/words'])
  await page.next().answer({ use, table })
  await until(() => page.window.photographed)
  equal([page.window.camera.use, page.window.camera.table], [use, table])
  page.window.photographed = null
  choose(page, input)
  await until(() => page.window.photographed)
  equal(page.requests.length, 0)
})

test('without a connection it says so, and the next tap asks again', async () => {
  const page = await begin({ camera: { ...unread, words: '/words' } })
  lendCamera(page)
  const [input] = page.$$('[data-photo]')
  page.fire(input, 'click')
  await page.next().fail()
  await until(() => page.texts('[data-told]')[0])
  equal([page.texts('[data-told]'), page.texts('[data-missing]')], [['offline'], ['offline']])
  page.fire(input, 'click')
  await page.next().answer('<h1>busy</h1>', 503)
  page.fire(input, 'click')
  await page.next().answer({ use, table })
  await until(() => page.window.found)
})
