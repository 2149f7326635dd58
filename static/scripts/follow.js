// Refreshes a night's page when its version changes on the server; polls only while the page is visible.
// A phone with a seat also follows the table: to entering the hand, the result, the next round and the end.

import { connected, inTime } from './offline.js'
import { keepOpened } from './opened.js'
import { askState, keepAsking, leave } from './pace.js'
import { buzz, rest, stayAwake } from './phone.js'
import { turn } from './turned.js'

const RESULT_FOR = 60_000 // how long a result stays before the next round, if nobody touches the phone
const IDLE = 600_000 // after that the screen may turn off
const news = document.querySelector('[data-follow]')
const header = document.getElementById('felt')
const { table, round, lines, after } = news.dataset // for a phone with a seat; `after` is the last line it has seen
const isResult = 'result' in news.dataset
let isRead = false // once somebody touches the phone, a result stays
let changedAt = performance.now()
let hadHands = null // whether hands had been entered when this page was opened
let version = null // of the state that this page shows

// Returns the page that the table has moved on to; null if it is this one.
function nextPage({ saved, closed, down, key }) {
  if (saved > Number(after)) return `${lines}${saved}?since=${after}`
  if (closed) return isResult ? table : null
  if (isResult ? !key : down.length === 0 || hadHands) return null
  return isRead ? callOn() : round
}

// Somebody reads this result: the button to the next round says that it has begun.
function callOn() {
  const button = document.querySelector('[data-begun]')
  if (!button || button.textContent === button.dataset.begun) return null
  button.textContent = button.dataset.begun
  buzz()
  return null
}

function go(address) {
  if (address.startsWith(lines)) buzz()
  leave(() => turn(address))
}

// A phone that looks at other payments than the night shows keeps them until the night shows others.
function keepPaymentsLookedAt(fresh) {
  const shown = (element) => element.querySelector('[name=moves][checked]')?.value
  const looked = news.querySelector('[name=moves]:checked')?.value
  if (looked && shown(news) === shown(fresh)) fresh.querySelector(`[name=moves][value="${looked}"]`).checked = true
}

// What is typed here stays, and the focus, if there still is such a field or button.
function keepTyped(fresh) {
  for (const { name, value, defaultValue } of news.querySelectorAll('[name^=amount-]:not([type=hidden])')) {
    const field = fresh.querySelector(`[name="${name}"]:not([type=hidden])`)
    if (field && value !== defaultValue) field.value = value
  }
}

function twinOf(element) {
  const name = ['href', 'aria-label', 'name'].find((name) => element.getAttribute(name))
  return name && [...news.querySelectorAll(element.localName)].find((other) => other.getAttribute(name) === element.getAttribute(name))
}

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, signal: inTime() }).catch(() => null)
  if (!response?.ok) return false
  if (response.redirected) return leave(() => location.replace(response.url)) // as who leaves a night that was closed
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = page.getElementById('news')
  if (!fresh) return false
  header?.replaceChildren(...page.getElementById('felt').childNodes)
  fresh.querySelector('.turning')?.classList.remove('turning') // its hands have been turned over
  keepPaymentsLookedAt(fresh)
  keepTyped(fresh)
  keepOpened(news, fresh)
  const focused = news.contains(document.activeElement) ? document.activeElement : null
  news.replaceChildren(...fresh.childNodes)
  if (focused) twinOf(focused)?.focus({ preventScroll: true })
  const text = document.querySelector('[data-text]') // to share
  if (text) text.value = page.querySelector('[data-text]')?.value ?? text.value
  news.dataset.version = fresh.dataset.version
  return true
}

async function poll() {
  if (performance.now() - changedAt > IDLE) rest()
  const response = await askState(news.dataset.follow, version).catch(() => null)
  connected(Boolean(response) && response.status < 500)
  if (response?.status === 403 || response?.status === 404) return leave(() => location.reload())
  if (response && isResult && !isRead && performance.now() - changedAt > RESULT_FOR) return go(round)
  if (!response?.ok) return
  const state = await response.json().catch(() => null) // a guest network may answer with its login page
  if (!state) return
  if (hadHands === null) hadHands = state.down.length > 0
  else changedAt = performance.now()
  const address = lines && nextPage(state)
  if (address) return go(address)
  const isCurrent = String(state.version) === news.dataset.version
  if (!isCurrent && !await refresh()) return // the next poll asks again
  version = response.headers.get('ETag')
  return { isClosed: state.closed && !news.querySelector('[data-unpaid]') }
}

if (lines) stayAwake()
for (const touch of ['pointerdown', 'keydown', 'wheel']) addEventListener(touch, () => { isRead = isResult }, { once: true })
keepAsking(poll)
