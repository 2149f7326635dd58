// Stores what was typed on this phone, until its round is saved: a reload or a closed tab loses nothing.

import { form, words } from '../hands.js'
import { forget, load, store } from '../offline.js'
import { fieldOf, seatIds, setValue, typedHere, unsent, valueOf } from './fields.js'
import { draft } from './page.js'

// the own hand is stored by itself: the page of all hands, which others look at, must not bring it back
const KEY_OF_OWN = `typed:${draft} own`
const KEY = 'own' in form.elements ? KEY_OF_OWN : `typed:${draft ?? location.pathname}`
const SIX_HOURS = 6 * 3600 * 1000
const BETS = ['betting', 'bets'] // hidden fields, which only their buttons change
let isDue = false // whether there is something to store
let isKept = true // whether the last input fitted on this phone

const roundNumber = () => form.elements.number?.value ?? ''

export function storeInput() {
  isDue = false
  const fields = {}
  for (const name of typedHere) fields[name] = valueOf(name)
  // all names of a single round, typed or not: they say which seats it has
  for (const { name, value } of form.querySelectorAll('.name[data-name]')) fields[name] = value
  if (!draft) for (const name of BETS.filter(fieldOf)) fields[name] = valueOf(name)
  isKept = store(KEY, { number: roundNumber(), at: Date.now(), seats: seatIds(), fields, unsent: [...unsent] })
}

// What was typed on the page of the own hand, if that was left before all of it arrived.
export function ownInput() {
  const stored = KEY === KEY_OF_OWN ? null : load(KEY_OF_OWN)
  return stored?.number === roundNumber() && stored.unsent.length ? stored : null
}

export const ownInputArrived = (stored) => store(KEY_OF_OWN, { ...stored, unsent: [] })

// What to say while the server is away.
export const textOfStored = () => isKept ? words.kept : words.unkept

export function storeIfDue() {
  if (isDue) storeInput()
}

// Stores the input once the tap is drawn; `storeIfDue` does it earlier if the page is left or hidden before that.
export function storeSoon() {
  if (!isDue) requestAnimationFrame(() => setTimeout(storeIfDue))
  isDue = true
}

// Whether something was typed here for the next round, while this page's round waits.
export const hasInputForNextRound = () => load(KEY)?.number === String(Number(roundNumber()) + 1)

export function forgetInput() {
  isDue = false
  forget(KEY)
}

// A single round's URL doesn't say how many seats it has, or which deck.
function belongsToAnotherForm(fields) {
  if (draft || form.elements.number) return false
  return Object.keys(fields).some((name) => !fieldOf(name)) ||
    [...form.querySelectorAll('.name[data-name]')].some(({ name }) => !(name in fields)) ||
    [...form.querySelectorAll('[data-redraw]')].some(({ name }) => name in fields && fields[name] !== valueOf(name))
}

// Has the server render the form that the stored input belongs to.
function postStored(fields) {
  const stored = document.createElement('form')
  Object.assign(stored, { method: 'post', action: form.action, hidden: true })
  const button = { csrf_token: form.elements.csrf_token.value, do: 'clear' }
  for (const [name, value] of Object.entries({ ...fields, ...button })) {
    if (value !== false) stored.append(Object.assign(document.createElement('input'), { name, value: value === true ? 'y' : value }))
  }
  document.body.append(stored)
  stored.submit()
}

// Returns the name that a field typed under other seats has now; none if its player is gone or it is about the whole table.
function nameNow(name, seats) {
  if (!seats || seats.join() === seatIds().join()) return name
  const [, seat, field] = /^players-(\d+)-(.+)/.exec(name) ?? []
  const now = seatIds().indexOf(seats[seat])
  return now < 0 ? null : `players-${now}-${field}`
}

export function restoreInput() {
  const stored = load(KEY)
  // only a single round, which has no number, may be an old one; a clock that was set back makes it no newer
  const isRecent = stored && (stored.number || Math.abs(Date.now() - stored.at) < SIX_HOURS)
  const isThisRound = isRecent && stored.number === roundNumber()
  if (!isThisRound || !('fresh' in form.dataset)) return
  if (belongsToAnotherForm(stored.fields)) return postStored(stored.fields)
  // the copy of a page that is shown offline also lacks input that the server already has
  const isCopy = 'seen' in document.documentElement.dataset
  const isRestored = (name) => isCopy || stored.unsent.includes(name) || (!draft && BETS.includes(name))
  for (const [typed, value] of Object.entries(stored.fields)) {
    const name = nameNow(typed, stored.seats)
    if (!name) continue
    typedHere.add(name)
    const isChanged = isRestored(typed) && setValue(name, value)
    // the script of the bets, which follows this one, has the server redraw them
    if (isChanged && name === 'bets') addEventListener('load', () => form.dispatchEvent(new Event('bets')))
    if (stored.unsent.includes(typed)) unsent.add(name)
  }
}
