import { card, openCamera, pictureOf, readingOf } from './camera_page.js'
import { equal, settle, test, until } from './harness.js'

const begin = async (given) => {
  const opened = await openCamera(given)
  const { page } = opened
  const hands = await page.load('hands.js')
  hands.begin()
  const camera = await page.load('camera.js')
  const panel = await page.load('camera/panel.js')
  const [seat] = hands.seats
  const input = page.$('[data-photo]')
  let again = 0
  input.addEventListener('click', () => again++)
  // Photographs the first hand, and has it read.
  const photograph = async (reading, status) => {
    const done = camera.photograph(seat, await pictureOf(), input)
    await opened.answered(reading, status)
    await done
  }
  const mark = (at) => page.$$('.mark')[at]
  const marks = () => page.$$('.mark').map(({ className }) => className.replace('mark ', ''))
  const tapButton = (text) => page.$$('.look .button, .photo .button').find(({ textContent }) => textContent === text).click()
  return { ...opened, hands, camera, panel, seat, input, photograph, mark, marks, tapButton, again: () => again, told: () => page.$('.told').textContent }
}

test('while a picture is read, the hand says so', async () => {
  const { page, camera, seat, input, buttons, told, answered } = await begin({ seats: ['$& Ana'] })
  const done = camera.photograph(seat, await pictureOf(), input)
  equal(page.$('.photo'), null) // not before its style sheet is there
  await until(() => page.$('.photo canvas'))
  equal(page.$$('.look .button').map(({ className }) => className), ['button small', 'button small', 'button primary'])
  equal([told(), buttons('.look'), page.texts('[data-told]'), page.$('.photo').className, page.$('.photo').ariaLabel, page.$('.photo').getAttribute('role')], ['reading', ['drop', 'again'], ['reading'], 'photo', 'photo of $& Ana', 'group'])
  await answered(readingOf())
  await done
  equal(told(), 'told')
})

test('what was read is shown with the picture, and used once it is confirmed', async () => {
  const { page, photograph, buttons, tapButton, marks, told, seat } = await begin()
  const reading = readingOf({ hand: [card('As'), card('Ks', 1, false)], more: [card('Qs', 2)], doubtful: [[60, 10, 20, 40]] })
  equal(await page.focuses(() => photograph(reading)), [true])
  equal([told(), buttons('.look'), page.texts('.slot b').slice(0, 2), seat.line.value, page.document.activeElement.textContent, seat.cursor], ['told', ['drop', 'second', 'use'], ['As', 'Ks'], '', 'second', 2])
  equal(marks(), ['read', 'read unsure', 'more spare', 'unread unsure'])
  equal(page.$$('.mark').map((mark) => mark.getAttribute('aria-label')), ['the As', 'the Ks?', 'the Qs spare', 'unread'])
  equal(page.$$('.mark').map((mark) => mark.textContent), ['As', 'Ks', 'Qs', ''])
  equal([page.$('.mark').style.left, page.$('.mark').style.width, page.$('.mark').type], ['0%', '5%', 'button'])
  tapButton('use')
  equal([seat.line.value, page.$('.photo'), page.$('.look'), page.$('.seat.active').id], ['As Ks', null, null, 'seat-1'])
})

test('a hand that was read is shown even if another one was opened meanwhile', async () => {
  const { page, hands, camera, seat, input, answered } = await begin()
  const done = camera.photograph(seat, await pictureOf(), input)
  await until(() => page.requests.length)
  hands.activate(hands.seats[1])
  await answered(readingOf({ hand: [card('As')] }))
  await done
  equal([page.$('.seat.active').id, page.texts('.slot b')], ['seat-0', ['As']])
})

test('a problem is told with a link to help, and may be tried again', async () => {
  const { page, photograph, buttons, told, seat, tapButton, again } = await begin()
  await photograph({ problem: 'too dark' }, 400)
  equal([told(), page.$('.told a').href.endsWith('/help/photo'), buttons('.look'), seat.proposed, page.texts('[data-told]')], ['too dark how', true, ['drop', 'again'], null, ['too dark']])
  tapButton('again')
  equal(again(), 1)
})

test('a picture can be dropped, while it is read and afterwards', async () => {
  const { page, photograph, tapButton, seat, camera, input, sent } = await begin()
  const done = camera.photograph(seat, await pictureOf(), input)
  const request = await sent()
  tapButton('drop')
  equal([page.$('.photo'), seat.proposed], [null, null])
  await request.answer(readingOf({ hand: [card('As')] }))
  await done
  equal([page.$('.photo'), seat.proposed], [null, null])
  await photograph(readingOf({ hand: [card('As')] }))
  tapButton('drop')
  equal([page.$('.photo'), seat.proposed, seat.line.value, page.texts('[data-seat="0"] .slot b'), page.$('.seat.active').id], [null, null, '', [], 'seat-0'])
})

const WHOLE = [card('As'), card('Ks', 1), card('Qs', 2)]

test('a new picture replaces one of a hand that was read for certain', async () => {
  const { page, photograph, camera, seat, input, buttons, sent } = await begin()
  await photograph(readingOf({ hand: WHOLE }))
  equal([buttons('.look'), page.document.activeElement.textContent], [['drop', 'again', 'use'], 'use'])
  const done = camera.photograph(seat, await pictureOf(), input)
  const request = await sent()
  equal([Object.fromEntries(request.body).before, seat.proposed], ['', null])
  await request.answer(readingOf({ hand: [card('Js')] }))
  await done
  equal([page.$$('.photo').length, page.texts('[data-seat="0"] .slot b'), page.asked], [1, ['Js'], []])
})

test('a second picture makes the first surer, and is given up without losing it', async () => {
  const { page, photograph, camera, seat, input, buttons, tapButton, sent, told, again } = await begin()
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1, false), card('Qs', 2)] }))
  tapButton('second')
  equal([again(), page.$$('.look .primary').map(({ textContent }) => textContent)], [1, ['second']])
  const done = camera.photograph(seat, await pictureOf(), input)
  const request = await sent()
  equal([Object.fromEntries(request.body).before, buttons('.look').includes('use')], ['As 1, Ks 0.7, Qs 1', false])
  await request.answer({ problem: 'too dark' }, 400)
  await done
  equal([told(), seat.proposed.held, buttons('.look')], ['too dark how', ['As', 'Ks', 'Qs'], ['drop', 'second', 'use']])
  await photograph(readingOf({ hand: WHOLE }))
  equal([buttons('.look'), page.$$('.look .primary').map(({ textContent }) => textContent)], [['drop', 'again', 'use'], ['use']])
  tapButton('use')
  equal(seat.line.value, 'As Ks Qs')
})

test('of an unsure card both readings are buttons', async () => {
  const { page, photograph, seat, buttons } = await begin()
  const choices = () => [...page.$$('.which .button')].map((button) => button.getAttribute('aria-label'))
  await photograph(readingOf({ hand: [card('As', 0, false, '2c'), card('Ks', 1, false, 'Js'), card('Qs', 2)] }))
  equal([page.$('.which').hidden, page.$('.which').getAttribute('role'), choices()], [false, 'group', ['the As', '2c']])
  page.$$('.which .button')[0].click()
  equal([seat.proposed.held, choices()], [['As', 'Ks', 'Qs'], ['the Ks', 'the Js']])
  page.$$('.which .button')[1].click()
  equal([seat.proposed.held, page.$('.which').hidden, buttons('.look')], [['As', 'Js', 'Qs'], true, ['drop', 'again', 'use']])
})

test('a reading that stands elsewhere in the hand is not offered', async () => {
  const { page, photograph } = await begin()
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1, false, 'As'), card('Qs', 2, false)] }))
  equal(page.$('.which').hidden, true)
})

test('a full hand, and one face down, is replaced only if that is confirmed', async () => {
  const full = await begin({ seats: [{ name: '$&', hand: 'as ks qs' }, 'Beto'] })
  full.page.confirms = false
  await full.camera.photograph(full.seat, await pictureOf(), full.input)
  equal([full.page.asked, full.page.requests.length, full.page.$('.photo')], [['replace $&'], 0, null])
  full.page.confirms = true
  await full.photograph(readingOf({ hand: [card('As')] }))
  equal(full.page.texts('[data-seat="0"] .slot b'), ['As'])
  const down = await begin({ seats: [{ name: 'Ana', down: 'down 3' }, 'Beto'] })
  down.page.confirms = false
  await down.camera.photograph(down.seat, await pictureOf(), down.input)
  equal([down.page.asked, down.page.$('.photo')], [['over Ana'], null])
  const part = await begin({ seats: [{ name: 'Ana', hand: 'as ks' }, 'Beto'] })
  await part.photograph(readingOf({ hand: [card('As')] }))
  equal(part.page.asked, [])
})

test('a picture that this browser cannot show is read without marks', async () => {
  const { page, camera, seat, input, answered, marks } = await begin()
  const done = camera.photograph(seat, new Blob(['x']), input)
  await until(() => page.requests.length)
  await answered(readingOf({ hand: [card('As')] }))
  await done
  equal([page.$('.photo').classList.contains('blind'), marks(), page.texts('[data-seat="0"] .slot b'), page.$('canvas')], [true, [], ['As'], null])
})

test('tapping a mark selects its card, to be replaced with the keys', async () => {
  const { page, photograph, mark, marks, seat } = await begin()
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1, false)] }))
  mark(1).click()
  equal([seat.selected, marks(), mark(1).getAttribute('aria-pressed'), mark(0).getAttribute('aria-pressed'), page.$('.photo').classList.contains('picking')], [1, ['read', 'read'], 'true', 'false', true])
  mark(0).click()
  equal(seat.selected, 0)
  mark(1).click()
  equal(seat.selected, 1)
  await page.tap('[data-piece=Qs]')
  equal([seat.proposed.held, marks(), mark(1).textContent, page.$('.photo').classList.contains('picking')], [['As', 'Qs'], ['read', 'read'], 'Qs', false])
})

test('a spare card is added with its mark, or takes the place of the selected one', async () => {
  const { photograph, mark, marks, seat } = await begin()
  await photograph(readingOf({ hand: [card('As')], more: [card('Qs', 2)] }))
  mark(1).click()
  equal([seat.proposed.held, marks(), mark(1).getAttribute('aria-label')], [['As', 'Qs'], ['read', 'more'], 'the Qs'])
})

test('a card that is none of the keys has a mark without a face', async () => {
  const { photograph, mark } = await begin()
  await photograph(readingOf({ hand: [card('2c')] }))
  equal([mark(0).textContent, mark(0).getAttribute('aria-label')], ['', '2c'])
})

test('a card that could not be read is added with the keys', async () => {
  const { page, photograph, mark, seat } = await begin()
  await photograph(readingOf({ hand: [card('As')], doubtful: [[60, 10, 20, 40]] }))
  const isPicking = () => page.$('.photo').classList.contains('picking')
  equal(isPicking(), false)
  mark(1).click()
  equal([isPicking(), page.texts('[data-told]')], [true, ['unread']])
  await page.tap('[data-piece=Ks]')
  await page.tap('[data-piece=Qs]')
  equal([seat.proposed.held, isPicking()], [['As', 'Ks', 'Qs'], false])
})

test('an empty slot asks for a card, and the picture stops asking', async () => {
  const { page, photograph } = await begin()
  await photograph(readingOf({ hand: [card('As')] }))
  const isPicking = () => page.$('.photo').classList.contains('picking')
  await page.tap('.slot.empty')
  equal(isPicking(), true)
  await page.tap('.view')
  equal(isPicking(), false)
  await page.tap('.slot')
  equal(isPicking(), true)
  await page.tap('.photo canvas')
  equal(isPicking(), false)
})

test('a card that was taken out is unsure again, and its mark adds one', async () => {
  const { page, photograph, mark, marks, seat } = await begin()
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1)] }))
  await page.tap('[data-piece=Ks]')
  equal([seat.proposed.held, marks()], [['As'], ['read', 'read unsure spare']])
  mark(1).click()
  equal(page.$('.photo').classList.contains('picking'), true)
})

test('the picture fits its place, and is enlarged around the selected card', async () => {
  const { page, photograph, mark } = await begin()
  page.document.head.insertAdjacentHTML('beforeend', '<style>.view { position: relative; width: 200px; height: 100px } .inner { position: absolute }</style>')
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1)], more: [] }))
  const place = () => ['left', 'top', 'width', 'height'].map((side) => page.$('.inner').style[side])
  equal(place(), ['0px', '0px', '200px', '100px'])
  mark(1).click()
  // the card is 20 x 40 at 20, 10; half of the place is 50 high
  equal(place(), ['62.5px', '12.5px', '500px', '250px'])
  await page.tap('.view')
  equal(place(), ['0px', '0px', '200px', '100px'])
  page.$('.view').style.width = '100px'
  page.$('.photo').style.width = '150px'
  await until(() => place()[2] === '100px')
  equal(place(), ['0px', '25px', '100px', '50px'])
})

test('a small card is enlarged twice at most, a large one not at all', async () => {
  const { page, photograph, mark } = await begin()
  page.document.head.insertAdjacentHTML('beforeend', '<style>.view { position: relative; width: 200px; height: 100px }</style>')
  await photograph(readingOf({ hand: [{ ...card('As'), box: [0, 0, 10, 10] }, { ...card('Ks'), box: [0, 0, 400, 200] }] }))
  mark(0).click()
  equal(page.$('.inner').style.width, '800px')
  mark(1).click()
  equal(page.$('.inner').style.width, '200px')
})

test('while spare cards could take its place, the picture stays whole', async () => {
  const { page, photograph, mark } = await begin()
  page.document.head.insertAdjacentHTML('beforeend', '<style>.view { position: relative; width: 200px; height: 100px }</style>')
  await photograph(readingOf({ hand: [card('As')], more: [card('Qs', 2)], doubtful: [[60, 10, 20, 40]] }))
  mark(0).click()
  equal(page.$('.inner').style.width, '200px')
  mark(0).click()
  await page.tap('.view')
  mark(1).click()
  mark(2).click()
  equal(page.$('.inner').style.width, '500px')
})

test('the keyboard of a computer draws the marks as well', async () => {
  const { page, photograph, marks } = await begin()
  await photograph(readingOf({ hand: [card('As'), card('Ks', 1)] }))
  page.fire(page.document.body, 'keydown', { key: 'Backspace' })
  equal(marks(), ['read', 'read unsure spare'])
})

test('a hand that is used by itself closes its picture, except while one is read', async () => {
  const { page, hands, seat, photograph, camera, input, sent } = await begin()
  await photograph(readingOf({ hand: [card('As')] }))
  hands.activate(hands.seats[1])
  equal([seat.line.value, page.$('.photo')], ['As', null])
  hands.activate(seat)
  const done = camera.photograph(seat, await pictureOf(), input)
  const request = await sent()
  hands.seats[1].proposed = { held: ['Ks'], unsure: new Set() }
  hands.acceptProposal(hands.seats[1])
  equal(Boolean(page.$('.photo')), true)
  await request.answer(readingOf({ hand: [card('As')] }))
  await done
})

test('reviewing a hand of another picture goes on to the next', async () => {
  const { page, hands, camera, seat, input, tapButton, told } = await begin()
  let reviewed = 0
  hands.activate(hands.seats[1])
  seat.proposed = { held: ['As'], unsure: new Set(['As']), others: new Map() }
  const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 200 })
  camera.review(seat, input, canvas, readingOf({ hand: [card('As', 0, false)], told: 'hand 1' }), () => reviewed++)
  equal([told(), page.$('.seat.active').id, page.texts('.slot b')], ['hand 1', 'seat-0', ['As']])
  tapButton('use')
  equal([reviewed, seat.line.value, page.$('.photo')], [1, 'As', null])
  hands.draw()
  await settle()
})

test('clicks and keys without a picture do nothing', async () => {
  const { page } = await begin()
  await page.tap('.slot.empty')
  page.fire(page.document.body, 'keydown', { key: 'x' })
  equal(page.$('.photo'), null)
})
