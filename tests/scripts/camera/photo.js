import { card, openCamera, pictureOf } from '../camera_page.js'
import { equal, test, until } from '../harness.js'

const begin = async (given) => {
  const opened = await openCamera(given)
  return { ...opened, ...await opened.page.load('camera/photo.js') }
}

test('a picture is shrunk, and never enlarged', async () => {
  const { shrink } = await begin()
  const rows = [[[400, 200], undefined, [400, 200]], [[2560, 1000], undefined, [1280, 500]], [[500, 1000], 100, [50, 100]], [[1280, 1280], undefined, [1280, 1280]]]
  for (const [size, longest, shrunk] of rows) {
    const { width, height } = await shrink(await pictureOf(...size), longest)
    equal([width, height], shrunk)
  }
  const canvas = await shrink(await pictureOf())
  equal([...canvas.getContext('2d').getImageData(0, 0, 1, 1).data], [0, 0, 0, 255])
  equal(await shrink(new Blob(['x'])), null)
})

test('the server reads the picture for a hand', async () => {
  const { page, sent, read, shrink } = await begin()
  const reading = read('1', await shrink(await pictureOf()), null)
  const request = await sent()
  const body = Object.fromEntries(request.body)
  equal([request.url, request.method, request.headers], ['/photo', 'POST', { Accept: 'application/json', 'X-CSRFToken': 'token' }])
  equal([body.do, body.photo.name, body.photo.type, body.key, 'hands' in body], ['photo-1', 'hand.jpg', 'image/jpeg', 'k1', false])
  await request.answer({ hand: [] })
  equal(await reading, { hand: [] })
  equal(page.requests.length, 0)
})

test('a picture that this browser cannot open is sent as it is, for several hands', async () => {
  const { page, sent, read } = await begin()
  const { openSeats } = await page.load('hands/seats.js')
  read('table', null, new Blob(['x'], { type: 'image/heic' }), { seats: openSeats.slice(1) })
  const { body } = await sent()
  equal([Object.fromEntries(body).do, Object.fromEntries(body).photo.type, body.filter(([name]) => name === 'hands')], ['photo-table', 'image/heic', [['hands', '1'], ['hands', '2']]])
})

test('a busy server is asked again for some seconds', async () => {
  const { page, sent, read } = await begin()
  const done = read('1', null, new Blob(['x']))
  let tries = 1
  for (;; tries++) {
    await (await sent()).answer({ again: true, problem: 'busy' }, 503)
    await page.tick(699)
    equal(page.requests.length, 0)
    await page.tick(1)
    if (!page.requests.length) break
  }
  equal([tries, await done], [9, { again: true, problem: 'busy' }])
})

test('a server that answers after exactly that time is asked once more', async () => {
  const { page, sent, read } = await begin()
  read('1', null, new Blob(['x']))
  const request = await sent()
  await page.tick(5000)
  await request.answer({ again: true }, 503)
  await page.tick(700)
  equal(page.requests.length, 1)
})

test('what is read at last counts', async () => {
  const { page, sent, read } = await begin()
  const done = read('1', null, new Blob(['x']))
  await (await sent()).answer({ again: true }, 503)
  await page.tick(700)
  await (await sent()).answer({ hand: [1] })
  equal(await done, { hand: [1] })
})

test('without a connection, with a strange answer, or none at all, the cards are tapped', async () => {
  const ends = [(request) => request.fail(), (request) => request.answer('<h1>proxy</h1>', 502)]
  for (const end of ends) {
    const { sent, read } = await begin()
    const done = read('1', null, new Blob(['x']))
    await end(await sent())
    equal(await done, { problem: 'offline' })
  }
  const { page, read } = await begin()
  let problem = null
  read('1', null, new Blob(['x'])).then((reading) => { problem = reading.problem })
  await until(() => page.requests.length)
  await page.tick(29_999)
  equal(problem, null)
  await page.tick(1)
  equal(problem, 'offline')
})

test('what was read is proposed, with what is unsure', async () => {
  const { proposalOf } = await begin()
  const { held, unsure } = proposalOf({ hand: [card('As'), card('Ks', 1, false)] })
  equal([held, [...unsure]], [['As', 'Ks'], ['Ks']])
})

test('a frame is asked for once', async () => {
  const { page, sent, glance, shrink } = await begin()
  const canvas = await shrink(await pictureOf())
  const rows = [
    [(request) => request.answer({ hand: [] }), { hand: [], status: 200, rest: 0 }],
    [(request) => request.answer({ again: true, problem: 'busy' }), { again: true, problem: 'busy', status: 200, rest: 0 }],
    [(request) => request.answer({ problem: 'many' }, 429, { 'Retry-After': '7' }), { problem: 'many', status: 429, rest: 7 }],
    [(request) => request.fail(), { isAway: true }],
  ]
  for (const [end, result] of rows) {
    const done = glance('1', canvas, { before: 'As 1' })
    const request = await sent()
    const body = Object.fromEntries(request.body)
    equal([body.do, body.frame, body.before, body.photo.type], ['photo-1', 'yes', 'As 1', 'image/jpeg'])
    await end(request)
    equal(await done, result)
    equal(page.requests.length, 0)
  }
})
