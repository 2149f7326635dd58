// Remembers whether this group's results show chips or scores first.

const YEAR = 365 * 24 * 3600

document.addEventListener('change', ({ target }) => {
  const name = target.closest('[data-moves]')?.dataset.moves
  if (name) document.cookie = `${name}=${target.value}; path=/; max-age=${YEAR}; samesite=lax`
})
