// Entering cards with a computer's keyboard: letters and digits type cards, arrow keys move, Backspace removes.

import { activate, active, draw, endBeat, finished } from './active.js'
import { add, backspace } from './editing.js'
import { keyboard, keys, moveFocus } from './keyboard.js'
import { canonical, startsSpelling } from './notation.js'
import { openSeats, tokensOf } from './seats.js'

const PAUSE = 1500 // milliseconds between two characters of the same card
let typed = ''
let typedAt = 0

// Returns the card that this character completes, if it does.
function complete(character, time) {
  const before = time - typedAt < PAUSE ? typed : ''
  typed = startsSpelling(before + character) ? before + character : character
  typedAt = time
  const piece = canonical(typed)
  if (piece) typed = ''
  return piece
}

function moveCursor(step) {
  active.cursor = Math.max(0, Math.min(active.cursor + step, tokensOf(active).length))
  draw()
}

function moveSeat(step) {
  activate(openSeats[(openSeats.indexOf(active) + openSeats.length + step) % openSeats.length])
}

const ACTIONS = {
  ArrowLeft: () => moveCursor(-1),
  ArrowRight: () => moveCursor(1),
  ArrowUp: () => moveSeat(-1),
  ArrowDown: () => moveSeat(1),
  Backspace: () => backspace(active),
}

export function type(event) {
  const { key, target } = event
  if (!active || keyboard.hidden || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return
  if (target.matches('input:not([type=checkbox], [type=radio]), select, textarea')) return
  const isArrow = key.startsWith('Arrow')
  if (key === 'Backspace' && finished) activate(finished) // its last card was wrong
  endBeat()
  if (isArrow && target.matches('[type=radio]')) return
  if (isArrow && keyboard.contains(target)) {
    moveFocus(target, key)
  } else if (key in ACTIONS) {
    ACTIONS[key]()
  } else if (key.length === 1 && key !== ' ') {
    const piece = complete(key, event.timeStamp)
    if (!piece) return
    if (!keys.find(({ dataset }) => dataset.piece === piece && dataset.owner)) add(active, piece)
  } else return
  event.preventDefault()
}
