// Changes the table's game with one tap: the server is told before this page changes, so that every phone and the table
// view follow. Without this script, the link opens a page of the other game with a button that changes it for the table.

import { inTime } from './offline.js'

const TIMEOUT = 3000 // milliseconds after which the page changes even without an answer

async function choose(link) {
  const { choose: address, number } = link.closest('[data-choose]').dataset
  const body = new URLSearchParams({
    do: 'game',
    game: new URL(link.href).searchParams.get('game'),
    number,
    key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
    csrf_token: document.querySelector('[name=csrf_token]').value,
  })
  const headers = { Accept: 'application/json' }
  // another tap would still be for the old game
  document.body.inert = true
  addEventListener('pagehide', () => { document.body.inert = false }, { once: true })
  // the next page shows the outcome: if it was refused because a hand is in play, that page can't change the game either
  await fetch(address, { method: 'POST', body, headers, signal: inTime(TIMEOUT) }).catch(() => {})
  location.assign(link.href)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-choose] a:not([aria-current])')
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const { entered } = link.closest('[data-choose]').dataset
  if (!entered || confirm(entered)) choose(link)
})
