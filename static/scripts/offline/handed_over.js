// Hands a refused form over to the server's page, which shows it with the reason for the refusal.

import { pathOfSlot } from './queue.js'
import { forget, handedOver, load, setHandedOver } from './storage.js'

// Opens a refused form in the server's page, with all its input and the reason for the refusal.
export function handOver(slot) {
  const { action, body } = load(slot)
  setHandedOver(slot)
  visit(action, body)
}

export function visit(action, body) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action, hidden: true })
  for (const [name, value] of new URLSearchParams(body)) {
    form.append(Object.assign(document.createElement('input'), { name, value, type: 'hidden' }))
  }
  document.body.append(form)
  HTMLFormElement.prototype.submit.call(form) // a field may be called "submit"
}

// Returns the form that was handed over, if the page sends it again to the same path.
export function handedOverTo(path) {
  const slot = handedOver()
  return slot && pathOfSlot(slot) === path ? slot : null
}

// The form that was handed over has been sent from the server's page.
export function dropHandedOver(path) {
  const slot = handedOverTo(path)
  if (!slot) return
  setHandedOver(null)
  forget(slot)
}
