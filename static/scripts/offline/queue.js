// The forms that wait on this phone until the server has them, oldest first. Each has a key, so that it counts only once.

import { inTime, isLost } from './connection.js'
import { forget, load, store, stored } from './storage.js'

const START = 'waiting:'
const AWAY = [429, 502, 503, 504]
export const RETRY = 2000

export const pathOf = (url) => new URL(url, location).pathname
export const slotOf = (action, key) => `${START}${pathOf(action)}:${key}`
// a key may have a colon, our paths have none
const endOfPath = (slot) => slot.indexOf(':', START.length)
export const keyOf = (slot) => slot.slice(endOfPath(slot) + 1)
export const pathOfSlot = (slot) => slot.slice(START.length, endOfPath(slot))
export const slots = () => stored(START).sort((one, other) => (load(one)?.at ?? 0) - (load(other)?.at ?? 0))
export const numberIn = ({ body }) => Number(new URLSearchParams(body).get('number'))

// Stores a form, in the place of the refused one that it corrects, or else as the last one. A refusal writes "true",
// which is shorter: it can be noted even if nothing more fits.
export function enqueue(slot, entry, corrected) {
  const newest = Math.max(0, ...slots().map((other) => load(other).at))
  const { at, hasWaited = false } = load(corrected) ?? { at: Math.max(Date.now(), newest + 1) }
  if (!store(slot, { ...entry, at, hasWaited, isRefused: false })) return false
  if (corrected && corrected !== slot) forget(corrected)
  return true
}

export function mark(slot, changes) {
  store(slot, { ...load(slot), ...changes })
}

export const roundsAt = (path) => slots().filter((slot) => load(slot).isRound && pathOfSlot(slot) === path)

// Whether a round waits for an earlier one of its night that the server has refused: the pot depends on that.
export function isHeldBack(slot) {
  const rounds = load(slot).isRound ? roundsAt(pathOfSlot(slot)) : []
  return rounds.slice(0, rounds.indexOf(slot)).some((other) => load(other).isRefused)
}

export const waiting = () => slots().filter((slot) => !load(slot).isRefused && !isHeldBack(slot))

// Rounds that were entered after one that is line `number` now follow it.
export function renumber(path, number) {
  roundsAt(path).forEach((slot, at) => {
    const body = new URLSearchParams(load(slot).body)
    body.set('number', number + 1 + at)
    mark(slot, { body: body.toString() })
  })
}

// Answers that aren't the app's come from a proxy, or from the login page of a guest network.
const isOurs = ({ headers }) => headers.has('Content-Security-Policy')

async function post(entry, isRetry = false) {
  const headers = { Accept: 'application/json' }
  const response = await fetch(entry.action, { method: 'POST', body: new URLSearchParams(entry.body), headers, signal: inTime() })
  const token = response.headers.get('Companion-Token')
  if (!token || isRetry) return response
  const body = new URLSearchParams(entry.body)
  body.set('csrf_token', token)
  entry.body = body.toString()
  return post(entry, true)
}

// Sends a form. Returns { address } of its outcome, { body } of a form that was refused, or the `delay` before the next
// attempt.
export async function deliver(entry) {
  try {
    const response = await post(entry)
    if (isOurs(response) && response.status === 201) return { address: (await response.json()).address }
    if (isOurs(response) && !AWAY.includes(response.status)) return { body: entry.body }
    return { delay: Math.max(RETRY, 1000 * (Number(response.headers.get('Retry-After')) || 0)) }
  } catch (error) {
    if (!isLost(error)) throw error
    return { delay: RETRY }
  }
}

export async function isReachable(address) {
  try {
    return (await fetch(address, { cache: 'no-store', signal: inTime() })).ok
  } catch {
    return false
  }
}
