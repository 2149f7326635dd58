// Vibrates, and keeps the screen on while the page is visible, if the browser allows it (over HTTPS only).

const BUZZ = 60 // milliseconds

let lock = Promise.resolve() // to the one that was asked for last, so that there is never a second one

function lockScreen() {
  if (document.hidden) return
  lock = lock.then((held) => held && !held.released ? held : navigator.wakeLock?.request('screen').catch(() => null))
}

export function stayAwake() {
  document.addEventListener('visibilitychange', lockScreen)
  // some browsers allow it only after a tap
  addEventListener('pointerdown', lockScreen)
  lockScreen()
}

// Lets the screen turn off again.
export function rest() {
  document.removeEventListener('visibilitychange', lockScreen)
  removeEventListener('pointerdown', lockScreen)
  lock.then((held) => held?.release())
}

// Vibrates to make a player look at the phone.
export const buzz = () => navigator.vibrate?.(BUZZ)
