// The list of the game's hands: a page of its own, shown in a dialog for the house rules as they are set in the form.

import { form } from '../hands.js'
import { inTime } from '../offline.js'

const link = document.querySelector('[data-card]')
const dialog = document.getElementById('card')
const content = dialog?.insertBefore(document.createElement('div'), dialog.firstChild)
let shown = null // the URL of the list in the dialog
let styles = null

function address() {
  const url = new URL(link.href)
  for (const rule of form.querySelectorAll('[name^="rules-"]')) {
    url.searchParams.set(rule.name.slice(6), rule.type === 'checkbox' ? rule.checked : rule.value)
  }
  return url.href
}

// Resolves also if the style sheet can't be loaded: without it, the list can still be read.
const loadStyles = () => new Promise((done) => {
  const sheet = { rel: 'stylesheet', href: dialog.dataset.styles, onload: done, onerror: done }
  document.head.append(Object.assign(document.createElement('link'), sheet))
})

async function showList() {
  const url = address()
  styles ??= loadStyles()
  if (shown !== url) {
    const response = await fetch(url, { signal: inTime() })
    if (!response.ok) throw new TypeError(response.status)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    await styles
    content.replaceChildren(...page.getElementById('main').childNodes)
    shown = url
  }
  dialog.showModal()
  dialog.scrollTop = 0
}

// A tap on the backdrop is one on the dialog, but beside its box.
function closeBeside({ clientX: x, clientY: y }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  if (x < left || x > right || y < top || y > bottom) dialog.close()
}

export function beginHandList() {
  dialog?.addEventListener('click', (event) => {
    if (event.target === dialog) closeBeside(event)
  })
  link?.addEventListener('click', (event) => { // a game without hands has no list
    event.preventDefault()
    showList().catch(() => open(address()))
  })
}
