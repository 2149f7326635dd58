// The phone's camera: what it shows, whether that can be read, and why it is missing.

import { camera } from '../hands.js'
import { makeElement } from './elements.js'

const WANTED = { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1080 } }
const SIDE = 24 // pixels of the picture in which light and movement are measured
const PAPER = 0.97 // share of the pixels that may be darker than cards
const DARK = 60 // of 255
const MOVED = 10

export const startCamera = () => navigator.mediaDevices.getUserMedia({ audio: false, video: WANTED })

export function stopCamera(stream) {
  for (const track of stream.getTracks()) track.stop()
}

// Returns why the camera did not start, and whether trying again is useless.
export function troubleOf({ name }) {
  const { refused, none, taken } = camera.live
  if (name === 'NotAllowedError' || name === 'SecurityError') return { text: refused, isFinal: true }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return { text: none, isFinal: true }
  return { text: taken, isFinal: false }
}

// Returns a picture of the part of the video that is in sight: it covers its element, so its edges may not be.
export function frameOf(video, longest) {
  const { clientWidth, clientHeight, videoWidth, videoHeight } = video
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight)
  const [width, height] = [clientWidth / scale, clientHeight / scale]
  const smaller = Math.min(1, longest / Math.max(width, height))
  const canvas = makeElement('canvas', '', { width: Math.round(width * smaller), height: Math.round(height * smaller) })
  const place = [(videoWidth - width) / 2, (videoHeight - height) / 2, width, height]
  canvas.getContext('2d').drawImage(video, ...place, 0, 0, canvas.width, canvas.height)
  return canvas
}

// Returns a function that looks at the video, and says whether it is too dark to read or has moved since it looked last.
export function makeEye(video) {
  const canvas = makeElement('canvas', '', { width: SIDE, height: SIDE })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  let before = null
  return () => {
    context.drawImage(video, 0, 0, SIDE, SIDE)
    const { data } = context.getImageData(0, 0, SIDE, SIDE)
    const now = Array.from({ length: SIDE * SIDE }, (_, at) => (data[at * 4] + data[at * 4 + 1] + data[at * 4 + 2]) / 3)
    const moved = before && now.reduce((sum, light, at) => sum + Math.abs(light - before[at]), 0) / now.length
    before = now
    const paper = [...now].sort((one, other) => one - other)[Math.floor(now.length * PAPER)]
    return { isDark: paper < DARK, hasMoved: moved === null || moved > MOVED }
  }
}
