// The hands in a round's form: keeps the keyboard, the slots and the typed lines in sync.
// Contains no game rules: hand sizes and accepted spellings come from the server, which also evaluates the hands.

export const form = document.getElementById('entry')
export const words = JSON.parse(form.dataset.words)
export const camera = JSON.parse(form.dataset.camera ?? 'null')
const picker = document.querySelector('[data-picker]')
const keys = [...(picker?.querySelectorAll('[data-piece]') ?? [])]
export const faces = new Map(keys.map((key) => [key.dataset.piece, key.innerHTML]))
export const nameOf = (piece) => keys.find((key) => key.dataset.piece === piece)?.querySelector('.unseen').textContent ?? piece
const copies = new Map() // how many keys there are of each piece
for (const { dataset } of keys) copies.set(dataset.piece, (copies.get(dataset.piece) ?? 0) + 1)

export const seats = [...document.querySelectorAll('[data-seat]')].map((root) => ({
  root,
  number: root.dataset.seat,
  line: root.querySelector('[data-hand]'),
  name: root.querySelector('[data-name]'),
  slots: root.querySelector('[data-slots]'),
  reading: root.querySelector('[data-reading]'),
  tab: document.querySelector(`[data-tab="${root.dataset.seat}"]`),
  erase: root.querySelector('[data-erase]'),
  cursor: 0,
  selected: null, // index of the card that the next key replaces
  proposed: null, // the hand of a photograph until its player has looked at it: { held, unsure }
  drawn: [],
}))
export const open = seats.filter((seat) => seat.line)
let active = null
const stale = new Set() // seats that are drawn at the next drawing, whichever it is of
// The field with the question that replaces cards; empty if cards are entered
const way = form.elements.way

// Every accepted spelling, from the server: "10h", "t♥" → Th, "62" → 2-6
const known = JSON.parse(form.dataset.spellings)
const canonical = (token) => known[token.replace(/\ufe0e|\ufe0f/g, '').toLowerCase()]

// Splits a line into tokens; cards typed without gaps are separated if every part is a card.
function tokens(seat) {
  if (seat.proposed) return seat.proposed.held
  return (seat.line?.value ?? '').split(/[\s,]+/).filter(Boolean).flatMap((word) => {
    const parts = word.match(/../g) ?? []
    return !canonical(word) && parts.join('') === word && parts.every(canonical) ? parts : [word]
  })
}

export const pieces = (seat) => tokens(seat).map((token) => canonical(token) ?? token)
export const isOut = (seat) => 'out' in seat.root.dataset || seat.root.querySelector('.chips > :not([hidden]) [type=checkbox]:checked') !== null

// How many cards a hand has: the seat's size, unless one of the player's answers changes it.
export const sizeOf = (seat) => {
  const answers = [...seat.root.querySelectorAll('.chips [data-size]:checked')]
  return Math.max(...(answers.length ? answers : [seat.root]).map((sized) => Number(sized.dataset.size)))
}
export const isDown = (seat) => seat.root.classList.contains('down') && !tokens(seat).length
// Asks before overwriting a hand that its player has entered on another phone.
export const mayWriteOver = (seat) => confirm(words.over.replace('{player}', () => seat.name.value))
export const isFull = (seat) => tokens(seat).length >= sizeOf(seat) || isDown(seat)

function write(seat, held) {
  if (seat.proposed) {
    seat.proposed.held = held
    return draw()
  }
  seat.line.value = held.join(' ')
  seat.line.dispatchEvent(new Event('input', { bubbles: true }))
}

// Takes over what was proposed for a hand, as if it had been tapped.
export function accept(seat) {
  const { held } = seat.proposed
  seat.proposed = null
  write(seat, held)
  form.dispatchEvent(new Event('accepted'))
}

// Tells screen readers which card was added or removed, or whose turn it is.
export function announce(text) {
  document.querySelector('[data-told]').textContent = text
}

export function add(seat, piece) {
  if (isDown(seat) && !mayWriteOver(seat)) return
  const held = pieces(seat)
  const wasSelected = seat.selected !== null
  if (!wasSelected && held.length >= sizeOf(seat)) return announce(words.full.replace('{player}', () => seat.name.value))
  if (wasSelected) held[seat.selected] = piece
  else held.splice(Math.min(seat.cursor, held.length), 0, piece)
  seat.cursor = wasSelected ? held.length : seat.cursor + 1
  seat.selected = null
  const isDone = held.length === sizeOf(seat) && !seat.proposed
  if (isDone) {
    seat.cursor = held.length
    turnTo(following(seat)) // before the card is written, so that this hand and the next are drawn once
  }
  write(seat, held)
  announce(`${seat.name.value}: ${nameOf(piece)}`)
  if (!isDone) return
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate?.(10)
  reveal()
}

function take(seat, at) {
  const held = pieces(seat)
  const [piece] = held.splice(at, 1)
  seat.cursor = at
  seat.selected = null
  write(seat, held)
  announce(`${seat.name.value}: ${words.taken.replace('{piece}', () => nameOf(piece))}`)
}

// Removes the selected card, or the one before the cursor.
function erase(seat) {
  const at = seat.selected ?? Math.min(seat.cursor, tokens(seat).length) - 1
  if (at >= 0) take(seat, at)
}

// Tapping a filled slot selects it, tapping again deselects it.
export function select(seat, at) {
  seat.selected = seat.selected === at ? null : at
  seat.proposed?.unsure.delete(pieces(seat)[at])
  if (seat.selected !== null) announce(words.selected.replace('{piece}', () => nameOf(pieces(seat)[at])))
  draw()
}

// The next player who is still in and has cards missing; with nobody left the keys stay where they are.
function following(seat) {
  const at = open.indexOf(seat)
  const next = [...open.slice(at + 1), ...open.slice(0, at)].find((other) => !isOut(other) && !isFull(other))
  return next ?? (isOut(seat) ? open.find((other) => !isOut(other)) ?? seat : seat)
}

export const advance = (seat) => activate(following(seat))

// Makes a seat the one that the keys are for; it still has to be drawn.
function turnTo(seat) {
  if (active) active.selected = null
  if (active?.proposed && active !== seat) accept(active)
  if (active) stale.add(active)
  if (seat) stale.add(seat)
  if (seat && seat !== active) seat.cursor = tokens(seat).length
  active = seat
}

export function activate(seat) {
  turnTo(seat)
  if (seat) seat.cursor = tokens(seat).length
  const isTyping = form.classList.contains('typing')
  const hadFocus = picker.contains(document.activeElement)
  picker.hidden = !seat || isTyping || Boolean(way?.value)
  if (hadFocus && picker.hidden) document.querySelector('[data-type]')?.focus({ preventScroll: true })
  document.body.classList.toggle('playing', !isTyping && (Boolean(seat) || document.body.classList.contains('betting')))
  draw()
  reveal()
}

// Scrolls to the active seat, in the frame that draws it: at once, the browser would have to lay out the page twice.
function reveal() {
  requestAnimationFrame(() => {
    active?.tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (active && form.classList.contains('typing')) active.root.scrollIntoView({ block: 'nearest' })
  })
}

// Switches between entering the result (`key` is the question) and entering cards ('').
export function choose(key) {
  if (!way) return
  way.value = key
  document.body.classList.toggle('by-word', Boolean(key))
  for (const part of document.querySelectorAll('[data-word]')) part.toggleAttribute('data-chosen', part.dataset.word === key)
  for (const tab of document.querySelectorAll('[data-way]')) {
    if (tab.dataset.way === key) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
  form.dispatchEvent(new Event('way'))
}

// Opens the keys for the first incomplete hand, else the first hand; a settled page shows its answer instead.
export function start() {
  const isSettled = document.getElementById('won') !== null
  activate(isSettled ? null : open.find((seat) => !isOut(seat) && !isFull(seat)) ?? open.find((seat) => !isOut(seat)) ?? open[0] ?? null)
}

// The letters on the chip of a name that was typed: "Beto" → B, "Player 2" → P2
const initials = (name) => name.trim().slice(0, 1).toUpperCase() + (name.match(/\d+\s*$/) ?? [''])[0].trim()
// The letters on a player's chip
const letters = (seat) => seat.tab.querySelector('.player').textContent

function slot(seat, piece, at) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = piece ? 'slot' : 'slot empty'
  if (piece && faces.has(piece)) {
    button.innerHTML = faces.get(piece)
  } else {
    button.textContent = piece ?? ''
    button.classList.toggle('strange', Boolean(piece))
    if (!piece) button.setAttribute('aria-label', words.empty.replace('{n}', at + 1))
  }
  button.addEventListener('click', () => {
    if (seat !== active) activate(seat)
    if (piece) select(seat, at)
    else seat.root.dispatchEvent(new Event('missing'))
  })
  button.classList.toggle('next', seat === active && at === seat.cursor && seat.selected === null)
  button.classList.toggle('selected', at === seat.selected)
  if (seat.proposed?.unsure.has(piece)) {
    button.classList.add('unsure')
    button.setAttribute('aria-label', camera.unsure.replace('{piece}', () => nameOf(piece)))
  }
  if (piece) button.setAttribute('aria-pressed', String(at === seat.selected))
  return button
}

function drawSlots(seat) {
  const held = pieces(seat)
  const isActive = seat === active
  seat.slots.hidden = isOut(seat) && !held.length
  seat.root.classList.toggle('active', isActive)
  seat.erase.hidden = !held.length
  // only what changed is drawn anew: it is quicker, and a screen reader stays at a slot that has the focus
  const isNext = (at) => isActive && at === seat.cursor && seat.selected === null
  const drawn = Array.from({ length: Math.max(sizeOf(seat), held.length) }, (_, at) =>
    [held[at], isNext(at), at === seat.selected, seat.proposed?.unsure.has(held[at])].join())
  const before = [...seat.slots.children]
  const focused = before.indexOf(document.activeElement)
  drawn.forEach((state, at) => {
    if (before[at] && seat.drawn[at] === state) return
    const made = slot(seat, held[at], at)
    if (before[at]) before[at].replaceWith(made)
    else seat.slots.append(made)
  })
  for (const more of before.slice(drawn.length)) more.remove()
  seat.drawn = drawn
  if (focused >= 0) seat.slots.children[Math.min(focused, drawn.length - 1)].focus({ preventScroll: true })
}

// A name that is typed shows wherever its player does.
function drawName(seat) {
  const { tab, name } = seat
  const shown = tab.querySelector('b')
  const value = name.value.trim() || tab.dataset.unnamed
  if (shown.textContent === value) return
  shown.textContent = value
  const winner = seat.root.querySelector('.won b')
  if (winner) winner.textContent = value
  tab.classList.toggle('unnamed', value === tab.dataset.unnamed)
  tab.classList.toggle('long', value.length > 5) // as in the template
  for (const part of [tab, seat.root]) {
    const chip = part.querySelector('.player')
    if (chip) chip.textContent = initials(value)
  }
}

// A player's tab shows an answer such as "folded", what the hand is worth, or how many cards it has.
function drawTab(seat) {
  if (!seat.tab) return
  drawName(seat)
  const held = tokens(seat).length
  const saidBy = (label) => label.dataset.said ?? label.textContent.trim()
  const answers = [...seat.root.querySelectorAll('.chips :checked, .won :checked')].map((box) => saidBy(box.closest('label')))
  const isAsked = seat.line && !isDown(seat) && (held > 0 || !way?.value)
  const reading = isAsked && held < sizeOf(seat) ? `${held}/${sizeOf(seat)}` : seat.reading.textContent
  const told = isOut(seat) ? answers.at(-1) ?? words.out : [...answers, reading].filter(Boolean).join(' · ')
  const small = seat.tab.querySelector('small')
  if (small.textContent !== told) small.textContent = told
  seat.tab.classList.toggle('out', isOut(seat))
  seat.tab.classList.toggle('wrong', seat.root.querySelector('.error') !== null)
  if (seat === active && !way?.value) seat.tab.setAttribute('aria-current', 'true')
  else seat.tab.removeAttribute('aria-current')
}

// Sets an attribute only if it changes: the browser recalculates styles after every write.
function put(part, name, value) {
  if (part.getAttribute(name) !== value) part.setAttribute(name, value)
}

// Marks the keys of cards in this hand as pressed; cards in other hands show their player.
function drawKeys() {
  const mine = active ? pieces(active) : []
  const owners = new Map()
  for (const seat of open) {
    if (seat !== active) for (const piece of pieces(seat)) owners.set(piece, [...(owners.get(piece) ?? []), seat])
  }
  for (const key of keys) {
    const { piece } = key.dataset
    const at = mine.indexOf(piece)
    const owner = at < 0 && owners.get(piece)?.length >= copies.get(piece) ? owners.get(piece)[0] : null
    if (at >= 0) mine.splice(at, 1)
    put(key, 'aria-pressed', String(at >= 0))
    put(key, 'aria-disabled', String(Boolean(owner)))
    if (owner) {
      put(key, 'data-owner', letters(owner))
      put(key, 'aria-description', owner.name.value)
    } else if (key.dataset.owner) {
      delete key.dataset.owner
      key.removeAttribute('aria-description')
    }
  }
}

// Draws the seats that changed, and the keys.
export function draw(changed = seats) {
  for (const seat of changed) stale.add(seat)
  // move on, unless this is a player's own phone with only one hand
  const isLeft = active && isOut(active) && !tokens(active).length
  if (isLeft && open.some((seat) => !isOut(seat))) return advance(active)
  for (const seat of stale) {
    if (seat.line) drawSlots(seat)
    drawTab(seat)
  }
  stale.clear()
  drawKeys()
}

// Shows under a hand what it is worth, or why that isn't known yet; `draw` puts it on the player's tab.
export function say(seat, text, liesDown = false) {
  seat.root.classList.toggle('down', liesDown)
  if (liesDown && seat === active && isDown(seat)) advance(seat)
  if (seat.reading.textContent !== text) seat.reading.textContent = text
}

let typed = ''
let typedAt = 0
const begins = (start) => Object.keys(known).some((spelling) => spelling.startsWith(start))

// The keyboard is a single tab stop; arrow keys move between its keys.
function focusKey(key) {
  for (const other of keys) other.tabIndex = other === key ? 0 : -1
  key.focus()
}

function moveFocus(from, arrow) {
  const at = keys.indexOf(from)
  const side = { ArrowLeft: -1, ArrowRight: 1 }[arrow]
  if (side) return focusKey(keys[(at + side + keys.length) % keys.length])
  const { left, top } = from.getBoundingClientRect()
  const isBeyond = (key) => (arrow === 'ArrowUp' ? key.getBoundingClientRect().top < top : key.getBoundingClientRect().top > top)
  const beyond = arrow === 'ArrowUp' ? keys.slice(0, at).reverse() : keys.slice(at)
  const row = beyond.filter(isBeyond)
  const isNear = (key) => Math.abs(key.getBoundingClientRect().left - left) < 1
  focusKey(row.find(isNear) ?? row[0] ?? from)
}

// Letters and digits type cards, arrow keys move, Backspace removes.
function type(event) {
  if (!active || picker.hidden || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.matches('input:not([type=checkbox], [type=radio]), select, textarea')) return
  const isArrow = event.key.startsWith('Arrow')
  if (isArrow && event.target.matches('[type=radio]')) return
  if (isArrow && picker.contains(event.target)) {
    event.preventDefault()
    return moveFocus(event.target, event.key)
  }
  const moves = { ArrowLeft: -1, ArrowRight: 1 }
  if (event.key in moves) {
    active.cursor = Math.max(0, Math.min(active.cursor + moves[event.key], tokens(active).length))
    draw()
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    activate(open[(open.indexOf(active) + (event.key === 'ArrowUp' ? open.length - 1 : 1)) % open.length])
  } else if (event.key === 'Backspace') {
    erase(active)
  } else if (event.key.length === 1 && event.key !== ' ') {
    const before = event.timeStamp - typedAt < 1500 ? typed : ''
    typed = begins((before + event.key).toLowerCase()) ? before + event.key : event.key
    typedAt = event.timeStamp
    const piece = canonical(typed)
    if (!piece) return
    typed = ''
    if (!keys.find((key) => key.dataset.piece === piece && key.dataset.owner)) add(active, piece)
  } else return
  event.preventDefault()
}

// Tapping a greyed-out card says whose it is.
function taken(key) {
  const missing = document.querySelector('[data-missing]')
  if (missing) missing.textContent = `${key.querySelector('.unseen').textContent}: ${key.getAttribute('aria-description')}`
}

export function begin() {
  for (const seat of open) {
    seat.slots.hidden = false
    seat.erase.addEventListener('click', () => erase(seat))
    seat.line.addEventListener('input', () => draw([seat]))
    seat.line.addEventListener('focus', () => { if (isDown(seat) && !mayWriteOver(seat)) seat.line.blur() })
    if (seat.name.type !== 'hidden') {
      seat.name.addEventListener('focus', () => seat.name.select())
      seat.name.addEventListener('input', () => draw())
    }
    seat.tab?.addEventListener('click', (event) => {
      event.preventDefault()
      document.body.classList.remove('betting')
      choose('')
      activate(seat)
    })
    for (const answer of seat.root.querySelectorAll('.chips [type=radio]')) answer.addEventListener('change', () => draw())
    for (const out of seat.root.querySelectorAll('.chips [type=checkbox]')) {
      out.addEventListener('change', () => { if (out.checked && seat === active) start(); else draw() })
    }
    for (const won of seat.root.querySelectorAll('.won input')) won.addEventListener('change', () => draw())
    for (const sized of seat.root.querySelectorAll('.chips [data-size]')) sized.addEventListener('change', () => draw())
  }
  for (const key of keys) {
    key.tabIndex = key === keys[0] ? 0 : -1
    key.addEventListener('focus', () => { if (key.tabIndex < 0) focusKey(key) })
    key.addEventListener('click', () => {
      if (!active) return
      if (key.dataset.owner) return taken(key)
      const at = pieces(active).indexOf(key.dataset.piece)
      if (key.getAttribute('aria-pressed') === 'true') take(active, at)
      else add(active, key.dataset.piece)
    })
  }
  // problems cover the hand until one of them is tapped
  for (const link of document.querySelectorAll('#problems a')) {
    link.addEventListener('click', () => {
      const seat = open.find((one) => one.root.contains(document.querySelector(link.hash)))
      document.getElementById('problems').remove()
      if (seat) activate(seat)
    })
  }
  // who goes on has seen what was proposed
  form.addEventListener('submit', () => { for (const seat of open) if (seat.proposed) accept(seat) })
  document.addEventListener('keydown', type)
  const toggle = document.querySelector('[data-type]')
  if (toggle) {
    const show = (isTyping) => {
      form.classList.toggle('typing', isTyping)
      toggle.setAttribute('aria-pressed', String(isTyping))
      activate(active)
    }
    toggle.hidden = false
    toggle.addEventListener('click', () => show(!form.classList.contains('typing')))
    // an unreadable line is corrected by typing
    if (open.some((seat) => tokens(seat).some((token) => !canonical(token)))) show(true)
  }
  form.classList.add('tapping')
  // leave room to scroll, so that the bar docked at the bottom hides nothing
  const docked = document.querySelector('.docked')
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--docked', `${docked.offsetHeight}px`)
  }).observe(docked)
  choose(way?.value ?? '')
  start()
}
