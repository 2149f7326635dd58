// The active seat, whose hand the keys fill; moves on to the next player, and draws what changed.

import { entersCards, form } from './form.js'
import { drawKeys, keyboard } from './keyboard.js'
import { acceptProposal, isFull, isOut, openSeats, seats, tokensOf } from './seats.js'
import { drawSlots } from './slots.js'
import { drawTab } from './tabs.js'

export let active = null
const stale = new Set() // seats that the next `draw` draws as well

// Makes a seat the active one without drawing it.
export function setActive(seat) {
  if (active) active.selected = null
  if (active?.proposed && active !== seat) acceptProposal(active)
  if (active) stale.add(active)
  if (seat) stale.add(seat)
  if (seat && seat !== active) seat.cursor = tokensOf(seat).length
  active = seat
}

export function activate(seat) {
  setActive(seat)
  if (seat) seat.cursor = tokensOf(seat).length
  const isTyping = form.classList.contains('typing')
  const hadFocus = keyboard.contains(document.activeElement)
  keyboard.hidden = !seat || isTyping || !entersCards()
  if (hadFocus && keyboard.hidden) document.querySelector('[data-type]')?.focus({ preventScroll: true })
  document.body.classList.toggle('playing', !isTyping && (Boolean(seat) || document.body.classList.contains('betting')))
  draw()
  scrollToActive()
}

// Scrolls in the frame that draws the seat: before it, the browser would have to lay out the page twice.
export function scrollToActive() {
  requestAnimationFrame(() => {
    active?.tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (active && form.classList.contains('typing')) active.root.scrollIntoView({ block: 'nearest' })
  })
}

// Returns the next player who is in the round and has cards missing; if there is none, the same seat.
export function nextSeat(seat) {
  const at = openSeats.indexOf(seat)
  const next = [...openSeats.slice(at + 1), ...openSeats.slice(0, at)].find((other) => !isOut(other) && !isFull(other))
  return next ?? (isOut(seat) ? openSeats.find((other) => !isOut(other)) ?? seat : seat)
}

export const advance = (seat) => activate(nextSeat(seat))

// Activates the first incomplete hand, else the first hand; on a settled page none, because it shows the answer.
export function activateFirst() {
  const isSettled = document.getElementById('won') !== null
  const isIn = (seat) => !isOut(seat)
  const first = openSeats.find((seat) => isIn(seat) && !isFull(seat)) ?? openSeats.find(isIn) ?? openSeats[0]
  activate(isSettled ? null : first ?? null)
}

// Draws the given seats, stale ones, and the keys.
export function draw(changed = seats) {
  for (const seat of changed) stale.add(seat)
  // a player who is out needs no keys, unless everybody on this phone is
  const isDone = active && isOut(active) && !tokensOf(active).length
  if (isDone && openSeats.some((seat) => !isOut(seat))) return advance(active)
  for (const seat of stale) {
    if (seat.line) drawSlots(seat, seat === active)
    drawTab(seat, seat === active)
  }
  stale.clear()
  drawKeys(active)
}
