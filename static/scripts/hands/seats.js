// The seats of the round and the cards in their hands. A hand is stored in its typed line, which the form sends.

import { form, words } from './form.js'
import { canonical, splitLine } from './notation.js'

export const seats = [...document.querySelectorAll('[data-seat]')].map((root) => ({
  root,
  number: root.dataset.seat,
  line: root.querySelector('[data-hand]'),
  name: root.querySelector('[data-name]'),
  slots: root.querySelector('[data-slots]'),
  reading: root.querySelector('[data-reading]'),
  tab: document.querySelector(`[data-tab="${root.dataset.seat}"]`),
  erase: root.querySelector('[data-erase]'),
  mover: root.querySelector('[data-move-hand]'),
  cursor: 0,
  selected: null, // index of the card that the next key replaces
  proposed: null, // the hand read from a photograph until its player has checked it: { held, unsure }
  drawn: [], // the state of each slot as last drawn
}))
export const openSeats = seats.filter((seat) => seat.line) // the seats whose hands can be entered on this phone

export const tokensOf = (seat) => seat.proposed?.held ?? splitLine(seat.line?.value ?? '')
export const piecesOf = (seat) => tokensOf(seat).map((token) => canonical(token) ?? token)
export const isOut = (seat) => 'out' in seat.root.dataset || seat.root.querySelector('.chips > :not([hidden]) [type=checkbox]:checked') !== null

// Returns how many cards a hand has: the seat's size, unless one of the player's answers changes it, or on the own page
// that this player shows a winning hand.
export const sizeOf = (seat) => {
  const wins = document.querySelector('#at-table')?.dataset.cards
  if (wins) return Number(wins)
  const answers = [...seat.root.querySelectorAll('.chips [data-size]:checked')]
  return Math.max(...(answers.length ? answers : [seat.root]).map((sized) => Number(sized.dataset.size)))
}

// Face down: the player entered the hand on another phone, and nothing was entered here.
export const isFaceDown = (seat) => seat.root.classList.contains('down') && !tokensOf(seat).length
export const isFull = (seat) => tokensOf(seat).length >= sizeOf(seat) || isFaceDown(seat)
export const confirmOverwrite = (seat) => confirm(words.over.replace('{player}', () => seat.name.value))

export function writeLine(seat, held) {
  // once a hand is begun: a second tap on what removes its only card must not add a player
  seat.root.querySelector('.foot > .chips')?.remove()
  seat.line.value = held.join(' ')
  seat.line.dispatchEvent(new Event('input', { bubbles: true }))
}

// Enters the cards proposed for a hand, as if they had been tapped.
export function acceptProposal(seat) {
  const { held } = seat.proposed
  seat.proposed = null
  writeLine(seat, held)
  form.dispatchEvent(new Event('accepted'))
}

// A player's chip: the letters on it, and the class of its colour
export function chipOf(seat) {
  const chip = seat.tab.querySelector('.player')
  return { monogram: chip.textContent, colour: chip.className.match(/player-\d+/)[0] }
}
