import { openCamera } from '../camera_page.js'
import { equal, test } from '../harness.js'

const begin = async () => (await openCamera()).page.load('camera/arranging.js')
const card = (x, y, height = 10) => ({ box: [x - 5, y - 5, 10, height] })

test('cards that a line keeps apart are in different parts, the most first', async () => {
  const { part } = await begin()
  const [a, b, c, d] = [card(0, 0), card(20, 0), card(40, 0), card(60, 0)]
  const wall = [[10, -50], [10, 50]]
  equal(part([a, b, c, d], wall), [[b, c, d], [a]])
  equal(part([a, b, c], [[10, -50], [10, -5]]), [[a, b, c]])
  // two cards that a third one joins round the end of the line
  equal(part([a, b, card(10, 100)], [[10, -50], [10, 50]]).length, 1)
  equal(part([a, c, b], [[10, -50], [10, 50], [30, 50], [30, -50]]).map(({ length }) => length), [1, 1, 1])
})

test('a line is lengthened at both ends, in their directions', async () => {
  const { lengthen } = await begin()
  equal(lengthen([[0, 0], [10, 0], [10, 5]], 20), [[-20, 0], [0, 0], [10, 0], [10, 5], [10, 25]])
  equal(lengthen([[0, 0], [0, 0]], 20), [[0, 0], [0, 0], [0, 0], [0, 0]])
})

test('the box of a hand reaches beyond the corners that were read, within the picture', async () => {
  const { boxAround } = await begin()
  equal(boxAround([card(50, 40), card(70, 60, 20)], { width: 400, height: 200 }), [15, 5, 90, 100])
  equal(boxAround([card(10, 10)], { width: 20, height: 20 }), [0, 0, 20, 20])
})
