// Keeps what is entered while the server is away: forms wait on this phone until they are sent, a night's page shows how
// old it is, and the service worker, which this registers, stores copies of the last night's pages. What the Return key
// does in a form is decided here as well, because every page loads this.
// The parts are in offline/; the server sends them with this module as one file.

import { connected } from './offline/connection.js'
import { reopenFolds } from './offline/folds.js'
import { beginReturnKey } from './offline/return_key.js'
import { sendAll, settleHandedOver, takeOverForms } from './offline/sending.js'
import { resume, setEntry } from './offline/waiting_forms.js'

export { connected, inTime, isLost } from './offline/connection.js'
export { forget, load, store } from './offline/storage.js'

const WORKER_DELAY = 3000 // a first visit has more important things to load first

// Fills a form with a waiting round, if it has the same game and seats; returns whether it does.
function refill(form, body) {
  const values = new URLSearchParams(body)
  const isSame = ['game', 'seat'].every((name) => {
    const here = [...form.querySelectorAll(`[type=hidden][name=${name}]`)].map((field) => field.value)
    return here.join() === values.getAll(name).join()
  })
  if (!isSame) return false
  const title = document.querySelector('h1')
  title.textContent = title.textContent.replace(/\d+/, (round) => Number(round) + Number(values.get('number')) - form.elements.number.value)
  for (const field of form.elements) {
    const { name, type } = field
    if (!name || type === 'submit' || (type === 'hidden' && !['key', 'number', 'bets', 'betting', 'played_for', 'stake_now'].includes(name))) continue
    if (type === 'checkbox' || type === 'radio') field.checked = values.getAll(name).includes(field.value)
    else field.value = values.get(name) ?? field.value
  }
  return true
}

// Takes over the form of a round: `hold` locks or unlocks it, `booked` is called once its round is booked, and `next`, if
// there is one, empties it for the next round; `hasNext` says whether that was begun on this phone.
export function begin(form, ways) {
  setEntry(form, { ...ways, refill: (body) => refill(form, body) })
  if ('fresh' in form.dataset) resume()
}

async function registerWorker(url) {
  const isFirstVisit = !navigator.serviceWorker.controller
  await navigator.serviceWorker.register(url)
  const { active } = await navigator.serviceWorker.ready
  if (isFirstVisit) active.postMessage({ keep: location.href })
}

settleHandedOver()
reopenFolds()
takeOverForms()
beginReturnKey()
if ('seen' in document.documentElement.dataset) connected(false)
addEventListener('online', sendAll)
// after `begin`, if this page has a form
setTimeout(sendAll)

const { worker } = document.querySelector('[data-worker]')?.dataset ?? {}
if (worker && isSecureContext && navigator.serviceWorker) {
  // registration may fail, for example with an untrusted certificate; the page works without it
  addEventListener('load', () => setTimeout(() => registerWorker(worker).catch(() => {}), WORKER_DELAY))
}
