// Polls a night's state: often while something happens at the table, less while nothing does. Hidden pages don't poll.
// Times are the page's, not the time of day, which may be set back.

import { inTime } from './offline.js'

// milliseconds between two polls
const FAST = 600
// still shows the next change within a second
const STEADY = 900
const SLOW = 4000
// or where the app runs on this phone alone, and nobody else changes anything
const CLOSED = 15_000
// milliseconds since the last change
// until then, another change is likely
const LIVELY = 20_000
// after that, the table is probably having a break
const BREAK = 300_000
// A page that is being left asks nothing: a slow page would begin to load anew with each poll. Until then it has loaded, or
// never will.
const LEAVING = 15_000
const SHARE = 4 // a phone waits for responses at most a quarter of the time, so that a busy server catches up

const table = { isClosed: false, changedAt: performance.now(), took: 0 } // `took`: how long the last poll took
let timer = 0
let isPolling = false
let leftAt = -LEAVING // when this page was left last
let startedAt = 0 // when the last poll was sent, or the phone woke up during it
let ask = null
let news = null // an address that costs the server next to nothing while nothing is new, which the last answer gave
let newsOf = null // whose: the address of the state and its mark

export function delay({ isClosed, changedAt, took }, now) {
  const quiet = now - changedAt
  const pace = isClosed || 'alone' in document.documentElement.dataset ? CLOSED : quiet < LIVELY ? FAST : quiet < BREAK ? STEADY : SLOW
  return Math.max(pace, Math.min((SHARE - 1) * took, CLOSED))
}

const untilLeft = () => leftAt + LEAVING - performance.now()

function schedule() {
  clearTimeout(timer)
  // spread the polls of phones that saw the same change
  const spread = 0.9 + Math.random() / 10
  if (!document.hidden) timer = setTimeout(poll, Math.max(delay(table, performance.now()) * spread, untilLeft()))
}

async function poll() {
  clearTimeout(timer)
  if (document.hidden || isPolling) return
  if (untilLeft() > 0) return schedule()
  isPolling = true
  startedAt = performance.now()
  try {
    const news = await ask()
    if (news) happened(news)
  } finally {
    isPolling = false
    table.took = performance.now() - startedAt
    schedule()
  }
}

// Call this when something happened at the table, here or on another phone: polls faster for a while.
export function happened({ isClosed = false } = {}) {
  Object.assign(table, { isClosed, changedAt: performance.now() })
  if (ask && !isPolling) schedule()
}

// Leaves this page, by `go`.
export function leave(go) {
  leftAt = performance.now()
  go()
}

// Polls now, and from then on while the page is open. `askServer` returns the night's { isClosed } if something changed,
// otherwise nothing.
export function keepAsking(askServer) {
  ask = askServer
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return clearTimeout(timer)
    startedAt = performance.now() // while the phone slept, no server was slow
    poll()
  })
  addEventListener('online', poll)
  addEventListener('pagehide', () => { leftAt = -LEAVING }) // somebody may come back to it
  poll()
}

// Returns the response to an address of a night's state. `mark` is the ETag of the state that this page has, if any: the
// response is 304 while nothing has changed.
export async function askState(address, mark = null) {
  const asked = `${address} ${mark}`
  if (mark && news && newsOf === asked) {
    const answer = await fetch(news, { cache: 'no-store', signal: inTime() })
    if (answer.status === 204) return new Response(null, { status: 304 })
  }
  const response = await fetch(address, { headers: mark ? { 'If-None-Match': mark } : {}, cache: 'no-store', signal: inTime() })
  news = response.headers.get('Companion-News')
  newsOf = `${address} ${response.headers.get('ETag')}`
  return response
}
