// The part of the page with the hand in play, which is replaced whenever the hand changes.

import { inTime } from '../offline.js'
import { keepOpened } from '../opened.js'

export const section = () => document.getElementById('at-table')

export const numberOf = (element) => element?.querySelector('[name=number]')?.value

// Returns whether the hand is up to date.
export async function refresh() {
  if (!section()) return true
  const response = await fetch(section().dataset.page, { headers: { Accept: 'text/html' }, cache: 'no-store', signal: inTime() })
  if (!response.ok) return false
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('at-table')
  if (!fresh) return false
  const { cards } = section().dataset
  keepOpened(section(), fresh)
  section().replaceWith(fresh)
  if (cards !== fresh.dataset.cards) document.dispatchEvent(new Event('cards')) // how many the own hand may have
  return true
}
