// The switch with which this phone is reminded of its turn: shown where the browser can do it. It asks the browser for an
// address at its push service, and tells the server.

const form = document.querySelector('[data-reminders]')
const isAble = isSecureContext && navigator.serviceWorker && 'PushManager' in globalThis && 'Notification' in globalThis

// Returns what the push service of this browser gave it, for the key of this server.
async function subscription(key) {
  const { pushManager } = await navigator.serviceWorker.ready
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
  const response = await fetch(form.dataset.reminders, { method: 'POST', body, headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(response.status)
}

async function change(isOn) {
  if (!isOn) return tell({ do: 'off' })
  if (await Notification.requestPermission() !== 'granted') throw new Error('denied')
  const { endpoint, keys: { p256dh, auth } } = (await subscription(form.dataset.key)).toJSON()
  return tell({ do: 'on', endpoint, p256dh, auth })
}

if (form && isAble) {
  form.hidden = false
  const box = form.querySelector('[type=checkbox]')
  const problem = form.querySelector('[role=alert]')
  box.addEventListener('change', async () => {
    box.disabled = true
    problem.hidden = true
    try {
      await change(box.checked)
    } catch {
      problem.hidden = false
      box.checked = !box.checked
    }
    box.disabled = false
  })
}
