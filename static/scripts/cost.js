// A shared cost: number keys instead of the phone's keyboard, and what each one bears while it is entered.

const form = document.querySelector('.cost')
const { scale, each, owes, paid, out, erase } = form.dataset
const amount = form.elements.amount
const total = document.querySelector('[data-comes-to]')
const POINT = new Intl.NumberFormat(document.documentElement.lang).format(1.5)[1]
const DECIMALS = Math.round(Math.log10(scale))
const sharers = [...document.querySelectorAll('[data-sharer]')].map((root) => ({
  payer: root.querySelector('[type=radio]'),
  box: root.querySelector('[type=checkbox]'),
  part: root.querySelector('[data-part]'),
}))

const written = (units) => {
  const digits = units % scale ? DECIMALS : 0
  return (units / scale).toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const typed = () => (/^\d{1,9}([.,]\d*)?$/.test(amount.value) ? Math.round(amount.value.replace(',', '.') * scale) : 0)

// The same rule as the server's: rounded down, and the odd units go to the payer first, then in seat order.
function parts(units) {
  const inIt = sharers.filter(({ box }) => box.checked)
  const weight = ({ box }) => Number(form.elements[`share-${box.value}`].value) || 1
  const whole = inIt.reduce((sum, one) => sum + weight(one), 0)
  const found = new Map(inIt.map((one) => [one, Math.floor(units * weight(one) / whole)]))
  let odd = units - [...found.values()].reduce((sum, part) => sum + part, 0)
  for (const one of [...inIt].sort((a, b) => b.payer.checked - a.payer.checked)) {
    if (odd-- > 0) found.set(one, found.get(one) + 1)
  }
  return found
}

function draw() {
  const units = typed()
  const found = parts(units)
  total.hidden = !units
  total.firstElementChild.textContent = amount.value
  const [one, ...others] = found.values()
  total.lastElementChild.textContent = one && others.every((part) => part === one) ? each.replace('{amount}', written(one)) : ''
  for (const sharer of sharers) {
    const { payer, box, part } = sharer
    part.dataset.said ??= part.textContent
    if (payer.checked && units) part.textContent = paid.replace('{amount}', written(units))
    else if (!box.checked) part.textContent = out
    else part.textContent = units ? owes.replace('{amount}', written(found.get(sharer))) : part.dataset.said
  }
}

function press(key) {
  const [whole, decimals] = amount.value.split(POINT)
  const hasRoom = decimals === undefined ? whole.length < 9 : decimals.length < DECIMALS
  if (key !== POINT && hasRoom) amount.value += key
  if (key === POINT && DECIMALS && decimals === undefined) amount.value = `${whole || 0}${POINT}`
  draw()
}

function makeKey(text, action, label = text) {
  const key = Object.assign(document.createElement('button'), { type: 'button', className: 'key', textContent: text })
  key.setAttribute('aria-label', label)
  key.addEventListener('click', action)
  return key
}

const pad = document.querySelector('[data-keys]')
pad.append(...[1, 2, 3, 4, 5, 6, 7, 8, 9, POINT, 0].map((key) => makeKey(`${key}`, () => press(`${key}`))))
pad.append(makeKey('⌫', () => { amount.value = amount.value.slice(0, -1); draw() }, erase))
pad.hidden = false
amount.inputMode = 'none' // the keys replace the phone's keyboard
form.addEventListener('input', draw)
draw()
