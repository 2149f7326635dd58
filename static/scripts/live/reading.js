// Shows what the server answered: what each hand is worth, the round's result or what is missing, and the next button.

import { draw, form, seats, setReading, sizeOf, words, write } from '../hands.js'
import { follows } from './page.js'

const missing = document.querySelector('[data-missing]')
let result = null // that is shown

export function tell(text) {
  if (missing) write(missing, text)
}

export function tellRefusal(text) {
  tell(text)
  missing?.classList.add('wrong')
}

export function tellOffline(text) {
  result = null
  tell(text)
  missing?.classList.add('away')
  document.body.classList.add('away')
  showButtons(true)
}

// Shows one button: "Settle", or "Save" in its place once the round is settled, where it can be saved. "Save" is also
// shown if the server is away: the round then waits on this phone.
export function showButtons(canSave) {
  const save = document.querySelector('[data-save]')
  const settle = document.querySelector('[data-settle]')
  const focused = document.activeElement
  if (save) save.hidden = !canSave
  if (settle) settle.hidden = canSave && Boolean(save)
  const isNext = Boolean(document.querySelector('.dock [data-place=settle]')) // all that it needs is on other phones
  settle?.classList.toggle('primary', canSave || isNext)
  if (save?.hidden && focused === save) settle?.focus({ preventScroll: true })
  if (settle?.hidden && focused === settle) save.focus({ preventScroll: true })
}

// The answer on the page is outdated: the round must be settled again before it can be saved.
export function requireSettling() {
  const save = document.querySelector('[data-again]')
  if (!save || save.value === 'settle') return
  save.value = 'settle'
  delete save.dataset.offline
  save.textContent = save.dataset.again
  const notice = document.querySelector('[data-overtaken]')
  notice.textContent = notice.dataset.overtaken
}

// Players who folded, dropped or mucked have no hand to enter, and their tabs say which. On the scorekeeper's page the
// bets themselves say who is out.
function showWhoIsOut(out) {
  for (const { root, number } of seats) {
    const isOut = number in out
    root.toggleAttribute('data-out', isOut)
    if (isOut) root.dataset.out = out[number]
    root.toggleAttribute('data-alone', !isOut && Object.keys(out).length === seats.length - 1)
  }
}

function showHand(seat, hand, isFaceDown) {
  const size = hand?.size ?? 0
  if (isFaceDown) setReading(seat, words.down.replace('{n}', size), { liesDown: true, brief: hand?.complete ? words.laid : `${size}/${sizeOf(seat)}` })
  else if (!seat.line && !hand?.reading) setReading(seat, hand ? words.held.replace('{n}', size) : words.nothing)
  else setReading(seat, hand?.reading ?? '', { brief: hand?.brief })
}

// A round that settles has no errors left, including in hands that weren't touched.
function removeErrors() {
  for (const error of document.querySelectorAll('#problems, [data-seat] .error')) error.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
}

function tellResult({ headline, nets }) {
  if (missing?.textContent === headline) return
  const amounts = nets.map((net) => net.join('\u00a0').replace('\u2212', '\u2212\u2060')).join('\u00a0· ')
  tell([headline, amounts].filter(Boolean).join(' — '))
}

// Whether all hands that this phone enters are complete: on a player's own phone the only one.
const isIn = (reading) => follows && seats.every(({ line, number }) => !line || reading.seats[number]?.complete)

// `faceDown` lists the seats whose hands lie face down on this phone.
export function showReading(reading, faceDown = []) {
  const { settled } = reading
  for (const seat of seats) showHand(seat, reading.seats[seat.number], faceDown.includes(Number(seat.number)))
  if (follows) showWhoIsOut(reading.out)
  if (settled) removeErrors()
  draw()
  const problem = reading.wrong[0]?.text ?? ''
  if (settled) tellResult(settled)
  else tell(problem || [isIn(reading) && words.in, reading.missing].filter(Boolean).join(' '))
  missing?.classList.remove('away')
  document.body.classList.remove('away')
  missing?.classList.toggle('wrong', Boolean(problem))
  missing?.classList.toggle('settled', Boolean(settled))
  result = settled
  shorten() // only here: reading a height has the browser lay the page out at once
  showButtons(Boolean(settled))
}

// Leaves the amounts out where there is no room for them, also once the phone was turned.
function shorten() {
  if (result && missing?.scrollHeight > missing?.clientHeight) tell(result.headline)
}
addEventListener('resize', shorten)

// Shows what the other phones wait for, in the scorekeeper's bar.
export function showStateLine(html) {
  const before = document.querySelector('.dock [data-says]')
  const fresh = before && html && new DOMParser().parseFromString(html, 'text/html').querySelector('[data-says]')
  if (fresh && !fresh.isEqualNode(before)) before.replaceWith(fresh)
}

// Shows what is announced: a correction, or new stakes. Read aloud once, because an equal note isn't drawn again.
export function showNote(html) {
  const note = document.querySelector('[data-note]')
  const fresh = new DOMParser().parseFromString(html, 'text/html').body
  note?.classList.toggle('unseen', !html)
  if (note && note.textContent.trim() !== fresh.textContent.trim()) note.replaceChildren(...fresh.childNodes)
}

// Lists changes made after the hands were revealed; screen readers announce each once.
export function listLateChanges(sentences) {
  const list = document.querySelector('[data-late]')
  if (!list || [...list.children].map((item) => item.textContent).join() === sentences.join()) return
  list.replaceChildren(...sentences.map((text) => Object.assign(document.createElement('li'), { textContent: text })))
  list.hidden = !sentences.length
  for (const shown of list.getAnimations()) { // restarts the animation that shows it over the bar
    shown.cancel()
    shown.play()
  }
}

export function showStacks(stacks) {
  for (const [seat, chips] of Object.entries(stacks)) {
    const stack = document.querySelector(`[data-tab="${seat}"] .stack`)
    if (stack) stack.lastChild.data = chips
  }
}
