// The buttons of the hand in play, which also work without this script. With it, a tap is sent without leaving the page,
// a knock is a long press, and chips add up to an amount.

import { allowTaps, beginActions, restIfOthers, restoreRefusal } from './at_table/actions.js'
import { beginAmounts, restoreAmount } from './at_table/amount.js'
import { beginKnocks, labelHolds } from './at_table/knock.js'
import { beginOwnHand } from './at_table/own_hand.js'
import { section } from './at_table/section.js'
import { refuseEarlyTaps } from './turned.js'

let drawn = null

// The hand is drawn again by this script or by follow.js.
function prepareIfNew() {
  labelHolds()
  restIfOthers()
  const element = section()
  if (!element || element === drawn) return
  drawn = element
  for (const chip of element.querySelectorAll('[data-chips] [hidden]')) chip.hidden = false
  restoreAmount(element)
  restoreRefusal(element)
  allowTaps()
}

refuseEarlyTaps() // before all else that hears a tap
beginActions()
beginAmounts()
beginKnocks()
beginOwnHand()
new MutationObserver(prepareIfNew).observe(document.body, { childList: true, subtree: true })
prepareIfNew()
