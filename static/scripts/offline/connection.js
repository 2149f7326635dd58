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

// Call this with each response, and with each request that failed. The document hears "reconnected".
export function connected(isConnected) {
  if (isConnected) seenAt = new Date()
  if (isConnected && isAway) document.dispatchEvent(new Event('reconnected'))
  isAway = !isConnected
  const text = isConnected ? '' : notice?.dataset.seenText.replace('{time}', timeOf(seenAt))
  if (notice && notice.textContent !== text) notice.textContent = text
}
