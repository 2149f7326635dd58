// The active seat, whose hand the keys fill; moves on to the next player, and draws what changed. A finished hand stays in
// sight for a beat, with its name in large letters, though the next player is active already: the next tap is theirs.

import { entersCards, form, markAsked } from './form.js'
import { drawKeys, keyboard } from './keyboard.js'
import { acceptProposal, isFull, isOut, openSeats, seats, tokensOf } from './seats.js'
import { drawSlots } from './slots.js'
import { drawTab } from './tabs.js'

const BEAT = 1000 // milliseconds

export let active = null
export let finished = null // the seat that is in sight for a beat
let beatTimer = 0
const stale = new Set() // seats that the next `draw` draws as well
let opened = null // the active seat, if it was opened though its player is out

// Acts once what was drawn for a tap is on the screen.
const whenShown = (act) => requestAnimationFrame(() => setTimeout(act))

function stopBeat() {
  if (!finished) return
  clearTimeout(beatTimer)
  finished.root.classList.remove('beat', 'last')
  stale.add(finished)
  if (active) stale.add(active)
  finished = null
}

// Shows the hand of which that was the last card, while `active` may be the next player; without drawing it.
export function beginBeat(seat) {
  finished = seat
  whenShown(() => { if (finished === seat) seat.root.classList.add('beat') }) // its card is seen a frame before its name
  seat.root.classList.toggle('last', seat === active)
  beatTimer = setTimeout(endBeat, BEAT)
}

// Shows the active seat, if a finished hand is still in sight.
export function endBeat() {
  if (!finished) return
  stopBeat()
  draw([])
  scrollToActive()
}

// Makes a seat the active one without drawing it.
export function setActive(seat) {
  stopBeat()
  if (active) active.selected = null
  if (active?.proposed && active !== seat) acceptProposal(active)
  if (active) stale.add(active)
  if (seat) stale.add(seat)
  if (seat && seat !== active) seat.cursor = tokensOf(seat).length
  opened = seat && isOut(seat) ? seat : null
  active = seat
}

export function activate(seat) {
  setActive(seat)
  if (seat) seat.cursor = tokensOf(seat).length
  const isTyping = form.classList.contains('typing')
  const hadFocus = keyboard.contains(document.activeElement)
  keyboard.hidden = !seat || isTyping || !entersCards()
  if (hadFocus && keyboard.hidden) document.querySelector('[data-type]')?.focus({ preventScroll: true })
  const { classList } = document.body
  classList.toggle('playing', !isTyping && (seat !== null || form.dataset.follows < 0 || classList.contains('betting')))
  draw()
  scrollToActive()
}

// Scrolls in the frame that draws the seat: before it, the browser would have to lay out the page twice.
export function scrollToActive() {
  requestAnimationFrame(() => {
    const shown = finished ?? active
    shown?.tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
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
  const isDone = active && active !== opened && isOut(active) && !tokensOf(active).length
  if (isDone && openSeats.some((seat) => !isOut(seat))) return advance(active)
  markAsked()
  const shown = finished ?? active
  for (const seat of stale) {
    if (seat.line) drawSlots(seat, seat === shown)
    drawTab(seat, seat === shown)
  }
  stale.clear()
  // during a beat the keys are already those of the next player, drawn once the finished hand is in sight
  if (finished) whenShown(() => drawKeys(active))
  else drawKeys(active)
}
