// Buttons that copy a text. Browsers without a clipboard, as over plain HTTP, copy what is selected.

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

for (const button of document.querySelectorAll('[data-copy-text]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await copy(button.dataset.copyText)
    button.textContent = button.dataset.copied
  })
}
