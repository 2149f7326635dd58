// Return goes on to the next field of a form. In the last one it presses the button marked for it, if there is one in the
// same part of the form; without one, it is up to the browser, which presses the form's first button.

const TYPED = 'input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea'

// iPhones before iOS 17.4 have no such method, but nothing closed takes a place there.
const isInSight = (one) => (one.checkVisibility?.() ?? one.getClientRects().length > 0) && getComputedStyle(one).visibility === 'visible'

// Returns the fields of a form that are typed into and in sight, in their order.
const fieldsOf = (form) => [...form.elements].filter((field) => field.matches(TYPED) && isInSight(field))

function markedButton(field) {
  for (let part = field.parentElement; part && part !== field.form.parentElement; part = part.parentElement) {
    const button = [...part.querySelectorAll('[data-return]')].find(isInSight)
    if (button) return button
  }
  return null
}

function goOn(event) {
  const { target, key, isComposing, defaultPrevented } = event
  if (key !== 'Enter' || isComposing || defaultPrevented || !target.form || !target.matches(TYPED)) return
  if (target.matches('textarea')) return // a new line
  const fields = fieldsOf(target.form)
  const next = fields[fields.indexOf(target) + 1] ?? markedButton(target)
  if (!next) return
  event.preventDefault()
  if (!next.matches(TYPED)) return next.click()
  next.focus()
  next.select()
}

export function beginReturnKey() {
  document.addEventListener('keydown', goOn)
}
