// The button that prints; without this the browser's own menu does.

const button = document.querySelector('[data-print]')
button.hidden = false
button.addEventListener('click', () => print())
