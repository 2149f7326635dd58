// Lets a night's page work without the server: shows how old the page is, stores saved rounds on this phone until they
// are sent, and registers the service worker that stores copies of the last night's pages.
// The parts are in offline/; the server sends them with this module as one file.

import { connected } from './offline/connection.js'
import { dropHandedOver, findWaiting, keepHandedOver, read, sendAll, sendUnkept, setEntry, storeRound } from './offline/waiting_rounds.js'

export { connected } from './offline/connection.js'
export { store } from './offline/storage.js'

const WORKER_DELAY = 3000 // a first visit has more important things to load first

// Fills the form with its waiting round, if it is still the form of the same round; returns whether it is.
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

// Takes over saving a form: `hold` locks or unlocks it, `booked` is called once its round is booked.
export function begin(form, { hold, booked }) {
  setEntry(form, hold, booked)
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value !== 'save') return
    event.preventDefault()
    // until there is a response, don't leave the page because of news from other phones
    form.dataset.booking = ''
    // before the button is disabled, which takes it out of what the form sends
    if (storeRound(form, event.submitter)) sendAll()
    else sendUnkept(form, event.submitter)
    event.submitter.disabled = true
  })
  if (!('fresh' in form.dataset)) return
  const slot = findWaiting(form)
  if (slot && refill(form, read(slot).body)) hold(true)
}

async function registerWorker(url) {
  const isFirstVisit = !navigator.serviceWorker.controller
  await navigator.serviceWorker.register(url)
  const { active } = await navigator.serviceWorker.ready
  if (isFirstVisit) active.postMessage({ keep: location.href })
}

if (new URLSearchParams(location.search).has('saved')) dropHandedOver()
else if (!document.querySelector('#entry:not([data-fresh])')) keepHandedOver()
if ('seen' in document.documentElement.dataset) connected(false)
addEventListener('online', sendAll)
// after `begin`, if this page has a form
setTimeout(sendAll)

const { worker } = document.querySelector('[data-worker]')?.dataset ?? {}
if (worker && isSecureContext && navigator.serviceWorker) {
  // registration may fail, for example with an untrusted certificate; the page works without it
  addEventListener('load', () => setTimeout(() => registerWorker(worker).catch(() => {}), WORKER_DELAY))
}
