// The page that stands in for one that cannot be had leads to the last night, where one is kept.

const { night } = document.documentElement.dataset
const link = document.querySelector('[data-last]')
if (night) Object.assign(link, { href: night, hidden: false })
