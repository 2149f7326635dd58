// Reads all hands from one photograph: shows the picture with each hand outlined and numbered, asks whose each is, and
// fills the hands. The picture stays on this page and is gone with it.

import { ask, button, element, lay, proposal, review, shrunk, styled } from './camera.js'
import { acceptProposal, activate, activateFirst, announce, camera, isFaceDown, isOut, openSeats, piecesOf, sizeOf } from './hands.js'

const LONGEST = 1920 // twenty cards in one picture need more pixels than five
const MARGIN = 0.04
const words = camera.table

// The part of the picture with one hand, and its readings there.
function cut(canvas, { box, seen, doubtful }, size, told) {
  const edge = MARGIN * Math.max(canvas.width, canvas.height)
  const [left, top] = [Math.max(0, box[0] - edge), Math.max(0, box[1] - edge)]
  const width = Math.min(canvas.width, box[0] + box[2] + edge) - left
  const height = Math.min(canvas.height, box[1] + box[3] + edge) - top
  const part = element('canvas', '', { width: Math.round(width), height: Math.round(height) })
  part.getContext('2d').drawImage(canvas, left, top, width, height, 0, 0, part.width, part.height)
  const moved = ([x, y, w, h]) => [x - left, y - top, w, h]
  const all = seen.map((one) => ({ ...one, box: moved(one.box) }))
  return { part, answer: { hand: all.slice(0, size), more: all.slice(size), doubtful: doubtful.map(moved).slice(0, Math.max(0, size - all.length)), told } }
}

function outline(canvas, { box, number }) {
  const at = element('div', 'outline')
  at.append(element('b', '', { textContent: number }))
  lay(at, canvas, box)
  return at
}

function choice(seat, hands, given) {
  const label = element('label', 'whose')
  const select = element('select', '')
  select.append(new Option(words.none, ''), ...hands.map(({ number }) => new Option(words.hand.replace('{number}', number), number)))
  select.value = given ?? ''
  label.append(element('span', '', { textContent: seat.name.value }), select)
  return { seat, label, select }
}

const names = (seats) => new Intl.ListFormat(document.documentElement.lang).format(seats.map((seat) => seat.name.value))

// Returns why the hands can't be filled in as given; null if they can.
function problem(chosen) {
  if (!chosen.length) return words.nothing
  for (const { hand } of chosen) {
    const owners = chosen.filter((one) => one.hand === hand)
    if (owners.length > 1) return words.twice.replace('{number}', hand.number).replace('{players}', () => names(owners.map(({ seat }) => seat)))
  }
  return null
}

function mayReplace(chosen) {
  const full = chosen.map(({ seat }) => seat).filter((seat) => piecesOf(seat).length >= sizeOf(seat))
  return !full.length || confirm(words.replace.replace('{players}', () => names(full)))
}

// Fills the hands: complete and certain ones at once; each of the others is checked first, with its cards marked.
function deal(chosen, canvas) {
  const read = chosen.map(({ seat, hand }) => ({ seat, ...cut(canvas, hand, sizeOf(seat), words.hand.replace('{number}', hand.number)) }))
  const isSure = ({ seat, answer }) => answer.hand.length >= sizeOf(seat) && answer.hand.every(({ sure }) => sure)
  const unsure = read.filter((one) => !isSure(one))
  activate(unsure[0]?.seat ?? null)
  for (const { seat, answer } of read) {
    seat.proposed = proposal(answer)
    seat.selected = null
  }
  for (const { seat } of read.filter(isSure)) acceptProposal(seat)
  const next = () => {
    const at = unsure.findIndex(({ seat }) => seat.proposed)
    if (at < 0) return activateFirst()
    const { seat, part, answer } = unsure[at]
    review(seat, seat.root.querySelector('[data-photo]'), part, answer, next)
  }
  next()
  announce(words.filled)
}

function build(input) {
  const dialog = element('dialog', 'table-photo', { ariaLabel: words.label })
  const told = element('p', 'told', { role: 'status' })
  const plan = element('div', 'plan')
  const choices = element('div', 'choices', { role: 'group', ariaLabel: words.whose })
  const use = button(words.use, 'primary', () => {})
  use.hidden = true
  const again = () => {
    dialog.close()
    input.click()
  }
  const acts = element('div', 'acts')
  acts.append(button(camera.drop, 'small', () => dialog.close()), button(camera.again, 'small', again), use)
  dialog.append(plan, told, choices, acts)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return { dialog, told, plan, choices, use }
}

export async function photograph(file, input) {
  await styled
  const { dialog, told, plan, choices, use } = build(input)
  const tell = (text, hasLink) => {
    told.textContent = text
    if (hasLink) told.append(' ', element('a', '', { href: camera.help, target: '_blank', textContent: camera.how }))
  }
  const seats = openSeats.filter((seat) => !isOut(seat) && !isFaceDown(seat))
  if (!seats.length) return tell(words.nobody)
  tell(camera.reading)
  const canvas = await shrunk(file, LONGEST)
  if (canvas) plan.append(canvas)
  const answer = await ask('table', canvas, file, seats)
  if (!dialog.open) return
  if (answer.problem) return tell(answer.problem, true)
  if (!canvas) return tell(camera.offline)
  tell(answer.told)
  plan.append(...answer.hands.map((hand) => outline(canvas, hand)))
  const all = seats.map((seat) => choice(seat, answer.hands, answer.given[seat.number]))
  choices.append(...all.map(({ label }) => label))
  use.hidden = false
  use.onclick = () => {
    const chosen = all.filter(({ select }) => select.value).map(({ seat, select }) => ({ seat, hand: answer.hands[select.value - 1] }))
    const why = problem(chosen)
    if (why) return tell(why)
    if (!mayReplace(chosen)) return
    dialog.close()
    deal(chosen, canvas)
  }
  use.focus()
}
