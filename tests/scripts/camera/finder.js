import { card, lendCamera, LIVE, openCamera, readingOf } from '../camera_page.js'
import { equal, settle, test, until } from '../harness.js'

const HAND = ['As', 'Ks', 'Qs']
const hand = (pieces = HAND, given = {}) => readingOf({ hand: pieces.map((piece, at) => card(piece, at)), ...given })

// Opens the viewfinder for the first player.
const begin = async ({ before = '', prepare = () => {}, colour, isOpen = true, isTable = false } = {}) => {
  const { page } = await openCamera({ camera: LIVE, seats: ['$& Ana', 'Beto'] })
  const lent = lendCamera(page, colour)
  prepare(lent)
  const { openFinder } = await page.load('camera/finder.js')
  const { handOf, tableOf } = await page.load('camera/subjects.js')
  const { seats } = await page.load('hands/seats.js')
  const ends = []
  const note = (name) => (...given) => ends.push([name, ...given])
  const open = () => openFinder(isTable ? tableOf(seats) : handOf(seats[0], before), { read: note('read'), shot: note('shot'), still: note('still') })
  open()
  const passes = async (time = 150) => {
    await page.tick(time)
    await new Promise((done) => setTimeout(done, 5))
  }
  // Waits for the next frame that is sent.
  const frame = async () => {
    for (let tries = 0; !page.requests.length; tries++) {
      if (tries === 400) throw new Error(`no frame: ${page.texts('.told')}`)
      await passes()
    }
    equal(page.requests.length, 1)
    return page.next()
  }
  const answered = async (...given) => {
    await (await frame()).answer(...given)
    await passes(0)
  }
  const main = () => page.$('.finder .primary')
  if (isOpen) await until(() => page.texts('.told')[0] === (isTable ? 'reading' : 'look'))
  return { page, lent, ends, open, passes, frame, answered, main, told: () => page.$('.told').textContent, dots: () => page.$$('.dots .on').length }
}

test('a picture is taken once three frames agree, and the camera is free', async () => {
  const { page, lent, ends, frame, answered, dots, told } = await begin({ before: 'As 0.7' })
  equal([page.$('.finder').ariaLabel, page.$('.finder').open, page.texts('.finder .button'), lent.asked], ['title: of $& Ana', true, ['stop', 'still', 'shoot'], 1])
  equal([lent.wanted.audio, lent.wanted.video.facingMode], [false, { ideal: 'environment' }])
  const first = await frame()
  const body = Object.fromEntries(first.body)
  equal([first.url, first.method, body.do, body.frame, body.before, body.photo.type], ['/photo', 'POST', 'photo-0', 'yes', 'As 0.7', 'image/jpeg'])
  await first.answer(hand())
  equal([dots(), told(), page.texts('.told .unseen')], [1, 'all 3 the As, the Ks, and the Qs', [' the As, the Ks, and the Qs']])
  await answered(hand(['Qs', 'As', 'Ks']))
  equal([dots(), lent.states()], [2, ['live']])
  const last = hand()
  await answered(last)
  const [[name, reading, canvas]] = ends
  equal([ends.length, name, reading.hand, canvas.width > canvas.height, lent.states()], [1, 'read', last.hand, true, ['ended']])
  await until(() => !page.$('.finder'))
  await page.tick(60_000)
  equal(page.requests.length, 0)
})

test('what the hand is worth is said once two frames agree', async () => {
  const { page, answered, told } = await begin()
  const worth = () => page.$('.worth').textContent
  const flush = (pieces) => hand(pieces, { worth: 'Flush' })
  await answered(flush(HAND))
  equal([worth(), told()], ['', 'all 3 the As, the Ks, and the Qs'])
  await answered(flush(HAND))
  equal([worth(), told()], ['Flush', 'all 3 Flush: the As, the Ks, and the Qs'])
  await answered(flush(['As', 'Ks', 'Js']))
  equal(worth(), '')
  await answered(flush(['As', 'Ks', 'Js']))
  await answered({ problem: 'no cards' })
  equal(worth(), '')
  for (let frames = 0; frames < 2; frames++) await answered(hand())
  equal(worth(), '')
})

test('frames that show another hand count anew', async () => {
  const { ends, answered, dots } = await begin()
  for (const [pieces, count] of [[HAND, 1], [HAND, 2], [['As', 'Ks', 'Js'], 1], [['As', 'Ks'], 0], [HAND, 1], [HAND, 2]]) {
    await answered(hand(pieces))
    equal(dots(), count)
  }
  await answered({ problem: 'no cards' })
  equal(dots(), 0)
  for (const _ of HAND) await answered(hand())
  equal(ends.length, 1)
})

test('what is read stands at its place', async () => {
  const { page, answered, told, dots } = await begin()
  await answered(readingOf({ hand: [card('As'), card('Ks', 1, false), { ...card('Qs', 2), box: null }], more: [card('Js', 3)] }))
  equal([page.$$('.spot').map(({ className }) => className), page.texts('.spot b'), told(), dots()], [['spot', 'spot unsure'], ['As', 'Ks'], 'over 3 the As, the Ks, and the Qs', 0])
  await answered(hand(['As']))
  equal([page.$$('.spot').length, told()], [1, '1 of 3 the As'])
})

test('the same words are not said twice', async () => {
  const { page, answered } = await begin()
  await answered({ problem: 'no cards' })
  const said = page.$('.told').firstChild
  await answered({ problem: 'no cards' })
  equal(page.$('.told').firstChild === said, true)
})

test('a hand that is not read by itself is taken by hand', async () => {
  const { page, lent, ends, answered, passes, main, told } = await begin()
  for (let frames = 0; frames < 12; frames++) await answered({ problem: 'no cards' })
  await passes(4000)
  equal([told(), page.requests.length, lent.states()], ['enough', 0, ['live']])
  main().click()
  const [[name, canvas]] = ends
  equal([name, canvas.width > canvas.height, lent.states()], ['shot', true, ['ended']])
  await until(() => !page.$('.finder'))
})

test('pauses get longer while nothing new is read', async () => {
  const { page, frame } = await begin()
  const gaps = []
  for (let frames = 0; frames < 6; frames++) {
    const request = await frame()
    const from = page.window.performance.now()
    await request.answer({ problem: 'no cards' })
    page.requests.push(await frame())
    gaps.push(page.window.performance.now() - from)
  }
  // the answer may come before or after the look of that moment, which is one of 150 ms
  equal(gaps.map((gap, at) => at === 0 || gap + 150 >= gaps[at - 1]), gaps.map(() => true), gaps.join())
  equal(gaps.at(-1) >= 3000, true, gaps.join())
})

test('a busy, missing or tired server is left alone for a while', async () => {
  const { page, lent, frame, passes, told } = await begin()
  const rows = [[(one) => one.answer({ again: true, problem: 'x' }), 'busy', 2000], [(one) => one.fail(), 'away', 3000], [(one) => one.answer({ problem: 'too many' }, 429, { 'Retry-After': '40' }), 'too many', 40_000]]
  for (const [end, sentence, time] of rows) {
    await end(await frame())
    equal(told(), sentence)
    await passes(time - 1)
    equal(page.requests.length, 0, sentence)
  }
  await frame()
  equal(lent.states(), ['live'])
})

test('a server that refuses the page is asked no more', async () => {
  const { page, answered, passes, told } = await begin()
  await answered({ problem: 'reload' }, 400)
  await passes(60_000)
  equal([told(), page.requests.length], ['reload', 0])
})

test('a dark picture is not sent', async () => {
  const { page, lent, passes, told, frame } = await begin({ colour: '#222' })
  for (let times = 0; times < 30; times++) await passes()
  equal([told(), page.requests.length], ['dark', 0])
  lent.paint('#fff')
  await frame()
})

test('a picture that moves is sent at last', async () => {
  const { page, lent, passes, frame } = await begin()
  let times = 0
  while (!page.requests.length && times < 12) {
    lent.paint(times++ % 2 ? '#fff' : '#aaa')
    await new Promise((done) => setTimeout(done, 60))
    await passes()
  }
  equal(times > 4, true)
  await frame()
})

test('what ends the viewfinder frees the camera', async () => {
  const { page, lent, ends, passes } = await begin()
  page.$('.finder .button').click()
  equal([lent.states(), ends], [['ended'], []])
  await until(() => !page.$('.finder'))
  await passes(1000)
  equal(page.requests.length, 0)
  await page.hide()
  const other = await begin()
  other.page.$$('.finder .button')[1].click()
  equal([other.lent.states(), other.ends], [['ended'], [['still']]])
})

test('a frame that is answered too late changes nothing', async () => {
  const { page, frame, ends } = await begin()
  const request = await frame()
  page.$('.finder').close()
  await until(() => !page.$('.finder'))
  await request.answer(hand())
  equal([ends, page.errors], [[], []])
})

test('a camera that is lent after the viewfinder was closed is given back', async () => {
  let lend
  const { page, lent, told, main } = await begin({ isOpen: false, prepare: (camera) => { camera.waits = new Promise((done) => { lend = done }) } })
  await until(() => lent.asked)
  equal([told(), main().disabled], ['allow', true])
  page.$('.finder').close()
  await until(() => !page.$('.finder'))
  lend()
  await until(() => lent.streams.length)
  await settle()
  equal(lent.states(), ['ended'])
})

test('one that is refused or missing leaves the photo, now and next time', async () => {
  for (const [error, sentence] of [['NotAllowedError', 'refused'], ['SecurityError', 'refused'], ['NotFoundError', 'none'], ['OverconstrainedError', 'none']]) {
    const { page, ends, told, main } = await begin({ isOpen: false, prepare: (lent) => { lent.error = error } })
    await until(() => told() === sentence)
    equal([page.texts('.finder .button:not([hidden])'), page.$('#entry').dataset.noCamera, page.document.activeElement === main(), page.$('.finder').className], [['stop', 'still'], 'yes', true, 'finder off'])
    main().click()
    equal(ends, [['still']])
  }
})

test('one that another app has can be tried again', async () => {
  const { page, lent, told, main, frame } = await begin({ isOpen: false, prepare: (each) => { each.error = 'NotReadableError' } })
  await until(() => told() === 'taken')
  equal([page.texts('.finder .button:not([hidden])'), page.$('#entry').dataset.noCamera], [['stop', 'still', 'restart'], undefined])
  lent.error = null
  main().click()
  await until(() => told() === 'look')
  equal([main().textContent, lent.asked, page.$('.finder').className], ['shoot', 2, 'finder'])
  await frame()
})

test('one that is refused after the viewfinder was closed says nothing', async () => {
  let lend
  const { page, lent } = await begin({ isOpen: false, prepare: (each) => { each.waits = new Promise((_, refuse) => { lend = refuse }) } })
  await until(() => lent.asked)
  page.$('.finder').close()
  await until(() => !page.$('.finder'))
  lend(new page.window.DOMException('', 'NotAllowedError'))
  await settle()
  equal([page.$('#entry').dataset.noCamera, page.$('.finder')], [undefined, null])
})

test('it is off while the page is hidden, or when another app takes it', async () => {
  const { page, lent, told, main } = await begin()
  await page.hide()
  equal([told(), lent.states(), main().textContent], ['hidden', ['ended'], 'restart'])
  await page.hide(false)
  await page.hide()
  equal(told(), 'hidden')
  main().click()
  await until(() => told() === 'look')
  page.fire(lent.streams[1].getTracks()[0], 'ended')
  equal([told(), lent.states()], ['taken', ['ended', 'ended']])
})

const OTHERS = ['Ah', 'Kh', 'Qh']
const table = (...hands) => ({ told: 'told', given: {}, hint: 'hint', hands: hands.map((pieces, at) => ({ number: at + 1, box: [0, 0, 9, 9], doubtful: [], seen: pieces.map((piece) => card(piece, at)) })) })

test('a table is read once three frames agree on its hands', async () => {
  const { page, lent, ends, frame, answered, dots, told } = await begin({ isTable: true })
  equal(page.$('.finder').ariaLabel, 'all hands: $& Ana and Beto')
  const first = await frame()
  const body = Object.fromEntries(first.body)
  equal([body.do, body.frame, body.before, first.body.filter(([name]) => name === 'hands')], ['photo-table', 'yes', '', [['hands', '0'], ['hands', '1']]])
  await first.answer(table(HAND, OTHERS))
  equal([dots(), page.$$('.spot').length, told().startsWith('all 6')], [1, 6, true])
  await answered(table([...HAND.slice(1), 'Ah'], ['As', 'Kh', 'Qh'])) // the same cards in other hands
  equal([dots(), ends], [1, []])
  await answered(table(HAND, OTHERS))
  await answered(table([...OTHERS].reverse(), HAND)) // in another order
  equal([dots(), lent.states()], [2, ['live']])
  const last = table(HAND, OTHERS)
  await answered(last)
  equal([ends.length, ends[0][0], ends[0][1].hands, lent.states()], [1, 'read', last.hands, ['ended']])
})

test('a table that is not whole is not taken, and it says why', async () => {
  const { page, ends, answered, dots, told } = await begin({ isTable: true })
  const cases = [[[HAND, OTHERS.slice(1)], '5 of 6'], [[[...HAND, 'Ah'], OTHERS.slice(1)], 'hint'], [[[...HAND, 'Js'], OTHERS], 'hint'], [[[...HAND, ...OTHERS]], 'hint']]
  for (const [hands, text] of cases) {
    await answered(table(...hands))
    equal([dots(), told().startsWith(text), page.$$('.spot').length], [0, true, hands.flat().length])
  }
  await answered({ problem: 'no hands' })
  equal([told(), page.$$('.spot').length, ends], ['no hands', 0, []])
})
