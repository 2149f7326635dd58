// Tapping what is missing leads to it: to the next hand that isn't full, else to the answers of the one that is open.

import { activate, form, isFull, isOut, openSeats } from '../hands.js'

const isUnanswered = ({ name }) => !form.querySelector(`[name="${name}"]:checked`)

function lead() {
  if (form.elements.way?.value) return // when the result is entered instead of hands, all players are in sight
  const next = openSeats.find((seat) => !isOut(seat) && !isFull(seat))
  if (next) return activate(next)
  const answers = form.querySelector('.seat.active .chips')
  answers?.toggleAttribute('data-current', [...answers.querySelectorAll('[type=radio]')].some(isUnanswered))
}

export function beginMissing() {
  document.querySelector('[data-missing]')?.addEventListener('click', lead)
  form.addEventListener('change', () => {
    for (const answers of form.querySelectorAll('.chips[data-current]')) answers.removeAttribute('data-current')
  })
}
