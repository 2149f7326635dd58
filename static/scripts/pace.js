// The polling interval: short while something happens at the table, longer while nothing does. Hidden pages don't poll.

const FAST = 600 // milliseconds between two polls
const STEADY = 900 // still shows the next change within a second
const SLOW = 4000
const CLOSED = 15_000
const LIVELY = 20_000 // after a change, another one is likely for so long
const PATIENT = 300_000 // after that, the table is probably having a break
const SHARE = 4 // a phone waits for responses at most a quarter of the time, so that a busy server catches up

const table = { isClosed: false, changedAt: Date.now(), took: 0 }
let timer = 0
let isAsking = false
let ask = null

export function delay({ isClosed, changedAt, took }, now) {
  const quiet = now - changedAt
  const pace = isClosed ? CLOSED : quiet < LIVELY ? FAST : quiet < PATIENT ? STEADY : SLOW
  return Math.max(pace, Math.min((SHARE - 1) * took, CLOSED))
}

function later() {
  clearTimeout(timer)
  // spread the polls of phones that saw the same change
  const apart = 0.9 + Math.random() / 10
  if (!document.hidden) timer = setTimeout(once, delay(table, Date.now()) * apart)
}

async function once() {
  clearTimeout(timer)
  if (document.hidden || isAsking) return
  isAsking = true
  const askedAt = Date.now()
  try {
    const told = await ask()
    if (told) happened(told)
  } finally {
    isAsking = false
    table.took = Date.now() - askedAt
    later()
  }
}

// Call this when something happened at the table, here or on another phone: polls faster for a while.
export function happened({ isClosed = false } = {}) {
  Object.assign(table, { isClosed, changedAt: Date.now() })
  if (ask && !isAsking) later()
}

// Polls now, and from then on while the page is open. `question` returns the night's { isClosed } if something changed,
// otherwise nothing.
export function keepAsking(question) {
  ask = question
  document.addEventListener('visibilitychange', () => { if (document.hidden) clearTimeout(timer); else once() })
  addEventListener('online', once)
  once()
}
