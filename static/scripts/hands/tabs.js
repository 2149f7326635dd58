// Draws the players' tabs: name, answers such as "folded", and what the hand is worth in a word or how many cards it has.

import { entersCards, words, write } from './form.js'
import { isFaceDown, isOut, sizeOf, tokensOf } from './seats.js'

// The letters on the chip of a typed name: "Beto" → B, "Player 2" → P2
const initials = (name) => name.trim().slice(0, 1).toUpperCase() + (name.match(/\d+\s*$/) ?? [''])[0].trim()

// Shows a typed name wherever its player is shown.
function drawName({ tab, name, root, number }) {
  const shown = tab.querySelector('b')
  const value = name.value.trim() || tab.dataset.unnamed
  if (shown.textContent === value) return
  shown.textContent = value
  const elsewhere = document.querySelectorAll(`#dealers [value="${number}"] + span, [value="remove-${number}"] > span`)
  for (const part of [...root.querySelectorAll(':scope > legend, .won b'), ...elsewhere]) part.textContent = value
  tab.classList.toggle('unnamed', value === tab.dataset.unnamed)
  tab.classList.toggle('long', value.length > 5) // as in the template
  tab.parentElement.classList.toggle('long', tab.parentElement.querySelector('.long') !== null)
  for (const part of [tab, root]) {
    const chip = part.querySelector('.player')
    if (chip) chip.textContent = initials(value)
  }
}

export function drawTab(seat, isActive) {
  if (!seat.tab) return
  drawName(seat)
  const held = tokensOf(seat).length
  const labelOf = (box) => box.closest('label').dataset.said ?? box.closest('label').textContent.trim()
  const answers = [...seat.root.querySelectorAll('.chips :checked, .won :checked')].map(labelOf)
  const isEntered = seat.line && !isFaceDown(seat) && (held > 0 || entersCards())
  const reading = isEntered && held < sizeOf(seat) ? `${held}/${sizeOf(seat)}` : seat.brief ?? seat.reading.textContent
  const text = isOut(seat) ? answers.at(-1) ?? (seat.root.dataset.out || words.out) : [...answers, reading].filter(Boolean).join(' · ')
  write(seat.tab.querySelector('small'), text)
  // on a small phone, words need the chip's room; "3/5" doesn't
  seat.tab.classList.toggle('said', /\p{L}/u.test(text))
  seat.tab.classList.toggle('out', isOut(seat))
  seat.tab.classList.toggle('wrong', seat.root.querySelector('.error') !== null)
  if (isActive && entersCards()) seat.tab.setAttribute('aria-current', 'true')
  else seat.tab.removeAttribute('aria-current')
}
