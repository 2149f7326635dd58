// Reads results aloud, in the page's language: once by itself on a phone with that setting, and by a button on any phone.

const SPOKEN = 'spoken'
const canSpeak = 'speechSynthesis' in window
let memory = null
try {
  memory = sessionStorage
} catch { /* a browser that blocks cookies; it reads the result again after a reload */ }

const utterance = (text) => Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang })

function speak(said) {
  speechSynthesis.cancel()
  speechSynthesis.speak(said)
}

function readByItself() {
  const text = document.querySelector('[data-speaks-itself]')?.dataset.speak
  const result = `${location.pathname}: ${text}`
  if (!text || !canSpeak || memory?.getItem(SPOKEN) === result) return
  const said = utterance(text)
  said.addEventListener('start', () => memory?.setItem(SPOKEN, result))
  // some browsers speak only after a tap: wait for the next one
  said.addEventListener('error', ({ error }) => {
    if (error === 'not-allowed') addEventListener('pointerdown', readByItself, { once: true })
  })
  speak(said)
}

function show() {
  for (const choice of document.querySelectorAll('[data-if-spoken]')) choice.hidden = !canSpeak
  readByItself()
}

document.addEventListener('click', ({ target }) => {
  const text = target.closest('button[data-speak]')?.dataset.speak
  if (text) speak(utterance(text))
})
show()
document.addEventListener('news', show)
