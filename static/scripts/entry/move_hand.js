// Moves a hand that was entered for the wrong player: to one without a hand, or in exchange for the hand of another.

import { acceptProposal, activate, advance, form, isFaceDown, offer, openSeats, tokensOf, words, writeLine } from '../hands.js'

let sheetLoaded = null

// Loads the styles of what comes after the first card. Resolves also if they can't be loaded: all can still be read.
function loadLater() {
  sheetLoaded ??= new Promise((done) => {
    const sheet = { rel: 'stylesheet', href: form.dataset.later, onload: done, onerror: done }
    document.head.append(Object.assign(document.createElement('link'), sheet))
  })
  return sheetLoaded
}

function tick(box, isChecked) {
  box.checked = isChecked
  box.dispatchEvent(new Event('change', { bubbles: true }))
}

function exchange(from, to) {
  const [mine, theirs] = [tokensOf(from), tokensOf(to)]
  writeLine(from, theirs)
  writeLine(to, mine)
  if (theirs.length) advance(to)
  else activate(from) // whose own cards are entered next
}

// Who gets a hand isn't out any more.
function move(from, to) {
  const outs = [...to.root.querySelectorAll('.chips [type=checkbox]:checked')]
  for (const seat of [from, to]) if (seat.proposed) acceptProposal(seat)
  for (const box of outs) tick(box, false)
  exchange(from, to)
  offer(words.unmove, () => {
    exchange(to, from)
    for (const box of outs) tick(box, true)
  })
}

function makeRow(from, to) {
  const row = Object.assign(document.createElement('button'), { type: 'button', className: 'button' })
  const told = to.tab.querySelector('small').textContent
  const isEmpty = !tokensOf(to).length
  const isBack = to.root.querySelector('.chips [type=checkbox]:checked') !== null
  const text = to === from ? words.same : isBack ? words.back.replace('{answer}', () => told) : isEmpty ? words.free : words.swap.replace('{hand}', () => told)
  const name = Object.assign(document.createElement('b'), { textContent: to.name.value })
  const note = Object.assign(document.createElement('small'), { textContent: text })
  const said = document.createElement('span')
  said.append(name, note)
  row.append(to.tab.querySelector('.player').cloneNode(true), said)
  row.classList.toggle('free', isEmpty && !isBack)
  row.classList.toggle('same', to === from)
  if (to !== from) row.addEventListener('click', () => move(from, to))
  return row
}

// Hands that lie face down on this phone aren't offered, nor players whom the bets say are out.
async function ask(from) {
  const dialog = Object.assign(document.createElement('dialog'), { className: 'move' })
  const rows = openSeats.filter((seat) => !isFaceDown(seat) && !('out' in seat.root.dataset))
  dialog.append(Object.assign(document.createElement('h2'), { textContent: words.whose }), ...rows.map((to) => makeRow(from, to)))
  dialog.setAttribute('aria-label', words.whose)
  dialog.addEventListener('click', ({ target }) => {
    if (target !== dialog && !target.closest('button')) return
    dialog.close()
    dialog.remove()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  await loadLater()
  dialog.showModal()
}

export function beginMoves() {
  form.addEventListener('input', loadLater, { once: true })
  for (const seat of openSeats.filter(({ mover }) => mover)) seat.mover.addEventListener('click', () => ask(seat))
}
