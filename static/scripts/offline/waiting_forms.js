// Shows the forms that wait: beside their form, or else in a list at the top of the page; and locks them meanwhile.

import { timeOf } from './connection.js'
import { handOver } from './handed_over.js'
import { isHeldBack, keyOf, numberIn, pathOf, pathOfSlot, renumber, roundsAt, slotOf, slots } from './queue.js'
import { forget, handedOver, load, store } from './storage.js'

export const list = document.querySelector('[data-waiting]')
export const words = JSON.parse(list?.dataset.words ?? '{}')
const notes = new Map() // form → the element beside it that says what became of it
export const held = new Map() // slot → the form on this page that waits
let entry = null // the form of a round, and how to lock it, leave it and go on to the next round
let isUnkept = false // whether the round here could neither be sent nor stored
let drawn = null

export function setEntry(form, ways) {
  entry = { form, ...ways }
}

export const isEntry = (form) => form === entry?.form
const pathOfEntry = () => entry && pathOf(entry.form.action)
const ownSlot = () => entry && slotOf(entry.form.action, entry.form.elements.key.value)
export const formOf = (slot) => [...document.forms].find(({ elements }) => elements.key?.value === keyOf(slot))
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

function isTyped(field) {
  if (field.options) return !([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.selected
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked
  return 'defaultValue' in field && field.type !== 'hidden' && field.value !== field.defaultValue
}

// Whether something was typed into another form, which would be lost with the page.
export const isElsewhereTyped = (form) => [...document.forms].some((other) => other !== form && [...other.elements].some(isTyped))

// ---- what is said beside a form, and in the list

function makeButton(text, action) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button small', textContent: text })
  button.addEventListener('click', action)
  return button
}

export function makeRow(text, buttons = []) {
  const [row, group] = ['line row', 'chips'].map((className) => Object.assign(document.createElement('div'), { className }))
  row.append(Object.assign(document.createElement('span'), { textContent: text }))
  group.append(...buttons)
  if (buttons.length) row.append(group)
  return row
}

export function tellBeside(form, ...rows) {
  const note = notes.get(form) ?? Object.assign(document.createElement('div'), { className: 'waiting', role: 'status' })
  notes.set(form, note)
  form.before(note)
  note.replaceChildren(...rows)
  if (rows.length) note.scrollIntoView({ block: 'center' })
}

function buttonsOf(slot) {
  const { action, isRefused } = load(slot)
  if (isRefused) {
    const discard = () => { if (confirm(words.sure)) drop(slot) }
    return [makeButton(words.look, () => handOver(slot)), makeButton(words.drop, discard)]
  }
  if (slot === ownSlot()) {
    const next = entry.next ? [makeButton(words.next, enterNextRound)] : []
    return [makeButton(words.change, () => change(slot)), ...next]
  }
  return pathOf(action) === location.pathname ? [] : [makeButton(words.look, () => location.assign(action))]
}

export function makeRowOf(slot) {
  const { at, isRefused } = load(slot)
  const text = isRefused ? words.refused : isHeldBack(slot) ? words.after : words.round
  return makeRow(text.replace('{time}', timeOf(new Date(at))), buttonsOf(slot))
}

export const isRefusedAtOnce = ({ isRefused, isRound, hasWaited }) => isRefused && !isRound && !hasWaited

export function draw() {
  if (!list) return
  // a form that was handed over fills the form of the page; one that was refused at once is shown by its own tab alone,
  // since another would send it again, perhaps much later
  const shown = slots().filter((slot) => slot !== handedOver() && !isRefusedAtOnce(load(slot)) && (slot === ownSlot() || !held.get(slot)?.isConnected))
  const state = shown.map((slot) => slot + JSON.stringify(load(slot))).join() + ownSlot() + isUnkept
  if (state === drawn) return
  drawn = state
  // rounds are shown on their own page, or if nothing else waits
  const isAlone = (slot) => load(slot).isRound && (pathOfSlot(slot) === pathOfEntry() || shown.length === 1)
  const single = shown.filter((slot) => load(slot).isRefused || isHeldBack(slot) || isAlone(slot))
  const others = shown.length - single.length
  const rows = [...isUnkept ? [makeRow(words.unkept)] : [], ...single.map(makeRowOf)]
  list.replaceChildren(...rows, ...others ? [makeRow(words.others.replace('{n}', others))] : [])
}

function drop(slot) {
  forget(slot)
  catchUp()
  draw()
}

export function clearNote(form) {
  notes.get(form)?.replaceChildren()
}

// Says that a form could neither be sent nor stored.
export function tellUnkept(form) {
  setUnkept(isEntry(form))
  if (!isUnkept) return tellBeside(form, makeRow(words.unkept))
  list.scrollIntoView({ block: 'center' })
}

export function setUnkept(isSo) {
  isUnkept = isSo
  draw()
}

export const finishEntry = () => entry.booked()

// ---- locking a form while it waits

export function lock(form, isLocked) {
  for (const part of form.children) part.inert = isLocked
}

export function hold(form, isHeld) {
  delete form.dataset.booking
  if (isEntry(form)) entry.hold(isHeld)
  else {
    form.toggleAttribute('data-saving', isHeld)
    lock(form, isHeld)
  }
  if (isHeld) return
  for (const button of document.querySelectorAll('[data-sent]')) {
    button.disabled = false
    delete button.dataset.sent
  }
}

export function waitHere(slot, form) {
  held.set(slot, form)
  hold(form, true)
  draw()
  if (isEntry(form)) return list.scrollIntoView({ block: 'center' })
  const buttons = [makeButton(words.change, () => change(slot)), makeButton(words.more, () => enterAnother(form))]
  tellBeside(form, makeRow(words.kept, buttons))
}

export function release(form) {
  for (const [slot, other] of held) if (other === form) held.delete(slot)
  hold(form, false)
  clearNote(form)
  draw()
}

function change(slot) {
  const form = formOf(slot)
  if (isEntry(form)) form.elements.number.value = numberIn(load(slot))
  forget(slot)
  release(form)
}

export function enterAnother(form) {
  form.reset()
  form.elements.key.value = newKey()
  release(form)
}

// Fills in the round that waits, if this is still its form, and locks it; goes on if the next one was begun here.
export function resume() {
  const { form } = entry
  const rounds = roundsAt(pathOfEntry())
  const waits = rounds.findLast((slot) => !load(slot).isRefused)
  if (!waits || numberIn(load(waits)) < form.elements.number.value || !entry.refill(load(waits).body)) return
  if (waits !== rounds[0]) form.dataset.ahead = ''
  waitHere(waits, form)
  if (entry.hasNext?.()) enterNextRound()
}

function enterNextRound() {
  const { form } = entry
  forget(lineBefore())
  form.dataset.ahead = '' // of the round that waits
  form.elements.number.value = Number(form.elements.number.value) + 1
  form.elements.key.value = newKey()
  release(form)
  entry.next()
}

const lineBefore = () => `line:${pathOfEntry()}` // where the line of the last round is stored, perhaps by another tab

// Removes a round that was saved. Those after it are numbered after its line, as what was saved between them has lines too.
export function dropSaved(slot, address) {
  const line = Number(/lines\/(\d+)/.exec(address)?.[1])
  const path = pathOfSlot(slot)
  // first, for a tab that has the next round and sees that this one is gone
  if (line && load(slot)?.isRound) store(`line:${path}`, line)
  forget(slot)
  if (line) renumber(path, line)
  catchUp()
  draw()
}

// Lets the next round go on with the table, once no other round waits before it.
export function catchUp() {
  if (!entry || !('ahead' in entry.form.dataset) || roundsAt(pathOfEntry()).length) return
  const { form } = entry
  const line = load(lineBefore())
  if (line) form.elements.number.value = line + 1
  forget(lineBefore())
  delete form.dataset.ahead
  form.dispatchEvent(new Event('caughtup'))
}
