// Sends the page's forms, and those that wait on this phone.

import { openFolds } from './folds.js'
import { dropHandedOver, handOver, handedOverTo, visit } from './handed_over.js'
import { RETRY, deliver, enqueue, isReachable, mark, pathOf, pathOfSlot, slotOf, slots, waiting } from './queue.js'
import { forget, handedOver, load, setHandedOver } from './storage.js'
import { catchUp, clearNote, draw, dropSaved, enterAnother, finishEntry, formOf, held, hold, isElsewhereTyped, isEntry, isRefusedAtOnce, list, lock, makeRow, makeRowOf, release, setUnkept, tellBeside, tellUnkept, waitHere, words } from './waiting_forms.js'

const checked = new WeakSet() // forms that the browser may send, because the server responds
let timer = 0
let isSending = false

function bodyOf(form, button) {
  const body = new URLSearchParams(new FormData(form))
  if (button?.name) body.append(button.name, button.value)
  return body.toString()
}

// Call this when a page opens. A form that was handed over stays on this phone if its page was left without sending it,
// unless it never waited: then it is as lost as input on any page that is left.
export function settleHandedOver() {
  const slot = handedOver()
  const { answer, posted } = document.documentElement.dataset
  if (!slot || answer !== undefined) return
  setHandedOver(null)
  const { isRound, hasWaited } = load(slot) ?? {}
  if (new URLSearchParams(location.search).has('saved')) dropSaved(slot, location.pathname)
  else if (posted === undefined && !isRound && !hasWaited) forget(slot)
}

function leave(form, address) {
  if (isEntry(form)) {
    finishEntry()
    return location.replace(address)
  }
  const { pathname, search, hash, href } = new URL(address, location)
  if (pathname + search !== location.pathname + location.search) return location.assign(address)
  // a page that is loaded again stays where it was, or goes to its place: which, browsers leave to chance
  const place = hash !== location.hash && hash.slice(1)
  if (place) history.scrollRestoration = 'manual'
  history.replaceState({ folds: openFolds(), place }, '', href)
  location.reload()
}

// What was refused at once and never sent again, as where its tab was closed, is settled by the next one of its kind.
function dropRefused(path) {
  for (const slot of slots()) {
    if (isRefusedAtOnce(load(slot)) && pathOfSlot(slot) === path) forget(slot)
  }
}

function finish(slot, address) {
  const form = formOf(slot)
  if (form) dropHandedOver(pathOfSlot(slot))
  dropSaved(slot, address)
  dropRefused(pathOfSlot(slot))
  if (form && (isEntry(form) || !isElsewhereTyped(form))) return leave(form, address)
  if (form) enterAnother(form)
  const link = Object.assign(document.createElement('a'), { href: address, textContent: words.booked })
  const notice = Object.assign(document.createElement('p'), { className: 'carried' })
  notice.append(link)
  list?.append(notice)
}

function refuse(slot, body) {
  const form = formOf(slot)
  mark(slot, { body, isRefused: true, ...form ? {} : { hasWaited: true } })
  if (!form) return // its page was left meanwhile: the list says so
  if (isEntry(form) || !isElsewhereTyped(form)) return handOver(slot)
  release(form)
  tellBeside(form, makeRowOf(slot))
}

// Returns how long to wait before the next attempt, if the server is away.
async function send(slot) {
  const sent = load(slot)
  const { address, body, delay = 0 } = await deliver({ ...sent })
  if (load(slot)?.at !== sent.at) return 0 // taken back to be changed, or sent from another tab
  if (address) finish(slot, address)
  else if (body) refuse(slot, body)
  else mark(slot, { hasWaited: true })
  return delay
}

// Sends all forms in order. While the server is away, none overtakes another.
export async function sendAll() {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  const tried = new Set()
  const find = () => waiting().find((slot) => !tried.has(slot))
  let delay = 0
  for (let slot = find(); slot && !delay; slot = find()) {
    tried.add(slot)
    delay = await send(slot).catch((error) => {
      reportError(error)
      return RETRY
    })
  }
  isSending = false
  for (const slot of slots()) {
    const form = formOf(slot)
    if (form && 'booking' in form.dataset && !load(slot).isRefused) waitHere(slot, form)
  }
  catchUp()
  draw()
  // those that are held back may be next, once somebody has looked at the one before
  if (slots().some((slot) => !load(slot).isRefused)) timer = setTimeout(sendAll, delay || RETRY)
}

// Sends a form that this phone has no room for. Only the server's answer leaves the page, which has the only copy.
async function sendUnkept(form, slot, sent) {
  const { address, body } = await deliver(sent)
  if (address) return finish(slot, address)
  if (body) return visit(sent.action, body)
  hold(form, false)
  tellUnkept(form)
}

function disable(button) {
  if (button) Object.assign(button, { disabled: true }).dataset.sent = ''
}

function submit(form, button) {
  if ('booking' in form.dataset) return
  // until there is a response, don't leave the page because of news from other phones
  form.dataset.booking = ''
  if (!isEntry(form)) lock(form, true) // a second tap would be for the same form
  setUnkept(false)
  const action = button?.hasAttribute('formaction') ? button.formAction : form.action
  const sent = { action, body: bodyOf(form, button), isRound: isEntry(form) }
  const slot = slotOf(action, form.elements.key.value)
  disable(button)
  const corrected = handedOverTo(pathOf(action))
  if (!enqueue(slot, sent, corrected)) return sendUnkept(form, slot, sent).catch(reportError)
  if (corrected) setHandedOver(null)
  sendAll()
}

// Lets the browser send a form that makes no sense later, if the server responds: else its page would be gone.
async function submitIfConnected(form, button) {
  if ('booking' in form.dataset) return
  form.dataset.booking = ''
  const isConnected = await isReachable(list.dataset.alive)
  delete form.dataset.booking
  clearNote(form)
  if (!isConnected) return tellBeside(form, makeRow(words.unsent))
  checked.add(form)
  form.requestSubmit(button)
}

// Forms say in `data-offline` whether they wait for the server ("waits") or stay as they are ("stays"); so may buttons.
// Old browsers send them themselves.
export function takeOverForms() {
  if (!HTMLFormElement.prototype.requestSubmit) return
  addEventListener('submit', (event) => {
    const { target: form, submitter, defaultPrevented } = event
    const way = submitter?.dataset.offline ?? form.dataset.offline
    if (defaultPrevented || !way || !list || checked.delete(form)) return
    event.preventDefault()
    if (way === 'waits') submit(form, submitter)
    else submitIfConnected(form, submitter)
  })
  // the browser's copy of a page that was left when its form was sent
  addEventListener('pageshow', ({ persisted }) => {
    for (const form of document.forms) if (persisted && 'booking' in form.dataset && !isEntry(form)) enterAnother(form)
  })
  addEventListener('storage', () => {
    for (const [slot, form] of held) {
      if (load(slot)) continue
      // another tab has sent it
      if (isElsewhereTyped(form)) enterAnother(form)
      else location.reload()
    }
    draw()
  })
}
