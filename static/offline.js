// What a page of a night does without the server: it says how old it is, keeps what is saved on this phone until the
// server has it, and lets a worker keep the last night's pages where the browser allows one.

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

// Says when the page was as the server has it, while the server is away.
export function connected(isThere) {
  if (isThere) seen = new Date()
  const text = isThere ? '' : mark?.dataset.seenText.replace('{time}', timeOf(seen))
  if (mark && mark.textContent !== text) mark.textContent = text
}

// ---- rounds that wait on this phone; the key that each was given books it once

const path = (address) => new URL(address, location).pathname
const read = (slot) => JSON.parse(localStorage.getItem(slot))
const slots = (within = '') => Object.keys(localStorage).filter((slot) => slot.startsWith(`waiting:${within}`))
const waits = (slot) => !read(slot)?.isRefused
const own = () => entry && `waiting:${path(entry.form.action)}:${entry.form.elements.key.value}`

function lay(form, button) {
  const body = new URLSearchParams(new FormData(form, button)).toString()
  localStorage.setItem(own(), JSON.stringify({ action: form.action, body, at: Date.now() }))
}

function drop(slot) {
  localStorage.removeItem(slot)
  draw()
}

// Shows a round that cannot be booked as it is in the server's own page, with everything in it and what is in the way.
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

// Booked by the page that a round was handed to.
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

// Puts what waits back into its form, where that is still the form of the same round.
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

// `hold` shuts the form or opens it again, `booked` tells that its round is.
export function begin(form, { hold, booked: wasBooked }) {
  entry = { form, hold, booked: wasBooked }
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value !== 'save') return
    event.preventDefault()
    lay(form, event.submitter)
    // until it is answered no other phone's news leads away from here
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
// after the form of this page, if it has one, has begun
setTimeout(sendAll)

if (list && isSecureContext && navigator.serviceWorker) {
  const isWithout = !navigator.serviceWorker.controller
  const keepThis = async () => {
    await navigator.serviceWorker.register(list.dataset.worker)
    const { active } = await navigator.serviceWorker.ready
    if (isWithout) active.postMessage({ keep: location.href })
  }
  // a browser does without it, as behind a certificate that it does not trust
  addEventListener('load', () => setTimeout(() => keepThis().catch(() => {}), LATER))
}
