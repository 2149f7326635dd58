// The amount of a bet, put together by tapping chips or typed. It stays when the hand is drawn again.

import { POINT, readNumber } from './number.js'
import { section } from './section.js'

let chosen = null // the amount, and the mark of the state of the hand that it was chosen for

const fieldOf = (element) => element.querySelector('[name=amount]')
const isChosen = (element) => chosen?.mark === element.dataset.mark

export function forgetAmount() {
  chosen = null
}

const digitsOf = (scale) => Math.round(Math.log10(scale))
const written = (units, scale) => (units / scale).toFixed(digitsOf(scale)).replace('.', POINT)

// What a player who raises puts in: `call` are the units of the call.
function totalOf(element, call) {
  const { scale } = element.querySelector('[data-chips]').dataset
  const typed = readNumber(fieldOf(element).value, digitsOf(scale))
  return Number.isNaN(typed) ? '…' : written(Number(call) + Math.round(typed * scale), scale)
}

// Writes the amount on the button that bets it, with what a raise comes to. The primary button is the next step: to call,
// or once an amount was chosen, to bet.
function showAmount(element) {
  const raise = element.querySelector('[data-raise]')
  if (!raise) return
  const words = raise.dataset.raise.replace('{total}', () => totalOf(element, raise.dataset.in))
  raise.textContent = words.replace('{amount}', () => fieldOf(element).value.trim())
  raise.classList.toggle('primary', isChosen(element))
  document.querySelector('#rail .halves > :last-child')?.classList.toggle('primary', !isChosen(element))
}

export function restoreAmount(element) {
  const field = fieldOf(element)
  if (field && isChosen(element)) field.value = chosen.value
  if (field) showAmount(element)
}

function choose(element, value) {
  chosen = { mark: element.dataset.mark, value }
  showAmount(element)
}

function addChip(chip) {
  const element = section()
  const { scale, least, most = Infinity } = chip.closest('[data-chips]').dataset
  const field = fieldOf(element)
  const shown = Math.round(readNumber(field.value || '0', digitsOf(scale)) * scale)
  const limited = (units) => Math.min(Math.max(units, least), most)
  const added = Number(chip.dataset.add)
  // the first chip replaces the smallest amount, which nobody has chosen; if that changes nothing, it is added to it
  const isFirst = !isChosen(element) && limited(added) !== shown
  const units = 'set' in chip.dataset ? Number(chip.dataset.set) : added + (isFirst ? 0 : shown)
  if (Number.isNaN(units)) return // what was typed stays, and the server says what is wrong with it
  field.value = written(limited(units), scale)
  choose(element, field.value)
}

export function beginAmounts() {
  document.addEventListener('click', ({ target }) => {
    const chip = target.closest('#at-table :is([data-add], [data-set])')
    if (chip) addChip(chip)
  })
  // what is typed replaces the amount
  document.addEventListener('focusin', ({ target }) => {
    if (target.matches('#at-table [name=amount]')) target.select()
  })
  document.addEventListener('input', ({ target }) => {
    if (target.matches('#at-table [name=amount]')) choose(section(), target.value)
  })
}
