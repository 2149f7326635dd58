// Shrinks a picture on this phone and has the server read it. Neither stores it.

import { camera, form } from '../hands.js'
import { inTime } from '../offline.js'
import { makeElement } from './elements.js'

const MAX_SIDE = 1280
const QUALITY = 0.85
const TIMEOUT = 30_000
const RETRY = 700 // while the server reads other pictures
const RETRY_FOR = 5_000

// Returns the picture upright, smaller and without metadata; null if this browser can't open it.
export async function shrink(file, longest = MAX_SIDE) {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = makeElement('canvas', '', { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) })
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return canvas
  } catch {
    return null
  }
}

async function bodyOf(what, canvas, file, before) {
  const picture = canvas ? await new Promise((done) => canvas.toBlob(done, 'image/jpeg', QUALITY)) : file
  const body = new FormData(form)
  body.set('do', `photo-${what}`)
  body.set('photo', picture, 'hand.jpg')
  body.set('before', before)
  return body
}

function post(body) {
  const headers = { Accept: 'application/json', 'X-CSRFToken': form.elements.csrf_token.value }
  return fetch(camera.address, { method: 'POST', body, headers, signal: inTime(TIMEOUT) })
}

// Returns what the server reads: for a seat's number its hand, for 'table' the hands of the given seats; `before` is what
// the picture before showed.
export async function read(what, canvas, file, { seats = [], before = '' } = {}) {
  const body = await bodyOf(what, canvas, file, before)
  for (const seat of seats) body.append('hands', seat.number)
  const until = performance.now() + RETRY_FOR
  try {
    for (;;) {
      const response = await post(body)
      const reading = await response.json()
      if (!reading.again || performance.now() > until) return reading
      await new Promise((next) => setTimeout(next, RETRY))
    }
  } catch {
    return { problem: camera.offline }
  }
}

// Returns what the server reads in a frame of the viewfinder: the next frame comes soon, so it is asked only once.
// `rest`: how many seconds the server wants no other.
export async function glance(what, canvas, { seats = [], before = '' } = {}) {
  const body = await bodyOf(what, canvas, null, before)
  for (const seat of seats) body.append('hands', seat.number)
  body.set('frame', 'yes')
  try {
    const response = await post(body)
    const reading = await response.json()
    return { ...reading, status: response.status, rest: Number(response.headers.get('Retry-After')) }
  } catch {
    return { isAway: true }
  }
}

// Returns the hand to propose to its player.
export const proposalOf = ({ hand }) => ({
  held: hand.map(({ piece }) => piece),
  unsure: new Set(hand.filter(({ sure }) => !sure).map(({ piece }) => piece)),
  chances: new Map(hand.map(({ piece, chance }) => [piece, chance])),
  others: new Map(hand.map(({ piece, or }) => [piece, or])),
})

// Returns what is known of a proposed hand, for the server: a card that its player has looked at is certain.
export const knownOf = ({ held, unsure, chances }) =>
  held.map((piece) => `${piece} ${unsure.has(piece) ? chances.get(piece) : 1}`).join(', ')
