// Shares the text of a page by the phone's own sheet, or copies it.

const text = document.querySelector('[data-text]')
const button = document.querySelector('[data-share]')

if (button && text && (navigator.share || navigator.clipboard)) {
  button.hidden = false
  if (!navigator.share) button.textContent = button.dataset.copy
  button.addEventListener('click', async () => {
    try {
      if (navigator.share) await navigator.share({ text: text.value })
      else {
        await navigator.clipboard.writeText(text.value)
        button.textContent = button.dataset.copied
      }
    } catch (error) {
      // closed without sharing
      if (error.name !== 'AbortError') throw error
    }
  })
}
