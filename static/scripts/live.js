// Shows what the hands are worth while they are entered, as evaluated by the server; in a night also what other
// phones enter. Input the server hasn't received is stored on this phone and sent again until it arrives.
// The parts are in live/; the server sends them with this module as one file.

import { form, seats, setReading, words } from './hands.js'
import { CHANGED, catchUp, poll, send, sendOwnInput, sendSoon, stopSending } from './live/exchange.js'
import { markTyped, markTypedBefore, typedHere, unsent } from './live/fields.js'
import { draft, live } from './live/page.js'
import { showButtons } from './live/reading.js'
import { forgetInput, restoreInput, storeIfDue, storeInput, storeSoon } from './live/storage.js'
import { keepAsking } from './pace.js'

export { tell } from './live/reading.js'
export { forgetInput, hasInputForNextRound, textOfStored } from './live/storage.js'

// Clears a field's errors; the server reports them again if they remain.
function clearErrors(field) {
  const seat = field.closest('[data-seat]')
  for (const error of seat?.querySelectorAll('.error') ?? []) error.remove()
  field.removeAttribute('aria-invalid')
  document.querySelector(`[data-tab="${seat?.dataset.seat}"]`)?.classList.remove('wrong')
}

function change({ target }) {
  if (!target.name || target.closest('.picker')) return
  markTyped(target.name)
  clearErrors(target)
  storeSoon()
  sendSoon()
}

// Says, for a while, that this page has just been loaded again for another game.
function tellChangedGame() {
  history.replaceState(null, '', location.pathname + location.search)
  const notice = Object.assign(document.createElement('p'), { className: 'seen noted', textContent: words.playing })
  notice.setAttribute('role', 'status')
  form.before(notice)
}

// Empties the form for the next round, which is entered before the server knows of this page's.
export function beginNextRound() {
  for (const field of form.elements) {
    const { name, type } = field
    if (!name || type === 'hidden' || name === 'dealer' || name.startsWith('rules-')) continue
    if (type === 'checkbox' || type === 'radio') field.checked = false
    else if (field.matches('input')) field.value = ''
  }
  if (form.elements.bets) form.elements.bets.value = ''
  for (const seat of seats) setReading(seat, '')
  typedHere.clear()
  unsent.clear()
  const dealers = [...form.querySelectorAll('[name=dealer]')]
  const at = dealers.findIndex((dealer) => dealer.checked)
  const next = dealers.at((at + Number(form.dataset.passes)) % dealers.length)
  next.checked = true
  markTyped('dealer')
  restoreInput()
  form.dispatchEvent(new Event('next'))
  sendSoon()
}

export function begin() {
  if (!live && !draft) return
  restoreInput()
  const isReturned = !('fresh' in form.dataset)
  // a reload gets the form without sending it again; corrections made since are stored on this phone
  if (isReturned) history.replaceState(null, '')
  markTypedBefore(isReturned)
  if (isReturned && typedHere.size) storeInput()
  addEventListener('pagehide', storeIfDue)
  document.addEventListener('visibilitychange', storeIfDue)
  form.addEventListener('input', change)
  form.addEventListener('change', change)
  form.addEventListener('focusout', catchUp)
  form.addEventListener('way', () => { if (draft) poll(); else sendSoon() })
  form.addEventListener('submit', ({ submitter }) => {
    if (submitter?.value === 'next') forgetInput()
    if (submitter?.value === 'save') stopSending()
  })
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.dock [value^=show]')) return
    event.preventDefault()
    send('show')
  })
  showButtons(false)
  sendOwnInput()
  if (location.hash === CHANGED) tellChangedGame()
  if (draft) keepAsking(poll)
  if (unsent.size || seats.some((seat) => seat.line?.value)) sendSoon()
}
