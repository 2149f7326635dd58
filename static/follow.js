// Keeps what is on the page of a session as new as the server's: asks for its version, and only while it is looked at.

import { connected } from './offline.js'

const AGAIN = 1500
const news = document.querySelector('[data-follow]')
let version = null

async function poll() {
  if (document.hidden) return
  const headers = version ? { 'If-None-Match': version } : {}
  const answer = await fetch(news.dataset.follow, { headers, cache: 'no-store' }).catch(() => null)
  connected(Boolean(answer) && answer.status < 500)
  if (answer?.status === 403 || answer?.status === 404) return location.reload()
  if (!answer?.ok) return
  version = answer.headers.get('ETag')
  const told = await answer.json()
  if (String(told.version) === news.dataset.version) return
  const page = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!page?.ok) return
  const fresh = new DOMParser().parseFromString(await page.text(), 'text/html').getElementById('news')
  if (!fresh) return
  const focused = news.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  news.replaceChildren(...fresh.childNodes)
  if (focused) news.querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true })
  news.dataset.version = fresh.dataset.version
}

setInterval(poll, AGAIN)
document.addEventListener('visibilitychange', poll)
