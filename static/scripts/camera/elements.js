// Elements of the pages that show a photograph, and their style sheet.

import { camera } from '../hands.js'

export const styled = new Promise((done) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: camera.styles, onload: done, onerror: done })
  document.head.append(link)
})

export function makeElement(name, className, properties = {}) {
  return Object.assign(document.createElement(name), { className, ...properties })
}

export function makeButton(text, className, onclick) {
  return makeElement('button', `button ${className}`, { type: 'button', textContent: text, onclick })
}

export const helpLink = () => makeElement('a', '', { href: camera.help, target: '_blank', textContent: camera.how })

// Lays an element over a box of the picture.
export function layOver({ style }, canvas, [x, y, width, height]) {
  const shares = { left: x / canvas.width, top: y / canvas.height, width: width / canvas.width, height: height / canvas.height }
  for (const [side, share] of Object.entries(shares)) style[side] = `${share * 100}%`
}
