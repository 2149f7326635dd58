// The entry form of a round, which also works without scripts. This module connects the others.

import * as hands from './hands.js'
import * as live from './live.js'
import * as word from './word.js'
import * as offline from './offline.js'
import { stayAwake } from './phone.js'

const { form } = hands

// Locks the form while its round waits on this phone to be sent.
function hold(isHeld) {
  form.toggleAttribute('data-saving', isHeld)
  for (const part of form.children) part.inert = isHeld && !part.matches('.docked')
  if (isHeld) hands.activate(null)
  live.tell(isHeld ? hands.words.unsaved : '')
}

hands.begin()
live.begin()
word.begin()
if ('saves' in form.dataset) offline.begin(form, { hold, booked: live.forget })
hands.draw()

// redraw the form when a house rule changes it
for (const rule of document.querySelectorAll('[data-redraw]')) {
  rule.addEventListener('change', () => {
    const button = document.getElementById('redraw')
    button.value = 'rules-on' // there may be more to choose
    button.click()
  })
}

// show the dealer in the summary of the collapsed choice
for (const dealer of document.querySelectorAll('#dealers input')) {
  dealer.addEventListener('change', () => {
    const told = document.querySelector('[data-dealer]')
    told.textContent = told.dataset.dealer.replace('{player}', () => dealer.closest('label').textContent.trim())
  })
}

// the list of the game's hands is a page of its own, shown in a dialog for the house rules as currently set
const link = document.querySelector('[data-card]')
const dialog = document.getElementById(link.dataset.card)
const sheet = dialog.insertBefore(document.createElement('div'), dialog.firstChild)
let shown

function cardAddress() {
  const address = new URL(link.href)
  for (const rule of form.querySelectorAll('[name^="rules-"]')) {
    address.searchParams.set(rule.name.slice(6), rule.type === 'checkbox' ? rule.checked : rule.value)
  }
  return address.href
}

// Loads the card's style sheet, once; without it the card can still be read.
let drawn = null
const styled = () => new Promise((done) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: dialog.dataset.styles, onload: done, onerror: done })
  document.head.append(link)
})

async function showCard() {
  const address = cardAddress()
  drawn ??= styled()
  if (shown !== address) {
    const answer = await fetch(address)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    await drawn
    sheet.replaceChildren(...page.getElementById('main').childNodes)
    shown = address
  }
  dialog.showModal()
  dialog.scrollTop = 0
}

link.addEventListener('click', (event) => {
  event.preventDefault()
  showCard().catch(() => open(cardAddress()))
})

// a round of a night is open: the screen stays on
if (form.dataset.draft) stayAwake()
else form.addEventListener('pointerdown', stayAwake, { once: true })

// the camera of a hand, which is loaded when it is first used
for (const input of document.querySelectorAll('[data-photo]')) {
  const seat = hands.open.find((one) => one.root.contains(input))
  input.addEventListener('click', (event) => {
    if (hands.camera.off) {
      event.preventDefault()
      live.tell(hands.camera.off)
      hands.announce(hands.camera.off)
    }
  })
  input.addEventListener('change', async () => {
    const [file] = input.files
    input.value = ''
    if (file) (await import(hands.camera.module)).photograph(seat, file, input)
  })
}

const whole = document.querySelector('[data-photo-table]')
if (whole) {
  whole.hidden = false
  const input = whole.querySelector('input')
  input.addEventListener('change', async () => {
    const [file] = input.files
    input.value = ''
    if (file) (await import(hands.camera.table.module)).photograph(file, input)
  })
}

// going back after saving must show the next round's form, not the browser's copy of the old one
addEventListener('pageshow', (event) => { if (event.persisted && 'fresh' in form.dataset) location.reload() })

// screen readers start at the new content
;(document.querySelector('#problems, #refused') ?? document.getElementById('won'))?.focus()
