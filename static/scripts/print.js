// The print button; without this script, use the browser's menu.

const button = document.querySelector('[data-print]')
button.hidden = false
button.addEventListener('click', () => print())
