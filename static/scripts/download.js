// Says that a file was downloaded: many browsers only blink, and nobody knows where it went.

const link = document.querySelector('[data-tells]')
const told = document.querySelector('[data-told]')

link?.addEventListener('click', () => { told.textContent = `✓ ${link.dataset.tells}` })
