// The offline page links to the last night, if a copy of it is stored, and loads the page that was asked for once the server
// answers. If it is shown instead of a form's answer, whose address may not be one that can be opened, it leads back to the
// form.

import { inTime } from './offline.js'
import { keepAsking, leave } from './pace.js'

const { night, posted, seen } = document.documentElement.dataset
const [last, again, back, said, waits] = ['last', 'again', 'back', 'posted', 'waits'].map((name) => document.querySelector(`[data-${name}]:not(html)`))
if (night) Object.assign(last, { href: night, hidden: false })
if (posted !== undefined) {
  again.hidden = true
  said.hidden = false
  Object.assign(back, { href: document.referrer || back.href, hidden: false })
} else if (seen !== undefined) { // else this is the page itself
  waits.hidden = false
  keepAsking(async () => {
    const response = await fetch(location.href, { cache: 'no-store', signal: inTime() }).catch(() => null)
    if (response && response.status < 500) leave(() => location.reload())
  })
}
