// Fills all hands from one photograph: shows the picture with each hand outlined and numbered, and asks whose each is.
// Cards that were put into the wrong hand are moved by a tap or a line (`camera/arranging.js`).
// The picture stays on this page and is gone with it.

import { arrange, helpLink, makeButton, makeElement, openFinder, proposalOf, read, review, shrink, styled, tableOf } from './camera.js'
import { acceptProposal, activate, activateFirst, announce, camera, isFaceDown, isOut, openSeats, piecesOf, sizeOf } from './hands.js'

export const page = camera // whose hands this script fills

const MAX_SIDE = 1920 // twenty cards in one picture need more pixels than five
const MARGIN = 0.04
const words = camera.table

// Cuts the part with one hand out of the picture, with what was read there.
function cutOut(canvas, { box, seen, doubtful }, size, told) {
  const margin = MARGIN * Math.max(canvas.width, canvas.height)
  const [left, top] = [Math.max(0, box[0] - margin), Math.max(0, box[1] - margin)]
  const width = Math.min(canvas.width, box[0] + box[2] + margin) - left
  const height = Math.min(canvas.height, box[1] + box[3] + margin) - top
  const part = makeElement('canvas', '', { width: Math.round(width), height: Math.round(height) })
  part.getContext('2d').drawImage(canvas, left, top, width, height, 0, 0, part.width, part.height)
  const moved = ([x, y, w, h]) => [x - left, y - top, w, h]
  const all = seen.map((card) => ({ ...card, box: moved(card.box) }))
  const unread = doubtful.map(moved).slice(0, Math.max(0, size - all.length))
  return { part, reading: { hand: all.slice(0, size), more: all.slice(size), doubtful: unread, told } }
}

function makeChoice(seat) {
  const label = makeElement('label', 'whose')
  const select = makeElement('select', '')
  label.append(makeElement('span', '', { textContent: seat.name.value }), select)
  return { seat, label, select }
}

// Offers the hands to each player, and chooses one: a number, or none.
function offerHands(rows, hands, given) {
  for (const { seat, select } of rows) {
    select.replaceChildren(new Option(words.none, ''), ...hands.map(({ number }) => new Option(words.hand.replace('{number}', number), number)))
    select.value = given[seat.number] ?? ''
  }
}

// Returns the numbers of the hands that players keep when the hands have changed: each its own, whoever has none a new one.
function givenNow(rows, before, hands) {
  const given = {}
  const shared = (one, other) => one.seen.filter((card) => other.seen.includes(card)).length
  const open = new Set(hands)
  const chosen = rows.filter(({ select }) => select.value)
  const pairs = chosen.flatMap(({ seat, select }) => hands.map((hand) => ({ seat, hand, cards: shared(hand, before[select.value - 1]) })))
  for (const { seat, hand, cards } of pairs.sort((one, other) => other.cards - one.cards)) {
    if (!cards || given[seat.number] || !open.delete(hand)) continue
    given[seat.number] = hand.number
  }
  for (const { seat } of rows) if (!given[seat.number] && open.size) {
    const [hand] = open
    open.delete(hand)
    given[seat.number] = hand.number
  }
  return given
}

const namesOf = (seats) => new Intl.ListFormat(document.documentElement.lang).format(seats.map((seat) => seat.name.value))

// Returns why the hands can't be filled in as chosen; null if they can.
function problemOf(chosen) {
  if (!chosen.length) return words.nothing
  for (const { hand } of chosen) {
    const owners = chosen.filter((other) => other.hand === hand).map(({ seat }) => seat)
    if (owners.length > 1) return words.twice.replace('{number}', hand.number).replace('{players}', () => namesOf(owners))
  }
  return null
}

function mayReplace(chosen) {
  const full = chosen.map(({ seat }) => seat).filter((seat) => piecesOf(seat).length >= sizeOf(seat))
  return !full.length || confirm(words.replace.replace('{players}', () => namesOf(full)))
}

// Fills the hands: complete and certain ones at once; each of the others is checked first, with its cards marked.
function fill(chosen, canvas) {
  const readings = chosen.map(({ seat, hand }) => ({ seat, ...cutOut(canvas, hand, sizeOf(seat), words.hand.replace('{number}', hand.number)) }))
  const isSure = ({ seat, reading }) => reading.hand.length >= sizeOf(seat) && reading.hand.every(({ sure }) => sure)
  const unsure = readings.filter((each) => !isSure(each))
  activate(null) // leaving a hand confirms what is proposed for it
  for (const { seat, reading } of readings) {
    seat.proposed = proposalOf(reading)
    seat.selected = null
  }
  for (const { seat } of readings.filter(isSure)) acceptProposal(seat)
  const reviewNext = () => {
    const next = unsure.find(({ seat }) => seat.proposed)
    if (!next) return activateFirst()
    review(next.seat, next.seat.root.querySelector('[data-photo]'), next.part, next.reading, reviewNext)
  }
  reviewNext()
  announce(words.filled)
}

function openDialog(input) {
  const dialog = makeElement('dialog', 'table-photo', { ariaLabel: words.label })
  const message = makeElement('p', 'told', { role: 'status' })
  const picture = makeElement('div', 'plan')
  const choices = makeElement('div', 'choices', { role: 'group', ariaLabel: words.whose })
  const use = makeButton(words.use, 'primary', () => {})
  use.hidden = true
  const retake = () => {
    dialog.close()
    input.click()
  }
  const undo = makeButton(words.undo, 'small', () => {})
  undo.hidden = true
  const buttons = makeElement('div', 'acts')
  buttons.append(makeButton(camera.drop, 'small', () => dialog.close()), makeButton(camera.again, 'small', retake), undo, use)
  dialog.append(picture, message, choices, buttons)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return { dialog, message, picture, choices, undo, use }
}

const seatsToRead = () => openSeats.filter((seat) => !isOut(seat) && !isFaceDown(seat))

function tellIn({ message }, text, hasHelp = false) {
  message.textContent = text
  if (hasHelp) message.append(' ', helpLink())
}

// Shows what the camera sees until all hands are read or a picture is taken of them.
export async function find(input) {
  await styled
  const seats = seatsToRead()
  if (!seats.length) return tellIn(openDialog(input), words.nobody)
  openFinder(tableOf(seats), {
    read: (reading, canvas) => {
      const parts = openDialog(input)
      parts.picture.append(canvas)
      offer(parts, seats, reading, canvas)
    },
    shot: (canvas) => photograph(canvas, input),
    still: () => {
      input.dataset.still = 'yes'
      input.click()
    },
  })
}

export async function photograph(file, input) {
  await styled
  const parts = openDialog(input)
  const seats = seatsToRead()
  if (!seats.length) return tellIn(parts, words.nobody)
  tellIn(parts, camera.reading)
  const canvas = await shrink(file, MAX_SIDE)
  if (canvas) parts.picture.append(canvas)
  const reading = await read('table', canvas, file, { seats })
  if (!parts.dialog.open) return
  if (reading.problem) return tellIn(parts, reading.problem, true)
  if (!canvas) return tellIn(parts, camera.offline)
  offer(parts, seats, reading, canvas)
}

// Shows the hands that were read, and asks whose each is.
function offer(parts, seats, reading, canvas) {
  const { dialog, picture, choices, undo, use } = parts
  const tell = (text) => tellIn(parts, text)
  tell(`${reading.told} ${words.arrange}`)
  let { hands } = reading
  const rows = seats.map(makeChoice)
  offerHands(rows, hands, reading.given)
  choices.append(...rows.map(({ label }) => label))
  undo.onclick = arrange(picture, canvas, hands, {
    words,
    most: seats.length,
    changed: (next, mayUndo) => {
      const given = givenNow(rows, hands, next)
      hands = next
      offerHands(rows, hands, given)
      undo.hidden = !mayUndo
      tell(hands.map(({ number, seen }) => words.count.replace('{number}', number).replace('{n}', seen.length)).join(', '))
    },
    refused: () => tell(words.uncut),
  })
  use.hidden = false
  use.onclick = () => {
    const chosen = rows.filter(({ select }) => select.value).map(({ seat, select }) => ({ seat, hand: hands[select.value - 1] }))
    const problem = problemOf(chosen)
    if (problem) return tell(problem)
    if (!mayReplace(chosen)) return
    dialog.close()
    fill(chosen, canvas)
  }
  use.focus()
}
