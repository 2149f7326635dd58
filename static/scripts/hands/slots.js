// Draws a hand as a row of slots, one for each card.

import { camera, words } from './form.js'
import { faces, nameOf } from './keyboard.js'
import { isOut, piecesOf, sizeOf } from './seats.js'

function newSlot() {
  const button = document.createElement('button')
  button.type = 'button'
  return button
}

function drawSlot(button, seat, piece, at, isNext) {
  const isDrawn = faces.has(piece)
  const isUnsure = Boolean(seat.proposed?.unsure.has(piece))
  const states = { empty: !piece, strange: piece && !isDrawn, next: isNext, selected: at === seat.selected, unsure: isUnsure }
  button.className = ['slot', ...Object.keys(states).filter((state) => states[state])].join(' ')
  if (isDrawn) button.innerHTML = faces.get(piece)
  else button.textContent = piece ?? ''
  const name = isUnsure ? camera.unsure.replace('{piece}', () => nameOf(piece)) : nameOf(piece)
  button.setAttribute('aria-label', piece ? name : words.empty.replace('{n}', at + 1))
  if (piece) button.setAttribute('aria-pressed', String(at === seat.selected))
  else button.removeAttribute('aria-pressed')
}

export function drawSlots(seat, isActive) {
  const held = piecesOf(seat)
  seat.slots.hidden = isOut(seat) && !held.length
  seat.root.classList.toggle('active', isActive)
  seat.erase.hidden = !held.length
  if (seat.mover) seat.mover.hidden = !held.length
  const others = seat.root.querySelector('.foot > .chips')
  if (others) others.hidden = held.length > 0
  // draw only the slots that changed, in the buttons that are there: it is faster, and the focus stays
  const isOpen = isActive && seat.selected === null && held.length < sizeOf(seat)
  const isNext = (at) => isOpen && at === seat.cursor
  const states = Array.from({ length: Math.max(sizeOf(seat), held.length) }, (_, at) =>
    [held[at], isNext(at), at === seat.selected, seat.proposed?.unsure.has(held[at])].join())
  if (!seat.drawn.length) seat.slots.replaceChildren() // those that the server drew are no buttons
  const before = [...seat.slots.children]
  states.forEach((state, at) => {
    if (before[at] && seat.drawn[at] === state) return
    const slot = before[at] ?? seat.slots.appendChild(newSlot())
    drawSlot(slot, seat, held[at], at, isNext(at))
  })
  const surplus = before.slice(states.length)
  if (surplus.includes(document.activeElement)) before[states.length - 1].focus({ preventScroll: true })
  for (const slot of surplus) slot.remove()
  seat.slots.classList.toggle('many', states.length > 5)
  seat.slots.classList.toggle('most', states.length > 7)
  seat.drawn = states
}
