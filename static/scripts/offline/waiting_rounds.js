// Saved rounds that wait on this phone until the server has them. Each has a key, so that it is booked only once.

import { timeOf } from './connection.js'
import { store } from './storage.js'

const RETRY = 2000
const HANDED_OVER = 'handed'
const list = document.querySelector('[data-waiting]')
const words = JSON.parse(list?.dataset.words ?? '{}')
let entry = null // the form on this page, with what to do when its round waits or is booked
let timer = 0
let isSending = false
let isUnkept = false // whether the round here could neither be sent nor stored
let drawn = null

export const pathOf = (url) => new URL(url, location).pathname
export const read = (slot) => JSON.parse(localStorage.getItem(slot))
const slots = (path = '') => Object.keys(localStorage).filter((slot) => slot.startsWith(`waiting:${path}`))
const isWaiting = (slot) => !read(slot)?.isRefused
const ownSlot = () => entry && `waiting:${pathOf(entry.form.action)}:${entry.form.elements.key.value}`

export const findWaiting = (form) => slots(`${pathOf(form.action)}:`).find(isWaiting)

export function setEntry(form, hold, booked) {
  entry = { form, hold, booked }
}

const bodyOf = (form, button) => new URLSearchParams(new FormData(form, button)).toString()

export function storeRound(form, button) {
  isUnkept = false
  // a refusal writes "true", which is shorter: it can be noted even if nothing more fits
  return store(ownSlot(), { action: form.action, body: bodyOf(form, button), at: Date.now(), isRefused: false })
}

function drop(slot) {
  localStorage.removeItem(slot)
  draw()
}

// Opens a refused round in the server's page, with all its input and the reason for the refusal.
function handOver(slot) {
  const { action, body } = read(slot)
  sessionStorage.setItem(HANDED_OVER, slot)
  visit(action, body)
}

function visit(action, body) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action, hidden: true })
  for (const [name, value] of new URLSearchParams(body)) {
    form.append(Object.assign(document.createElement('input'), { name, value, type: 'hidden' }))
  }
  document.body.append(form)
  form.submit()
}

// The round that was handed over has been booked from the server's page.
export function dropHandedOver() {
  const slot = sessionStorage.getItem(HANDED_OVER)
  keepHandedOver()
  if (slot) drop(slot)
}

// The round that was handed over stays on this phone: its page was left without saving it.
export function keepHandedOver() {
  sessionStorage.removeItem(HANDED_OVER)
}

function finish(slot, address) {
  const isHere = slot === ownSlot()
  dropHandedOver()
  drop(slot)
  if (isHere) {
    entry.booked()
    location.replace(address)
  } else if (list) list.append(Object.assign(document.createElement('p'), { className: 'carried', textContent: words.booked }))
}

const post = (action, body) => fetch(action, { method: 'POST', body: new URLSearchParams(body), headers: { Accept: 'application/json' } })
const isRefusal = ({ status }) => status !== 429 && status < 500

async function send(slot) {
  const stored = localStorage.getItem(slot)
  if (!stored) return
  const { action, body } = JSON.parse(stored)
  try {
    const response = await post(action, body)
    if (localStorage.getItem(slot) !== stored) return
    if (response.status === 201) return finish(slot, (await response.json()).address)
    if (isRefusal(response)) {
      localStorage.setItem(slot, JSON.stringify({ ...JSON.parse(stored), isRefused: true }))
      if (slot === ownSlot()) handOver(slot)
      return
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  if (slot === ownSlot()) waitHere()
}

// Sends a round that this phone has no room for. Only the server's answer leaves the form, which has the only copy.
export async function sendUnkept(form, button) {
  const body = bodyOf(form, button)
  try {
    const response = await post(form.action, body)
    if (response.status === 201) return finish(ownSlot(), (await response.json()).address)
    if (isRefusal(response)) return visit(form.action, body)
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
  }
  delete form.dataset.booking
  button.disabled = false
  isUnkept = true
  draw()
  list.scrollIntoView({ block: 'center' })
}

// Locks the form of a round that couldn't be sent.
function waitHere() {
  delete entry.form.dataset.booking
  if ('saving' in entry.form.dataset) return
  entry.hold(true)
  draw()
  list.scrollIntoView({ block: 'center' })
}

export async function sendAll() {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  // one round's error doesn't stop the others, nor the next attempt
  for (const slot of slots().filter(isWaiting)) await send(slot).catch(reportError)
  isSending = false
  draw()
  if (slots().some(isWaiting)) timer = setTimeout(sendAll, RETRY)
}

// ---- the list of waiting rounds

function makeButton(text, action) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button small', textContent: text })
  button.addEventListener('click', action)
  return button
}

function change(slot) {
  drop(slot)
  entry.hold(false)
  for (const save of entry.form.querySelectorAll('[value=save]')) save.disabled = false
}

function buttonsOf(slot) {
  const { action, isRefused } = read(slot)
  if (isRefused) {
    const discard = () => { if (confirm(words.sure)) drop(slot) }
    return [makeButton(words.look, () => handOver(slot)), makeButton(words.drop, discard)]
  }
  if (slot === ownSlot()) return [makeButton(words.change, () => change(slot))]
  return pathOf(action) === location.pathname ? [] : [makeButton(words.look, () => location.assign(action))]
}

function makeRow(text, buttons = []) {
  const row = Object.assign(document.createElement('div'), { className: 'line row' })
  row.append(Object.assign(document.createElement('span'), { textContent: text }), ...buttons)
  return row
}

function makeRowOf(slot) {
  const { at, isRefused } = read(slot)
  return makeRow((isRefused ? words.refused : words.waits).replace('{time}', timeOf(new Date(at))), buttonsOf(slot))
}

function draw() {
  if (!list) return
  // the round that was handed over fills the form of the page
  const shown = slots(`${list.dataset.waiting}/`).filter((slot) => slot !== sessionStorage.getItem(HANDED_OVER))
  const state = shown.map((slot) => slot + localStorage.getItem(slot)).join() + isUnkept
  if (state === drawn) return
  drawn = state
  list.replaceChildren(...isUnkept ? [makeRow(words.unkept)] : [], ...shown.map(makeRowOf))
}
