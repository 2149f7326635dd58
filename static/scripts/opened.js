// Keeps what somebody has just opened from being closed by what another phone did.

// Opens in the new content of an element what was opened in the old one.
export function keepOpened(before, fresh) {
  const opened = [...before.querySelectorAll('[open] > summary')].map(({ textContent }) => textContent)
  for (const summary of fresh.querySelectorAll('summary')) if (opened.includes(summary.textContent)) summary.parentElement.open = true
}
