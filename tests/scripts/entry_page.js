// The page on which a round is entered, as templates/round/entry.html makes it, with what the scripts use.

import { open } from './harness.js'

const PLACEHOLDERS = { over: 'player', down: 'n', held: 'n', empty: 'n', taken: 'piece', selected: 'piece', full: 'player', swap: 'hand', back: 'answer' }
const NAMES = ['over', 'out', 'down', 'held', 'in', 'playing', 'nothing', 'empty', 'taken', 'selected', 'full', 'kept', 'unkept', 'behind', 'betless', 'unsaved', 'takeBack', 'whose', 'free', 'swap', 'back', 'same', 'undo', 'laid']
// each sentence is its own name, with its placeholder: "full {player}"
export const WORDS = Object.fromEntries(NAMES.map((name) => [name, name + (name in PLACEHOLDERS ? ` {${PLACEHOLDERS[name]}}` : '')]))
WORDS.counts = '{player}: {points}'
WORDS.take = 'take {piece} from {player}'

const CARDS = ['As', 'Ks', 'Qs', 'Js', 'Ts', 'Ah', 'Kh', 'Qh', 'Jh', 'Th']
const quoted = (value) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

// Each card as itself in small letters, tens also with digits, and hearts with their sign.
function spellingsOf(cards) {
  const spellings = {}
  for (const card of cards) {
    for (const rank of card[0] === 'T' ? ['t', '10'] : [card[0].toLowerCase()]) {
      spellings[rank + card.slice(1)] = card
      if (card[1] === 'h') spellings[`${rank}♥`] = card
    }
  }
  return spellings
}

const key = (piece) => `<button type="button" class="key" data-piece="${piece}" aria-label="the ${piece}" aria-pressed="false"><b>${piece}</b></button>`

const seat = ({ name, hand = '', down = '', chips = '', inside = '', mine = true, attributes = '' }, number, size, isRound) => `
<fieldset class="seat${down && ' down'}" id="seat-${number}" data-seat="${number}" data-size="${size}" ${attributes}>
  <legend>${name}</legend>
  <input ${isRound ? 'type="hidden"' : 'class="name"'} name="players-${number}-name" value="${name}" data-name>
  <label class="won" data-said="won" data-word="won_by"><input type="checkbox" name="players-${number}-won_by" value="y"><span class="player player-${number}">${name[0]}</span><b>${name}</b></label>
  <label class="word amount" data-word="counts"><input name="players-${number}-counts" data-points></label>
  <div class="line"><div class="chips">
    <label><input type="radio" name="asked-knocker" value="${number}"><span>knocked</span></label>
    <span><label><input type="checkbox" name="players-${number}-dropped" value="y"><span>dropped</span></label></span>${chips}
  </div></div>
  ${mine ? `<div class="slots" data-slots>${'<span class="slot empty"></span>'.repeat(size)}</div>
  <input name="players-${number}-hand" value="${hand}" data-hand>
  <label><input type="file" data-photo></label>` : ''}
  <p data-reading>${down}</p>
  ${mine ? '<button type="button" data-move-hand hidden></button><button type="button" data-erase hidden></button>' : ''}${inside}
</fieldset>`

const tab = ({ name }, number) => `
<a class="tab" href="#seat-${number}" data-unnamed="Player ${number + 1}" data-tab="${number}"><span class="player player-${number} little">${name[0]}</span><b>${name}</b><small></small><small class="stack"><span>stack </span>100</small></a>`

// `seats`: names, or objects; `draft`: a night's round instead of a single one; `form`: more attributes of the form.
export function entryPage({
  seats = ['Ana', 'Beto', 'Caro'], size = 3, cards = CARDS, draft = true, form = 'data-fresh', fields = '', camera = '', ways = ['won_by'],
  strip = '', before = '', pad = '', dock = '', keys = cards.map(key).join(''), saves = '<button name="do" value="save" data-save hidden>Save</button>',
} = {}) {
  const players = seats.map((given) => typeof given === 'string' ? { name: given } : given)
  const round = `<input type="hidden" name="key" value="k1"><input type="hidden" name="number" value="3"><input type="hidden" name="game" value="knock">
    ${players.map((_, number) => `<input type="hidden" name="seat" value="${'abcdef'[number]}">`).join('')}`
  return `<main id="main">${before}
<form method="post" id="entry" action="${draft ? '/night/round' : '/settle/knock'}" ${form} data-words="${quoted(WORDS)}" data-spellings="${quoted(spellingsOf(cards))}" data-notation="(?:10|[akqjt])[sh♥]"
  ${draft ? 'data-draft="/night/draft" data-state="/night/state" data-lines="/night/lines/" data-night="/night"' : 'data-live="/settle/knock/live"'}
  ${camera && `data-camera="${quoted(camera)}"`}>
  <input type="hidden" name="csrf_token" value="token">${draft ? round : ''}
  ${fields}
  <nav data-strip>${ways.map((way) => `<a href="#seat-0" data-way="${way}">${way}</a>`).join('')}<input type="hidden" name="way" value="">${strip}
    ${players.map(tab).join('')}</nav>
  ${players.map((player, number) => seat(player, number, size, draft)).join('')}
  <p data-told></p>
  <div class="docked">
    <ul data-late hidden></ul>
    <div class="picker" data-picker>${keys}</div>${pad}
    <p data-missing></p><button type="button" data-type hidden aria-pressed="false"></button>
    ${saves}<button name="do" value="settle" data-settle>Settle</button>${dock}
  </div>
</form></main>`
}

export const openEntry = (given, options) => open(entryPage(given), { url: '/night/round', ...options })

// Returns what the server says about a round's hands.
export const readingOf = (given = {}) => ({ seats: {}, out: {}, wrong: [], missing: 'missing', settled: null, ...given })

// Returns the news about the draft of that page.
export const newsOf = (given = {}) => ({
  version: 1, mark: 'm1', seats: ['a', 'b', 'c'], number: 3, game: 'knock', saved: 0, closed: false, own: false, me: null, fields: {}, live: readingOf(), down: [],
  in_front: {}, late: [], ...given,
})
