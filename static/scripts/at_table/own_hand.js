// On the page of a player's own hand: while it is the player's turn, the table is shown instead of the hand.

import { refresh, section } from './section.js'

const link = document.querySelector('[data-at-table]')
let known = section()?.dataset.shown // the mark of the hand in play, as the server last described it

function sit(isSeated) {
  document.body.classList.toggle('seated', isSeated)
  link.setAttribute('aria-pressed', isSeated)
  if (isSeated) link.classList.remove('calls')
}

const isMyTurn = (element) => Boolean(element) && 'mine' in element.dataset && 'begun' in element.dataset

// Shows the table when this player's turn begins, and the hand again when play is over; other news only marks the link.
export function callToTable(element, before) {
  if (!link || (!before && !('begun' in element.dataset))) return
  if (isMyTurn(element) && !isMyTurn(before)) {
    navigator.vibrate?.(60)
    sit(true)
  } else if ('over' in element.dataset && before && !('over' in before.dataset)) sit(false)
  else if (!isMyTurn(element) && element.dataset.mark !== before?.dataset.mark) link.classList.add('calls')
}

export function beginOwnHand() {
  if (!link) return
  link.setAttribute('role', 'button')
  sit(false)
  link.addEventListener('click', (event) => {
    event.preventDefault()
    sit(!document.body.classList.contains('seated'))
  })
  // refresh in any case: another phone may have undone the action at once, so that the hand looks unchanged
  document.addEventListener('acted', () => { known = '' })
  document.addEventListener('applied', async ({ detail: { hand } }) => {
    if (known === hand) return
    known = hand
    if (!await refresh().catch(() => false)) known = ''
  })
}
