// Opens the fold with what the address points to, in browsers that don't do so themselves.

function unfold() {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const fold = found?.closest('details:not([open])')
  if (!fold) return
  fold.open = true
  found.scrollIntoView()
}

unfold()
addEventListener('hashchange', unfold)
