import { card, lendCamera, LIVE, openCamera, readingOf } from '../camera_page.js'
import { equal, settle, test, until } from '../harness.js'

// Opens the page, whose camera button opens the viewfinder.
const begin = async (given) => {
  const { page } = await openCamera({ camera: LIVE, ...given })
  const lent = lendCamera(page)
  const hands = await page.load('hands.js')
  hands.begin()
  const { find, photograph } = await page.load('camera.js')
  const [seat] = hands.seats
  const input = page.$('[data-photo]')
  // Has frames answered until one shows a hand three times.
  const reads = async (reading) => {
    await find(seat, input)
    await until(() => page.texts('.finder .told')[0] === 'look')
    const sent = []
    while (page.$('.finder')) {
      await page.tick(150)
      await new Promise((done) => setTimeout(done, 5))
      for (const request of page.requests.splice(0)) {
        sent.push(Object.fromEntries(request.body).before)
        await request.answer(reading)
      }
    }
    await settle()
    return sent
  }
  return { page, lent, hands, seat, input, find, photograph, reads }
}

const whole = readingOf({ hand: [card('As'), card('Ks', 1), card('Qs', 2)] })

test('what three frames show is checked like a photo', async () => {
  const { page, seat, reads } = await begin()
  equal(await reads(whole), ['', '', ''])
  equal([page.texts('.slot b').slice(0, 3), page.texts('.look .told'), page.$$('.mark').length, seat.line.value], [['As', 'Ks', 'Qs'], ['told'], 3, ''])
  page.$('.look .primary').click()
  equal([seat.line.value, page.$('.seat.active').id], ['As Ks Qs', 'seat-1'])
})

test('a full hand is replaced only if that is confirmed', async () => {
  const { page, seat, reads } = await begin({ seats: [{ name: 'Ana', hand: 'Ah Kh Qh' }, 'Beto'] })
  page.confirms = false
  await reads(whole)
  equal([page.asked, seat.line.value, page.$('.photo')], [['replace Ana'], 'Ah Kh Qh', null])
  page.confirms = true
  await reads(whole)
  equal(page.texts('.slot b').slice(0, 3), ['As', 'Ks', 'Qs'])
})

test('after an unsure hand, frames are read together with it', async () => {
  const { page, seat, reads } = await begin()
  await reads(readingOf({ hand: [card('As'), card('Ks', 1), card('Qs', 2, false)] }))
  equal(await reads(whole), Array(3).fill('As 1, Ks 1, Qs 0.7'))
  equal([page.asked, page.$$('.photo').length, seat.proposed.unsure.size], [[], 1, 0])
})

test('a picture that is taken by hand is read as a photo', async () => {
  const { page, seat, input, find } = await begin()
  await find(seat, input)
  await until(() => page.texts('.finder .told')[0] === 'look')
  page.$('.finder .primary').click()
  await until(() => page.requests.length)
  const request = page.next()
  equal([Object.fromEntries(request.body).do, 'frame' in Object.fromEntries(request.body)], ['photo-0', false])
  await request.answer(whole)
  await settle()
  equal([page.$('.photo canvas').width, page.texts('.slot b').slice(0, 3)], [page.$('.photo canvas').width, ['As', 'Ks', 'Qs']])
})

test('a photo is chosen instead', async () => {
  const { page, seat, input, find, lent } = await begin()
  let stills = 0
  input.addEventListener('click', () => { stills += input.dataset.still === 'yes' ? 1 : 0 })
  await find(seat, input)
  await until(() => page.texts('.finder .told')[0] === 'look')
  page.$$('.finder .button')[1].click()
  equal([stills, lent.states()], [1, ['ended']])
})
