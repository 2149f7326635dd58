// What the viewfinder is held over: a player's hand, or all hands of the table. Each says how a frame of it is read, what is
// drawn and said of that, and when a frame shows all of it: frames agree if they have the same key.

import { camera, sizeOf } from '../hands.js'
import { glance } from './photo.js'

const SIDE_OF_HAND = 832 // pixels of a frame: what the server reads it at
const SIDE_OF_TABLE = 1280
const SHOT_OF_HAND = 1280
const SHOT_OF_TABLE = 1920 // twenty cards in one picture need more pixels than five

const keyOf = (cards) => cards.map(({ piece }) => piece).sort().join()

// `before`: what the picture before showed.
export function handOf(seat, before) {
  const words = camera.live
  const size = sizeOf(seat)
  return {
    words,
    size,
    title: words.title,
    whose: words.whose.replace('{player}', () => seat.name.value),
    frameSide: SIDE_OF_HAND,
    shotSide: SHOT_OF_HAND,
    glance: (canvas) => glance(seat.number, canvas, { before }),
    cardsOf: ({ hand }) => hand,
    keyOf: ({ hand, more }) => hand.length === size && !more.length ? keyOf(hand) : '',
    textOf: ({ hand, more }) => more.length ? words.many : hand.length === size ? words.all : words.some,
  }
}

export function tableOf(seats) {
  const words = { ...camera.live, look: camera.reading }
  const sizes = seats.map(sizeOf).sort().join()
  const size = seats.reduce((sum, seat) => sum + sizeOf(seat), 0)
  const cardsOf = ({ hands }) => hands?.flatMap(({ seen }) => seen)
  const isWhole = ({ hands }) => hands.map(({ seen }) => seen.length).sort().join() === sizes
  function textOf(reading) {
    const count = cardsOf(reading).length
    if (isWhole(reading)) return words.all
    return count < size ? words.some : reading.hint
  }
  return {
    words,
    size,
    title: camera.table.label,
    whose: new Intl.ListFormat(document.documentElement.lang).format(seats.map(({ name }) => name.value)),
    frameSide: SIDE_OF_TABLE,
    shotSide: SHOT_OF_TABLE,
    glance: (canvas) => glance('table', canvas, { seats }),
    cardsOf,
    keyOf: (reading) => isWhole(reading) ? reading.hands.map(({ seen }) => keyOf(seen)).sort().join(';') : '',
    textOf,
  }
}
