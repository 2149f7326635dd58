// Shares the page's picture, or else its text, with the phone's share sheet. Browsers without one save the picture and
// copy the text.

const text = document.querySelector('[data-text]')
const button = document.querySelector('[data-share]')
const picture = document.querySelector('[data-picture]')

// Converts the page's SVG to a PNG; the SVG is already loaded, so this needs no connection.
async function makePng() {
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.naturalWidth
  canvas.height = picture.naturalHeight
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  return new File([blob], picture.dataset.picture, { type: 'image/png' })
}

function save(file) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: file.name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

async function shareText() {
  if (navigator.share) await navigator.share({ text: text.value })
  else {
    await navigator.clipboard.writeText(text.value)
    label(button.dataset.copied)
  }
}

function label(text) {
  (button.querySelector('span') ?? button).textContent = text
}

async function offer() {
  // made in advance: a phone opens its share sheet only right after the tap
  const file = picture ? await makePng().catch(() => null) : null
  const canShare = Boolean(file && navigator.canShare?.({ files: [file] }))
  if (!file && !navigator.share && !navigator.clipboard) return
  if (canShare) label(button.dataset.sharePicture)
  else if (file) label(button.dataset.save)
  else if (!navigator.share) label(button.dataset.copy)
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      if (canShare) await navigator.share({ files: [file], text: text.value })
      else if (file) {
        save(file)
        label(button.dataset.saved)
      }
      else await shareText()
    } catch (error) {
      // the sheet was closed without sharing
      if (error.name !== 'AbortError') throw error
    }
  })
}

if (button && text) offer()
