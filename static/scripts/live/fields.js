// The fields of the form: their values as the draft has them, and which of them were typed on this phone.

import { form } from '../hands.js'

export const typedHere = new Set()
export const unsent = new Set() // typed here, but not yet received by the server

export const fieldOf = (name) => form.elements.namedItem(name)
export const seatIds = () => [...form.querySelectorAll('[name=seat]')].map((seat) => seat.value) // the players' ids
const firstOf = (field) => (field instanceof RadioNodeList ? field[0] : field)

// Returns a field's value as the draft has it; checkboxes are true or false.
export function valueOf(name) {
  const field = fieldOf(name)
  if (firstOf(field)?.type === 'checkbox') return firstOf(field).checked
  return field?.value ?? ''
}

// Sets a field, unless somebody may be typing in it; returns whether it changed. The field hears "given".
export function setValue(name, value) {
  const field = fieldOf(name)
  const isBox = firstOf(field)?.type === 'checkbox'
  if (!field || valueOf(name) === value || (document.activeElement === field && !isBox)) return false
  if (isBox) firstOf(field).checked = value
  else {
    field.value = value
    firstOf(field).dispatchEvent(new Event('given'))
  }
  return true
}

export function markTyped(name) {
  typedHere.add(name)
  unsent.add(name)
}

// Returns a field's value when the page was rendered; a select has it only in its options.
function initialValue(field) {
  if (!field.options) return field.defaultValue
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value ?? ''
}

// Marks what was typed before this script loaded; in a form that the server returned, everything it contains.
export function markTypedBefore(isReturned) {
  for (const field of form.elements) {
    const isTick = field.type === 'checkbox' || field.type === 'radio'
    const isChanged = isTick ? field.checked !== field.defaultChecked : field.value !== initialValue(field)
    const isTyped = isChanged || (isReturned && (isTick ? field.checked : field.value))
    if (field.name && isTyped && field.matches('input:not([type=hidden]), select')) markTyped(field.name)
  }
}
