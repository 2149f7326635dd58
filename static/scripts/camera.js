// Fills a hand from a photograph: the server reads it, and the panel shows each card in the picture until the player has
// checked the hand. The picture stays on this page and is gone with it.

import { styled } from './camera/elements.js'
import { openFinder } from './camera/finder.js'
import { addMarks, openPanel, panel, refresh, showPicture, tellPanel } from './camera/panel.js'
import { knownOf, proposalOf, read, shrink } from './camera/photo.js'
import { handOf } from './camera/subjects.js'
import { activate, camera, confirmOverwrite, draw, isFaceDown, piecesOf, sizeOf } from './hands.js'

export { arrange } from './camera/arranging.js'
export { helpLink, makeButton, makeElement, styled } from './camera/elements.js'
export { openFinder } from './camera/finder.js'
export { proposalOf, read, shrink } from './camera/photo.js'
export { tableOf } from './camera/subjects.js'

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

// What the picture before showed, if the next one shall make it surer.
const earlier = (seat) => panel?.seat === seat && panel.isSecond ? seat.proposed : null

// Shows what the camera sees until it is read or a picture is taken of it.
export async function find(seat, input) {
  await styled
  const before = earlier(seat)
  openFinder(handOf(seat, before ? knownOf(before) : ''), {
    read: (reading, canvas) => {
      if (!before && !mayReplace(seat)) return
      activate(seat)
      openPanel(seat, input, panel?.seat === seat ? panel.then : undefined)
      showPicture(canvas)
      seat.proposed = proposalOf(reading)
      showReading(seat, reading, canvas)
    },
    shot: (canvas) => photograph(seat, canvas, input),
    still: () => {
      input.dataset.still = 'yes'
      input.click()
    },
  })
}

export async function photograph(seat, file, input) {
  await styled
  const before = earlier(seat) // it stays if this picture is unreadable
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
