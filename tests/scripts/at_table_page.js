// The hand in play and the rail, as templates/round/_at_table.html and _rail.html make them, with what the scripts use.

import { open } from './harness.js'

export const hand = ({ mark = 'm1', number = 3, amount = '5', chips = 'data-scale="1" data-least="5" data-most="100"', refused = '', raise = 'data-raise="Raise {amount}"' } = {}) => `
<section id="at-table" data-mark="${mark}" data-shown="${mark}" data-page="/night?game=knock">${refused}
  <form method="post" action="/night/play"><input type="hidden" name="number" value="${number}"><input type="hidden" name="key" value="k1">
    <div data-chips ${chips}><input name="amount" value="${amount}">
      <button type="button" data-add="5" hidden>+5</button><button type="button" data-add="25" hidden>+25</button><button type="button" data-set="40" hidden>Pot</button></div>
    <button class="raise" name="do" value="raise-a" ${raise}>Raise</button>
    <button class="undo" name="do" value="undo-a">Undo</button><button name="do" value="over">Start over</button><button class="someone" name="do" value="knocks-b">Beto</button>
  </form>
</section>`

export const BET = '<button class="button fold" form="plays" name="do" value="fold-a">Fold</button><button class="button primary call" form="plays" name="do" value="call-a">Call</button>'
export const KNOCK = '<button class="button" form="plays" name="do" value="knocks-a" data-hold="Hold to knock" data-hint="Keep your finger on it">I knock</button>'

export const line = ({ phase = 'betting', said = 'Your turn', attributes = '', buttons = BET } = {}) => `
<div class="says" data-says data-phase="${phase}" ${attributes}><p role="status"><span class="player"></span><span><b>${said}</b></span></p><div class="halves">${buttons}</div></div>`

const rail = (given) => `<section id="rail"><div data-refused></div>${line(given)}
  <form method="post" id="plays" action="/night/play" data-away="no connection"><input type="hidden" name="key" value="r1"></form></section>`

export const openTable = (given, { around = '', says = {} } = {}) => open(`<div id="place">${hand(given)}</div>${rail(says)}${around}`, { url: '/night' })
