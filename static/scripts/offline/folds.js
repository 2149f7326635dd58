// Folds that are open when a form is sent stay open on the page that follows, if that is the same one; it goes to the
// place that the answer names, if the page wasn't there before.

export const openFolds = () => [...document.querySelectorAll('main details[open] > summary')].map((summary) => summary.textContent)

export function reopenFolds() {
  const { folds: open, place } = history.state ?? {}
  if (!open) return
  history.replaceState(null, '')
  for (const summary of document.querySelectorAll('main details > summary')) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true
  }
  if (!place) return
  document.getElementById(place)?.scrollIntoView()
  addEventListener('load', () => setTimeout(() => { history.scrollRestoration = 'auto' })) // no sooner, or it goes back
}
