// Fills all hands from one photograph: shows the picture with each hand outlined and numbered, and asks whose each is.
// The picture stays on this page and is gone with it.

import { helpLink, layOver, makeButton, makeElement, proposalOf, read, review, shrink, styled } from './camera.js'
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

function outline(canvas, { box, number }) {
  const element = makeElement('div', 'outline')
  element.append(makeElement('b', '', { textContent: number }))
  layOver(element, canvas, box)
  return element
}

function makeChoice(seat, hands, given) {
  const label = makeElement('label', 'whose')
  const select = makeElement('select', '')
  select.append(new Option(words.none, ''), ...hands.map(({ number }) => new Option(words.hand.replace('{number}', number), number)))
  select.value = given ?? ''
  label.append(makeElement('span', '', { textContent: seat.name.value }), select)
  return { seat, label, select }
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
  const buttons = makeElement('div', 'acts')
  buttons.append(makeButton(camera.drop, 'small', () => dialog.close()), makeButton(camera.again, 'small', retake), use)
  dialog.append(picture, message, choices, buttons)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return { dialog, message, picture, choices, use }
}

export async function photograph(file, input) {
  await styled
  const { dialog, message, picture, choices, use } = openDialog(input)
  const tell = (text, hasHelp = false) => {
    message.textContent = text
    if (hasHelp) message.append(' ', helpLink())
  }
  const seats = openSeats.filter((seat) => !isOut(seat) && !isFaceDown(seat))
  if (!seats.length) return tell(words.nobody)
  tell(camera.reading)
  const canvas = await shrink(file, MAX_SIDE)
  if (canvas) picture.append(canvas)
  const reading = await read('table', canvas, file, { seats })
  if (!dialog.open) return
  if (reading.problem) return tell(reading.problem, true)
  if (!canvas) return tell(camera.offline)
  tell(reading.told)
  picture.append(...reading.hands.map((hand) => outline(canvas, hand)))
  const rows = seats.map((seat) => makeChoice(seat, reading.hands, reading.given[seat.number]))
  choices.append(...rows.map(({ label }) => label))
  use.hidden = false
  use.onclick = () => {
    const chosen = rows.filter(({ select }) => select.value).map(({ seat, select }) => ({ seat, hand: reading.hands[select.value - 1] }))
    const problem = problemOf(chosen)
    if (problem) return tell(problem)
    if (!mayReplace(chosen)) return
    dialog.close()
    fill(chosen, canvas)
  }
  use.focus()
}
