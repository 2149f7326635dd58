// The buttons of the hand in play. They also work without this script, which shows a tap at once, redraws only the table,
// makes a knock a long press, and lets chips add up to an amount.

const HOLD = 700
const table = () => document.getElementById('at-table')
let typed = null // the amount that was put together, and of which state of the hand
let focused = null
let sending = 0 // how many taps are on their way
let refused = null // the last refusal and its hand: told until the next tap or hand, however often the table is drawn anew

// ---- acting

async function send(form, button, sure = false) {
  const body = new URLSearchParams(new FormData(form))
  body.set('do', button.value)
  if (sure) body.set('sure', 'yes')
  sending++
  allowTaps()
  try {
    const headers = { Accept: 'application/json' }
    const answer = await fetch(form.action, { method: 'POST', body, headers })
    const told = await answer.json()
    if (!told.problem) typed = null
    shown = '' // another phone may take this back at once, and the hand be as it was before
    await refresh()
    tell(told.problem ?? '')
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
    // it may have arrived: the same key is taken once
    tell(form.closest('#at-table').dataset.away)
  } finally {
    sending--
    allowTaps()
  }
}

const handOf = (section) => section?.querySelector('[name=number]')?.value

function tell(text) {
  refused = text ? { text, hand: handOf(table()) } : null
  const box = table()?.querySelector('[data-refused]')
  if (!box) return
  box.querySelector('[data-told]')?.remove()
  if (text) box.append(Object.assign(document.createElement('p'), { className: 'error', textContent: text }))
  box.lastElementChild?.toggleAttribute('data-told', Boolean(text))
}

export async function refresh() {
  const page = await fetch(table().dataset.page, { headers: { Accept: 'text/html' }, cache: 'no-store' })
  if (!page.ok) return
  const fresh = new DOMParser().parseFromString(await page.text(), 'text/html').getElementById('at-table')
  if (fresh) table().replaceWith(fresh)
}

// While a tap is on its way no other counts, also if the table is drawn anew meanwhile; then the focus is where it was.
function allowTaps() {
  const section = table()
  section?.toggleAttribute('inert', sending > 0)
  if (sending || !focused || document.activeElement !== document.body) return
  section?.querySelector(`[value="${focused}"]`)?.focus({ preventScroll: true })
}

// ---- after a redraw, the amount and the focus stay

function begin(section) {
  const { mark } = section.dataset
  const amount = section.querySelector('[name=amount]')
  if (amount && typed?.mark === mark) amount.value = typed.value
  for (const chip of section.querySelectorAll('[data-chips] [hidden]')) chip.hidden = false
  for (const button of section.querySelectorAll('[data-hold]')) button.textContent = button.dataset.hold
  if (amount) show(section)
  if (refused) tell(refused.hand === handOf(section) ? refused.text : '')
  allowTaps()
}

const number = (input) => Number(input.value.replace(',', '.')) || 0

// Writes the amount on the button that bets it. Brass is the next thing: to call, or once an amount was chosen, to bet.
function show(section) {
  const amount = section.querySelector('[name=amount]')
  const raise = section.querySelector('[data-raise]')
  if (!raise) return
  raise.textContent = raise.dataset.raise.replace('{amount}', amount.value.trim())
  const brass = section.querySelector('.thirds .primary')
  brass?.classList.remove('primary')
  if (brass) (typed?.mark === section.dataset.mark ? raise : section.querySelector('.thirds .call')).classList.add('primary')
}

function addChip(chip) {
  const section = table()
  const box = chip.closest('[data-chips]')
  const amount = section.querySelector('[name=amount]')
  const scale = Number(box.dataset.scale)
  const most = 'most' in box.dataset ? Number(box.dataset.most) : Infinity
  // the first chip takes the place of the least amount, which nobody has chosen
  const before = typed?.mark === section.dataset.mark ? Math.round(number(amount) * scale) : 0
  const units = 'set' in chip.dataset ? Number(chip.dataset.set) : before + Number(chip.dataset.add)
  const digits = Math.round(Math.log10(scale))
  amount.value = (Math.min(Math.max(units, Number(box.dataset.least)), most) / scale).toFixed(digits)
  typed = { mark: section.dataset.mark, value: amount.value }
  show(section)
}

// ---- a knock is a long press, so that nobody knocks by accident

let timer = 0
function hold(button) {
  button.classList.add('held')
  clearTimeout(timer)
  timer = setTimeout(() => {
    letGo()
    navigator.vibrate?.(60)
    send(button.form, button, true)
  }, HOLD)
}

function letGo() {
  clearTimeout(timer)
  for (const button of document.querySelectorAll('.held')) button.classList.remove('held')
}

document.addEventListener('pointerdown', (event) => {
  const button = event.target.closest('#at-table [data-hold]')
  if (button && event.button === 0) hold(button)
})
for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, letGo)
document.addEventListener('pointerout', (event) => event.target.closest('[data-hold]') && letGo())
document.addEventListener('contextmenu', (event) => event.target.closest('[data-hold]') && event.preventDefault())

document.addEventListener('click', (event) => {
  const chip = event.target.closest('#at-table :is([data-add], [data-set])')
  if (chip) addChip(chip)
  // a finger holds it; a key or a screen reader is asked on a page
  if (event.target.closest('#at-table [data-hold]') && event.detail > 0) event.preventDefault()
})

document.addEventListener('input', (event) => {
  if (!event.target.matches('#at-table [name=amount]')) return
  typed = { mark: table().dataset.mark, value: event.target.value }
  show(table())
})

document.addEventListener('focusin', (event) => {
  focused = event.target.closest('#at-table button')?.value ?? null
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('#at-table') || !event.submitter || event.submitter.matches('[data-hold], [value=over]')) return
  event.preventDefault()
  send(form, event.submitter)
})

// ---- on the page of a player's own hand: the table takes its place while it is this player's turn

const link = document.querySelector('[data-at-table]')
let shown = null // the hand as last received from the server

function sit(isSeated) {
  document.body.classList.toggle('seated', isSeated)
  link.setAttribute('aria-pressed', isSeated)
  if (isSeated) link.classList.remove('calls')
}

function callToTable(section, before) {
  const isMine = 'mine' in section.dataset && 'begun' in section.dataset
  const wasMine = before && 'mine' in before.dataset && 'begun' in before.dataset
  if (isMine && !wasMine) {
    navigator.vibrate?.(60)
    sit(true)
  } else if ('over' in section.dataset && before && !('over' in before.dataset)) sit(false)
  else if (!isMine && section.dataset.mark !== before?.dataset.mark) link.classList.add('calls')
}

if (link) {
  link.setAttribute('role', 'button')
  sit(false)
  link.addEventListener('click', (event) => {
    event.preventDefault()
    sit(!document.body.classList.contains('seated'))
  })
  document.addEventListener('applied', ({ detail }) => {
    if (shown !== null && shown !== detail.hand) refresh().catch(() => {})
    shown = detail.hand
  })
}

// the table is redrawn by this script, or by follow.js
let drawn = null
function follow() {
  const section = table()
  if (!section || section === drawn) return
  if (link && (drawn || 'begun' in section.dataset)) callToTable(section, drawn)
  drawn = section
  begin(section)
}
new MutationObserver(follow).observe(document.body, { childList: true, subtree: true })
follow()
