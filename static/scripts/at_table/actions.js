// Sends a tap on one of the buttons, and shows why it was refused.

import { inTime, isLost } from '../offline.js'
import { forgetAmount } from './amount.js'
import { drawRail, rail } from './rail.js'
import { numberOf, refresh, section } from './section.js'

// after a tap that counted, or another phone's, the same place may have another button, which a thumb on its way didn't mean
const REST = 500 // milliseconds
let resting = 0 // the timer
let focused = null // the value of the button that had the focus
let sending = 0 // how many taps are being sent
let sent = 0 // how many were; each has a key of its own
let refusal = null // the last refusal and its hand: shown until the next tap or hand, however often the hand is redrawn

// While a tap is being sent no other counts, nor for a moment after it, also if the hand is drawn again meanwhile; then the
// focus is restored.
export function allowTaps() {
  const element = section()
  for (const part of [element, rail()]) {
    part?.toggleAttribute('inert', sending > 0 || resting > 0)
    part?.toggleAttribute('data-sending', sending > 0)
  }
  if (sending || resting || !focused || document.activeElement !== document.body) return
  document.querySelector(`:is(#at-table, #rail) [value="${focused}"]`)?.focus({ preventScroll: true })
}

// `isAway`: there was no connection, which is told no longer than that.
function tell(text, isAway = false) {
  refusal = text ? { text, number: numberOf(section()), mark: section()?.dataset.mark, isAway } : null
  const box = rail()?.querySelector('[data-refused]')
  if (!box) return
  box.querySelector('[data-told]')?.remove()
  if (text) box.append(Object.assign(document.createElement('p'), { className: 'error', textContent: text }))
  box.lastElementChild?.toggleAttribute('data-told', Boolean(text))
}

export function restoreRefusal(element) {
  if (!refusal) return
  // a tap whose answer was lost counted after all, if the hand is another one
  const isOver = refusal.number !== numberOf(element) || (refusal.isAway && refusal.mark !== element.dataset.mark)
  tell(isOver ? '' : refusal.text, refusal.isAway)
}

let offered = null // the buttons of the state line

// Another phone may have changed what the state line offers.
export function restIfOthers() {
  const before = offered
  offered = [...rail()?.querySelectorAll('[name=do]') ?? []].map(({ value }) => value).join()
  if (before === null || before === offered) return
  rest()
  allowTaps()
}

function rest() {
  clearTimeout(resting)
  resting = setTimeout(() => {
    resting = 0
    allowTaps()
  }, REST)
}

// `isSure`: the button was held down, or stands folded up, so that the server needn't ask for confirmation.
export async function send(button, isSure = false) {
  const { form } = button
  const body = new URLSearchParams(new FormData(form))
  body.set('do', button.value)
  if (form.id === 'plays') body.set('key', `${body.get('key')}.${sent++}`)
  if (isSure) body.set('sure', 'yes')
  sending++
  allowTaps()
  try {
    const headers = { Accept: 'application/json' }
    const response = await fetch(form.action, { method: 'POST', body, headers, signal: inTime() })
    const { problem, rail: line } = await response.json()
    if (!problem) {
      if (!button.matches('[value^=count]')) button.closest('details')?.removeAttribute('open') // it was chosen
      forgetAmount()
      rest()
    }
    drawRail(line)
    document.dispatchEvent(new Event('acted'))
    await refresh()
    tell(problem ?? '')
  } catch (error) {
    if (!isLost(error)) throw error
    // it may have arrived; the form's key keeps it from counting twice
    tell(rail().querySelector('form').dataset.away, true)
  } finally {
    sending--
    allowTaps()
  }
}

export function beginActions() {
  document.addEventListener('focusin', ({ target }) => {
    focused = target.closest(':is(#at-table, #rail) button')?.value ?? null
  })
  document.addEventListener('reconnected', () => {
    if (refusal?.isAway) tell('')
  })
  document.addEventListener('submit', (event) => {
    const { target, submitter } = event
    if (!target.closest('#at-table, #plays') || !submitter || submitter.matches('[data-hold], [value^=over]')) return
    event.preventDefault()
    send(submitter, submitter.matches('[value^=knocks]'))
  })
}
