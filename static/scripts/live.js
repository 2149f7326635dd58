// Shows what the hands are worth while they are entered, as evaluated by the server; in a session also what other
// phones enter. Input the server hasn't received is stored on this phone and sent again until it arrives.

import { draw, form, seats, setReading, words } from './hands.js'
import { connected, laid } from './offline.js'
import { happened, keepAsking } from './pace.js'
import { buzz } from './phone.js'

const { draft, state, live, lines, night } = form.dataset
const follows = 'follows' in form.dataset // a phone with a seat, which goes where the table goes
const DELAY = 60
const AGAIN = 1500
const mine = new Set() // fields typed on this phone
const touched = new Set() // those that are still to be sent
const box = `typed:${draft ?? location.pathname}`
const HOURS = 6 * 3600 * 1000
let version = ''
let newest = 0
let timer = 0
let sending = null // the request in flight
// while this page's round is being saved, or waits to be, ignore news about the draft
const isShut = () => 'saving' in form.dataset || 'booking' in form.dataset

const missing = document.querySelector('[data-missing]')
const field = (name) => form.elements.namedItem(name)
const way = () => form.elements.way?.value ?? '' // how this phone enters the round; what it is told to enter follows it
const first = (found) => (found instanceof RadioNodeList ? found[0] : found)

export function tell(text) {
  if (missing && missing.textContent !== text) missing.textContent = text
}

// A field's value as stored in the draft; checkboxes are true or false.
function valueOf(name) {
  const found = field(name)
  if (first(found)?.type === 'checkbox') return first(found).checked
  return found?.value ?? ''
}

// Sets a field; returns whether it changed.
function put(name, value) {
  const found = field(name)
  if (!found || valueOf(name) === value || document.activeElement === found) return false
  if (first(found).type === 'checkbox') first(found).checked = value
  else found.value = value
  return true
}

function typedInto(name) {
  mine.add(name)
  touched.add(name)
}

// ---- storage on this phone

let isDue = false // whether there is something to store

function keep() {
  isDue = false
  const fields = {}
  for (const name of mine) fields[name] = valueOf(name)
  // a single round's names say which seats it has, also those that nobody typed
  for (const { name, value } of form.querySelectorAll('.name[data-name]')) fields[name] = value
  laid(box, { number: form.elements.number?.value ?? '', at: Date.now(), fields, unsent: [...touched] })
}

const keepDue = () => { if (isDue) keep() }

// Stores what was entered once the tap is drawn; a page that is left or hidden before that stores it at once.
function keepSoon() {
  if (!isDue) requestAnimationFrame(() => setTimeout(keepDue))
  isDue = true
}

// A single round's URL has neither its seats nor its deck. If the stored input belongs to another form, the server
// renders that form.
function redrawn(fields) {
  const isElsewhere = Object.keys(fields).some((name) => !field(name)) ||
    [...form.querySelectorAll('.name[data-name]')].some(({ name }) => !(name in fields)) ||
    [...form.querySelectorAll('[data-redraw]')].some(({ name }) => name in fields && fields[name] !== valueOf(name))
  if (draft || form.elements.number || !isElsewhere) return false
  const old = document.createElement('form')
  Object.assign(old, { method: 'post', action: form.action, hidden: true })
  const told = { csrf_token: form.elements.csrf_token.value, do: 'clear' }
  for (const [name, value] of Object.entries({ ...fields, ...told })) {
    if (value !== false) old.append(Object.assign(document.createElement('input'), { name, value: value === true ? 'y' : value }))
  }
  document.body.append(old)
  old.submit()
  return true
}

function restore() {
  const kept = JSON.parse(localStorage.getItem(box) ?? 'null')
  const isOurs = kept && kept.number === (form.elements.number?.value ?? '') && Date.now() - kept.at < HOURS
  if (!isOurs || !('fresh' in form.dataset)) return
  if (redrawn(kept.fields)) return
  // a stored copy of the page also lacks input the server already has
  const isCopy = 'seen' in document.documentElement.dataset
  for (const [name, value] of Object.entries(kept.fields)) {
    mine.add(name)
    if (isCopy || kept.unsent.includes(name)) put(name, value)
    if (kept.unsent.includes(name)) touched.add(name)
  }
}

export function forget() {
  isDue = false
  localStorage.removeItem(box)
}

// ---- updates from the server

// The answer on the page is outdated: the round must be settled again before it can be saved.
function overtake() {
  const save = document.querySelector('[data-again]')
  if (!save || save.value === 'settle') return
  save.value = 'settle'
  save.textContent = save.dataset.again
  const told = document.querySelector('[data-overtaken]')
  told.textContent = told.dataset.overtaken
}

// Offers "Save" once the round is settled, or if the server is away: the round then waits on this phone.
function offer(isSaved, isAway = false) {
  const save = document.querySelector('[data-save]')
  const settle = document.querySelector('[data-settle]')
  const hadFocus = save === document.activeElement
  if (save) save.hidden = !isSaved
  settle?.classList.toggle('primary', !save || save.hidden)
  if (settle) settle.hidden = isAway && Boolean(save)
  if (hadFocus && save?.hidden) settle?.focus({ preventScroll: true })
}

function away(text) {
  connected(false)
  tell(text)
  missing?.classList.add('away')
  // forces a full update when the server is back
  version = ''
  offer(true, true)
}

// Who folded or dropped has no hand to enter. On the scorekeeper's page the bets themselves say who is out.
function showWhoIsOut(out) {
  for (const { root, number } of seats) {
    const isOut = out.includes(Number(number))
    root.toggleAttribute('data-out', isOut)
    root.toggleAttribute('data-alone', !isOut && out.length === seats.length - 1)
  }
}

function show(told, down = []) {
  for (const seat of seats) {
    const hand = told.seats[seat.number]
    if (down.includes(Number(seat.number))) setReading(seat, words.down.replace('{n}', hand?.size ?? ''), true)
    else if (!seat.line && !hand?.reading) setReading(seat, hand ? words.held.replace('{n}', hand.size) : words.nothing)
    else setReading(seat, hand?.reading ?? '')
  }
  if (follows) showWhoIsOut(told.out)
  // a round that settles has no errors left, in the hands that weren't touched either
  for (const past of told.settled ? document.querySelectorAll('#problems, [data-seat] .error') : []) past.remove()
  for (const one of told.settled ? form.querySelectorAll('[aria-invalid]') : []) one.removeAttribute('aria-invalid')
  draw()
  const wrong = told.wrong[0]?.text ?? ''
  const nets = told.settled?.nets.map((net) => net.join('\u00a0').replace('\u2212', '\u2212\u2060')).join('\u00a0· ')
  const said = told.settled ? [told.settled.headline, nets].filter(Boolean).join(' — ') : wrong || told.missing
  if (missing?.textContent !== told.settled?.headline) tell(said)
  missing?.classList.remove('away')
  missing?.classList.toggle('wrong', Boolean(wrong))
  missing?.classList.toggle('settled', Boolean(told.settled))
  if (told.settled && missing?.scrollHeight > missing?.clientHeight) tell(told.settled.headline) // not cut
  offer(Boolean(told.settled))
  const faceDown = document.querySelector('[data-face-down]')
  if (faceDown) faceDown.hidden = !down.length
}

function apply(told) {
  // an outdated response would undo newer input
  if (told.version < newest || isShut()) return
  newest = told.version
  if (told.saved >= Number(form.elements.number.value)) {
    // keep input that is only on this phone: saving it will show both versions
    if (touched.size) return tell(told.problem ?? '')
    forget()
    if (follows) buzz()
    location.replace(lines + told.saved + (follows ? `?since=${form.elements.number.value - 1}` : ''))
    return
  }
  if (told.closed) return location.replace(night)
  const here = [...form.querySelectorAll('[name=seat]')].map((seat) => seat.value)
  if (here.join() !== told.seats.join() || told.game !== form.elements.game.value) {
    location.reload()
    return
  }
  version = told.mark
  form.elements.number.value = told.number
  if (told.key) form.elements.key.value = told.key
  const betsBefore = form.elements.bets?.value
  const theirs = Object.entries(told.fields).filter(([name]) => !touched.has(name))
  if (theirs.map(([name, value]) => put(name, value)).includes(true)) overtake()
  if (form.elements.bets && form.elements.bets.value !== betsBefore) form.dispatchEvent(new Event('bets'))
  show(told.live, told.down)
  for (const [seat, chips] of Object.entries(told.in_front)) {
    const stack = document.querySelector(`[data-tab="${seat}"] .stack`)
    if (stack) stack.lastChild.data = chips
  }
  tellLate(told.late)
  document.dispatchEvent(new CustomEvent('told', { detail: told }))
}

// Lists changes made after the hands were revealed; screen readers announce each once.
function tellLate(sentences) {
  const list = document.querySelector('[data-late]')
  if (!list || [...list.children].map((one) => one.textContent).join() === sentences.join()) return
  list.replaceChildren(...sentences.map((text) => Object.assign(document.createElement('li'), { textContent: text })))
  list.hidden = !sentences.length
}

// The request body for the draft: the touched fields, their round, and the seats on this page.
function changes(names, action) {
  const { key, number, game } = form.elements
  const seated = [...form.querySelectorAll('[name=seat]')].map((seat) => seat.value)
  const body = new URLSearchParams({ key: key.value, number: number.value, game: game.value, seats: seated.join('.'), way: way() })
  if (action) body.set('do', action)
  for (const name of names) {
    const value = valueOf(name)
    if (value === false) body.append('touched', name)
    else if (field(name)) body.append(name, value === true ? 'y' : value)
  }
  return body
}

async function send(action = '') {
  if (sending || isShut()) return later(AGAIN)
  sending = new AbortController()
  const sent = new Map([...touched].map((name) => [name, valueOf(name)]))
  const body = draft ? changes(sent.keys(), action) : new FormData(form)
  try {
    const headers = { Accept: 'application/json', 'X-CSRFToken': form.elements.csrf_token.value }
    const answer = await fetch(draft ?? live, { method: 'POST', body, headers, signal: sending.signal })
    const told = await answer.json()
    // fields changed again in the meantime must be sent again
    if (draft) for (const [name, value] of sent) if (valueOf(name) === value) touched.delete(name)
    if (draft && answer.ok) {
      keep()
      happened()
    }
    connected(true)
    if (told.seats) apply(told)
    else if (told.live) show(told.live)
    else tell(told.problem ?? '')
    if (draft && touched.size) later()
  } catch (error) {
    if (error.name === 'AbortError') return
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
    away(words.kept)
    if (draft) later(AGAIN)
  } finally {
    sending = null
  }
}

function later(delay = DELAY) {
  clearTimeout(timer)
  timer = setTimeout(send, delay)
}

// Asks the server what is new; returns the night's { isClosed } if anything is.
async function poll() {
  if (document.hidden || sending || touched.size || isShut()) return
  try {
    const asked = new URLSearchParams(location.search)
    if (way()) asked.set('way', way())
    const answer = await fetch(`${state}?${asked}`, { headers: { 'If-None-Match': `W/"${version}"` }, cache: 'no-store' })
    connected(answer.status < 500)
    if (answer.status === 200) {
      const told = await answer.json()
      apply(told)
      return { isClosed: told.closed }
    }
    if (answer.status === 404 || answer.status === 403) location.reload()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    away(words.behind)
  }
}

// A field's value when the page was rendered; a select has it only in its options.
function initialValue(field) {
  if (!field.options) return field.defaultValue
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value
}

export function begin() {
  if (!live && !draft) return
  restore()
  // input made before this script loaded, and input returned in a form, belongs to this phone
  const isBack = !('fresh' in form.dataset)
  // a reload asks for the form anew, not for what was sent: what was mended since is kept here
  if (isBack) history.replaceState(null, '')
  for (const one of form.elements) {
    const isTick = one.type === 'checkbox' || one.type === 'radio'
    const isEarly = isTick ? one.checked !== one.defaultChecked : one.value !== initialValue(one)
    const isMine = isEarly || (isBack && (isTick ? one.checked : one.value))
    if (one.name && isMine && one.matches('input:not([type=hidden]), select')) typedInto(one.name)
  }
  if (isBack && mine.size) keep()
  const changed = (event) => {
    if (!event.target.name || event.target.closest('.picker')) return
    typedInto(event.target.name)
    // clear the field's errors; the server reports them again if they remain
    for (const error of event.target.closest('[data-seat]')?.querySelectorAll('.error') ?? []) error.remove()
    event.target.removeAttribute('aria-invalid')
    const { seat } = event.target.closest('[data-seat]')?.dataset ?? {}
    document.querySelector(`[data-tab="${seat}"]`)?.classList.remove('wrong')
    keepSoon()
    later()
  }
  addEventListener('pagehide', keepDue)
  document.addEventListener('visibilitychange', keepDue)
  form.addEventListener('input', changed)
  form.addEventListener('change', changed)
  form.addEventListener('way', () => { if (draft) poll(); else later() })
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'next') forget()
    if (event.submitter?.value !== 'save') return
    // the form itself sends everything; an update of the draft would arrive after its round was saved, and be refused
    sending?.abort()
    if (touched.size) later(AGAIN)
  })
  document.querySelector('[data-show]')?.addEventListener('click', () => send('show'))
  if (draft) keepAsking(poll)
  if (touched.size || seats.some((seat) => seat.line?.value)) later()
}
