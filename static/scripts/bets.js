// Betting buttons. They also work without this script, which redraws only the bets instead of the whole page.

import { activate, activateFirst, announce, form, seats, words } from './hands.js'
import { tell } from './live.js'
import { inTime } from './offline.js'

const tab = document.querySelector('[data-tab=bets]')
const panel = () => document.getElementById('betting')

// Players who folded don't show a hand. Hands can be entered once the betting is over.
function applyBets() {
  const folded = panel().dataset.folded.split('\n')
  for (const seat of seats) seat.root.toggleAttribute('data-out', folded.includes(seat.name.value))
  show('open' in panel().dataset)
}

// Marks the tab that is shown: the bets, or the way in which this phone enters the round.
function markTab(isBets) {
  tab?.toggleAttribute('aria-current', isBets)
  for (const way of document.querySelectorAll('[data-way]')) {
    if (!isBets && way.dataset.way === form.elements.way.value) way.setAttribute('aria-current', 'true')
    else way.removeAttribute('aria-current')
  }
}

// Shows either the bets or the hands with their keys.
function show(isBets) {
  document.body.classList.toggle('betting', isBets)
  markTab(isBets)
  if (isBets) activate(null)
  else activateFirst()
}

function replacePanel(fresh, page) {
  const focused = panel().contains(document.activeElement) ? document.activeElement.value : null
  const stacks = page.querySelectorAll('[data-strip] .stack')
  document.querySelectorAll('[data-strip] .stack').forEach((stack, at) => stack.replaceWith(stacks[at]))
  panel().replaceWith(fresh)
  if (focused !== null) (fresh.querySelector(`[value="${focused}"]`) ?? fresh.querySelector('[data-bet]')).focus()
  announce(fresh.querySelector('.turn b')?.textContent ?? '')
}

// Has the server redraw the bets, after applying the button's action if there is one.
async function redraw(button = null) {
  const bets = form.elements.bets.value
  const body = new FormData(form)
  body.set('do', button?.value ?? 'act')
  const response = await fetch(form.action, { method: 'POST', body, signal: inTime() })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  // if another phone bet meanwhile, this page is outdated, and the next update shows that bet
  const fresh = page.getElementById('betting')
  if (form.elements.bets.value !== bets) return
  if (!fresh) throw new TypeError('no bets')
  const modeOf = (element) => element.querySelector('[name=betting]').value
  const changesMode = modeOf(panel()) !== modeOf(fresh)
  replacePanel(fresh, page)
  // send only what was done here: another phone's bets, sent back, could undo a bet that followed meanwhile
  if (button) for (const name of ['betting', 'bets']) form.elements[name].dispatchEvent(new Event('change', { bubbles: true }))
  for (const totals of document.querySelectorAll('[data-sums]')) totals.hidden = Boolean(form.elements.betting.value)
  if (changesMode) for (const box of document.querySelectorAll('[data-sums] input[type=checkbox]')) box.checked = false
  applyBets()
}

const redrawOrTell = (button) => redraw(button).catch(() => tell(words.betless))

form.addEventListener('submit', (event) => {
  if (!event.submitter?.matches('[data-bet]')) return
  event.preventDefault()
  redrawOrTell(event.submitter)
})
form.addEventListener('change', ({ target }) => {
  if (target.matches('#rules input, #rules select') && form.elements.betting.value) redrawOrTell()
})
// With an amount typed, its button is the one to press, and names it.
form.addEventListener('input', ({ target }) => {
  const button = target.name === 'bet_amount' && panel().querySelector('[data-with]')
  if (!button) return
  const amount = target.value.trim()
  button.dataset.plain ??= button.textContent
  button.textContent = amount ? button.dataset.with.replace('{amount}', () => amount) : button.dataset.plain
  button.classList.toggle('primary', Boolean(amount))
  for (const usual of panel().querySelectorAll('[value=act-check], [value=act-call]')) usual.classList.toggle('primary', !amount)
})
// another phone entered bets, or the server knows the rounds before this one
for (const news of ['bets', 'caughtup']) form.addEventListener(news, () => redrawOrTell())
// bets need the server: those shown are the last round's
form.addEventListener('next', () => {
  panel().hidden = true
  panel().dataset.folded = ''
  delete panel().dataset.open
  applyBets()
})
for (const link of document.querySelectorAll('[data-tab=bets], [data-bets]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    show(true)
  })
}
// tapping a player returns to the hands
document.querySelector('[data-strip]').addEventListener('click', () => markTab(document.body.classList.contains('betting')))
applyBets()
