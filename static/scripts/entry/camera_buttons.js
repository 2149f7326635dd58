// The camera buttons of a hand and of the whole table. The scripts that read photographs, and what they say, are loaded
// when first used.

import { announce, camera, form, openSeats } from '../hands.js'
import { tell } from '../live.js'
import { inTime, isLost } from '../offline.js'

function onFile(input, use) {
  input.addEventListener('change', () => {
    const [file] = input.files
    input.value = ''
    if (file) use(file)
  })
}

// Loads a script that reads photographs. After an upgrade of the app it would bring newer parts than this page runs, which
// know nothing of its hands: then the page is loaded again, with what was typed.
async function load(address) {
  if (!camera.use) {
    const response = await fetch(camera.words, { signal: inTime() })
    if (!response.ok) throw new TypeError(response.status)
    Object.assign(camera, await response.json())
  }
  const module = await import(address)
  if (module.page === camera) return module
  location.reload()
  return new Promise(() => {})
}

function say(text) {
  tell(text)
  announce(text)
}

// Loads a script and begins with it; without a connection it says so.
async function using(address, begin) {
  try {
    begin(await load(address))
  } catch (error) {
    if (!isLost(error)) throw error
    say(camera.offline)
  }
}

// Opens the viewfinder where browsers lend the camera to a page: over HTTPS, and on the computer itself. Elsewhere, where
// it was refused, and on request the phone takes a photo.
function openCamera(input, event, address, ...given) {
  if (form.dataset.noCamera || input.dataset.still) {
    delete input.dataset.still
  } else if (navigator.mediaDevices) {
    event.preventDefault()
    using(address, (module) => module.find(...given))
  } else if (!isSecureContext) say(camera.plain)
}

function beginHand(input) {
  const seat = openSeats.find(({ root }) => root.contains(input))
  input.addEventListener('click', (event) => {
    if (!camera.off) return openCamera(input, event, camera.module, seat, input)
    event.preventDefault()
    say(camera.off)
  })
  onFile(input, (file) => using(camera.module, (module) => module.photograph(seat, file, input)))
}

export function beginCameras() {
  document.querySelectorAll('[data-photo]').forEach(beginHand)
  const button = document.querySelector('[data-photo-table]')
  if (!button) return
  button.hidden = false
  const input = button.querySelector('input')
  input.addEventListener('click', (event) => openCamera(input, event, camera.tableModule, input))
  onFile(input, (file) => using(camera.tableModule, (module) => module.photograph(file, input)))
}
