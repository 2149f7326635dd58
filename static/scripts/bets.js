// Betting buttons. They also work without this script, which redraws only the bets instead of the whole page.

import { activate, activateFirst, announce, form, seats, words } from './hands.js'
import { tell } from './live.js'

const tab = document.querySelector('[data-tab=bets]')
const panel = () => document.getElementById('betting')

// Players who folded don't show a hand.
function followFolds() {
  const folded = panel().dataset.folded.split('\n')
  for (const seat of seats) seat.root.toggleAttribute('data-out', folded.includes(seat.name.value))
  // hands can be entered once the betting is over
  show('open' in panel().dataset)
}

// Marks the one tab whose part is shown: the bets, or the way to enter a round that this phone prefers.
function mark(isShown) {
  tab?.toggleAttribute('aria-current', isShown)
  for (const way of document.querySelectorAll('[data-way]')) {
    if (!isShown && way.dataset.way === form.elements.way.value) way.setAttribute('aria-current', 'true')
    else way.removeAttribute('aria-current')
  }
}

// Shows either the bets or the hands with their keys.
function show(isShown) {
  document.body.classList.toggle('betting', isShown)
  mark(isShown)
  if (isShown) activate(null)
  else activateFirst()
}

// Has the server redraw the bets, after applying the button's action if there is one.
async function redraw(button = null) {
  const bets = form.elements.bets.value
  const body = new FormData(form)
  body.set('do', button?.value ?? 'act')
  const answer = await fetch(form.action, { method: 'POST', body })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.getElementById('betting')
  // if another phone's bet came meanwhile, this is out of date, and that bet has itself drawn
  if (!fresh || form.elements.bets.value !== bets) return
  const changesForm = panel().querySelector('[name=betting]').value !== fresh.querySelector('[name=betting]').value
  const focused = panel().contains(document.activeElement) ? document.activeElement.value : null
  const stacks = page.querySelectorAll('[data-strip] .stack')
  document.querySelectorAll('[data-strip] .stack').forEach((stack, at) => stack.replaceWith(stacks[at]))
  panel().replaceWith(fresh)
  if (focused !== null) (fresh.querySelector(`[value="${focused}"]`) ?? fresh.querySelector('[data-bet]')).focus()
  announce(fresh.querySelector('.turn b')?.textContent ?? '')
  // only what was done here is sent: another phone's bets, sent back, could take away a bet that followed meanwhile
  if (button) for (const name of ['betting', 'bets']) form.elements[name].dispatchEvent(new Event('change', { bubbles: true }))
  for (const sums of document.querySelectorAll('[data-sums]')) sums.hidden = Boolean(form.elements.betting.value)
  if (changesForm) for (const sums of document.querySelectorAll('[data-sums] input[type=checkbox]')) sums.checked = false
  followFolds()
}

function begin() {
  form.addEventListener('submit', (event) => {
    if (!event.submitter?.matches('[data-bet]')) return
    event.preventDefault()
    redraw(event.submitter).catch(() => tell(words.kept))
  })
  form.addEventListener('change', (event) => {
    if (event.target.matches('#rules input, #rules select') && form.elements.betting.value) redraw().catch(() => tell(words.kept))
  })
  // another phone entered bets
  form.addEventListener('bets', () => redraw().catch(() => tell(words.kept)))
  tab?.addEventListener('click', (event) => {
    event.preventDefault()
    show(true)
  })
  document.querySelector('[data-bets]')?.addEventListener('click', (event) => {
    event.preventDefault()
    show(true)
  })
  // tapping a player returns to the hands
  document.querySelector('[data-strip]').addEventListener('click', () => mark(document.body.classList.contains('betting')))
  followFolds()
}

begin()
