// Reads a hand from a photograph: shrinks it on this phone, asks the server, and shows what was read, each at its card,
// until the hand is right. The picture itself stays on this page and is gone with it.

import { acceptProposal, activate, add, advance, announce, camera, confirmOverwrite, draw, faces, form, isFaceDown, nameOf, piecesOf, select, sizeOf } from './hands.js'

const LONGEST = 1280
const QUALITY = 0.85
const PATIENCE = 30_000
const AGAIN = 700 // while others are being read, for as long as the next line says
const AGAIN_FOR = 5_000
let shown = null // the hand that is looked at, with its picture

export const styled = new Promise((done) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: camera.styles, onload: done, onerror: done })
  document.head.append(link)
})

export function element(name, className, properties = {}) {
  return Object.assign(document.createElement(name), { className, ...properties })
}

export function button(text, className, onclick) {
  return element('button', `button ${className}`, { type: 'button', textContent: text, onclick })
}

// Returns the picture upright, smaller and without metadata; null if this browser can't open it.
export async function shrunk(file, longest = LONGEST) {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = element('canvas', '', { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) })
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return canvas
  } catch {
    return null
  }
}

// Lays an element over a box of the picture.
export function lay({ style }, canvas, [x, y, width, height]) {
  const shares = { left: x / canvas.width, top: y / canvas.height, width: width / canvas.width, height: height / canvas.height }
  for (const [side, share] of Object.entries(shares)) style[side] = `${share * 100}%`
}

// Sends the picture of a hand, or of the whole table: `row` is whose, `hands` the seats that lie on the table.
export async function ask(row, canvas, file, hands = []) {
  const picture = canvas ? await new Promise((done) => canvas.toBlob(done, 'image/jpeg', QUALITY)) : file
  const body = new FormData(form)
  body.set('do', `photo-${row}`)
  body.set('replace', 'yes') // it was asked here
  body.set('photo', picture, 'hand.jpg')
  for (const seat of hands) body.append('hands', seat.number)
  const headers = { Accept: 'application/json', 'X-CSRFToken': form.elements.csrf_token.value }
  const until = Date.now() + AGAIN_FOR
  try {
    for (;;) {
      const answer = await fetch(camera.address, { method: 'POST', body, headers, signal: AbortSignal.timeout(PATIENCE) })
      const told = await answer.json()
      if (!told.again || Date.now() > until) return told
      await new Promise((next) => setTimeout(next, AGAIN))
    }
  } catch {
    return { problem: camera.offline }
  }
}

// ---- the picture and its marks

function show(seat, input, then = () => advance(seat)) {
  shown?.close()
  const panel = element('div', 'photo', { role: 'group', ariaLabel: camera.label.replace('{player}', () => seat.name.value) })
  const view = element('div', 'view')
  const look = element('div', 'look')
  const told = element('p', 'told')
  const use = button(camera.use, 'primary', () => {
    acceptProposal(seat)
    then()
  })
  const acts = element('div', 'acts')
  acts.append(button(camera.drop, 'small', () => drop(seat)), button(camera.again, 'small', () => input.click()), use)
  look.append(told, acts)
  panel.append(view)
  seat.slots.before(panel)
  seat.slots.after(look)
  const resized = new ResizeObserver(place)
  resized.observe(panel)
  const close = () => {
    resized.disconnect()
    panel.remove()
    look.remove()
    shown = null
  }
  shown = { seat, panel, view, look, told, use, close, held: [], marks: [], canvas: null, isAdding: false }
  return shown
}

function drop(seat) {
  seat.proposed = null
  shown.close()
  activate(seat)
}

function say(text, link = false) {
  shown.told.textContent = text
  if (link) shown.told.append(' ', element('a', '', { href: camera.help, target: '_blank', textContent: camera.how }))
  announce(text)
}

function mark(kind, box, piece, tapped) {
  const one = { kind, box, piece, at: element('button', `mark ${kind}`, { type: 'button', onclick: () => tapped(one) }) }
  shown.marks.push(one)
  shown.view.firstChild.append(one.at)
}

function markAll(answer) {
  const { seat } = shown
  for (const { piece, box } of answer.hand) {
    if (box) mark('read', box, piece, (one) => {
      const at = piecesOf(seat).indexOf(one.piece)
      if (at >= 0 && at !== seat.selected) select(seat, at)
      else if (at < 0) shown.isAdding = true
      refresh(one)
    })
  }
  for (const { piece, box } of answer.more) {
    mark('more', box, piece, (one) => {
      add(seat, one.piece)
      refresh()
    })
  }
  for (const box of answer.doubtful) {
    mark('unread', box, null, (one) => {
      shown.isAdding = true
      announce(camera.unread)
      refresh(one)
    })
  }
}

// Puts the whole picture into its place, or, while a card is being replaced, that card's corner.
function place() {
  if (!shown?.canvas) return
  const { view, canvas, near } = shown
  const { clientWidth: wide, clientHeight: high } = view
  const whole = Math.min(wide / canvas.width, high / canvas.height)
  let scale = whole
  let [x, y] = [canvas.width / 2, canvas.height / 2]
  if (near) {
    scale = Math.max(whole, Math.min(2, (high * 0.5) / near[3]))
    x = near[0] + near[2] / 2
    y = near[1] + near[3] / 2
  }
  const { style } = view.firstChild
  style.width = `${canvas.width * scale}px`
  style.height = `${canvas.height * scale}px`
  style.left = `${wide / 2 - x * scale}px`
  style.top = `${high / 2 - y * scale}px`
}

// Shows the keys while a card is being replaced or added, otherwise the whole picture.
function refresh(one = null) {
  if (!shown) return
  const { seat, panel, marks, canvas } = shown
  const held = piecesOf(seat)
  if (held.length === shown.held.length) {
    held.forEach((piece, at) => {
      for (const other of marks) if (piece !== shown.held[at] && other.piece === shown.held[at]) other.piece = piece
    })
  }
  shown.held = [...held]
  if (held.length >= sizeOf(seat)) shown.isAdding = false
  const chosen = seat.selected === null ? null : held[seat.selected]
  panel.classList.toggle('picking', chosen !== null || shown.isAdding)
  // what could take a card's place stays in sight
  const isOffered = marks.some(({ kind, piece }) => kind === 'more' && !held.includes(piece))
  const at = chosen !== null ? marks.find(({ piece }) => piece === chosen) : shown.isAdding && one
  shown.near = at && !isOffered ? at.box : null
  for (const { at, box, piece, kind } of marks) {
    const isHeld = held.includes(piece)
    const isUnsure = Boolean(seat.proposed?.unsure.has(piece)) || (kind === 'read' && !isHeld)
    const name = piece && nameOf(piece)
    at.classList.toggle('unsure', isUnsure || kind === 'unread')
    at.classList.toggle('spare', Boolean(piece) && !isHeld)
    at.setAttribute('aria-pressed', String(Boolean(piece) && piece === chosen))
    const says = kind === 'unread' ? camera.unread : isHeld ? (isUnsure ? camera.unsure : '{piece}') : camera.more
    at.setAttribute('aria-label', says.replace('{piece}', () => name))
    at.innerHTML = piece ? faces.get(piece) ?? '' : ''
    lay(at, canvas, box)
  }
  place()
}

form.addEventListener('accepted', () => { if (shown && !shown.isReading && !shown.seat.proposed) shown.close() })
form.addEventListener('click', (event) => {
  if (!shown) return
  // not by `closest`: a slot that was tapped has been drawn anew by now
  if (event.composedPath().some((one) => one.matches?.('.picker, .slots'))) {
    shown.isAdding ||= event.target.matches('.slot.empty')
    refresh()
  } else if (event.target.matches('.view, canvas')) {
    shown.isAdding = false
    if (shown.seat.selected !== null) select(shown.seat, shown.seat.selected)
    refresh()
  }
})
document.addEventListener('keydown', () => refresh())

// ---- a hand, from the file to its slots

function mayReplace(seat) {
  if (isFaceDown(seat)) return confirmOverwrite(seat)
  const isFull = !seat.proposed && piecesOf(seat).length >= sizeOf(seat)
  return !isFull || confirm(camera.replace.replace('{player}', () => seat.name.value))
}

function showPicture(canvas) {
  const inner = element('div', 'inner')
  inner.append(canvas)
  shown.view.append(inner)
  shown.canvas = canvas
  place()
}

// The proposal that a reading makes for a hand.
export const proposal = ({ hand }) => ({ held: hand.map(({ piece }) => piece), unsure: new Set(hand.filter(({ sure }) => !sure).map(({ piece }) => piece)) })

function showReading(seat, answer, canvas) {
  seat.cursor = seat.proposed.held.length
  shown.held = [...seat.proposed.held]
  if (canvas) markAll(answer)
  shown.use.hidden = false
  draw()
  refresh()
  say(answer.told)
  shown.use.focus({ preventScroll: true })
}

// Shows a hand from a picture of several, to be checked; calls `then` afterwards.
export function review(seat, input, canvas, answer, then) {
  activate(seat)
  show(seat, input, then)
  showPicture(canvas)
  showReading(seat, answer, canvas)
}

export async function photograph(seat, file, input) {
  await styled
  if (!mayReplace(seat)) return
  seat.proposed = null
  activate(seat)
  const mine = show(seat, input)
  mine.isReading = true
  mine.use.hidden = true
  say(camera.reading)
  const canvas = await shrunk(file)
  if (canvas) showPicture(canvas)
  mine.panel.classList.toggle('blind', !canvas)
  const answer = await ask(seat.number, canvas, file)
  if (shown !== mine) return
  mine.isReading = false
  activate(seat)
  if (answer.problem) return say(answer.problem, true)
  seat.proposed = proposal(answer)
  showReading(seat, answer, canvas)
}
