// What the hands come to while they are entered, from the server's engine; in a session also what other phones enter.
// What the server has not got yet is kept on this phone and sent again until it has.

import { draw, form, say, seats, words } from './hands.js'
import { connected } from './offline.js'
import { happened, keepAsking } from './pace.js'
import { buzz } from './phone.js'

const { draft, state, live, lines, night } = form.dataset
const follows = 'follows' in form.dataset // a player's own phone, which goes where the table goes
const DELAY = 60
const AGAIN = 1500
const mine = new Set() // what was typed on this phone
const touched = new Set() // and of that what the server has not got yet
const box = `typed:${draft ?? location.pathname}`
const HOURS = 6 * 3600 * 1000
let version = ''
let newest = 0
let timer = 0
let sending = null // what is on its way
// while the round of this page is saved, or waits for that, it is not the draft that says what is next
const isShut = () => 'saving' in form.dataset || 'booking' in form.dataset

const missing = document.querySelector('[data-missing]')
const field = (name) => form.elements.namedItem(name)
const first = (found) => (found instanceof RadioNodeList ? found[0] : found)

export function tell(text) {
  if (missing && missing.textContent !== text) missing.textContent = text
}

// A field's value as the draft has it: a tick is true or false.
function valueOf(name) {
  const found = field(name)
  if (first(found)?.type === 'checkbox') return first(found).checked
  return found?.value ?? ''
}

// Tells whether that changed anything.
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

// ---- kept on this phone

function keep() {
  const fields = {}
  for (const name of mine) fields[name] = valueOf(name)
  const kept = { number: form.elements.number?.value ?? '', at: Date.now(), fields, unsent: [...touched] }
  localStorage.setItem(box, JSON.stringify(kept))
}

// A round by itself has its seats and its deck in its address nowhere: what was kept of another table is sent to the
// server, which draws the form for it.
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
  // an older copy of the page lacks also what the server has
  const isCopy = 'seen' in document.documentElement.dataset
  for (const [name, value] of Object.entries(kept.fields)) {
    mine.add(name)
    if (isCopy || kept.unsent.includes(name)) put(name, value)
    if (kept.unsent.includes(name)) touched.add(name)
  }
}

export const forget = () => localStorage.removeItem(box)

// ---- what the server says

// What the page says of the round is that of before: it is settled again before it can be saved.
function overtake() {
  const save = document.querySelector('[data-again]')
  if (!save || save.value === 'settle') return
  save.value = 'settle'
  save.textContent = save.dataset.again
  const told = document.querySelector('[data-overtaken]')
  told.textContent = told.dataset.overtaken
}

// A round is saved when it is settled, or where nothing can settle it: then it waits on this phone.
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
  // what the server knows is asked for anew when it is back
  version = ''
  offer(true, true)
}

function show(told, down = []) {
  for (const seat of seats) {
    const hand = told.seats[seat.number]
    if (down.includes(Number(seat.number))) say(seat, words.down.replace('{n}', hand?.size ?? ''), true)
    else if (!seat.line && !hand?.reading) say(seat, hand ? words.held.replace('{n}', hand.size) : words.nothing)
    else say(seat, hand?.reading ?? '')
  }
  const wrong = told.wrong[0]?.text ?? ''
  const nets = told.settled?.nets.map((net) => net.join('\u00a0').replace('\u2212', '\u2212\u2060')).join('\u00a0· ')
  tell(told.settled ? [told.settled.headline, nets].filter(Boolean).join(' — ') : wrong || told.missing)
  if (told.settled) document.getElementById('problems')?.remove()
  missing?.classList.remove('away')
  missing?.classList.toggle('wrong', Boolean(wrong))
  missing?.classList.toggle('settled', Boolean(told.settled))
  offer(Boolean(told.settled))
  const faceDown = document.querySelector('[data-face-down]')
  if (faceDown) faceDown.hidden = !down.length
}

function apply(told) {
  // an answer that was overtaken by a newer one would take back what was typed since
  if (told.version < newest || isShut()) return
  newest = told.version
  if (told.saved >= Number(form.elements.number.value)) {
    // what is only here is not thrown away: saving it shows both versions
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
  draw()
  show(told.live, told.down)
  tellLate(told.late)
  document.dispatchEvent(new CustomEvent('told', { detail: told }))
}

// What was changed after the hands were turned up; it is read out once.
function tellLate(sentences) {
  const list = document.querySelector('[data-late]')
  if (!list || [...list.children].map((one) => one.textContent).join() === sentences.join()) return
  list.replaceChildren(...sentences.map((text) => Object.assign(document.createElement('li'), { textContent: text })))
  list.hidden = !sentences.length
}

// What the draft is told: the fields that were touched, of which round they are, and who sits where on this page.
function changes(names, action) {
  const { key, number, game } = form.elements
  const seated = [...form.querySelectorAll('[name=seat]')].map((seat) => seat.value)
  const body = new URLSearchParams({ key: key.value, number: number.value, game: game.value, seats: seated.join('.') })
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
    // what was typed again meanwhile is still to be sent
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

// Gives how the table is, where that is new.
async function poll() {
  if (document.hidden || sending || touched.size || isShut()) return
  try {
    const answer = await fetch(state + location.search, { headers: { 'If-None-Match': `W/"${version}"` }, cache: 'no-store' })
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

export function begin() {
  if (!live && !draft) return
  restore()
  // what was tapped before this script was there, and what was sent and comes back, is this phone's
  const isBack = !('fresh' in form.dataset)
  // a reload asks for the form anew, not for what was sent: what was mended since is kept here
  if (isBack) history.replaceState(null, '')
  for (const one of form.elements) {
    const isTick = one.type === 'checkbox' || one.type === 'radio'
    const isEarly = isTick ? one.checked !== one.defaultChecked : one.value !== one.defaultValue
    const isMine = isEarly || (isBack && (isTick ? one.checked : one.value))
    if (one.name && isMine && one.matches('input:not([type=hidden]), select')) typedInto(one.name)
  }
  if (isBack && mine.size) keep()
  const changed = (event) => {
    if (!event.target.name || event.target.closest('.picker')) return
    typedInto(event.target.name)
    // what was wrong here is being mended; the server says so again if it is not
    for (const error of event.target.closest('[data-seat]')?.querySelectorAll('.error') ?? []) error.remove()
    event.target.removeAttribute('aria-invalid')
    const { seat } = event.target.closest('[data-seat]')?.dataset ?? {}
    document.querySelector(`[data-tab="${seat}"]`)?.classList.remove('wrong')
    keep()
    later()
  }
  form.addEventListener('input', changed)
  form.addEventListener('change', changed)
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'next') forget()
    if (event.submitter?.value !== 'save') return
    // all of it goes out now: what is still on its way to the draft would come after its round, and be refused
    sending?.abort()
    if (touched.size) later(AGAIN)
  })
  document.querySelector('[data-show]')?.addEventListener('click', () => send('show'))
  if (draft) keepAsking(poll)
  if (touched.size || seats.some((seat) => seat.line?.value)) later()
}
