// Adds, removes and selects cards of a hand.

import { beginBeat, draw, nextSeat, scrollToActive, setActive } from './active.js'
import { announce, words } from './form.js'
import { nameOf } from './keyboard.js'
import { confirmOverwrite, isFaceDown, isOut, piecesOf, sizeOf, tokensOf, writeLine } from './seats.js'

function setHand(seat, held) {
  if (!seat.proposed) return writeLine(seat, held)
  seat.proposed.held = held
  draw()
}

export function add(seat, piece) {
  if (isFaceDown(seat) && !confirmOverwrite(seat)) return
  const held = piecesOf(seat)
  const wasSelected = seat.selected !== null
  if (!wasSelected && held.length >= sizeOf(seat)) return announce(words.full.replace('{player}', () => seat.name.value))
  if (wasSelected) held[seat.selected] = piece
  else held.splice(Math.min(seat.cursor, held.length), 0, piece)
  seat.cursor = wasSelected ? held.length : seat.cursor + 1
  seat.selected = null
  const isComplete = held.length === sizeOf(seat) && !seat.proposed
  if (isComplete) {
    seat.cursor = held.length
    setActive(nextSeat(seat)) // before the card is written, so that this hand and the next are drawn once
    beginBeat(seat)
  }
  setHand(seat, held)
  announce(`${seat.name.value}: ${nameOf(piece)}`)
  if (!isComplete) return
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate?.(10)
  scrollToActive()
}

export function remove(seat, at) {
  const held = piecesOf(seat)
  const [piece] = held.splice(at, 1)
  seat.cursor = at
  seat.selected = null
  setHand(seat, held)
  announce(`${seat.name.value}: ${words.taken.replace('{piece}', () => nameOf(piece))}`)
}

// Removes the selected card, or the one before the cursor; all of them if the player shows no hand.
export function backspace(seat) {
  if (isOut(seat)) {
    setHand(seat, [])
    return announce(`${seat.name.value}: ${words.nothing}`)
  }
  const at = seat.selected ?? Math.min(seat.cursor, tokensOf(seat).length) - 1
  if (at >= 0) remove(seat, at)
}

// Selects a card, which the next key replaces; deselects it if it is selected.
export function select(seat, at) {
  const piece = piecesOf(seat)[at]
  seat.selected = seat.selected === at ? null : at
  seat.proposed?.unsure.delete(piece)
  if (seat.selected !== null) announce(words.selected.replace('{piece}', () => nameOf(piece)))
  draw()
}
