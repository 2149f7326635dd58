// The form of a round, which works without scripts; this puts the helpers together.

import * as hands from './hands.js'
import * as live from './live.js'
import * as save from './save.js'

const { form } = hands
hands.begin()
live.begin()
save.begin()
hands.draw()

// house rules that change the form redraw it
for (const rule of document.querySelectorAll('[data-redraw]')) {
  rule.addEventListener('change', () => document.getElementById('redraw').click())
}

// An answer that takes the place of another unsets it, and the other way round.
const nobody = (name) => document.querySelector(`[name="${name}"][value=nobody]`)
for (const choice of document.querySelectorAll('[data-instead-of]')) {
  choice.addEventListener('change', () => { nobody(choice.dataset.insteadOf).checked = true })
  for (const other of document.querySelectorAll(`[name="${choice.dataset.insteadOf}"]:not([value=nobody])`)) {
    other.addEventListener('change', () => { nobody(choice.name).checked = true })
  }
}

// who deals, in the summary that hides the choice
for (const dealer of document.querySelectorAll('#dealers input')) {
  dealer.addEventListener('change', () => {
    const told = document.querySelector('[data-dealer]')
    told.textContent = told.dataset.dealer.replace('{player}', () => dealer.closest('label').textContent.trim())
  })
}

// the screen stays awake while hands are entered, where the browser allows it
const stayAwake = () => { if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {}) }
document.addEventListener('visibilitychange', stayAwake)
form.addEventListener('pointerdown', stayAwake, { once: true })

// a screen reader begins at what is new
;(document.getElementById('problems') ?? document.getElementById('won'))?.focus()
