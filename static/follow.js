// Keeps what is on the page of a session as new as the server's: asks for its version, and only while it is looked at.

import { connected } from './offline.js'

const AGAIN = 1500
const news = document.querySelector('[data-follow]')
const felt = document.getElementById('felt') // at the head of a night's pages
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
  const answered = new DOMParser().parseFromString(await page.text(), 'text/html')
  const fresh = answered.getElementById('news')
  if (!fresh) return
  felt?.replaceChildren(...answered.getElementById('felt').childNodes)
  const focused = news.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  news.replaceChildren(...fresh.childNodes)
  if (focused) news.querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true })
  news.dataset.version = fresh.dataset.version
}

setInterval(poll, AGAIN)
document.addEventListener('visibilitychange', poll)
