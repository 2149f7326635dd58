// The hands in a round's form: keeps the keyboard, the slots and the typed lines in sync.
// Contains no game rules: hand sizes and accepted spellings come from the server, which also evaluates the hands.
// Other scripts use the parts of hands/ through this module; the server sends them as one file.

import { activate, activateFirst, active, advance, draw, endBeat } from './hands/active.js'
import { add, backspace, remove, select } from './hands/editing.js'
import { announce, chooseWay, form, markAsked, words, write } from './hands/form.js'
import { focusKey, keys, nameOf, tellOwner } from './hands/keyboard.js'
import { canonical } from './hands/notation.js'
import { offer } from './hands/offer.js'
import { acceptProposal, confirmOverwrite, isFaceDown, isFull, isOut, openSeats, piecesOf, tokensOf } from './hands/seats.js'
import { type } from './hands/typing.js'

export { activate, activateFirst, advance, draw } from './hands/active.js'
export { add, select } from './hands/editing.js'
export { announce, camera, chooseWay, form, words, write } from './hands/form.js'
export { faces, nameOf } from './hands/keyboard.js'
export { offer } from './hands/offer.js'
export { acceptProposal, confirmOverwrite, isFaceDown, isFull, isOut, openSeats, piecesOf, seats, sizeOf, tokensOf, writeLine } from './hands/seats.js'

// Shows under a hand what it is worth, or why that isn't known yet; `draw` writes it to the player's tab, in brief.
export function setReading(seat, text, { liesDown = false, brief = text } = {}) {
  seat.root.classList.toggle('down', liesDown)
  if (liesDown && seat === active && isFaceDown(seat)) advance(seat)
  seat.brief = brief
  if (seat.reading.textContent === text) return
  write(seat.reading, text)
  // for the beat; as attributes of the two that show it, since all within would inherit a property of the seat
  for (const part of seat.root.querySelectorAll('.line, [data-reading]')) part.dataset.worth = brief.charAt(0).toUpperCase() + brief.slice(1)
  seat.root.classList.toggle('wordy', brief.length > 16)
}

function tapSlot(seat, slot) {
  const at = [...seat.slots.children].indexOf(slot)
  if (at < 0) return
  if (seat !== active) activate(seat)
  if (at < tokensOf(seat).length) select(seat, at)
}

// Says who has a card, and offers to take it if the hand has room for it.
function tapOwned(key) {
  const { piece } = key.dataset
  const owner = openSeats.find((seat) => seat !== active && piecesOf(seat).includes(piece))
  if (isFull(active) && active.selected === null) return tellOwner(key)
  announce(`${nameOf(piece)}: ${owner.name.value}`)
  offer(words.take.replace('{piece}', () => nameOf(piece)).replace('{player}', () => owner.name.value), () => {
    const seat = active
    remove(owner, piecesOf(owner).lastIndexOf(piece))
    add(seat, piece)
  })
}

function tapKey(key) {
  endBeat()
  if (!active) return
  if (key.dataset.owner) return tapOwned(key)
  const { piece } = key.dataset
  if (key.getAttribute('aria-pressed') === 'true') remove(active, piecesOf(active).indexOf(piece))
  else add(active, piece)
}

// Return in a name goes to the next player's name, and from the last one to the cards.
function leaveName(seat, event) {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  const next = openSeats.slice(openSeats.indexOf(seat) + 1).find((other) => !isOut(other))
  if (!next) {
    seat.name.blur()
    return activateFirst()
  }
  activate(next)
  next.name.focus()
}

function beginSeat(seat) {
  seat.slots.hidden = false
  seat.slots.addEventListener('click', (event) => tapSlot(seat, event.target.closest('.slot')))
  seat.erase.addEventListener('click', () => {
    if (seat !== active) activate(seat)
    backspace(seat)
  })
  seat.line.addEventListener('input', () => draw([seat]))
  seat.line.addEventListener('given', () => { seat.cursor = tokensOf(seat).length }) // by another phone, or by this one before
  seat.line.addEventListener('focus', () => { if (isFaceDown(seat) && !confirmOverwrite(seat)) seat.line.blur() })
  if (seat.name.type !== 'hidden') {
    seat.name.addEventListener('focus', () => seat.name.select())
    seat.name.addEventListener('input', () => draw())
    seat.name.addEventListener('keydown', (event) => leaveName(seat, event))
  }
  seat.tab?.addEventListener('click', (event) => {
    event.preventDefault()
    document.body.classList.remove('betting')
    chooseWay('')
    activate(seat)
  })
  for (const out of seat.root.querySelectorAll('.chips [type=checkbox]')) {
    out.addEventListener('change', () => { if (out.checked && seat === active) activateFirst(); else draw() })
  }
  for (const answer of seat.root.querySelectorAll('.chips [type=radio], .won input, .chips [data-size]')) {
    answer.addEventListener('change', () => draw())
  }
}

function beginKey(key) {
  key.tabIndex = key === keys[0] ? 0 : -1
  key.addEventListener('focus', () => { if (key.tabIndex < 0) focusKey(key) })
  key.addEventListener('pointerdown', endBeat) // the next hand is drawn while the thumb is still down
  key.addEventListener('click', () => tapKey(key))
}

// The list of problems covers the keys until a problem, or anything else, is tapped.
function closeProblems() {
  document.getElementById('problems')?.remove()
  for (const error of form.querySelectorAll('.seat .error')) error.classList.remove('unseen')
}

function beginProblem(link) {
  link.addEventListener('click', () => {
    const seat = openSeats.find(({ root }) => root.contains(document.querySelector(link.hash)))
    closeProblems()
    if (seat) activate(seat)
  })
}

// The button that switches between the keyboard and typed lines; these come first if one of them can't be read.
function beginTyping(toggle) {
  const show = (isTyping) => {
    form.classList.toggle('typing', isTyping)
    toggle.setAttribute('aria-pressed', String(isTyping))
    activate(active)
  }
  toggle.hidden = false
  toggle.addEventListener('click', () => show(!form.classList.contains('typing')))
  if (openSeats.some((seat) => tokensOf(seat).some((token) => !canonical(token)))) show(true)
}

// Leaves room to scroll, so that the bar docked at the bottom hides nothing.
function reserveDock(dock) {
  const reserve = () => document.documentElement.style.setProperty('--docked', `${dock.offsetHeight}px`)
  new ResizeObserver(reserve).observe(dock)
}

export function begin() {
  openSeats.forEach(beginSeat)
  keys.forEach(beginKey)
  document.querySelectorAll('#problems a').forEach(beginProblem)
  // while the list says it, the hand doesn't say the same above
  if (document.getElementById('problems')) for (const error of form.querySelectorAll('.seat .error')) error.classList.add('unseen')
  form.addEventListener('click', closeProblems, { once: true })
  form.addEventListener('change', markAsked)
  // sending the form confirms the proposed hands
  form.addEventListener('submit', () => { for (const seat of openSeats) if (seat.proposed) acceptProposal(seat) })
  document.addEventListener('keydown', type)
  document.addEventListener('cards', () => draw())
  const toggle = document.querySelector('[data-type]')
  if (toggle) beginTyping(toggle)
  form.classList.add('tapping')
  document.querySelector('[data-enter]')?.remove()
  const dock = document.querySelector('.docked') // none where a player has nothing to enter
  if (dock) reserveDock(dock)
  chooseWay(form.elements.way?.value ?? '')
  // the page of the own hand leads to somebody else's
  const asked = 'fresh' in form.dataset && openSeats.find(({ root }) => root.id === location.hash.slice(1))
  if (asked) activate(asked)
  else activateFirst()
}
