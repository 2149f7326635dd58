// The offline page links to the last night, if a copy of it is stored. If it is shown instead of a form's answer, whose
// address may not be one that can be opened, it leads back to the form.

const { night, posted } = document.documentElement.dataset
const [last, again, back, said] = ['last', 'again', 'back', 'posted'].map((name) => document.querySelector(`[data-${name}]:not(html)`))
if (night) Object.assign(last, { href: night, hidden: false })
if (posted !== undefined) {
  again.hidden = true
  said.hidden = false
  Object.assign(back, { href: document.referrer || back.href, hidden: false })
}
