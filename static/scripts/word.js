// Entering a result instead of cards: tap the winners, or give each hand a number on the number pad.

import { activate, announce, chooseWay, form, seats, words } from './hands.js'

const KEYS = 28 // four rows
const HIGHEST = 4 * KEYS // after this number the keys start again at 0
const pad = document.querySelector('[data-pad]')
const fields = [...form.querySelectorAll('[data-points]')]
const seatOf = (field) => seats.find((seat) => seat.root.contains(field))
const isMissing = (field) => !field.value && !field.closest('[data-seat]').querySelector('.chips > :not([hidden]) [type=checkbox]:checked')
let first = 0 // the number on the first key
let isHalf = false
let current = null // the field that the keys fill

function makeKey(text, action) {
  const key = Object.assign(document.createElement('button'), { type: 'button', className: 'key', textContent: text })
  key.addEventListener('click', action)
  return key
}

const numbers = pad ? Array.from({ length: KEYS }, (_, at) => makeKey('', () => enter(first + at))) : []
const more = makeKey('', () => { first = (first + KEYS) % HIGHEST; drawPad() })
const half = makeKey('½', () => { isHalf = !isHalf; drawPad() })
const erase = makeKey('', () => { setPoints(''); drawPad() })

function drawPad() {
  const points = current?.value.trim()
  numbers.forEach((key, at) => {
    const text = `${first + at || (isHalf ? '' : 0)}${isHalf ? '½' : ''}`
    key.textContent = text
    key.setAttribute('aria-pressed', String(points === text.replace('½', `${first + at ? '' : '0'}.5`)))
  })
  more.textContent = `${(first + KEYS) % HIGHEST}…`
  half.setAttribute('aria-pressed', String(isHalf))
  for (const field of fields) field.toggleAttribute('data-current', field === current)
}

function setPoints(points) {
  if (!current) return
  current.value = points
  current.dispatchEvent(new Event('input', { bubbles: true }))
  announce(words.counts.replace('{player}', () => seatOf(current).name.value).replace('{points}', points))
}

// Gives a number to the current player, and moves to the next player without one.
function enter(number) {
  setPoints(`${number}${isHalf ? '.5' : ''}`)
  first = 0
  isHalf = false
  const at = fields.indexOf(current)
  current = [...fields.slice(at + 1), ...fields.slice(0, at)].find(isMissing) ?? current
  drawPad()
}

function show() {
  const isShown = form.elements.way.value !== '' && fields.some((field) => field.closest('[data-word]').hasAttribute('data-chosen'))
  if (pad) pad.hidden = !isShown
  current = isShown ? fields.find(isMissing) ?? fields[0] : null
  for (const seat of seats) {
    const name = seat.root.querySelector('.won b')
    if (name) name.textContent = seat.name.value
  }
  if (pad) drawPad()
}

function beginTab(tab) {
  tab.addEventListener('click', (event) => {
    event.preventDefault()
    document.body.classList.remove('betting')
    chooseWay(tab.dataset.way)
    activate(seats.find((seat) => seat.root.classList.contains('active')) ?? seats[0])
  })
}

function beginPad() {
  const grid = Object.assign(document.createElement('div'), { className: 'keyboard' })
  erase.append(document.querySelector('[data-erase] .icon').cloneNode(true))
  erase.setAttribute('aria-label', words.takeBack)
  grid.append(...numbers, ...('halves' in pad.dataset ? [half] : []), more, erase)
  pad.append(grid)
  for (const field of fields) {
    field.inputMode = 'none' // the pad replaces the phone's keyboard
    // a phone leaves the focus in the field while keys are tapped: then a tap on it is only a click
    for (const touch of ['focus', 'click']) {
      field.addEventListener(touch, () => {
        activate(seatOf(field))
        current = field
        drawPad()
      })
    }
  }
}

export function begin() {
  const tabs = document.querySelectorAll('[data-way]')
  if (!tabs.length) return
  tabs.forEach(beginTab)
  if (pad) beginPad()
  form.addEventListener('way', show)
  show()
}
