// A game that the table names: buttons that lower and raise each amount by a stake, and those for names used before.

const MOST_OFFERED = 6
const POINT = new Intl.NumberFormat(document.documentElement.lang).format(1.5)[1]

// A payment of one's own begins at what all pay.
const before = (field) => field.value.trim() || (field.closest('.pays') && document.getElementById('everyone-pays').value.trim()) || '0'

function change(field, units, scale) {
  const now = before(field)
  if (!/^\d+([.,]\d{1,2})?$/.test(now)) return // what was typed stays, and the server says what is wrong with it
  const amount = Math.max(Math.round(now.replace(',', '.') * scale) + units, 0) / scale
  field.value = amount.toFixed(Math.round(Math.log10(scale))).replace('.', POINT)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function makeButton(className, textContent, action) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className, textContent })
  button.addEventListener('click', action)
  return button
}

function makeStep(label, field, sign) {
  const { step, scale } = label.dataset
  const button = makeButton('button step', sign, () => change(field, sign === '+' ? Number(step) : -step, Number(scale)))
  button.setAttribute('aria-label', `${label.textContent.trim()} ${sign}`)
  return button
}

for (const label of document.querySelectorAll('[data-step]')) {
  const field = label.querySelector('input')
  const [less, more] = ['−', '+'].map((sign) => makeStep(label, field, sign))
  field.before(less)
  field.after(more)
}

const called = document.getElementById('called')
const offered = document.querySelector('[data-called]')
for (const { value } of [...called?.list.options ?? []].slice(0, MOST_OFFERED)) {
  offered.append(makeButton('button small', value, () => {
    called.value = value
    called.dispatchEvent(new Event('input', { bubbles: true }))
  }))
  offered.hidden = false
}
