// The page that never leaves: it starts the engine (a worker with Python and the database), hands it what the service
// worker relays, and shows the app in a frame. One tab at a time has the engine; when it closes, the next one takes over.
import { mustBeAble, notInstalled, notRegistered, rememberNights, warn } from './able.js'
import { beginFirst, isFirst, offerToKeep, showFetched } from './first.js'
import { SCOPE, Sentence, byId, language, once, text, times, word } from './page.js'

const ENGINE = 'companion-engine' // the lock of the tab that has it
const STRAYS = 5 // then what the host has sent is shown

const [frame, starting, step, again, rail] = ['app', 'starting', 'step', 'again', 'rail'].map(byId)

let engine // the worker, if this tab has it
let isReady = false
let strays = 0 // pages of the host in the frame, one after the other

// ---- the service worker, which has the files

// Not whether anything controls this page: a served app at the same host has a worker, too.
const isControlled = () =>
  navigator.serviceWorker?.controller?.scriptURL === new URL(`${SCOPE}worker.js`, location).href

async function register() {
  let registration
  try {
    registration = await navigator.serviceWorker.register(`${SCOPE}worker.js`, { scope: SCOPE, updateViaCache: 'none' })
  } catch (error) {
    registration = await navigator.serviceWorker.getRegistration(SCOPE) // without a network, the one that is here
    if (!registration?.active) throw await notRegistered(error)
  }
  if (registration.installing && !registration.active) {
    beginFirst()
    await installed(registration.installing)
  }
  if (registration.waiting && registration.active && !await isRunning()) await takeNewBuild(registration.waiting)
  await navigator.serviceWorker.ready
  while (!isControlled()) await once(navigator.serviceWorker, 'controllerchange')
}

async function installed(worker) {
  while (worker.state === 'installing') await once(worker, 'statechange')
  if (worker.state === 'redundant') throw await notInstalled()
}

// A new build is taken only here, before anything runs: never while a round is being entered.
async function takeNewBuild(worker) {
  worker.postMessage({ take: true })
  await once(navigator.serviceWorker, 'controllerchange')
  location.reload()
  await new Promise(() => {})
}

// A build that can't start leaves the one before it in charge, if that is still here. Resolves with nothing if not.
async function goBack() {
  const builds = (await caches.keys()).filter((name) => name.startsWith('pocket-'))
  const { active } = await navigator.serviceWorker.getRegistration(SCOPE) ?? {}
  if (!active || !builds.includes('pocket-__BUILD__') || builds.length < 2 || sessionStorage.getItem('went-back')) return
  sessionStorage.setItem('went-back', '__BUILD__')
  const { port1, port2 } = new MessageChannel()
  active.postMessage({ failed: true }, [port2])
  port1.start()
  await once(port1, 'message')
  location.reload()
  await new Promise(() => {})
}

async function isRunning() {
  return (await navigator.locks.query()).held.some(({ name }) => name === ENGINE)
}

// ---- the engine

function run(isFresh = false) {
  engine?.terminate()
  engine = new Worker(`${SCOPE}pocket/engine.js`, { type: 'module' })
  return new Promise((got, failed) => {
    engine.onmessage = ({ data }) => {
      if (data.says) text(isFirst ? 'now' : 'step', data.says)
      if (data.note) console.log(data.note)
      if (data.refused) failed(new Sentence(word(data.refused)))
      if (data.ready) got(Object.assign(times, data.ready))
      // the kept memory may be damaged, or of a browser before its update: begin without it
      if (data.failed && data.restored) run(true).then(got, failed)
      else if (data.failed) failed(new Error(data.failed))
    }
    engine.onerror = (event) => failed(new Error(event.message))
    engine.postMessage({ start: { scope: SCOPE, isFresh } })
  })
}

async function own() {
  await run()
  isReady = true
}

// Resolves when this tab, or another one, runs the app. The lock is held until this page ends.
async function anyEngine() {
  const isMine = await new Promise((got, failed) => {
    navigator.locks.request(ENGINE, { ifAvailable: true }, (lock) => {
      if (!lock) return got(false)
      own().then(() => got(true), failed)
      return new Promise(() => {})
    })
  })
  if (!isMine) navigator.locks.request(ENGINE, () => { own().catch(console.error); return new Promise(() => {}) })
}

navigator.serviceWorker?.addEventListener('message', ({ data, ports: [port] }) => {
  if (data.fetched !== undefined) {
    const { fetched, all } = data
    if (isFirst) showFetched(fetched, all, data.parts) // not for a new build, which comes while somebody plays
  } else if (data.who) {
    if (isReady) port.postMessage({})
  } else if (data.url) {
    // what a service worker can't see: cookies that a page's script has set, and what the browser says of itself
    const more = [['accept-language', navigator.languages.join(',')], ['user-agent', navigator.userAgent]]
    const cookies = [document.cookie, ...asCookies(copies())].filter(Boolean).join('; ')
    engine.postMessage({ ...data, headers: [...data.headers, ...more], cookies, port }, [port])
  }
})
navigator.serviceWorker?.startMessages()

// Firefox stops a worker that has had nothing to do for 30 seconds, and may send to the host what it should have answered.
const awake = () => { if (isControlled()) navigator.serviceWorker.controller.postMessage({}) }
setInterval(awake, 5000)
addEventListener('visibilitychange', awake) // timers of a hidden page may stand still

// ---- the frame

// A link with `download` doesn't go through the service worker in Chromium: fetch it here, and save what came.
async function tapped(event) {
  const { copyLater } = event.target.closest?.('[data-copy-later]')?.dataset ?? {}
  if (copyLater) remember('copy-later', copyLater)
  const link = event.target.closest?.('a[download]')
  if (!link || link.origin !== location.origin) return
  event.preventDefault()
  const { copy, nights = '' } = link.dataset
  const size = await save(link.href, Boolean(copy))
  if (copy) remember(`copied-${copy}`, `${Date.now()}.${size}.${nights}`)
}

// Saves a file, or lets it be shared; returns its size. Whoever closes the share sheet gets an error.
async function save(address, isShared) {
  const response = await frame.contentWindow.fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  const said = response.headers.get('Content-Disposition') ?? ''
  const name = /filename="?([^";]+)/.exec(said)?.[1] ?? 'group.json'
  const file = new File([await response.blob()], name, { type: response.headers.get('Content-Type') })
  if (isShared && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] })
    return file.size
  }
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return file.size
}

frame.addEventListener('load', () => {
  const { contentDocument: page, contentWindow: { location: here } } = frame
  if (!page || here.href === 'about:blank') return
  // one that the host has sent, since the service worker was stopped in the middle of it: ask again
  const isStray = page.contentType === 'text/html' && !page.querySelector('script[src*="/guard.js?"]')
  if (isStray && strays++ < STRAYS) return here.replace(here.href)
  strays = 0
  times.page ??= performance.now()
  document.title = page.title
  // behind #, so that the host never learns which page is open
  history.replaceState(null, '', `${SCOPE}#/${here.href.slice(location.origin.length + SCOPE.length)}`)
  page.addEventListener('click', (event) => tapped(event).catch(console.error), true)
  starting.hidden = true
  rail.hidden = true
  frame.hidden = false
  const inScope = here.pathname.slice(SCOPE.length)
  if (!inScope.startsWith('s/')) return
  rememberNights()
  navigator.storage.persist?.().then((isKept) => { times.isPersisted = isKept })
})

// What the app asks about copies, as cookies: when each group was saved and how large its file was, and what can wait.
const COPIES = 'copies'
const copies = () => JSON.parse(localStorage.getItem(COPIES) ?? '{}')
const asCookies = (given) => Object.entries(given).map(([name, value]) => `${name}=${value}`)

function remember(name, value) {
  localStorage.setItem(COPIES, JSON.stringify({ ...copies(), [name]: value }))
  frame.contentDocument.getElementById('copy-due')?.closest('section').remove()
}

// The menu of the browser prints this page: all of the frame's page belongs on paper, not only what is on the screen.
addEventListener('beforeprint', () => {
  frame.style.height = `${frame.contentDocument?.documentElement.scrollHeight ?? 0}px`
})
addEventListener('afterprint', () => { frame.style.height = '' })

function wantedPage() {
  const { pathname, search, hash } = location
  if (hash.startsWith('#/')) return SCOPE + hash.slice(2)
  return pathname.startsWith(`${SCOPE}pocket/`) || pathname === `${SCOPE}index.html` ? SCOPE : pathname + search
}

// ---- the start

document.documentElement.lang = language
again.textContent = word('again')
again.onclick = () => location.reload()
try {
  await mustBeAble(isControlled())
  await register()
  times.controlled = performance.now()
  await anyEngine()
  times.engine = performance.now()
  navigator.serviceWorker.controller?.postMessage({ opened: '__BUILD__' })
  const other = await warn(times)
  if (other === undefined && isFirst && !matchMedia('(display-mode: standalone)').matches) await offerToKeep()
  frame.contentWindow.location.replace(other || wantedPage())
} catch (error) {
  console.error(error)
  times.failed = String(error)
  if (!(error instanceof Sentence)) await goBack().catch(console.error)
  step.textContent = error instanceof Sentence ? error.message : `${word('wrong')} ${error.message}`
  for (const one of [rail, byId('bar'), byId('parts')]) one.hidden = true
  again.hidden = false
}
