// Makes a player's phone vibrate, and keeps its screen on while the page is visible, if the browser allows that (over
// HTTPS only).

const BUZZ = 60 // milliseconds

let lock = null

async function hold() {
  if (document.hidden || (lock && !lock.released)) return
  lock = await navigator.wakeLock?.request('screen').catch(() => null)
}

export function stayAwake() {
  document.addEventListener('visibilitychange', hold)
  // some browsers want a tap first
  addEventListener('pointerdown', hold)
  hold()
}

export function rest() {
  document.removeEventListener('visibilitychange', hold)
  removeEventListener('pointerdown', hold)
  lock?.release()
}

// Vibrates, because there is something to see.
export const buzz = () => navigator.vibrate?.(BUZZ)
