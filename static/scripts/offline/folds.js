// Folds that are open when a form is sent stay open on the page that follows, if that is the same one.

export const openFolds = () => [...document.querySelectorAll('main details[open] > summary')].map((summary) => summary.textContent)

export function reopenFolds() {
  const open = history.state?.folds
  if (!open) return
  history.replaceState(null, '')
  for (const summary of document.querySelectorAll('main details > summary')) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true
  }
}
