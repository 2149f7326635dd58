// Draws a hand as a row of slots, one for each card.

import { camera, words } from './form.js'
import { faces, nameOf } from './keyboard.js'
import { isOut, piecesOf, sizeOf } from './seats.js'

function makeSlot(seat, piece, at, isNext) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = piece ? 'slot' : 'slot empty'
  if (piece && faces.has(piece)) {
    button.innerHTML = faces.get(piece)
  } else {
    button.textContent = piece ?? ''
    button.classList.toggle('strange', Boolean(piece))
    if (!piece) button.setAttribute('aria-label', words.empty.replace('{n}', at + 1))
  }
  button.classList.toggle('next', isNext)
  button.classList.toggle('selected', at === seat.selected)
  if (seat.proposed?.unsure.has(piece)) {
    button.classList.add('unsure')
    button.setAttribute('aria-label', camera.unsure.replace('{piece}', () => nameOf(piece)))
  }
  if (piece) button.setAttribute('aria-pressed', String(at === seat.selected))
  return button
}

export function drawSlots(seat, isActive) {
  const held = piecesOf(seat)
  seat.slots.hidden = isOut(seat) && !held.length
  seat.root.classList.toggle('active', isActive)
  seat.erase.hidden = !held.length
  if (seat.mover) seat.mover.hidden = !held.length
  // replace only the slots that changed: it is faster, and a screen reader stays at a slot that has the focus
  const isOpen = isActive && seat.selected === null && held.length < sizeOf(seat)
  const isNext = (at) => isOpen && at === seat.cursor
  const states = Array.from({ length: Math.max(sizeOf(seat), held.length) }, (_, at) =>
    [held[at], isNext(at), at === seat.selected, seat.proposed?.unsure.has(held[at])].join())
  const before = [...seat.slots.children]
  const focused = before.indexOf(document.activeElement)
  states.forEach((state, at) => {
    if (before[at] && seat.drawn[at] === state) return
    const slot = makeSlot(seat, held[at], at, isNext(at))
    if (before[at]) before[at].replaceWith(slot)
    else seat.slots.append(slot)
  })
  for (const surplus of before.slice(states.length)) surplus.remove()
  seat.drawn = states
  if (focused >= 0) seat.slots.children[Math.min(focused, states.length - 1)].focus({ preventScroll: true })
}
