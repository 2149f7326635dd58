// The hand in play, as templates/round/_at_table.html makes it, with what the scripts use.

import { open } from './harness.js'

export const hand = ({ mark = 'm1', number = 3, attributes = '', amount = '5', chips = 'data-scale="1" data-least="5" data-most="100"', refused = '' } = {}) => `
<section id="at-table" data-mark="${mark}" data-shown="${mark}" data-away="no connection" data-page="/night?game=knock" ${attributes}>
  <div data-refused>${refused}</div>
  <form method="post" action="/night/play"><input type="hidden" name="number" value="${number}"><input type="hidden" name="key" value="k1">
    <div data-chips ${chips}><input name="amount" value="${amount}">
      <button type="button" data-add="5" hidden>+5</button><button type="button" data-add="25" hidden>+25</button><button type="button" data-set="40" hidden>Pot</button></div>
    <div class="thirds"><button class="fold" name="do" value="fold-a">Fold</button><button class="primary call" name="do" value="call-a">Call</button>
      <button class="raise" name="do" value="raise-a" data-raise="Raise {amount}">Raise</button></div>
    <button name="do" value="knocks-a" data-hold="Hold to knock">I knock</button><button name="do" value="over">Start over</button>
  </form>
</section>`

export const openTable = (given, { around = '' } = {}) => open(`<div id="place">${hand(given)}</div>${around}`, { url: '/night' })
