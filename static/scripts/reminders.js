// The switch with which this phone is reminded of its turn: shown where the browser can do it. It asks the browser for an
// address at its push service, and tells the server. What came of it is one of the sentences below the switch.

import { inTime } from './offline.js'

const form = document.querySelector('[data-reminders]')
const isAble = isSecureContext && navigator.serviceWorker && 'PushManager' in globalThis && 'Notification' in globalThis

const refusal = (why, told) => Object.assign(new Error(why), { why, told })

// Shows one of the sentences; `told` is what the server says.
function say(why, told) {
  for (const sentence of form.querySelectorAll('[data-why]')) {
    sentence.hidden = sentence.dataset.why !== why
    if (!sentence.hidden && told) sentence.textContent = told
  }
}

// Installs the worker that shows the reminders, which the page may do later or not at all.
async function installed() {
  try {
    await navigator.serviceWorker.register(form.dataset.worker)
  } catch {
    // a browser that does not trust the certificate refuses, and waiting for a worker would never end
    throw refusal('no-worker')
  }
  return navigator.serviceWorker.ready
}

// Returns what the push service of this browser gave it, for the key of this server.
async function subscription(key) {
  const { pushManager } = await installed()
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch (error) {
    if (error.name !== 'InvalidStateError') throw error
    // it was made for another key
    await (await pushManager.getSubscription()).unsubscribe()
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  }
}

async function tell(values) {
  const body = new FormData(form)
  for (const [name, value] of Object.entries(values)) body.set(name, value)
  const response = await fetch(form.dataset.reminders, { method: 'POST', body, headers: { Accept: 'application/json' }, signal: inTime() })
  if (response.ok) return
  const { problem } = await response.json()
  throw refusal(problem ? 'told' : 'failed', problem)
}

async function change(isOn) {
  if (!isOn) return tell({ do: 'off' })
  if (await Notification.requestPermission() !== 'granted') throw refusal('denied')
  const { endpoint, keys: { p256dh, auth } } = (await subscription(form.dataset.key)).toJSON()
  return tell({ do: 'on', endpoint, p256dh, auth })
}

if (form && isAble) {
  form.hidden = false
  const box = form.querySelector('[type=checkbox]')
  if (box.checked && Notification.permission === 'denied') {
    box.checked = false
    say('denied')
  }
  box.addEventListener('change', async () => {
    box.disabled = true
    say('')
    try {
      await change(box.checked)
      say(box.checked ? 'on' : 'off')
    } catch (error) {
      box.checked = !box.checked
      say(error.why ?? (error.name === 'NotAllowedError' ? 'denied' : 'failed'), error.told)
    }
    box.disabled = false
  })
}
