// Talks to the server: sends what was typed, asks what is new, and applies what other phones entered.

import { form, words } from '../hands.js'
import { connected, inTime, isLost } from '../offline.js'
import { askState, happened, leave } from '../pace.js'
import { buzz } from '../phone.js'
import { fieldOf, seatIds, setValue, unsent, valueOf } from './fields.js'
import { draft, follows, lines, live, mySeat, night, state } from './page.js'
import { listLateChanges, requireSettling, showNote, showReading, showStacks, showStateLine, tell, tellOffline, tellRefusal } from './reading.js'
import { forgetInput, ownInput, ownInputArrived, storeInput, textOfStored } from './storage.js'

export const CHANGED = '#changed' // in the URL while the page loads again for another game
const DELAY = 60 // milliseconds, so that several changes are sent together
const RETRY = 1500
let mark = '' // identifies the last state received; '' asks for everything
let newest = 0
let timer = 0
let request = null // the one in flight
let isBehind = false // whether a field that has the focus was left as it is

// While this page's round is being saved, or waits to be, or follows one that does, the draft doesn't matter.
const isAhead = () => 'ahead' in form.dataset
const isSaving = () => 'saving' in form.dataset || 'booking' in form.dataset || isAhead()
const way = () => form.elements.way?.value ?? '' // what this phone is asked to enter depends on it

// The saved round is shown; input that is only on this phone stays, because saving it will show both versions.
function leaveSavedRound({ saved, problem }) {
  if (unsent.size) return tell(problem ?? '')
  forgetInput()
  if (follows) buzz()
  leave(() => location.replace(lines + saved + (follows ? `?since=${form.elements.number.value - 1}` : '')))
}

const isSeatedAs = (news) => seatIds().join() === news.seats?.join()

function applyFields(fields) {
  const { bets } = form.elements
  const betsBefore = bets?.value
  const others = Object.entries(fields).filter(([name]) => !unsent.has(name))
  const changed = others.filter(([name, value]) => setValue(name, value))
  isBehind = others.some(([name, value]) => fieldOf(name) && valueOf(name) !== value)
  if (changed.length) requireSettling()
  if (bets && bets.value !== betsBefore) form.dispatchEvent(new Event('bets'))
}

function apply(news) {
  // an older response would undo newer input
  if (news.version < newest || isSaving()) return
  newest = news.version
  const { number, game, key } = form.elements
  if (news.saved >= Number(number.value)) return leaveSavedRound(news)
  if (news.closed) return leave(() => location.replace(night))
  if (news.game !== game.value) history.replaceState(null, '', CHANGED) // replaces the history entry, so that the back button skips it
  const isMySeat = !follows || mySeat === String(news.me) // or somebody freed it, or took it with another phone
  const isSamePage = news.own === ('own' in form.elements) // or this phone may no longer keep score
  if (!isMySeat || !isSamePage || !isSeatedAs(news) || news.game !== game.value) return leave(() => location.reload())
  mark = news.mark
  number.value = news.number
  if (news.key) key.value = news.key
  applyFields(news.fields)
  showStateLine(news.rail)
  showNote(news.note)
  showReading(news.live, news.down)
  showStacks(news.in_front)
  listLateChanges(news.late)
  document.dispatchEvent(new CustomEvent('applied', { detail: news }))
}

// Returns a request for the draft: pairs of names and values with their round, and the seats they were typed under.
function draftBody(values, seats, isOwn, action) {
  const { key, number, game } = form.elements
  const body = new URLSearchParams({ key: key.value, number: number.value, game: game.value, seats: seats.join('.'), way: way() })
  if (action) body.set('do', action)
  if (isOwn) body.set('own', 'yes')
  for (const [name, value] of values) body.append(...value === false ? ['touched', name] : [name, value === true ? 'y' : value])
  return body
}

const headers = () => ({ Accept: 'application/json', 'X-CSRFToken': form.elements.csrf_token.value })

// Sends what the page of the own hand was left with; no other page shows it.
export async function sendOwnInput() {
  const stored = draft && ownInput()
  if (!stored) return
  const body = draftBody(stored.unsent.map((name) => [name, stored.fields[name]]), stored.seats, true)
  try {
    const { ok } = await fetch(draft, { method: 'POST', body, headers: headers(), signal: inTime() })
    if (ok) ownInputArrived(stored)
  } catch (error) {
    if (!isLost(error)) throw error
  }
}

function goOffline(text) {
  connected(false)
  mark = ''
  tellOffline(text)
}

export async function send(action = '') {
  if (isAhead() && !('saving' in form.dataset)) tellOffline(textOfStored())
  if (request || isSaving()) return sendSoon(RETRY)
  const sending = new AbortController()
  request = sending
  inTime().addEventListener('abort', ({ target }) => sending.abort(target.reason))
  const sent = new Map([...unsent].map((name) => [name, valueOf(name)]))
  const shown = [...sent].filter(([name]) => fieldOf(name))
  const body = draft ? draftBody(shown, seatIds(), 'own' in form.elements, action) : new FormData(form)
  try {
    const response = await fetch(draft ?? live, { method: 'POST', body, headers: headers(), signal: sending.signal })
    const news = await response.json()
    // fields that changed meanwhile must be sent again, and all if the server refused them because the seats changed
    if (draft && (isSeatedAs(news) || !response.ok)) for (const [name, value] of sent) if (valueOf(name) === value) unsent.delete(name)
    if (draft && response.ok) {
      storeInput()
      happened()
    }
    connected(true)
    if (news.seats) {
      apply(news)
      if (news.problem) tellRefusal(news.problem)
    } else if (news.live) showReading(news.live)
    else tell(news.problem ?? '')
    if (draft && unsent.size) sendSoon()
  } catch (error) {
    if (error.name === 'AbortError') return
    if (!isLost(error)) throw error
    goOffline(textOfStored())
    if (draft) sendSoon(RETRY)
  } finally {
    request = null
  }
}

export function sendSoon(delay = DELAY) {
  clearTimeout(timer)
  timer = setTimeout(send, delay)
}

// The form that saves a round contains everything; an update of the draft would arrive after it, and be refused.
export function stopSending() {
  request?.abort()
  if (unsent.size) sendSoon(RETRY)
}

// Asks the server what is new; returns the night's { isClosed } if anything is.
export async function poll() {
  if (document.hidden || request || unsent.size || isSaving()) return
  try {
    const query = new URLSearchParams(location.search)
    if (way()) query.set('way', way())
    const response = await askState(`${state}?${query}`, mark && `W/"${mark}"`)
    connected(response.status < 500)
    if (response.status === 200) {
      const news = await response.json()
      apply(news)
      return { isClosed: news.closed }
    }
    if (response.status === 404 || response.status === 403) leave(() => location.reload())
  } catch (error) {
    if (!isLost(error)) throw error
    goOffline(words.behind)
  }
}

// Gets what another phone entered in a field that had the focus.
export function catchUp() {
  if (!isBehind) return
  mark = ''
  poll()
}
