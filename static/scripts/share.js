// Shares the page's picture, or else its text, with the phone's share sheet. Browsers without one save the picture and
// copy the text.

const text = document.querySelector('[data-text]')
const button = document.querySelector('[data-share]')
const picture = document.querySelector('[data-picture]')

// Converts the page's SVG to a PNG; the SVG is already loaded, so this needs no connection.
async function drawn() {
  await picture.decode()
  const canvas = document.createElement('canvas')
  for (const side of ['width', 'height']) canvas[side] = Number(picture.getAttribute(side))
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  return new File([blob], picture.dataset.picture, { type: 'image/png' })
}

function save(file) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: file.name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

async function asText() {
  if (navigator.share) await navigator.share({ text: text.value })
  else {
    await navigator.clipboard.writeText(text.value)
    say(button.dataset.copied)
  }
}

function say(words) {
  (button.querySelector('span') ?? button).textContent = words
}

async function offer() {
  // ready before it is asked for: a phone opens its sheet only right after the tap
  const file = picture ? await drawn().catch(() => null) : null
  const isShared = Boolean(file && navigator.canShare?.({ files: [file] }))
  if (!file && !navigator.share && !navigator.clipboard) return
  if (isShared) say(button.dataset.sharePicture)
  else if (file) say(button.dataset.save)
  else if (!navigator.share) say(button.dataset.copy)
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      if (isShared) await navigator.share({ files: [file], text: text.value })
      else if (file) save(file)
      else await asText()
    } catch (error) {
      // closed without sharing
      if (error.name !== 'AbortError') throw error
    }
  })
}

if (button && text) offer()
