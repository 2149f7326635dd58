import { card, lendCamera, LIVE, openCamera, pictureOf } from './camera_page.js'
import { equal, test, until } from './harness.js'

const hand = (number, pieces, { sure = true, doubtful = [], box = [40, 20, 100, 60] } = {}) => ({
  number, box, doubtful, seen: pieces.map((piece, at) => ({ ...card(piece, at, sure), box: [40 + at * 20, 20, 20, 40] })),
})

const begin = async (given) => {
  const opened = await openCamera(given)
  const { page } = opened
  const hands = await page.load('hands.js')
  hands.begin()
  const { find, photograph } = await page.load('table_camera.js')
  page.document.body.insertAdjacentHTML('beforeend', '<input type="file" id="table">')
  let again = 0
  page.$('#table').addEventListener('click', () => again++)
  const shoot = async (reading, picture) => {
    const done = photograph(picture ?? await pictureOf(), page.$('#table'))
    await opened.answered({ told: 'whose?', given: {}, ...reading })
    await done
  }
  const choose = (...numbers) => page.$$('select').forEach((select, at) => { select.value = numbers[at] ?? '' })
  const button = (text) => page.$$('dialog .button').find(({ textContent }) => textContent === text)
  return {
    ...opened, hands, find, photograph, shoot, choose, button, again: () => again,
    told: () => page.$('dialog .told')?.textContent, lines: () => page.$$('[data-hand]').map(({ value }) => value), use: () => button('use these').click(),
  }
}

test('one picture is read for all hands that are still open', async () => {
  const seats = ['Ana', { name: 'Beto', down: 'down 3' }, { name: 'Caro', attributes: 'data-out' }, 'Dani']
  const { page, photograph, told, sent, buttons } = await begin({ seats })
  const done = photograph(await pictureOf(), page.$('#table'))
  equal(page.$('dialog'), null) // not before its style sheet is there
  await until(() => told())
  equal([told(), buttons('dialog'), page.$('dialog').open, page.$('dialog').ariaLabel], ['reading', ['drop', 'again'], true, 'all hands'])
  equal(page.$$('dialog .button').map(({ className }) => className), ['button small', 'button small', 'button small', 'button primary'])
  equal([...page.$('dialog').children].map(({ className }) => className), ['plan', 'told', 'choices', 'acts'])
  equal(page.$$('dialog [role]').map((part) => [part.getAttribute('role'), part.ariaLabel]), [['status', null], ['group', 'whose']])
  const request = await sent()
  equal([Object.fromEntries(request.body).do, request.body.filter(([name]) => name === 'hands')], ['photo-table', [['hands', '0'], ['hands', '3']]])
  await request.answer({ told: 'whose?', given: { 3: 1 }, hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Js'])] })
  await done
  equal([told(), buttons('dialog'), page.texts('.place'), page.$$('.outline').length, page.texts('.whose span'), page.$$('select').map(({ value }) => value)], ['whose? arrange', ['drop', 'again', 'use these'], ['1', '1', '1', '2'], 2, ['Ana', 'Dani'], ['', '1']])
  equal(page.$('select').className, '')
  equal([[...page.$('select').options].map(({ textContent, value }) => [textContent, value]), page.document.activeElement.textContent], [[['none', ''], ['hand 1', '1'], ['hand 2', '2']], 'use these'])
  equal(['left', 'top', 'width', 'height'].map((side) => page.$('.outline').style[side]), ['10%', '10%', '25%', '30%'])
})

test('a large picture keeps more pixels than one of a hand', async () => {
  const { page, shoot } = await begin()
  await shoot({ hands: [] }, await pictureOf(2880, 1440))
  equal([page.$('dialog canvas').width, page.$('dialog canvas').height], [1920, 960])
})

test('complete and certain hands are filled in at once', async () => {
  const { page, shoot, choose, use, lines } = await begin()
  await shoot({ hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Js', 'Ts', 'Ah'])] })
  choose('2', '', '1')
  use()
  equal([lines(), page.$('dialog[open]'), page.texts('[data-told]'), page.$('.seat.active').id], [['Js Ts Ah', '', 'As Ks Qs'], null, ['filled'], 'seat-1'])
})

test('each of the others is checked first, with its part of the picture', async () => {
  const { page, shoot, choose, use, lines } = await begin()
  await shoot({ hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Js', 'Ts'], { doubtful: [[80, 20, 20, 40], [100, 20, 20, 40]] }), hand(3, ['Ah', 'Kh', 'Qh', 'Jh'], { sure: false })] })
  choose('1', '2', '3')
  use()
  const checked = () => [page.$('.seat.active').id, page.$('.photo + * .slot, .slots .slot') && page.$$('.photo').length, page.$('.look .told').textContent]
  equal([lines(), checked()], [['As Ks Qs', '', ''], ['seat-1', 1, 'hand 2']])
  // 100 x 60 at 40, 20 with a margin of 4 % of the longer side
  const part = page.$('.photo canvas')
  equal([part.width, part.height, part.className, part.getContext('2d').getImageData(131, 91, 1, 1).data[3]], [132, 92, '', 255])
  // one card is missing, so that one of two doubtful places is marked; boxes move with the part
  equal(page.$$('.mark').map(({ className, style }) => [className.split(' ')[1], parseFloat(style.left) * 1.32, parseFloat(style.top) * 0.92].map((part) => part.toFixed?.(1) ?? part)),
    [['read', '40.0', '20.0'], ['read', '60.0', '20.0'], ['unread', '80.0', '20.0']].map(([kind, left, top]) => [kind, (left - 24).toFixed(1), (top - 4).toFixed(1)]))
  page.$$('.look .button').at(-1).click()
  equal([lines(), checked()], [['As Ks Qs', 'Js Ts', ''], ['seat-2', 1, 'hand 3']])
  equal(page.$$('.mark').map((mark) => mark.className.split(' ')[1]), ['read', 'read', 'read', 'more'])
  page.$$('.look .button').at(-1).click()
  equal([lines(), page.$('.photo'), page.$('.seat.active').id], [['As Ks Qs', 'Js Ts', 'Ah Kh Qh'], null, 'seat-1'])
})

test('an unsure hand is checked even if its player was the active one', async () => {
  const { page, hands, shoot, choose, use, lines } = await begin()
  await shoot({ hands: [hand(1, ['As']), hand(2, ['Ks'])] })
  choose('1', '', '2')
  hands.activate(hands.seats[2])
  use()
  equal([lines(), page.$('.seat.active').id], [['', '', ''], 'seat-0'])
})

test('a hand at the edge of the picture is cut there', async () => {
  const { page, shoot, choose, use } = await begin()
  await shoot({ hands: [hand(1, ['As'], { box: [4, 4, 390, 190] })] })
  choose('1')
  use()
  equal([page.$('.photo canvas').width, page.$('.photo canvas').height], [400, 200])
})

test('a hand given to nobody or to several is told', async () => {
  const { page, shoot, choose, use, told, lines } = await begin({ seats: ['Ana', '$&', 'Caro'] })
  await shoot({ hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Js', 'Ts', 'Ah'])] })
  choose()
  use()
  equal(told(), 'choose')
  choose('2', '2', '1')
  use()
  equal([told(), page.$('dialog').open, lines()], ['2 twice: Ana and $&', true, ['', '', '']])
})

test('a hand that is full is replaced only if that is confirmed', async () => {
  const { page, shoot, choose, use, lines } = await begin({ seats: [{ name: '$&', hand: 'js ts ah' }, { name: 'Beto', hand: 'kh' }, { name: 'Caro', hand: 'qh jh th' }] })
  await shoot({ hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Kh', 'Jh', 'Th'])] })
  choose('1', '2', '')
  page.confirms = false
  use()
  equal([page.asked, page.$('dialog').open, lines()[0]], [['replace $&'], true, 'js ts ah'])
  page.confirms = true
  use()
  equal([lines().slice(0, 2), page.$('dialog[open]')], [['As Ks Qs', 'Kh Jh Th'], null])
})

test('where no hand is left to read, nothing is sent', async () => {
  const { page, photograph, told } = await begin({ seats: [{ name: 'Ana', attributes: 'data-out' }] })
  await photograph(await pictureOf(), page.$('#table'))
  equal([told(), page.requests.length, page.$('dialog canvas')], ['nobody', 0, null])
})

test('a problem is told with a link to help, and the picture may be taken again', async () => {
  const { page, shoot, told, button, again, buttons } = await begin()
  await shoot({ problem: 'too dark' })
  equal([told(), buttons('dialog'), page.$$('select').length], ['too dark how', ['drop', 'again'], 0])
  button('again').click()
  await until(() => !page.$('dialog'))
  equal(again(), 1)
})

test('a picture that this browser cannot show is no use', async () => {
  const { shoot, told, page } = await begin()
  await shoot({ hands: [hand(1, ['As'])] }, new Blob(['x']))
  equal([told(), page.$$('select').length], ['offline', 0])
})

test('an answer that comes after the dialog was closed is dropped', async () => {
  const { page, photograph, sent, button } = await begin()
  const done = photograph(await pictureOf(), page.$('#table'))
  const request = await sent()
  button('drop').click()
  await request.answer({ problem: 'too dark' })
  await done
  await until(() => !page.$('dialog'))

})

// Two hands side by side: cards every 40 pixels from the left, 20 wide, in a picture of 400 x 200.
const row = (number, pieces, from) => ({
  number, box: [from, 20, 100, 60], doubtful: [], seen: pieces.map((piece, at) => ({ ...card(piece), box: [from + at * 40, 80, 20, 20] })),
})
const numbers = (page) => Object.fromEntries(page.$$('.place').map((place) => [place.dataset.card, place.textContent]))
const chosen = (page) => page.$$('select').map(({ value }) => value)

function draw(page, ...points) {
  const plan = page.$('.plan')
  const { left, top, width } = page.$('.plan canvas').getBoundingClientRect()
  const to = ([x, y], isPrimary = true) => ({ pointerId: 1, isPrimary, clientX: left + x * width / 400, clientY: top + y * width / 400 })
  const fire = (name, point, options) => plan.dispatchEvent(new page.window.PointerEvent(name, { bubbles: true, ...to(point), ...options }))
  fire('pointerdown', points[0])
  for (const point of points.slice(1)) fire('pointermove', point)
  const shown = page.$('.drawn polyline').getAttribute('points')
  fire('pointerup', points.at(-1))
  return shown
}

test('a tapped card moves to the nearest other hand, then to the next, then to a new one', async () => {
  const { page, shoot, told, button, lines, use } = await begin()
  await shoot({ hands: [row(1, ['As', 'Ks', 'Qs'], 20), row(2, ['Js', 'Ts'], 240)], given: { 0: 1, 2: 2 } })
  equal([numbers(page), button('undo').hidden], [{ As: '1', Ks: '1', Qs: '1', Js: '2', Ts: '2' }, true])
  const tap = () => page.$('[data-card=Qs]').click()
  equal([page.$('[data-card=Qs]').getAttribute('aria-label'), page.$('[data-card=Qs]').type], ['the Qs in 1', 'button'])
  tap()
  equal([numbers(page).Qs, told(), page.document.activeElement.dataset.card, button('undo').hidden], ['2', '1: 2, 2: 3', 'Qs', false])
  tap()
  equal([numbers(page).Qs, page.$$('.outline').length, chosen(page)], ['3', 3, ['1', '3', '2']])
  tap()
  equal([numbers(page).Qs, page.$$('.outline').length], ['1', 2])
  button('undo').click()
  button('undo').click()
  equal([numbers(page).Qs, told(), button('undo').hidden], ['2', '1: 2, 2: 3', false])
  button('undo').click()
  equal([numbers(page).Qs, button('undo').hidden], ['1', true])
  tap()
  use()
  page.$$('.look .button').at(-1).click()
  equal(lines(), ['As Ks', '', 'Js Ts Qs'])
})

test('a line parts two hands that were taken for one', async () => {
  const { page, shoot, told, use, lines } = await begin({ seats: ['Ana', 'Beto'] })
  await shoot({ hands: [{ ...row(1, ['As', 'Ks', 'Qs', 'Js', 'Ts', 'Ah'], 20), doubtful: [[240, 80, 20, 20]] }], given: { 0: 1 } })
  equal(draw(page, [130, 30], [130, 31], [135, 90], [130, 130]), '130,30 135,90 130,130')
  equal([numbers(page), told(), chosen(page)], [{ As: '1', Ks: '1', Qs: '1', Js: '2', Ts: '2', Ah: '2' }, '1: 3, 2: 3', ['1', '2']])
  equal(page.$('.drawn polyline').getAttribute('points'), null)
  use()
  equal(lines(), ['As Ks Qs', 'Js Ts Ah'])
})

test('a line that parts nothing is told, and a second finger draws none', async () => {
  const { page, shoot, told, button } = await begin()
  await shoot({ hands: [row(1, ['As', 'Ks', 'Qs'], 20)] })
  draw(page, [20, 150], [200, 150])
  equal([told(), button('undo').hidden, page.$$('.outline').length], ['uncut', true, 1])
  const plan = page.$('.plan')
  const fire = (name, isPrimary) => plan.dispatchEvent(new page.window.PointerEvent(name, { bubbles: true, pointerId: 2, isPrimary, clientX: 1, clientY: 1 }))
  for (const name of ['pointermove', 'pointerdown', 'pointermove', 'pointerup']) fire(name, false)
  fire('pointerdown', true)
  fire('pointercancel', true)
  fire('pointerup', true)
  equal(page.$$('.outline').length, 1)
})

test('the click that ends a line moves no card, a key does', async () => {
  const { page, shoot } = await begin()
  await shoot({ hands: [row(1, ['As', 'Ks', 'Qs'], 20), row(2, ['Js'], 240)] })
  draw(page, [20, 150], [200, 150])
  const click = (detail) => page.$('[data-card=Qs]').dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, detail }))
  click(1)
  equal(numbers(page).Qs, '1')
  click(0)
  equal(numbers(page).Qs, '2')
})

test('the only hand of one card stays, and no more hands are made than there are players', async () => {
  const { page, shoot } = await begin({ seats: ['Ana', 'Beto'] })
  await shoot({ hands: [row(1, ['As'], 20)] })
  page.$('[data-card=As]').click()
  equal(numbers(page), { As: '1' })
  const more = await begin({ seats: ['Ana', 'Beto'] })
  await more.shoot({ hands: [row(1, ['As', 'Ks'], 20), row(2, ['Js', 'Ts'], 240)] })
  for (const hand of ['2', '1', '2']) {
    more.page.$('[data-card=Ks]').click()
    equal(numbers(more.page).Ks, hand)
  }
})

test('what three frames of the table show is offered like a photo', async () => {
  const { page, find, told, choose, use, lines } = await begin({ camera: LIVE, seats: ['Ana', { name: 'Beto', down: 'down 3' }, 'Caro'] })
  const lent = lendCamera(page)
  await find(page.$('#table'))
  await until(() => page.texts('.finder .told')[0] === 'reading')
  const asked = []
  while (page.$('.finder')) {
    await page.tick(150)
    await new Promise((done) => setTimeout(done, 5))
    for (const request of page.requests.splice(0)) {
      asked.push(request.body.filter(([name]) => name === 'hands').map(([, value]) => value).join())
      await request.answer({ told: 'whose?', given: { 0: 1, 2: 2 }, hands: [hand(1, ['As', 'Ks', 'Qs']), hand(2, ['Ah', 'Kh', 'Qh'])] })
    }
  }
  equal([asked, lent.states(), told(), page.$$('.table-photo canvas').length, page.$$('select').map(({ value }) => value)], [['0,2', '0,2', '0,2'], ['ended'], 'whose? arrange', 1, ['1', '2']])
  choose('2', '1')
  use()
  equal(lines()[0], 'Ah Kh Qh')
})

test('the camera does not start if no hand is left to read', async () => {
  const { page, find, told } = await begin({ camera: LIVE, seats: [{ name: 'Ana', down: 'down 3' }] })
  const lent = lendCamera(page)
  await find(page.$('#table'))
  equal([told(), lent.asked, page.$('.finder')], ['nobody', 0, null])
})

test('a picture of the table that is taken by hand is read as a photo', async () => {
  const { page, find, sent, told } = await begin({ camera: LIVE })
  lendCamera(page)
  await find(page.$('#table'))
  await until(() => page.texts('.finder .told')[0] === 'reading')
  page.$('.finder .primary').click()
  const request = await sent()
  const body = Object.fromEntries(request.body)
  equal([body.do, body.frame, told()], ['photo-table', undefined, 'reading'])
})
