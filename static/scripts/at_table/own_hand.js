// On the page of a player's own hand: the table is shown while the hand is played, the keys once it is to be entered.

import { drawRail, stateLine } from './rail.js'
import { refresh, section } from './section.js'

const OF_HAND = ['show', 'waiting', 'shown'] // the phases in which the keys are shown
const link = document.querySelector('[data-at-table]')
// a player who isn't in this round has no keys
const onlyWatches = document.getElementById('entry')?.dataset.follows === '-1'
let known = section()?.dataset.shown // the mark of the hand in play, as the server last described it
let before = null // the phase, and whether it was this player's turn

function sit(wanted) {
  const isSeated = wanted || onlyWatches
  document.body.classList.toggle('seated', isSeated)
  link.setAttribute('aria-pressed', isSeated)
  if (isSeated) link.classList.remove('calls')
}

const isHandBegun = () => [...document.querySelectorAll('#entry [data-hand]')].some((line) => line.value)

// Changes the view when the hand moves on to another phase; whoever is entering a hand goes on unless it is their turn.
// Who is out stays at the table.
function follow() {
  const { phase, choice, out } = stateLine()?.dataset ?? {}
  const isMine = choice !== undefined
  const now = `${phase} ${isMine} ${out}`
  if (!link || !phase || now === before) return
  const isFirst = before === null
  before = now
  if (OF_HAND.includes(phase)) return sit(out !== undefined)
  if (isFirst) return sit(!isHandBegun())
  if (isMine) navigator.vibrate?.(60)
  if (isMine || phase === 'deal') sit(true)
  else if (!document.body.classList.contains('seated')) link.classList.add('calls')
}

export function beginOwnHand() {
  if (!link) return
  link.setAttribute('role', 'button')
  sit(false)
  follow()
  document.addEventListener('click', (event) => {
    if (!event.target.closest('[data-at-table], [data-place=hand]')) return
    event.preventDefault()
    sit(Boolean(event.target.closest('[data-at-table]')) && !document.body.classList.contains('seated'))
  })
  // refresh in any case: another phone may have undone the action at once, so that the hand looks unchanged
  document.addEventListener('acted', () => {
    known = ''
    follow()
  })
  document.addEventListener('applied', async ({ detail: { hand, rail } }) => {
    drawRail(rail)
    follow()
    if (known === hand) return
    known = hand
    if (!await refresh().catch(() => false)) known = ''
  })
}
