// Keeps what is on the page of a session as new as the server's: asks for its version, and only while it is looked at.

const AGAIN = 1500
const news = document.querySelector('[data-follow]')
let version = null

async function poll() {
  if (document.hidden) return
  const headers = version ? { 'If-None-Match': version } : {}
  const answer = await fetch(news.dataset.follow, { headers, cache: 'no-store' }).catch(() => null)
  if (!answer || answer.status === 304) return
  if (!answer.ok) return location.reload()
  version = answer.headers.get('ETag')
  const told = await answer.json()
  if (String(told.version) === news.dataset.version) return
  const page = await fetch(location.href).catch(() => null)
  if (!page?.ok) return
  const fresh = new DOMParser().parseFromString(await page.text(), 'text/html').getElementById('news')
  if (!fresh) return
  news.replaceChildren(...fresh.childNodes)
  news.dataset.version = fresh.dataset.version
}

setInterval(poll, AGAIN)
document.addEventListener('visibilitychange', poll)
