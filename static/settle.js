// Helps the form of a round, which works without: the typed line and the keys of a hand stay in step, a full hand opens
// the next one's keys, cards of other hands are greyed, house rules that change the form redraw it. It knows no rule;
// the server reads the hands.

const seats = [...document.querySelectorAll('[data-seat]')].map((root) => ({
  root,
  line: root.querySelector('[data-hand]'),
  name: root.querySelector('[data-name]'),
  keyboard: root.querySelector('[data-keys]'),
  keys: [...root.querySelectorAll('[data-keys] input')],
}))

// How many cards a hand has: what the seat says, unless an answer of its player says otherwise.
const sizeOf = (seat) => Number((seat.root.querySelector('.chips [data-size]:checked') ?? seat.root).dataset.size)

// Every accepted spelling, from the server: "10h", "t♥" → Th, "62" → 2-6
const known = JSON.parse(document.getElementById('entry').dataset.spellings)
const canonical = (token) => known[token.replace(/\ufe0e|\ufe0f/g, '').toLowerCase()]
const same = (token, key) => canonical(token) === key.value
const isKey = (seat, token) => seat.keys.some((key) => same(token, key))

// The words of the line; cards run together are parted where each part is a key.
function tokens(seat) {
  return seat.line.value.split(/[\s,]+/).filter(Boolean).flatMap((word) => {
    const parts = word.match(/../g) ?? []
    return !isKey(seat, word) && parts.join('') === word && parts.every((part) => isKey(seat, part)) ? parts : [word]
  })
}

// A key is down for each time that its card stands in the line.
function followLine(seat) {
  const left = tokens(seat)
  for (const key of seat.keys) {
    const at = left.findIndex((token) => same(token, key))
    key.checked = at >= 0
    if (at >= 0) left.splice(at, 1)
  }
}

function followKey(seat, key) {
  const held = tokens(seat)
  const at = held.findIndex((token) => same(token, key))
  if (key.checked) held.push(key.value)
  else if (at >= 0) held.splice(at, 1)
  seat.line.value = held.join(' ')
}

const count = (seat) => seat.keys.filter((key) => key.checked).length
const isOut = (seat) => seat.root.querySelector('.chips [type=checkbox]:checked') !== null

// Closes a player's keys and opens those of the next one who is still in and has no cards.
function advance(seat) {
  const next = seats.slice(seats.indexOf(seat) + 1).find((other) => !isOut(other) && count(other) === 0)
  seat.keyboard.open = false
  if (next) {
    next.keyboard.open = true
    next.root.scrollIntoView({ block: 'start' })
  }
}

// "Beto" → B, "Player 2" → P2
const initials = (name) => name.trim().slice(0, 1) + (name.match(/\d+\s*$/) ?? [''])[0].trim()

function greyOthers() {
  for (const seat of seats) {
    for (const key of seat.keys) {
      const owner = seats.find((other) => other !== seat && other.keys.some((k) => k.checked && k.value === key.value))
      const isSingle = seat.keys.filter((k) => k.value === key.value).length === 1
      const label = key.closest('.key')
      if (owner && isSingle && !key.checked) label.dataset.owner = initials(owner.name.value)
      else delete label.dataset.owner
      if (label.dataset.owner) key.setAttribute('aria-description', owner.name.value)
      else key.removeAttribute('aria-description')
    }
  }
}

// How far each hand is, in the summary of its keys; hands that are not full in the dock.
function countCards() {
  for (const seat of seats) {
    const held = count(seat)
    const size = held > sizeOf(seat) ? '' : ` of ${sizeOf(seat)}`
    seat.root.querySelector('[data-count]').textContent = held ? `${held}${size}` : ''
  }
  const missing = document.querySelector('[data-missing]')
  const open = seats.filter((seat) => seat.line.value.trim() && count(seat) < sizeOf(seat))
  if (missing) missing.textContent = open.map((seat) => `${seat.name.value}: ${count(seat)} of ${sizeOf(seat)}`).join(', ')
}

function changed() {
  greyOthers()
  countCards()
}

for (const seat of seats) {
  // what was tapped without the line, as a page without this script sends it, is put into the line
  const typed = tokens(seat)
  for (const key of seat.keys.filter((k) => k.checked)) {
    const at = typed.findIndex((token) => same(token, key))
    if (at < 0) seat.line.value = `${seat.line.value} ${key.value}`.trim()
    else typed.splice(at, 1)
  }
  followLine(seat)
  seat.line.addEventListener('input', () => { followLine(seat); changed() })
  for (const key of seat.keys) {
    key.addEventListener('change', () => {
      followKey(seat, key)
      changed()
      if (key.checked && count(seat) === sizeOf(seat)) advance(seat)
    })
  }
  for (const out of seat.root.querySelectorAll('.chips [type=checkbox]')) {
    out.addEventListener('change', () => { if (out.checked && seat.keyboard.open) advance(seat) })
  }
  seat.name.addEventListener('focus', () => seat.name.select())
  // one keyboard at a time
  seat.keyboard.addEventListener('toggle', () => {
    if (!seat.keyboard.open) return
    for (const other of seats) if (other !== seat) other.keyboard.open = false
  })
}
changed()

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

// a screen reader begins at what is new
;(document.getElementById('problems') ?? document.getElementById('won'))?.focus()
