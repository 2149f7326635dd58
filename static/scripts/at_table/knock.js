// A knock or an all-in is a long press, so that nobody does it by accident.

import { send } from './actions.js'
import { stateLine } from './rail.js'

const LONG = 700 // milliseconds
let timer = 0
let holding // the id of the pointer that holds; a mouse that lies elsewhere, or a second finger, changes nothing
let stillDown = false // the finger that knocked; what comes under it when the line is drawn again is not tapped as it lifts

export function labelHolds() {
  for (const button of document.querySelectorAll('[data-hold]')) if (button.textContent !== button.dataset.hold) button.textContent = button.dataset.hold
}

function release() {
  clearTimeout(timer)
  for (const button of document.querySelectorAll('.held')) button.classList.remove('held')
}

// A tap that was too short: the state line, which a screen reader reads, says what is missing.
function hint(button) {
  const sentence = stateLine().querySelector('[role=status] > :last-child') // the first may be a chip
  sentence.querySelector('small')?.remove()
  const small = document.createElement('small')
  small.textContent = button.dataset.hint
  sentence.append(' ', small)
}

function hold(button, pointer) {
  const { value } = button
  holding = pointer
  button.classList.add('held')
  clearTimeout(timer)
  timer = setTimeout(() => {
    release()
    // another phone's tap may have had the line drawn anew meanwhile, and what is held may no longer be offered
    const held = [...document.querySelectorAll('[data-hold]')].find((one) => one.value === value)
    if (!held) return
    stillDown = true
    navigator.vibrate?.(60)
    send(held, true)
  }, LONG)
}

export function beginKnocks() {
  addEventListener('pointerdown', () => { stillDown = false }, { capture: true })
  addEventListener('click', (event) => { // with a `detail` of 0, a key or a screen reader made it
    if (!stillDown || event.detail === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }, { capture: true })
  document.addEventListener('pointerdown', ({ target, button: pressed, pointerId }) => {
    const button = target.closest('[data-hold]')
    if (button && pressed === 0) hold(button, pointerId)
  })
  const leave = ({ pointerId }) => { if (pointerId === holding) release() }
  addEventListener('pointerup', ({ pointerId }) => {
    const button = document.querySelector('.held[data-hint]')
    if (button && pointerId === holding) hint(button)
  })
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, leave)
  addEventListener('blur', release)
  document.addEventListener('pointerout', (event) => { if (event.target.closest('[data-hold]')) leave(event) })
  document.addEventListener('contextmenu', (event) => { if (event.target.closest('[data-hold]')) event.preventDefault() })
  // a short tap does nothing; a key or a screen reader, whose clicks have no `detail`, opens a page that asks
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-hold]') && event.detail > 0) event.preventDefault()
  })
}
