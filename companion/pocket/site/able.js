// What is missing in this browser, on this phone or at the host: each is said before anything is typed.
import { SCOPE, Sentence, ask, byId, megabytes, text, word } from './page.js'

const NEEDED = 160_000_000 // bytes: what is fetched, the memory that is kept, the nights

export async function mustBeAble(isHere) {
  if (!isSecureContext || !navigator.serviceWorker || !navigator.locks) throw new Sentence(word('no-worker'))
  try {
    await navigator.storage.getDirectory()
  } catch {
    throw new Sentence(word('no-storage'))
  }
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate?.() ?? {}
  if (!isHere && quota - usage < NEEDED) {
    throw new Sentence(word('full', { needed: megabytes(NEEDED), free: megabytes(quota - usage) }))
  }
}

// ---- the host

// What the service worker has found unfit; its message may come after the news that it could not be installed.
let unfit
navigator.serviceWorker?.addEventListener('message', ({ data }) => { unfit = data.unfit ?? unfit })

export async function notInstalled() {
  for (let tries = 0; !unfit && tries < 20; tries++) await new Promise((over) => setTimeout(over, 50))
  return new Sentence(word(navigator.onLine ? unfit?.key ?? 'wrong' : 'offline', unfit?.values))
}

// Returns why the service worker could not be registered, as far as the host is the cause.
export async function notRegistered(error) {
  if (!navigator.onLine) return new Sentence(word('offline'))
  const file = `${SCOPE}worker.js`
  const answer = await fetch(file, { cache: 'no-store' }).catch(() => undefined)
  if (!answer) return new Sentence(word('broken'))
  if (!answer.ok) return new Sentence(word('host-missing', { file, status: answer.status }))
  const type = answer.headers.get('Content-Type') ?? ''
  return /javascript/.test(type) ? error : new Sentence(word('host-type', { file, type }))
}

// ---- the nights

// That there were nights here is known in two places, as browsers that delete the one may leave the other.
const HAD = 'had-nights'
const hadNights = () => Boolean(localStorage.getItem(HAD)) || document.cookie.includes(`${HAD}=1`)

export function rememberNights(isSo = true) {
  if (isSo) localStorage.setItem(HAD, '1')
  else localStorage.removeItem(HAD)
  document.cookie = `${HAD}=1; path=${SCOPE}; samesite=strict; max-age=${isSo ? 400 * 86_400 : 0}`
}

function tell(title, key) {
  for (const id of ['bar', 'parts', 'facts']) byId(id).hidden = true
  text('title', title)
  text('step', key)
}

// Says that the nights are gone, or that nothing can be saved. Resolves with the page that is wanted then, if another;
// with undefined if there was nothing to say.
export async function warn({ isNew, isFull }) {
  if (isNew && hadNights()) {
    tell('lost', 'lost-how')
    const isImport = await ask('lost-now', 'go-on', 'import') === 'import'
    rememberNights(false)
    return isImport ? `${SCOPE}groups/import` : ''
  }
  if (!isFull) return undefined
  tell('no-room', 'no-room-how')
  while (await ask('no-room', 'go-on', 'again') === 'again') location.reload()
  return ''
}
