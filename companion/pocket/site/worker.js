// Service worker: keeps the files of a build, and has every request of the app's pages answered on the phone itself.
// It keeps no state, since it may be stopped at any time: it asks the open pages which of them has the engine.
const BUILD = '__BUILD__'
const SCOPE = '__SCOPE__'
const POCKET = `${SCOPE}pocket/`
const CACHE = `pocket-${BUILD}`
const FAILED = `${POCKET}failed` // kept with the files of a build that could not start
const FILES = __FILES__ // name → [bytes, bytes when compressed]
const OFTEN = 100 // milliseconds
const WAIT = 120_000 // milliseconds, for a page that starts the engine
// whatever the host says: some know neither WebAssembly nor modules
const TYPES = {
  css: 'text/css', html: 'text/html; charset=utf-8', js: 'text/javascript', json: 'application/json',
  mjs: 'text/javascript', pack: 'application/octet-stream', png: 'image/png', wasm: 'application/wasm',
  webmanifest: 'application/manifest+json', zip: 'application/zip',
}
const ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const pause = (milliseconds) => new Promise((over) => setTimeout(over, milliseconds))

// ---- a build's files

addEventListener('install', (event) => {
  // without this, Chrome may send an address to the host as well, while this worker starts
  event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname: `${SCOPE}*` }) }, source: 'fetch-event' })
    ?.catch?.(() => {})
  event.waitUntil(keepAll().catch(async (error) => {
    const pages = await clients.matchAll({ includeUncontrolled: true, type: 'window' })
    for (const page of pages) page.postMessage({ unfit: error.unfit ?? { key: 'broken' } })
    throw error
  }))
})

const partOf = (name) => /^py(odide|thon)/.test(name) ? 'calculator' : 'games'

// What a host has in place of a file, as the key of a sentence; see `words`.
class Unfit extends Error {
  constructor(key, values) {
    super(`${values.file}: ${values.status ?? `${values.got} bytes instead of ${values.size}`}`)
    this.unfit = { key, values }
  }
}

// Fetches a file; an error if it is half of it, or a host's page in its place. Resolves with its bytes, in pieces.
async function fetchFile(name, size, cache, show) {
  const response = await fetch(POCKET + name, { cache })
  if (!response.ok) throw new Unfit('host-missing', { file: POCKET + name, status: response.status })
  const pieces = []
  let got = 0
  for (let reader = response.body.getReader(), read; !(read = await reader.read()).done;) {
    pieces.push(read.value)
    show(got += read.value.length)
  }
  if (got !== size) throw new Unfit('host-size', { file: POCKET + name, got, size })
  return pieces
}

async function keepAll() {
  const cache = await caches.open(CACHE)
  const all = Object.values(FILES).reduce((sum, [, packed]) => sum + packed, 0)
  const pages = await clients.matchAll({ includeUncontrolled: true, type: 'window' })
  let next = 0 // when the pages hear again how far it is
  const parts = {} // name → [bytes fetched, bytes in all], compressed
  for (const [name, [, packed]] of Object.entries(FILES)) parts[partOf(name)] = [0, (parts[partOf(name)]?.[1] ?? 0) + packed]
  for (const [name, [size, packed]] of Object.entries(FILES)) {
    const part = parts[partOf(name)]
    const before = part[0]
    const show = (got) => {
      part[0] = before + packed * Math.min(1, got / size)
      if (got < size && Date.now() < next) return // each message has the page drawn anew
      next = Date.now() + OFTEN
      const fetched = Object.values(parts).reduce((sum, [one]) => sum + one, 0)
      for (const page of pages) page.postMessage({ fetched, all, parts })
    }
    // a host that tells versions apart by the second may call the half of a file that the browser remembers up to date
    const pieces = await fetchFile(name, size, 'no-cache', show).catch(() => fetchFile(name, size, 'reload', show))
    const headers = { 'Content-Type': TYPES[name.split('.').at(-1)], 'X-Content-Type-Options': 'nosniff' }
    if (name === 'engine.js') headers['Content-Security-Policy'] = ENGINE_POLICY
    // so that a page takes it from memory, as its other scripts: all of them wait for it
    if (name === 'guard.js') headers['Cache-Control'] = 'max-age=31536000, immutable'
    if (name === 'index.html') Object.assign(headers, { 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'same-origin' })
    await cache.put(POCKET + name, new Response(new Blob(pieces), { headers }))
  }
}

addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await others()) if (await caches.match(FAILED, { cacheName: name })) await caches.delete(name)
    await clients.claim()
  })())
})

const others = async () => (await caches.keys()).filter((name) => name.startsWith('pocket-') && name !== CACHE)

// Resolves with the files in use: this build's, unless it could not start and the one before it is still here.
let using
async function inUse() {
  const cache = await caches.open(CACHE)
  const [before] = await cache.match(FAILED) ? await others() : []
  return before ? caches.open(before) : cache
}

// What a page says: to take this build; that a build has opened the nights, which makes those before it needless; that
// it could not.
addEventListener('message', (event) => {
  const { take, opened, failed } = event.data
  if (take) skipWaiting()
  if (opened === BUILD) event.waitUntil(others().then((names) => Promise.all(names.map((name) => caches.delete(name)))))
  if (failed) {
    event.waitUntil((async () => {
      await (await caches.open(CACHE)).put(FAILED, new Response())
      using = undefined
      event.ports[0].postMessage({})
    })())
  }
})

// ---- the page with the engine

let known // its id

function hasEngine(page) {
  return new Promise((got) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => got(page)
    page.postMessage({ who: true }, [port2])
    setTimeout(got, 1000)
  })
}

async function pageWithEngine() {
  for (const latest = Date.now() + WAIT; Date.now() < latest; await pause(50)) {
    const same = known && await clients.get(known)
    if (same) return same
    const pages = (await clients.matchAll({ type: 'window' })).filter(({ frameType }) => frameType !== 'nested')
    const found = (await Promise.all(pages.map(hasEngine))).find(Boolean)
    known = found?.id
    if (found) return found
  }
  throw new Error('no page runs the app')
}

// Resolves with nothing when the page is gone.
async function gone(page, isAnswered) {
  while (!isAnswered() && await clients.get(page.id)) await pause(250)
}

// Sends a request to the engine, once more if its page closed meanwhile: the app makes each change exactly once.
async function ask(request) {
  const began = performance.now()
  const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer()
  const headers = [...request.headers]
  if (request.referrer && request.referrer !== 'about:client') headers.push(['referer', request.referrer])
  const { method, url } = request
  let answer
  while (!answer) {
    const page = await pageWithEngine()
    const { port1, port2 } = new MessageChannel()
    const answered = new Promise((got) => { port1.onmessage = ({ data }) => { answer = data; got() } })
    page.postMessage({ method, url, headers, body }, [port2])
    await Promise.race([answered, gone(page, () => answer)])
    port1.close()
    if (!answer) known = undefined
  }
  const { status, reason, headers: said, content, took = 0, written = 0, flushed = 0 } = answer
  const made = new Headers(said)
  const whole = performance.now() - began
  made.set('Server-Timing', `python;dur=${took.toFixed(1)}, relay;dur=${whole.toFixed(1)}, flush;desc=${flushed}.${written}`)
  const isEmpty = [204, 205, 304].includes(status) || method === 'HEAD'
  return new Response(isEmpty ? null : content, { status, statusText: reason, headers: made })
}

async function respond(request) {
  const { pathname, searchParams } = new URL(request.url)
  const cache = await (using ??= inUse())
  if (pathname.startsWith(POCKET)) return await cache.match(request, { ignoreSearch: true }) ?? fetch(request)
  // a visit to any address opens the shell, which shows that address in its frame
  if (request.mode === 'navigate' && request.destination === 'document') {
    const shell = () => cache.match(`${POCKET}index.html`)
    // the browser may have deleted the files and left this worker
    return await shell() ?? keepAll().then(shell).catch(() => fetch(request))
  }
  if (!pathname.startsWith(`${SCOPE}static/`) || !searchParams.has('v')) return ask(request)
  const kept = await cache.match(request)
  if (kept) return kept
  const made = await ask(request)
  if (made.ok) await cache.put(request, made.clone())
  return made
}

addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  const isOurs = origin === location.origin && pathname.startsWith(SCOPE) && pathname !== `${SCOPE}worker.js`
  if (isOurs) event.respondWith(respond(event.request))
})
