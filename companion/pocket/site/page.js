// What all parts of the shell use: the elements of its page, and its sentences.
export const SCOPE = '__SCOPE__'
const WORDS = __WORDS__

export const byId = (id) => document.getElementById(id)
export const language = navigator.languages.map((one) => one.slice(0, 2)).find((one) => WORDS[one]) ?? 'en'
export const megabytes = (bytes) =>
  (bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 })
export const word = (key, values = {}) => WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name])
export const text = (id, key, values) => { byId(id).textContent = word(key, values) }
export const once = (target, event) => new Promise((got) => target.addEventListener(event, got, { once: true }))
export const times = globalThis.times = { shell: performance.now() } // for tests and measurements

byId('stuck').remove() // its scripts have come

export class Sentence extends Error {} // a fault with a sentence of its own

export const drawn = (shape) => {
  const icon = byId('icon').content.firstElementChild.cloneNode(true)
  icon.firstElementChild.setAttribute('href', `#${shape}`)
  return icon
}

// Asks with the two buttons of the rail, each a sentence's key; resolves with the one that was tapped.
export function ask(now, other, primary) {
  const [rail, start, keep] = ['rail', 'start', 'keep'].map(byId)
  text('now', now)
  byId('percent').textContent = ''
  start.textContent = word(other)
  keep.textContent = word(primary)
  keep.disabled = false
  for (const one of [rail, start]) one.hidden = false
  return new Promise((tapped) => {
    start.onclick = () => tapped(other)
    keep.onclick = () => tapped(primary)
  })
}
