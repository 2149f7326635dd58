// Lets a night's page work without the server: shows how old the page is, stores saved rounds on this phone until they
// are sent, and registers the service worker that keeps copies of the last night's pages.

const AGAIN = 2000
const LATER = 3000 // a first visit has better things to load
const HANDED = 'handed'
const root = document.documentElement
const mark = document.querySelector('[data-seen-text]')
const list = document.querySelector('[data-waiting]')
const words = JSON.parse(list?.dataset.words ?? '{}')
let seen = new Date(root.dataset.seen ?? Date.now())
let entry = null
let timer = 0
let isSending = false

function timeOf(date) {
  const today = date.toDateString() === new Date().toDateString()
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return date.toLocaleString(root.lang, today ? clock : { day: 'numeric', month: 'short', ...clock })
}

// While the server is away, shows when the page was last up to date.
export function connected(isThere) {
  if (isThere) seen = new Date()
  const text = isThere ? '' : mark?.dataset.seenText.replace('{time}', timeOf(seen))
  if (mark && mark.textContent !== text) mark.textContent = text
}

// Stores something on this phone; returns whether there is room for it.
export function laid(slot, something) {
  try {
    localStorage.setItem(slot, JSON.stringify(something))
    return true
  } catch (error) {
    if (error.name !== 'QuotaExceededError') throw error
    return false
  }
}

// ---- rounds waiting on this phone; each has a key, so that it is booked only once

const path = (address) => new URL(address, location).pathname
const read = (slot) => JSON.parse(localStorage.getItem(slot))
const slots = (within = '') => Object.keys(localStorage).filter((slot) => slot.startsWith(`waiting:${within}`))
const waits = (slot) => !read(slot)?.isRefused
const own = () => entry && `waiting:${path(entry.form.action)}:${entry.form.elements.key.value}`

function lay(form, button) {
  const body = new URLSearchParams(new FormData(form, button)).toString()
  return laid(own(), { action: form.action, body, at: Date.now() })
}

function drop(slot) {
  localStorage.removeItem(slot)
  draw()
}

// Opens a refused round in the server's page, with all its input and the reason for the refusal.
function handOver(slot) {
  const { action, body } = read(slot)
  sessionStorage.setItem(HANDED, slot)
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action, hidden: true })
  for (const [name, value] of new URLSearchParams(body)) {
    form.append(Object.assign(document.createElement('input'), { name, value, type: 'hidden' }))
  }
  document.body.append(form)
  form.submit()
}

// Drops a round that was booked from the page it was handed over to.
function dropHanded() {
  const slot = sessionStorage.getItem(HANDED)
  sessionStorage.removeItem(HANDED)
  if (slot) drop(slot)
}

function booked(slot, address) {
  const isHere = slot === own()
  dropHanded()
  drop(slot)
  if (isHere) {
    entry.booked()
    location.replace(address)
  } else if (list) list.append(Object.assign(document.createElement('p'), { className: 'carried', textContent: words.booked }))
}

async function send(slot) {
  const sent = localStorage.getItem(slot)
  if (!sent) return
  const { action, body } = JSON.parse(sent)
  try {
    const headers = { Accept: 'application/json' }
    const answer = await fetch(action, { method: 'POST', body: new URLSearchParams(body), headers })
    const isTrouble = answer.status === 429 || answer.status >= 500
    if (localStorage.getItem(slot) !== sent) return
    if (answer.status === 201) return booked(slot, (await answer.json()).address)
    if (!isTrouble) {
      localStorage.setItem(slot, JSON.stringify({ ...JSON.parse(sent), isRefused: true }))
      if (slot === own()) handOver(slot)
      return
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  if (slot !== own()) return
  delete entry.form.dataset.booking
  if ('saving' in entry.form.dataset) return
  entry.hold(true)
  draw()
  list.scrollIntoView({ block: 'center' })
}

async function sendAll() {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  for (const slot of slots().filter(waits)) await send(slot)
  isSending = false
  draw()
  if (slots().some(waits)) timer = setTimeout(sendAll, AGAIN)
}

function button(text, act) {
  const made = Object.assign(document.createElement('button'), { type: 'button', className: 'button small', textContent: text })
  made.addEventListener('click', act)
  return made
}

function row(slot) {
  const { action, at, isRefused } = read(slot)
  const item = document.createElement('div')
  item.className = 'line row'
  const text = document.createElement('span')
  text.textContent = (isRefused ? words.refused : words.waits).replace('{time}', timeOf(new Date(at)))
  item.append(text)
  if (isRefused) {
    item.append(button(words.look, () => handOver(slot)), button(words.drop, () => { if (confirm(words.sure)) drop(slot) }))
  } else if (slot === own()) {
    item.append(button(words.change, () => {
      drop(slot)
      entry.hold(false)
      for (const save of entry.form.querySelectorAll('[value=save]')) save.disabled = false
    }))
  } else if (path(action) !== location.pathname) item.append(button(words.look, () => location.assign(action)))
  return item
}

let drawn = null
function draw() {
  if (!list) return
  const now = slots(`${list.dataset.waiting}/`)
  const told = now.map((slot) => slot + localStorage.getItem(slot)).join()
  if (told === drawn) return
  drawn = told
  list.replaceChildren(...now.map(row))
}

// ---- the form of a round

// Restores a waiting round in its form, if that is still the form of the same round.
function refill(form, body) {
  const values = new URLSearchParams(body)
  const isSame = ['number', 'game', 'seat'].every((name) => {
    const here = [...form.querySelectorAll(`[type=hidden][name=${name}]`)].map((field) => field.value)
    return here.join() === values.getAll(name).join()
  })
  if (!isSame) return false
  for (const field of form.elements) {
    const { name, type } = field
    if (!name || type === 'submit' || (type === 'hidden' && !['key', 'bets', 'betting'].includes(name))) continue
    if (type === 'checkbox' || type === 'radio') field.checked = values.getAll(name).includes(field.value)
    else field.value = values.get(name) ?? field.value
  }
  return true
}

// `hold` locks or unlocks the form; `booked` is called once its round is booked.
export function begin(form, { hold, booked: wasBooked }) {
  entry = { form, hold, booked: wasBooked }
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value !== 'save' || !lay(form, event.submitter)) return
    event.preventDefault()
    // until there is a response, don't leave the page because of news from other phones
    form.dataset.booking = ''
    event.submitter.disabled = true
    sendAll()
  })
  if (!('fresh' in form.dataset)) return
  const slot = slots(`${path(form.action)}:`).find(waits)
  if (slot && refill(form, read(slot).body)) hold(true)
}

const params = new URLSearchParams(location.search)
if (params.has('saved')) dropHanded()
else if (!document.querySelector('#entry:not([data-fresh])')) sessionStorage.removeItem(HANDED)
if ('seen' in root.dataset) connected(false)
addEventListener('online', sendAll)
// run after `begin`, if this page has a form
setTimeout(sendAll)

if (list && isSecureContext && navigator.serviceWorker) {
  const isWithout = !navigator.serviceWorker.controller
  const keepThis = async () => {
    await navigator.serviceWorker.register(list.dataset.worker)
    const { active } = await navigator.serviceWorker.ready
    if (isWithout) active.postMessage({ keep: location.href })
  }
  // registration may fail, for example with an untrusted certificate; the page works without it
  addEventListener('load', () => setTimeout(() => keepThis().catch(() => {}), LATER))
}
