// Remembers whether this night's results, or those of single rounds, show chips or scores first.

const MONTH = 31 * 24 * 3600

document.addEventListener('change', ({ target }) => {
  const name = target.closest('[data-moves]')?.dataset.moves
  if (name) document.cookie = `${name}=${target.value}; path=/; max-age=${MONTH}; samesite=lax`
})
