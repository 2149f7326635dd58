// The rail at the bottom: the state line with its buttons, which the server draws anew with every answer.

export const rail = () => document.getElementById('rail')
export const stateLine = () => rail()?.querySelector('[data-says]')

// Returns whether the state line is another one now.
export function drawRail(html) {
  const before = stateLine()
  if (!before || html === undefined) return false
  const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-says]')
  if (!fresh || fresh.outerHTML === before.dataset.drawn) return false
  // the sentence stays the same element, so that a screen reader hears the new one
  const [sentence, buttons] = before.children
  const focused = buttons.contains(document.activeElement)
  for (const { name } of [...before.attributes]) if (name !== 'class') before.removeAttribute(name)
  for (const { name, value } of fresh.attributes) before.setAttribute(name, value)
  before.dataset.drawn = fresh.outerHTML
  sentence.replaceChildren(...fresh.children[0].childNodes)
  buttons.className = fresh.children[1].className
  buttons.replaceChildren(...fresh.children[1].childNodes)
  const dealer = document.querySelector('[data-dealer]') // in the header of the own hand
  if (dealer && fresh.dataset.deals) dealer.textContent = dealer.dataset.dealer.replace('{player}', () => fresh.dataset.deals)
  if (focused) buttons.querySelector('.button')?.focus({ preventScroll: true })
  return true
}
