// Choosing another game is one tap: the table is told before the page changes, so that every phone and the table view
// follow. Without this the link shows the other game here, and a button on that page tells the table.

const PATIENCE = 3000 // milliseconds until the page changes anyway

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
  const signal = AbortSignal.timeout(PATIENCE)
  // no other tap may go to the game of before
  document.body.inert = true
  addEventListener('pagehide', () => { document.body.inert = false }, { once: true })
  // what comes of it stands on the page of the game: refused in the middle of a hand, it has no button for it either
  await fetch(address, { method: 'POST', body, headers, signal }).catch(() => {})
  location.assign(link.href)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-choose] a:not([aria-current])')
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  choose(link)
})
