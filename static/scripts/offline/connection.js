// While the server is away, shows when the page was last up to date.

const root = document.documentElement
const notice = document.querySelector('[data-seen-text]')
let seenAt = new Date(root.dataset.seen ?? Date.now())
let isAway = false

export function timeOf(date) {
  const isToday = date.toDateString() === new Date().toDateString()
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return date.toLocaleString(root.lang, isToday ? clock : { day: 'numeric', month: 'short', ...clock })
}

// Gives up a request that takes this long, as where a phone has lost its network without a word: its answer won't come.
const PATIENCE = 10_000
export function inTime(patience = PATIENCE) {
  const asked = new AbortController()
  setTimeout(() => asked.abort(new DOMException('', 'TimeoutError')), patience)
  return asked.signal
}

// Whether a request failed or was given up, or was answered by something else, such as a proxy.
export const isLost = (error) => error instanceof TypeError || error instanceof SyntaxError || error.name === 'TimeoutError'

// Call this with each response, and with each request that failed. The document hears "reconnected".
export function connected(isConnected) {
  if (isConnected) seenAt = new Date()
  if (isConnected && isAway) document.dispatchEvent(new Event('reconnected'))
  isAway = !isConnected
  const text = isConnected ? '' : notice?.dataset.seenText.replace('{time}', timeOf(seenAt))
  if (notice && notice.textContent !== text) notice.textContent = text
}
