// Fills a hand from a photograph: the server reads it, and the panel shows each card in the picture until the player has
// checked the hand. The picture stays on this page and is gone with it.

import { styled } from './camera/elements.js'
import { addMarks, openPanel, panel, refresh, showPicture, tellPanel } from './camera/panel.js'
import { knownOf, proposalOf, read, shrink } from './camera/photo.js'
import { activate, camera, confirmOverwrite, draw, isFaceDown, piecesOf, sizeOf } from './hands.js'

export { arrange } from './camera/arranging.js'
export { helpLink, makeButton, makeElement, styled } from './camera/elements.js'
export { proposalOf, read, shrink } from './camera/photo.js'

export const page = camera // whose hands this script fills

function mayReplace(seat) {
  if (isFaceDown(seat)) return confirmOverwrite(seat)
  const isFull = !seat.proposed && piecesOf(seat).length >= sizeOf(seat)
  return !isFull || confirm(camera.replace.replace('{player}', () => seat.name.value))
}

function showReading(seat, reading, canvas) {
  seat.cursor = seat.proposed.held.length
  panel.held = [...seat.proposed.held]
  if (canvas) addMarks(reading)
  panel.use.hidden = false
  draw()
  refresh()
  tellPanel(reading.told)
  const primary = panel.isSecond ? panel.again : panel.use
  primary.focus({ preventScroll: true })
}

// Shows a hand from a picture of the whole table, to be checked; calls `then` afterwards.
export function review(seat, input, canvas, reading, then) {
  activate(seat)
  openPanel(seat, input, then)
  showPicture(canvas)
  showReading(seat, reading, canvas)
}

export async function photograph(seat, file, input) {
  await styled
  // what the picture before showed, if this one shall make it surer; it stays if this one can't be read
  const before = panel?.seat === seat && panel.isSecond ? seat.proposed : null
  if (!before && !mayReplace(seat)) return
  if (!before) seat.proposed = null
  activate(seat)
  const own = openPanel(seat, input, panel?.seat === seat ? panel.then : undefined)
  own.isReading = true
  own.use.hidden = true
  tellPanel(camera.reading)
  const canvas = await shrink(file)
  if (canvas) showPicture(canvas)
  own.root.classList.toggle('blind', !canvas)
  const reading = await read(seat.number, canvas, file, { before: before ? knownOf(before) : '' })
  if (panel !== own) return
  own.isReading = false
  activate(seat)
  if (reading.problem) {
    own.use.hidden = !before
    refresh()
    return tellPanel(reading.problem, true)
  }
  seat.proposed = proposalOf(reading)
  showReading(seat, reading, canvas)
}
