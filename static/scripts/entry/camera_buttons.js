// The camera buttons of a hand and of the whole table. The scripts that read photographs are loaded when first used.

import { announce, camera, openSeats } from '../hands.js'
import { tell } from '../live.js'

function onFile(input, use) {
  input.addEventListener('change', () => {
    const [file] = input.files
    input.value = ''
    if (file) use(file)
  })
}

function beginHand(input) {
  const seat = openSeats.find(({ root }) => root.contains(input))
  input.addEventListener('click', (event) => {
    if (!camera.off) return
    event.preventDefault()
    tell(camera.off)
    announce(camera.off)
  })
  onFile(input, async (file) => (await import(camera.module)).photograph(seat, file, input))
}

export function beginCameras() {
  document.querySelectorAll('[data-photo]').forEach(beginHand)
  const button = document.querySelector('[data-photo-table]')
  if (!button) return
  button.hidden = false
  const input = button.querySelector('input')
  onFile(input, async (file) => (await import(camera.table.module)).photograph(file, input))
}
