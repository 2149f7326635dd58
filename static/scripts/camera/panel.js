// The picture of a hand with a mark at each card, between the player's name and the slots. Tapping a mark selects its
// card, to be replaced with the keys.

import { acceptProposal, activate, add, advance, announce, camera, draw, faces, form, nameOf, piecesOf, select, sizeOf } from '../hands.js'
import { helpLink, layOver, makeButton, makeElement } from './elements.js'

export let panel = null // the one that is open

export function openPanel(seat, input, then = () => advance(seat)) {
  panel?.close()
  const root = makeElement('div', 'photo', { role: 'group', ariaLabel: camera.label.replace('{player}', () => seat.name.value) })
  const view = makeElement('div', 'view')
  const below = makeElement('div', 'look')
  const message = makeElement('p', 'told')
  const use = makeButton(camera.use, 'primary', () => {
    acceptProposal(seat)
    then()
  })
  const which = makeElement('div', 'which', { role: 'group', ariaLabel: camera.which, hidden: true })
  const buttons = makeElement('div', 'acts')
  const again = makeButton(camera.again, 'small', () => input.click())
  buttons.append(makeButton(camera.drop, 'small', () => cancel(seat)), again, use)
  below.append(message, which, buttons)
  root.append(view)
  seat.slots.before(root)
  seat.slots.after(below)
  const resized = new ResizeObserver(placePicture)
  resized.observe(root)
  const close = () => {
    resized.disconnect()
    root.remove()
    below.remove()
    panel = null
  }
  // `isSecond`: the next picture makes this one surer; `isAdding`: the next key adds a card; `near`: the box of the
  // picture to show enlarged
  const state = { isSecond: false, isAdding: false, near: null, held: [], marks: [], canvas: null }
  panel = { seat, root, view, message, which, again, use, then, close, ...state }
  return panel
}

function cancel(seat) {
  seat.proposed = null
  panel.close()
  activate(seat)
}

export function tellPanel(text, hasHelp = false) {
  panel.message.textContent = text
  if (hasHelp) panel.message.append(' ', helpLink())
  announce(text)
}

export function showPicture(canvas) {
  const inner = makeElement('div', 'inner')
  inner.append(canvas)
  panel.view.append(inner)
  panel.canvas = canvas
  placePicture()
}

// ---- the marks

function addMark(kind, box, piece, onTap) {
  const mark = { kind, box, piece, button: makeElement('button', `mark ${kind}`, { type: 'button', onclick: () => onTap(mark) }) }
  panel.marks.push(mark)
  panel.view.firstChild.append(mark.button)
}

function tapRead(mark) {
  const { seat } = panel
  const at = piecesOf(seat).indexOf(mark.piece)
  if (at < 0) panel.isAdding = true
  else if (at !== seat.selected) select(seat, at)
  refresh(mark)
}

function tapSpare(mark) {
  add(panel.seat, mark.piece)
  refresh()
}

function tapUnread(mark) {
  panel.isAdding = true
  announce(camera.unread)
  refresh(mark)
}

export function addMarks({ hand, more, doubtful }) {
  for (const { piece, box } of hand) if (box) addMark('read', box, piece, tapRead)
  for (const { piece, box } of more) addMark('more', box, piece, tapSpare)
  for (const box of doubtful) addMark('unread', box, null, tapUnread)
}

// A card that replaced another takes over its mark.
function moveMarks(held) {
  if (held.length === panel.held.length) {
    held.forEach((piece, at) => {
      const before = panel.held[at]
      for (const mark of panel.marks) if (piece !== before && mark.piece === before) mark.piece = piece
    })
  }
  panel.held = [...held]
}

function labelOf({ kind, piece }, isHeld, isUnsure) {
  if (kind === 'unread') return camera.unread
  const label = isHeld ? (isUnsure ? camera.unsure : '{piece}') : camera.more
  return label.replace('{piece}', () => nameOf(piece))
}

function drawMark(mark, held, chosen) {
  const { kind, piece, button, box } = mark
  const isHeld = held.includes(piece)
  const isUnsure = Boolean(panel.seat.proposed?.unsure.has(piece)) || (kind === 'read' && !isHeld)
  button.classList.toggle('unsure', isUnsure || kind === 'unread')
  button.classList.toggle('spare', Boolean(piece) && !isHeld)
  button.setAttribute('aria-pressed', String(Boolean(piece) && piece === chosen))
  button.setAttribute('aria-label', labelOf(mark, isHeld, isUnsure))
  button.innerHTML = piece ? faces.get(piece) ?? '' : ''
  layOver(button, panel.canvas, box)
}

// Asks which of two cards an unsure one is: both are buttons.
function ask(seat) {
  const { held, unsure, others } = seat.proposed ?? { held: [], unsure: new Set() }
  const piece = held.find((one) => unsure.has(one) && others.get(one) && !held.includes(others.get(one)))
  panel.which.hidden = !piece
  if (panel.which.dataset.piece === piece) return
  panel.which.dataset.piece = piece ?? ''
  const choices = piece ? [piece, others.get(piece)] : []
  panel.which.replaceChildren(...choices.map((choice) => {
    const button = makeButton('', 'small', () => choose(seat, piece, choice))
    button.innerHTML = faces.get(choice) ?? choice
    button.setAttribute('aria-label', nameOf(choice))
    return button
  }))
}

function choose(seat, piece, choice) {
  const { held, unsure } = seat.proposed
  unsure.delete(piece)
  if (choice !== piece) {
    seat.selected = held.indexOf(piece)
    add(seat, choice)
  } else draw()
  refresh()
}

// Shows the keys and a card's part of the picture while that card is replaced or added, otherwise the whole picture.
export function refresh(tapped = null) {
  if (!panel) return
  const { seat, root, marks } = panel
  panel.isSecond = Boolean(seat.proposed) && (seat.proposed.unsure.size > 0 || piecesOf(seat).length < sizeOf(seat))
  panel.again.textContent = panel.isSecond ? camera.second : camera.again
  panel.again.classList.toggle('primary', panel.isSecond)
  panel.use.classList.toggle('primary', !panel.isSecond)
  ask(seat)
  const held = piecesOf(seat)
  moveMarks(held)
  if (held.length >= sizeOf(seat)) panel.isAdding = false
  const chosen = seat.selected === null ? null : held[seat.selected]
  root.classList.toggle('picking', chosen !== null || panel.isAdding)
  // spare cards, which could replace it, stay visible
  const hasSpare = marks.some(({ kind, piece }) => kind === 'more' && !held.includes(piece))
  const mark = chosen !== null ? marks.find(({ piece }) => piece === chosen) : panel.isAdding && tapped
  panel.near = mark && !hasSpare ? mark.box : null
  for (const each of marks) drawMark(each, held, chosen)
  placePicture()
}

// Fits the whole picture into its place, or enlarges it around `near`.
function placePicture() {
  if (!panel?.canvas) return
  const { view, canvas, near } = panel
  const { clientWidth, clientHeight } = view
  const whole = Math.min(clientWidth / canvas.width, clientHeight / canvas.height)
  const scale = near ? Math.max(whole, Math.min(2, (clientHeight * 0.5) / near[3])) : whole
  const [x, y, width, height] = near ?? [0, 0, canvas.width, canvas.height]
  const { style } = view.firstChild
  style.width = `${canvas.width * scale}px`
  style.height = `${canvas.height * scale}px`
  style.left = `${clientWidth / 2 - (x + width / 2) * scale}px`
  style.top = `${clientHeight / 2 - (y + height / 2) * scale}px`
}

form.addEventListener('accepted', () => { if (panel && !panel.isReading && !panel.seat.proposed) panel.close() })
form.addEventListener('click', (event) => {
  if (!panel) return
  const { seat } = panel
  // not `closest`: a tapped slot has already been replaced
  if (event.composedPath().some((element) => element.matches?.('.picker, .slots'))) {
    panel.isAdding ||= event.target.matches('.slot.empty')
    refresh()
  } else if (event.target.matches('.view, canvas')) {
    panel.isAdding = false
    if (seat.selected !== null) select(seat, seat.selected)
    refresh()
  }
})
document.addEventListener('keydown', () => refresh())
