// The entry form of a round, which also works without scripts. This module connects the others.

import { beginCameras } from './entry/camera_buttons.js'
import { beginHandList } from './entry/hand_list.js'
import { beginMissing } from './entry/missing.js'
import { beginMoves } from './entry/move_hand.js'
import { activate, activateFirst, begin as beginHands, draw, form, words } from './hands.js'
import { begin as beginLive, beginNextRound, forgetInput, hasInputForNextRound, tell } from './live.js'
import { begin as beginOffline } from './offline.js'
import { stayAwake } from './phone.js'
import { begin as beginWord } from './word.js'

// Locks the form while its round waits on this phone to be sent.
function hold(isHeld) {
  form.toggleAttribute('data-saving', isHeld)
  for (const part of form.children) part.inert = isHeld && !part.matches('.docked')
  if (isHeld) activate(null)
  tell(isHeld ? words.unsaved : '')
}

// Goes on to the next round while this page's waits; what depends on its result isn't known yet.
function goOn() {
  const title = document.querySelector('h1')
  title.textContent = title.textContent.replace(/\d+/, (number) => Number(number) + 1)
  form.querySelector('#entry > .carried')?.remove()
  beginNextRound()
  showDealer()
  activateFirst()
  draw()
}

beginHands()
beginLive()
beginWord()
if ('saves' in form.dataset) {
  const next = 'passes' in form.dataset ? goOn : null
  beginOffline(form, { hold, booked: forgetInput, next, hasNext: hasInputForNextRound })
}
draw()
beginHandList()
beginCameras()
beginMissing()
beginMoves()

// have the server render the form again when a house rule changes it
for (const rule of document.querySelectorAll('[data-redraw]')) {
  rule.addEventListener('change', () => {
    const button = document.getElementById('redraw')
    button.value = 'rules-on' // keeps the house rules open: there may be more to choose
    button.click()
  })
}

// Shows the dealer's name next to the collapsed choice, which may also have been restored, or made on another phone.
function showDealer() {
  const shown = document.querySelector('[data-dealer]')
  const dealer = document.querySelector('#dealers input:checked')
  if (!shown || !dealer) return
  const text = shown.dataset.dealer.replace('{player}', () => dealer.closest('label').textContent.trim())
  if (shown.textContent !== text) shown.textContent = text
}
form.addEventListener('change', showDealer) // of a dealer, or of the dealer's name
document.addEventListener('applied', showDealer)
showDealer()

// keep the screen on during a night's round, and during a single round once somebody enters something
if (form.dataset.draft) stayAwake()
else form.addEventListener('pointerdown', stayAwake, { once: true })

// going back after saving must show the next round's form, not the browser's copy of the old one
addEventListener('pageshow', (event) => { if (event.persisted && 'fresh' in form.dataset) location.reload() })

// screen readers start at the new content
;(document.querySelector('#problems, #refused, .effects') ?? document.getElementById('won'))?.focus()
