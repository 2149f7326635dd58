// The keyboard on the page: one key for each card or tile of the deck.

import { chipOf, openSeats, piecesOf } from './seats.js'

export const keyboard = document.querySelector('[data-picker]')
export const keys = [...(keyboard?.querySelectorAll('[data-piece]') ?? [])]
export const faces = new Map(keys.map((key) => [key.dataset.piece, key.innerHTML]))
export const nameOf = (piece) => keys.find((key) => key.dataset.piece === piece)?.getAttribute('aria-label') ?? piece
const copies = new Map() // how many keys each piece has
for (const { dataset } of keys) copies.set(dataset.piece, (copies.get(dataset.piece) ?? 0) + 1)
const classes = new Map(keys.map((key) => [key, key.className])) // without the colour of the player who has it

// Sets an attribute only if it changes: the browser recalculates styles after every write.
function setIfChanged(key, name, value) {
  if (key.getAttribute(name) !== value) key.setAttribute(name, value)
}

// Marks the keys of cards in the active hand as pressed; cards in other hands show their player.
export function drawKeys(active) {
  const held = active ? piecesOf(active) : []
  const owners = new Map()
  for (const seat of openSeats) {
    if (seat !== active) for (const piece of piecesOf(seat)) owners.set(piece, [...(owners.get(piece) ?? []), seat])
  }
  for (const key of keys) {
    const { piece } = key.dataset
    const at = held.indexOf(piece)
    const owner = at < 0 && owners.get(piece)?.length >= copies.get(piece) ? owners.get(piece)[0] : null
    if (at >= 0) held.splice(at, 1)
    setIfChanged(key, 'aria-pressed', String(at >= 0))
    setIfChanged(key, 'aria-disabled', String(Boolean(owner)))
    if (owner) {
      const { monogram, colour } = chipOf(owner)
      setIfChanged(key, 'class', `${classes.get(key)} ${colour}`)
      setIfChanged(key, 'data-owner', monogram)
      setIfChanged(key, 'aria-description', owner.name.value)
    } else if (key.dataset.owner) {
      key.className = classes.get(key)
      delete key.dataset.owner
      key.removeAttribute('aria-description')
    }
  }
}

// Says who has the card of a greyed-out key.
export function tellOwner(key) {
  const missing = document.querySelector('[data-missing]')
  if (missing) missing.textContent = `${nameOf(key.dataset.piece)}: ${key.getAttribute('aria-description')}`
}

// The keyboard is a single tab stop; arrow keys move between its keys.
export function focusKey(key) {
  for (const other of keys) setIfChanged(other, 'tabindex', other === key ? '0' : '-1')
  key.focus()
}

export function moveFocus(from, arrow) {
  const at = keys.indexOf(from)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[arrow]
  if (step) return focusKey(keys[(at + step + keys.length) % keys.length])
  const { left, top } = from.getBoundingClientRect()
  const isBeyond = (key) => (arrow === 'ArrowUp' ? key.getBoundingClientRect().top < top : key.getBoundingClientRect().top > top)
  const candidates = arrow === 'ArrowUp' ? keys.slice(0, at).reverse() : keys.slice(at)
  const row = candidates.filter(isBeyond)
  const isInColumn = (key) => Math.abs(key.getBoundingClientRect().left - left) < 1
  focusKey(row.find(isInColumn) ?? row[0] ?? from)
}
