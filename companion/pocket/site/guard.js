// Runs before the other scripts of each page. What they ask is answered on the phone or not at all: a browser that stops
// the service worker may send a request to the host itself, but never one that wants nothing but a kept answer.
const ask = fetch
globalThis.fetch = (address, options) => ask(address, { ...options, cache: 'only-if-cached', mode: 'same-origin' })
