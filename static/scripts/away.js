// The offline page links to the last night, if a copy of it is stored.

const { night } = document.documentElement.dataset
const link = document.querySelector('[data-last]')
if (night) Object.assign(link, { href: night, hidden: false })
