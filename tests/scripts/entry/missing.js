import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const FULL = 'as ks qs'

const begin = async (given) => {
  const page = await openEntry(given)
  const hands = await page.load('hands.js')
  hands.begin()
  ;(await page.load('entry/missing.js')).beginMissing()
  return { page, hands, lead: () => page.tap('[data-missing]'), at: () => page.$('.seat.active')?.id, marked: () => page.$$('.chips[data-current]').map((chips) => chips.closest('.seat').id) }
}

test('what is missing leads to the next hand that is not full', async () => {
  const { lead, at } = await begin({ seats: [{ name: 'Ana', hand: FULL }, { name: 'Beto', attributes: 'data-out' }, 'Caro'] })
  await lead()
  equal(at(), 'seat-2')
})

test('if all hands are full, it leads to the answers of the open one', async () => {
  const { page, lead, marked } = await begin({ seats: [{ name: 'Ana', hand: FULL }, { name: 'Beto', hand: 'js ts ah' }] })
  await lead()
  equal(marked(), ['seat-0'])
  await page.tap('[name=asked-knocker]')
  equal(marked(), [])
  await lead()
  equal(marked(), [])
})

test('an answer given for another player counts', async () => {
  const { page, lead, marked } = await begin({ seats: [{ name: 'Ana', hand: FULL }, { name: 'Beto', hand: 'js ts ah' }] })
  page.$('[name=asked-knocker][value="1"]').checked = true
  await lead()
  equal(marked(), [])
})

test('where results are entered, or no hand is open, it leads nowhere', async () => {
  const { page, hands, lead, at, marked } = await begin({ seats: ['Ana', { name: 'Beto', hand: FULL }] })
  hands.activate(hands.seats[1])
  page.$('[name=way]').value = 'won_by'
  await lead()
  equal([at(), marked()], ['seat-1', []])
  page.$('[name=way]').value = ''
  page.enter('players-0-hand', 'js ts ah')
  hands.activate(null)
  await lead()
  equal(marked(), [])
})

test('a page that says nothing is missing is left alone', async () => {
  const page = await openEntry()
  page.$('[data-missing]').remove()
  page.$('[name=way]').remove()
  ;(await page.load('entry/missing.js')).beginMissing()
})

test('a form without results to enter leads to its hands', async () => {
  const page = await openEntry({ seats: [{ name: 'Ana', hand: FULL }, 'Beto'] })
  page.$('[name=way]').remove()
  ;(await page.load('entry/missing.js')).beginMissing()
  await page.tap('[data-missing]')
  equal(page.$('.seat.active').id, 'seat-1')
})
