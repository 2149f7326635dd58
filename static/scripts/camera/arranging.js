// The hands in a picture of the table, put right by hand: a tap moves a card to the nearest other hand, a line drawn
// with the finger parts two hands that were taken for one.

import { nameOf } from '../hands.js'
import { layOver, makeElement } from './elements.js'

const DRAG = 12 // pixels of the screen; less is a tap
const FORGIVEN = 0.15 // of the longer side of the picture: how much too short a line may be at each end
const AROUND = 1.5 // how far a card reaches beyond its corner, in heights of the corner that was read

const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2]
const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1])
const distance = (card, cards) => Math.min(...cards.map((other) => apart(middle(card.box), middle(other.box))))
// A point on the line is on its left, so that a line through a corner of another is crossed once.
const isLeft = ([ax, ay], [bx, by], [x, y]) => (bx - ax) * (y - ay) >= (by - ay) * (x - ax)
const crosses = (a, b, c, d) => isLeft(a, b, c) !== isLeft(a, b, d) && isLeft(c, d, a) !== isLeft(c, d, b)

// Returns a line that is longer at both ends.
export function lengthen(line, by) {
  const beyond = (end, before) => {
    const length = apart(end, before) || 1
    return end.map((at, k) => at + ((at - before[k]) / length) * by)
  }
  return [beyond(line[0], line[1]), ...line, beyond(line.at(-1), line.at(-2))]
}

// Splits cards into those that can be joined without crossing the line, the most first.
export function part(cards, line) {
  const isCut = (one, other) => line.some((point, at) => at > 0 && crosses(middle(one.box), middle(other.box), line[at - 1], point))
  const parts = []
  for (const card of cards) {
    const joined = parts.filter((each) => each.some((other) => !isCut(card, other)))
    for (const each of joined) parts.splice(parts.indexOf(each), 1)
    parts.push([...joined.flat(), card])
  }
  return parts.sort((one, other) => other.length - one.length)
}

// Returns the box around the cards, within the picture.
export function boxAround(cards, canvas) {
  const margin = AROUND * Math.max(...cards.map(({ box }) => box[3]))
  const left = Math.max(0, Math.min(...cards.map(({ box }) => box[0])) - margin)
  const top = Math.max(0, Math.min(...cards.map(({ box }) => box[1])) - margin)
  const right = Math.min(canvas.width, Math.max(...cards.map(({ box }) => box[0] + box[2])) + margin)
  const bottom = Math.min(canvas.height, Math.max(...cards.map(({ box }) => box[1] + box[3])) + margin)
  return [left, top, right - left, bottom - top]
}

// Shows the hands over the picture in `plan`. `changed` is called with the hands whenever they were put right, and
// `refused` if a line parts nothing. Returns what takes the last change back.
export function arrange(plan, canvas, found, { words, most, changed, refused }) {
  let hands = found
  const undone = []
  const tried = new Map() // a card that is tapped again goes on to a hand where it was not yet

  function change(next) {
    undone.push(hands)
    hands = next.filter(({ seen }) => seen.length).map((hand, at) => ({ ...hand, number: at + 1 }))
    show()
    changed(hands, true)
  }

  const remade = (hand, seen, doubtful = hand.doubtful) => ({ ...hand, seen, doubtful, box: seen.length ? boxAround(seen, canvas) : hand.box })

  function move(card) {
    const from = hands.findIndex(({ seen }) => seen.includes(card))
    const been = tried.get(card) ?? new Set()
    tried.set(card, been.add(from))
    const others = hands.map((_, at) => at).filter((at) => at !== from)
    if (hands.length < most && hands[from].seen.length > 1) others.push(hands.length)
    const open = others.filter((at) => !been.has(at))
    if (!open.length) been.clear()
    const far = (at) => (hands[at] ? distance(card, hands[at].seen) : Infinity)
    const to = (open.length ? open : others).sort((one, other) => far(one) - far(other))[0]
    if (to === undefined) return
    const blank = { doubtful: [], seen: [], box: card.box }
    change([...hands, ...(hands[to] ? [] : [blank])].map((hand, at) => {
      if (at === from) return remade(hand, hand.seen.filter((other) => other !== card))
      return at === to ? remade(hand, [...hand.seen, card]) : hand
    }))
    plan.querySelector(`[data-card="${card.piece}"]`)?.focus()
  }

  function cut(line) {
    const longer = lengthen(line, FORGIVEN * Math.max(canvas.width, canvas.height))
    const next = hands.flatMap((hand) => {
      const parts = part(hand.seen, longer)
      if (parts.length < 2) return [hand]
      const nearest = (box) => parts.indexOf([...parts].sort((one, other) => distance({ box }, one) - distance({ box }, other))[0])
      return parts.map((cards, at) => remade(hand, cards, hand.doubtful.filter((box) => nearest(box) === at)))
    })
    tried.clear()
    if (next.length > hands.length) change(next)
    else refused()
  }

  function show() {
    for (const old of plan.querySelectorAll('.outline, .place')) old.remove()
    for (const { number, box, seen } of hands) {
      const outline = makeElement('div', 'outline')
      layOver(outline, canvas, box)
      const places = seen.map((card) => {
        const place = makeElement('button', 'place', { type: 'button', textContent: number, onclick: () => move(card) })
        place.dataset.card = card.piece
        place.setAttribute('aria-label', words.place.replace('{piece}', () => nameOf(card.piece)).replace('{number}', number))
        layOver(place, canvas, card.box)
        return place
      })
      plan.append(outline, ...places)
    }
  }

  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'polyline')
  drawn.setAttribute('viewBox', `0 0 ${canvas.width} ${canvas.height}`)
  drawn.setAttribute('class', 'drawn')
  drawn.append(stroke)
  plan.append(drawn)
  let line = null
  let hasMoved = false
  const at = ({ clientX, clientY }) => {
    const { left, top, width } = canvas.getBoundingClientRect()
    return [((clientX - left) / width) * canvas.width, ((clientY - top) / width) * canvas.width]
  }
  const stop = () => {
    line = null
    stroke.removeAttribute('points')
  }
  plan.addEventListener('pointerdown', (event) => {
    line = event.isPrimary ? [at(event)] : null
    hasMoved = false
  })
  plan.addEventListener('pointermove', (event) => {
    if (!line || !event.isPrimary) return
    const scale = canvas.width / (canvas.getBoundingClientRect().width || 1)
    if (apart(at(event), line.at(-1)) < DRAG * scale) return
    if (!hasMoved) plan.setPointerCapture?.(event.pointerId)
    hasMoved = true
    line.push(at(event))
    stroke.setAttribute('points', line.map((point) => point.join()).join(' '))
  })
  plan.addEventListener('pointerup', () => {
    const whole = line
    stop()
    if (whole?.length > 1) cut(whole)
  })
  plan.addEventListener('pointercancel', stop)
  // the tap that ends a line moves no card
  plan.addEventListener('click', (event) => { if (hasMoved && event.detail) event.stopPropagation() }, true)
  show()
  return () => {
    hands = undone.pop()
    tried.clear()
    show()
    changed(hands, undone.length > 0)
  }
}
