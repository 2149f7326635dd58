// The page on which a round is entered, with a camera: photographs, and what the server reads from them.

import { openEntry } from './entry_page.js'
import { settle, until } from './harness.js'

export const CAMERA = {
  address: '/photo', module: '/camera.js', tableModule: '/table_camera.js', plain: 'plain', styles: 'data:text/css,', help: '/help/photo', off: '', label: 'photo of {player}', reading: 'reading', replace: 'replace {player}', offline: 'offline',
  unsure: '{piece}?', more: '{piece} spare', unread: 'unread', use: 'use', again: 'again', second: 'second', which: 'which', drop: 'drop', how: 'how',
  table: {
    label: 'all hands', none: 'none', hand: 'hand {number}', whose: 'whose', use: 'use these', twice: '{number} twice: {players}', nothing: 'choose',
    replace: 'replace {players}', nobody: 'nobody', filled: 'filled', arrange: 'arrange', place: '{piece} in {number}', count: '{number}: {n}', uncut: 'uncut', undo: 'undo',
  },
}

const SENTENCES = ['title', 'allow', 'look', 'dark', 'busy', 'enough', 'hidden', 'refused', 'none', 'taken', 'shoot', 'restart', 'still', 'stop', 'away']
// where the camera may be used live
export const LIVE = {
  ...CAMERA,
  live: { ...Object.fromEntries(SENTENCES.map((name) => [name, name])), whose: 'of {player}', some: '{n} of {size}', all: 'all {size}', many: 'over {size}' },
}

// Lends the page a camera that sees a colour; `paint` changes it. `asked` counts how often it was asked for.
export function lendCamera({ window, fake }, colour = '#fff') {
  const seen = Object.assign(window.document.createElement('canvas'), { width: 200, height: 100 })
  const context = seen.getContext('2d')
  const lent = { asked: 0, streams: [], error: null, paint: (next) => { lent.colour = next } }
  const draw = () => {
    context.fillStyle = lent.colour
    context.fillRect(0, 0, 200, 100)
    setTimeout(draw, 10)
  }
  lent.paint(colour)
  draw()
  fake(window.navigator, 'mediaDevices', {
    getUserMedia: async (wanted) => {
      Object.assign(lent, { asked: lent.asked + 1, wanted })
      if (lent.error) throw new window.DOMException('', lent.error)
      await lent.waits
      lent.streams.push(seen.captureStream())
      return lent.streams.at(-1)
    },
  })
  lent.states = () => lent.streams.flatMap((stream) => stream.getTracks().map(({ readyState }) => readyState))
  return lent
}

// Returns a photograph of a size.
export async function pictureOf(width = 400, height = 200) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d').fillRect(0, 0, width, height)
  return new Promise((done) => canvas.toBlob(done, 'image/png'))
}

// A card as the server read it, at a place from the left; an unsure one may be another.
export const card = (piece, at = 0, sure = true, or = null) => ({ piece, sure, chance: sure ? 0.98 : 0.7, or, box: [at * 20, 10, 20, 40] })

export const readingOf = (given = {}) => ({ hand: [], more: [], doubtful: [], told: 'told', ...given })

// Opens the page; requests for a picture are made in the browser's own time.
export async function openCamera(given, options) {
  const page = await openEntry({ camera: CAMERA, ...given }, options)
  const sent = async () => {
    await until(() => page.requests.length)
    return page.next()
  }
  // Waits until what was answered is shown.
  const answered = async (reading, status) => {
    await (await sent()).answer(reading, status)
    await settle()
  }
  return { page, sent, answered, buttons: (root) => [...page.$(root).querySelectorAll('.button')].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent) }
}
