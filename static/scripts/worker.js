// Service worker: stores the last night's pages on this phone. A response header lists the pages and their versions.
// Pages come from the server whenever it responds. Static files come from the cache; their URLs contain a hash.

const PAGES = 'pages'
const FILES = 'files'
const TIMEOUT = 10_000
const GONE = [403, 404, 410]
const STATIC = /(?:href|src)="([^"]*\/static\/[^"]*\.(?:css|js|svg)\?v=[^"]*)"/g

// Removes the query string, so that each page is stored once.
function withoutQuery(address) {
  const { origin, pathname } = new URL(address, location)
  return origin + pathname
}

const OFFLINE = withoutQuery(`${registration.scope}offline`)
const timeout = () => new Promise((_, reject) => setTimeout(reject, TIMEOUT, new Error('timeout')))
const find = async (address) => (await caches.open(PAGES)).match(withoutQuery(address))

const filesOf = (html) => [...html.matchAll(STATIC)].map(([, file]) => new URL(file, location).href)

// Stores a page, after the static files it needs.
async function store(pages, address, response, night, mark) {
  const html = await response.text()
  const files = await caches.open(FILES)
  await Promise.all(filesOf(html).map(async (file) => await files.match(file) ?? files.add(file)))
  const headers = new Headers(response.headers)
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  for (const [name, value] of Object.entries({ Seen: new Date().toISOString(), Night: night, Mark: mark })) {
    headers.set(`Companion-${name}`, value)
  }
  await pages.put(withoutQuery(address), new Response(html, { headers }))
}

// Stores a response and the pages that belong to it, for one night only.
async function keep(address, response) {
  const header = response.ok && !response.redirected && response.headers.get('Companion-Keep')
  if (!header) return
  const { night, pages: marks } = JSON.parse(header)
  const pages = await caches.open(PAGES)
  for (const old of await pages.keys()) {
    if ((await pages.match(old)).headers.get('Companion-Night') !== night) await pages.delete(old)
  }
  for (const [other, mark] of Object.entries(marks)) {
    if (withoutQuery(other) === withoutQuery(address)) await store(pages, other, response, night, mark)
    else if ((await pages.match(withoutQuery(other)))?.headers.get('Companion-Mark') !== mark) {
      const fresh = await fetch(other)
      if (fresh.ok && !fresh.redirected) await store(pages, other, fresh, night, mark)
      else await pages.delete(withoutQuery(other))
    }
  }
  await prune(pages)
}

// Drops static files that no stored page needs.
async function prune(pages) {
  const kept = await Promise.all((await pages.keys()).map(async (address) => (await pages.match(address)).text()))
  const needed = new Set(kept.flatMap(filesOf))
  const files = await caches.open(FILES)
  for (const file of await files.keys()) if (!needed.has(file.url)) await files.delete(file)
}

// Drops all stored pages, because this phone lost access to the night.
async function forget() {
  const pages = await caches.open(PAGES)
  for (const kept of await pages.keys()) if (kept.url !== OFFLINE) await pages.delete(kept)
  await prune(pages)
}

// Returns a page's copy, or the offline page; both say which night is stored and when it was fetched, and whether it is
// shown instead of a form's answer.
async function offlineResponse(copy, method) {
  const page = copy ?? await find(OFFLINE)
  if (!page) return Response.error()
  const [seen, night] = ['Seen', 'Night'].map((name) => page.headers.get(`Companion-${name}`))
  const about = `data-seen="${seen}" data-night="${await find(night) ? night : ''}"${method === 'POST' ? ' data-posted' : ''}`
  const html = (await page.text()).replace('<html', `<html ${about}`)
  return new Response(html, { status: copy ? 200 : 503, headers: page.headers })
}

async function page(event) {
  const { request } = event
  const isVisit = request.mode === 'navigate'
  const copy = request.method === 'GET' && isVisit ? await find(request.url) : undefined
  try {
    const response = await Promise.race([fetch(request), ...copy ? [timeout()] : []])
    if (GONE.includes(response.status)) event.waitUntil(forget())
    else if (request.method === 'GET') event.waitUntil(keep(request.url, response.clone()))
    return response
  } catch (error) {
    if (!isVisit) throw error
    // going back to a form's answer doesn't send the form again: show the page with the form instead
    if (request.method === 'POST' && (request.isHistoryNavigation || request.isReloadNavigation)) {
      return Response.redirect(request.referrer || request.url, 303)
    }
    return offlineResponse(copy, request.method)
  }
}

const file = async (request) => await (await caches.open(FILES)).match(request) ?? fetch(request)

// Shows a reminder: silently if the night is on the screen already. `page` is relative to the app's first page.
async function remind({ title, body, page }) {
  const url = new URL(page, registration.scope).href
  const open = await clients.matchAll({ type: 'window' })
  const silent = open.some((one) => one.visibilityState === 'visible' && one.url.startsWith(url))
  await registration.showNotification(title, { body, tag: url, renotify: !silent, silent, data: url })
}

// Opens the night, in the window that shows it already if there is one.
async function openNight(url) {
  const open = await clients.matchAll({ type: 'window' })
  const found = open.find((one) => one.url.startsWith(url))
  await (found ? found.focus() : clients.openWindow(url))
}

addEventListener('push', (event) => event.waitUntil(remind(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNight(event.notification.data))
})
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', (event) => {
  const kept = fetch(event.data.keep, { headers: { Accept: 'text/html' } }).then((response) => keep(event.data.keep, response))
  event.waitUntil(kept.catch(() => {}))
})
addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  if (url.pathname.includes('/static/') && url.searchParams.has('v')) event.respondWith(file(request))
  else if (request.headers.get('Accept')?.includes('text/html')) event.respondWith(page(event))
})
