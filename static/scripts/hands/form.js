// The entry form, its sentences, and whether this phone enters cards or only the result.

export const form = document.getElementById('entry')
export const words = JSON.parse(form.dataset.words)
export const camera = JSON.parse(form.dataset.camera ?? 'null')

// The question whose answer replaces the cards; empty while cards are entered. Some games have no such question.
const { way } = form.elements
export const entersCards = () => !way?.value

// Switches to a question's tab, or with '' to the cards.
export function chooseWay(question) {
  if (!way) return
  way.value = question
  document.body.classList.toggle('by-word', Boolean(question))
  for (const part of document.querySelectorAll('[data-word]')) part.toggleAttribute('data-chosen', part.dataset.word === question)
  for (const tab of document.querySelectorAll('[data-way]')) {
    if (tab.dataset.way === question) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
  form.dispatchEvent(new Event('way'))
}

// Writes a text unless it is there already; into the text node that is there, as the browser restyles all around a new one.
export function write(element, text) {
  if (element.textContent === text) return
  const [only, second] = element.childNodes
  if (only?.nodeType === Node.TEXT_NODE && !second) only.data = text
  else element.textContent = text
}

// Tells screen readers which card was added or removed, or whose turn it is: also the same text again.
export function announce(text) {
  document.querySelector('[data-told]').textContent = text
}

// Marks whether somebody has answered what only one player does, such as to knock: what a seat is asked depends on it. A
// style that looked for the answer itself would have all seats, tabs and keys restyled whenever a card is drawn.
export function markAsked() {
  if (form.querySelector('[type=radio][name^=asked-]')) form.dataset.asked = form.querySelector('[name^=asked-]:checked') ? 'yes' : 'no'
}
