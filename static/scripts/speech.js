// Reads each result aloud once, in the page's language, on a phone with that setting.

const SPOKEN = 'spoken'
let memory = null
try {
  memory = sessionStorage
} catch { /* a browser that blocks cookies; it reads the result again after a reload */ }

function read() {
  const text = document.querySelector('[data-speak]')?.dataset.speak
  const result = `${location.pathname}: ${text}`
  if (!text || !('speechSynthesis' in window) || memory?.getItem(SPOKEN) === result) return
  const said = Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang })
  said.addEventListener('start', () => memory?.setItem(SPOKEN, result))
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
