// A page that turned by itself may come under a finger that meant the page before: for a moment, a tap on the rail does
// nothing. There a button to fold or to knock stands where the result had "Next round".

const TURNED = 'turned'
const MOMENT = 700 // milliseconds
let memory = null
try {
  memory = sessionStorage
} catch { /* a browser that blocks cookies has no seat, and turns no page */ }

export function turn(address) {
  memory?.setItem(TURNED, 'yes')
  location.replace(address)
}

export function refuseEarlyTaps() {
  if (!memory?.getItem(TURNED)) return
  memory.removeItem(TURNED)
  const listeners = new AbortController()
  const refuse = (event) => {
    const isByKey = event.type === 'click' && event.detail === 0 // or by a screen reader
    if (isByKey || !event.target.closest('#rail button')) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  for (const what of ['pointerdown', 'click']) addEventListener(what, refuse, { capture: true, signal: listeners.signal })
  setTimeout(() => listeners.abort(), MOMENT)
}
