// Entering a result instead of cards: tap the winners, or one number per hand.

import { activate, announce, chooseWay, draw, form, seats, words } from './hands.js'

const KEYS = 28 // four rows
const pad = document.querySelector('[data-pad]')
const fields = [...form.querySelectorAll('[data-points]')]
const seatOf = (field) => seats.find((seat) => seat.root.contains(field))
const isOut = (field) => field.closest('[data-seat]').querySelector('.chips > :not([hidden]) [type=checkbox]:checked') !== null
const mostUsed = 4 * KEYS
let from = 0 // the number on the first key
let half = false
let current = null

function button(text, act) {
  const made = document.createElement('button')
  Object.assign(made, { type: 'button', className: 'key', textContent: text })
  made.addEventListener('click', act)
  return made
}

const numbers = pad ? Array.from({ length: KEYS }, (_, at) => button('', () => enter(from + at))) : []
const more = button('', () => { from = (from + KEYS) % mostUsed; drawPad() })
const halves = button('½', () => { half = !half; drawPad() })
const erase = button('', () => { put(''); drawPad() })

function drawPad() {
  const points = current?.value.trim()
  numbers.forEach((key, at) => {
    const text = `${from + at || (half ? '' : 0)}${half ? '½' : ''}`
    key.textContent = text
    key.setAttribute('aria-pressed', String(points === text.replace('½', `${from + at ? '' : '0'}.5`)))
  })
  more.textContent = `${(from + KEYS) % mostUsed}…`
  halves.setAttribute('aria-pressed', String(half))
  for (const field of fields) field.toggleAttribute('data-current', field === current)
}

function put(text) {
  if (!current) return
  current.value = text
  current.dispatchEvent(new Event('input', { bubbles: true }))
  const seat = seatOf(current)
  announce(words.counts.replace('{player}', () => seat.name.value).replace('{points}', text))
}

// Gives a number to the current player, and moves to the next player without one.
function enter(number) {
  put(`${number}${half ? '.5' : ''}`)
  from = 0
  half = false
  const at = fields.indexOf(current)
  current = [...fields.slice(at + 1), ...fields.slice(0, at)].find((field) => !field.value && !isOut(field)) ?? current
  drawPad()
}

function show() {
  const isShown = form.elements.way.value !== '' && fields.some((field) => field.closest('[data-word]').hasAttribute('data-chosen'))
  if (pad) pad.hidden = !isShown
  current = isShown ? fields.find((field) => !field.value && !isOut(field)) ?? fields[0] : null
  for (const seat of seats) {
    const name = seat.root.querySelector('.won b')
    if (name) name.textContent = seat.name.value
  }
  if (pad) drawPad()
}

export function begin() {
  const tabs = document.querySelectorAll('[data-way]')
  if (!tabs.length) return
  for (const tab of tabs) {
    tab.addEventListener('click', (event) => {
      event.preventDefault()
      document.body.classList.remove('betting')
      chooseWay(tab.dataset.way)
      activate(seats.find((seat) => seat.root.classList.contains('active')) ?? seats[0])
      draw()
    })
  }
  if (pad) {
    const grid = document.createElement('div')
    grid.className = 'keyboard'
    erase.append(document.querySelector('[data-erase] .icon').cloneNode(true))
    erase.setAttribute('aria-label', words.takeBack)
    grid.append(...numbers, ...('halves' in pad.dataset ? [halves] : []), more, erase)
    pad.append(grid)
    for (const field of fields) {
      field.inputMode = 'none' // the pad replaces the phone's keyboard
      field.addEventListener('focus', () => {
        activate(seatOf(field))
        current = field
        drawPad()
      })
    }
  }
  form.addEventListener('way', show)
  show()
}
