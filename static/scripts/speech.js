// Reads each result aloud once, in the page's language, on a phone with that setting.

import { store } from './offline/storage.js'

const SPOKEN = 'spoken'

function read() {
  const text = document.querySelector('[data-speak]')?.dataset.speak
  const result = `${location.pathname}: ${text}`
  if (!text || !('speechSynthesis' in window) || sessionStorage.getItem(SPOKEN) === JSON.stringify(result)) return
  const said = Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang })
  said.addEventListener('start', () => store(SPOKEN, result, sessionStorage))
  // some browsers speak only after a tap: wait for the next one
  said.addEventListener('error', ({ error }) => {
    if (error === 'not-allowed') addEventListener('pointerdown', read, { once: true })
  })
  speechSynthesis.cancel()
  speechSynthesis.speak(said)
}

// the setting, hidden if this browser can't speak
const choice = document.querySelector('[data-speech-choice]')
if (choice) choice.hidden = !('speechSynthesis' in window)

read()
document.addEventListener('news', read)
