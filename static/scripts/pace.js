// How often a page asks what is new: fast while the table does something, slower when it does not, and not at all while
// nobody looks at the page.

const FAST = 600 // milliseconds between two questions
const STEADY = 900 // what is done next is still seen within a second
const SLOW = 4000
const CLOSED = 15_000
const LIVELY = 20_000 // how long after something happened the next thing is likely
const PATIENT = 300_000 // after that the table has a break
const SHARE = 4 // a phone waits for an answer for at most this part of the time, so that a full server catches up

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
  // phones that heard of the same thing do not all ask at the same moment
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

// Something happened at the table, here or on another phone: what is done next comes soon.
export function happened({ isClosed = false } = {}) {
  Object.assign(table, { isClosed, changedAt: Date.now() })
  if (ask && !isAsking) later()
}

// Asks now, and from then on as long as the page is there. `question` gives { isClosed } of the night where something is
// new, else nothing.
export function keepAsking(question) {
  ask = question
  document.addEventListener('visibilitychange', () => { if (document.hidden) clearTimeout(timer); else once() })
  addEventListener('online', once)
  once()
}
