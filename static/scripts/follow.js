// Refreshes a session's page when its version changes on the server; polls only while the page is visible.
// A phone with a seat goes where the table goes: to enter the hand, to the result, to the next round, to the end.

import { connected } from './offline.js'
import { keepAsking } from './pace.js'
import { buzz, rest, stayAwake } from './phone.js'

const READ = 30_000 // how long a result stands before the next round, if nobody touches the phone
const IDLE = 600_000 // after that the screen may go dark
const news = document.querySelector('[data-follow]')
const felt = document.getElementById('felt') // the head of a night's pages
const { table, round, lines, after } = news.dataset // of a phone with a seat; `after` is the line that it has seen last
const isResult = 'result' in news.dataset
let isRead = !isResult // whoever touches the result wants to look at it
let openedAt = Date.now()
let wereEntered = true // whether hands were entered when this page was opened
let version = null

// Returns the page the table has moved on to; null if this is it.
function whereTo(told) {
  if (told.saved > Number(after)) return `${lines}${told.saved}?since=${after}`
  if (told.closed) return isResult ? table : null
  const areEntered = told.down.length > 0
  if (areEntered && !wereEntered) return round
  return isResult && told.key ? round : null
}

function go(address) {
  if (address.startsWith(lines)) buzz()
  location.replace(address)
}

async function ask() {
  if (Date.now() - openedAt > IDLE) rest()
  const headers = version ? { 'If-None-Match': version } : {}
  const answer = await fetch(news.dataset.follow, { headers, cache: 'no-store' }).catch(() => null)
  connected(Boolean(answer) && answer.status < 500)
  if (answer?.status === 403 || answer?.status === 404) return location.reload()
  if (answer && !isRead && Date.now() - openedAt > READ) return go(round)
  if (!answer?.ok) return
  const told = await answer.json()
  if (!version) wereEntered = told.down.length > 0
  else openedAt = Date.now()
  version = answer.headers.get('ETag')
  const address = lines && whereTo(told)
  if (address) return go(address)
  if (String(told.version) === news.dataset.version) return { isClosed: told.closed }
  const page = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!page?.ok) return
  const answered = new DOMParser().parseFromString(await page.text(), 'text/html')
  const fresh = answered.getElementById('news')
  if (!fresh) return
  felt?.replaceChildren(...answered.getElementById('felt').childNodes)
  const focused = news.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  news.replaceChildren(...fresh.childNodes)
  if (focused) news.querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true })
  news.dataset.version = fresh.dataset.version
  return { isClosed: told.closed }
}

if (lines) stayAwake()
for (const touch of ['pointerdown', 'keydown', 'wheel']) addEventListener(touch, () => { isRead = true }, { once: true })
keepAsking(ask)
