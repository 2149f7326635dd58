// Saving a round: a save that does not reach the server is tried again until it does. Its key books it once.

import { form, words } from './hands.js'
import { forget, tell } from './live.js'

const AGAIN = 2000
const wait = (time) => new Promise((done) => setTimeout(done, time))

async function save(button) {
  const body = new FormData(form, button)
  button.disabled = true
  form.dataset.saving = ''
  for (;;) {
    try {
      const answer = await fetch(form.action, { method: 'POST', body })
      forget()
      if (answer.redirected) location.replace(answer.url)
      else {
        // what is not right yet is shown by the server's own page
        button.disabled = false
        button.dataset.direct = ''
        form.requestSubmit(button)
      }
      return
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      tell(words.unsaved)
      await wait(AGAIN)
    }
  }
}

export function begin() {
  form.addEventListener('submit', (event) => {
    const button = event.submitter
    if (button?.value === 'next') forget()
    if (button?.value !== 'save' || 'direct' in button.dataset) return
    event.preventDefault()
    save(button)
  })
}
