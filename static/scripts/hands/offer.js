// A button in the bar, far from the keys, for what the last tap made possible. The next tap removes it.

export function offer(text, act) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button small', textContent: text })
  button.dataset.offer = ''
  button.addEventListener('click', act)
  document.querySelector('[data-offer]')?.remove()
  document.querySelector('[data-missing]').before(button)
  document.addEventListener('click', () => button.remove(), { once: true, capture: true })
}
