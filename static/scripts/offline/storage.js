// What is stored on this phone. If storage is blocked or full, nothing is, and `store` returns false.

const openShelf = (name) => { try { return window[name] } catch { return null } }
const shelf = openShelf('localStorage')
const tab = openShelf('sessionStorage') // until the tab is closed
const HANDED_OVER = 'handed'

export function store(key, value) {
  try {
    shelf.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

export const load = (key) => JSON.parse(shelf?.getItem(key) ?? 'null')
export const forget = (key) => shelf?.removeItem(key)
export const stored = (start) => Object.keys(shelf ?? {}).filter((key) => key.startsWith(start))

// The waiting form that the server's page on this tab shows, with the reason why it was refused.
export const handedOver = () => tab?.getItem(HANDED_OVER) ?? null
export function setHandedOver(slot) {
  if (slot) tab?.setItem(HANDED_OVER, slot)
  else tab?.removeItem(HANDED_OVER)
}
