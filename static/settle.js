// Helps the form of a round, which works without: the typed line and the keys of a hand stay in step, cards of other
// hands are greyed, house rules that change the form redraw it. It knows no rule; the server reads the hands.

const seats = [...document.querySelectorAll('[data-seat]')].map((root) => ({
  root,
  line: root.querySelector('[data-hand]'),
  name: root.querySelector('[data-name]'),
  keys: [...root.querySelectorAll('[data-keys] input')],
}))

const tokens = (seat) => seat.line.value.split(/[\s,]+/).filter(Boolean)
const same = (token, key) => token.toLowerCase() === key.value.toLowerCase()

// A key is down for each time that its card stands in the line, written as on the key.
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
    }
  }
}

// What is still missing, in the summary of each keyboard and in the dock.
function countCards() {
  const open = seats.filter((seat) => {
    const held = tokens(seat).length
    const size = Number(seat.root.dataset.size)
    seat.root.querySelector('[data-count]').textContent = held ? `${held} of ${size}` : ''
    return held > 0 && held < size
  })
  const missing = document.querySelector('[data-missing]')
  if (missing) missing.textContent = open.map((seat) => `${seat.name.value}: ${tokens(seat).length} of ${seat.root.dataset.size}`).join(', ')
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
  for (const key of seat.keys) key.addEventListener('change', () => { followKey(seat, key); changed() })
  seat.name.addEventListener('focus', () => seat.name.select())
  // one keyboard at a time
  const keyboard = seat.root.querySelector('[data-keys]')
  keyboard.addEventListener('toggle', () => {
    if (!keyboard.open) return
    for (const other of seats) if (other !== seat) other.root.querySelector('[data-keys]').open = false
  })
}
changed()

for (const rule of document.querySelectorAll('[data-redraw]')) {
  rule.addEventListener('change', () => document.getElementById('redraw').click())
}

document.getElementById('problems')?.focus()
