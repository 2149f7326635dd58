"""The public state of the hand in play: who deals, whose turn it is, what has been bet, who knocked.

It contains no cards, so it can be shown on every phone and on a screen that everybody sees.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.deal import LastTurn
from companion.engine.game import AnyGame, seated, turn_order
from companion.engine.messages import Message
from companion.store.drafts import GAME
from companion.store.face_down import is_hand
from companion.store.hand_in_play import ASKED_BACK, BETS_ORDER, LOT, ORDER, TURN

from ..text.numbers import whole_typed
from .bet_line import InFront
from .betting import Offer, betting_fields
from .form import RoundForm
from .last_turns import TurnAfterKnock, knock_fields
from .next_round import NextRound

_SEATS_CHANGED = Message("The seats were changed during this hand")


@dataclass(frozen=True)
class PlayerCounts:
    """A number that is counted per player during the hand, such as cards drawn; `counts` is by player id."""

    key: str
    label: str
    maximum: int
    counts: Mapping[str, int]


@dataclass(frozen=True)
class HandInPlay:
    """The state of the hand in play. Players are ids, except in sentences, which have names; amounts are in units.

    `number` is the line the round will become. `mark` is a hash of this state, sent with each action to detect that
    the hand has moved on; by `shown_mark`, see the function, a page notices that it is out of date. `is_chosen`: this
    game is set as the next one for all phones. `players` are in seat order; `order` is the turn order, with the dealer
    last. `is_first_deal`: nobody has dealt tonight, so the dealer may be drawn by lot; `by_lot`: that has been done.
    `deal` are the sentences of the deal guide.

    `turn` is the player whose turn it is, in the betting or after a knock; None if unknown. `pot` includes what was
    carried into the round, the antes and the bets.

    Betting: `has_bets` if bets are entered one by one. `paid` is each player's total, including the ante. `to_call` is
    what the player in turn needs to call; `offers` are that player's possible actions. `bets` describes the actions so
    far. `is_exchange`: it is time to exchange cards, before the second betting round. `asked_back` is the player who
    asks to undo the last action.

    Knock: `knock_word` is the game's word for it ("" in a game without), `knocked` is who did it. `last_turns` are the
    turns after it, in order; `last_turn` is what may be done in them. `knock_sentence` describes all of this.

    `is_begun`: somebody has bet or knocked. `is_on_phones`: this was entered at the table, not on the round's own page.
    `out` are the players who folded or dropped. `is_over`: play has ended, so hands are entered. `is_shown`: the hands
    are revealed. `problem` says why no action is possible now; if that is because the seats changed during the hand,
    `moved` says who left.
    """

    number: int
    game: AnyGame
    mark: str
    shown_mark: str
    players: tuple[str, ...]
    names: Mapping[str, str]
    dealer: str | None
    is_chosen: bool = True
    is_first_deal: bool = False
    by_lot: bool = False
    deal: tuple[Message, ...] = ()
    order: tuple[str, ...] = ()
    turn: str | None = None
    pot: int = 0
    has_bets: bool = False
    paid: Mapping[str, int] = field(default_factory=dict)
    to_call: int = 0
    offers: tuple[Offer, ...] = ()
    bets: tuple[Message, ...] = ()
    is_exchange: bool = False
    asked_back: str | None = None
    all_in: tuple[str, ...] = ()
    knock_word: str = ""
    knocked: str | None = None
    last_turns: tuple[TurnAfterKnock, ...] = ()
    last_turn: LastTurn | None = None
    knock_sentence: Message | None = None
    out: tuple[str, ...] = ()
    counters: tuple[PlayerCounts, ...] = ()
    is_begun: bool = False
    is_on_phones: bool = False
    is_over: bool = False
    is_shown: bool = False
    problem: Message | None = None
    moved: Message | None = None

    def offer(self, action: str) -> Offer | None:
        """Return the offer of an action such as "raise" to the player in turn; None if it isn't allowed now."""
        return next((offer for offer in self.offers if offer.action == action), None)


def _mark_of(cells: Mapping[str, Any]) -> str:
    """Return a short hash of cells; empty cells don't count."""
    said = sorted((cell, value) for cell, value in cells.items() if value)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def _state_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Pick the cells that actions depend on, which excludes cards and counts."""
    return {
        cell: value
        for cell, value in cells.items()
        if cell in ("dealer", "bets", "betting", ASKED_BACK)
        or cell.startswith(("asked-", TURN))
        or (cell.startswith("players-") and value is True)
    }


def shown_mark(cells: Mapping[str, Any], number: int, in_front: InFront) -> str:
    """Return a hash of everything a phone shows about the hand: its state, the counts and the stacks.

    `number` is the line it will become, which moves on with a rebuy or a loan.
    """
    answers = {cell: value for cell, value in cells.items() if cell.startswith("players-") and not is_hand(cell)}
    return _mark_of({**_state_cells(cells), **answers, "number": number, "in front": in_front})


def hand_in_play(round: NextRound) -> HandInPlay:
    """Return the state of the hand in a session's next round."""
    session, game, before = round.session, round.game, round.before
    cells, names, players, dealer = round.cells, round.names, tuple(round.players), round.dealer
    known: dict[str, Any] = {
        "number": before.number,
        "game": game,
        "mark": _mark_of(_state_cells(cells)),
        "shown_mark": shown_mark(cells, before.number, before.in_front),
        "players": players,
        "names": names,
        "dealer": dealer,
        "is_chosen": game.key == (cells.get(GAME) or session.game),
        "is_first_deal": before.dealer is None,
        "by_lot": bool(cells.get(LOT)) and cells.get(LOT) == dealer,
        "is_shown": round.is_shown,
    }
    if dealer is None or len(players) < game.seats[0]:
        return HandInPlay(**known)
    dealt = game.deal(seated(game, round.options, [names[player] for player in players], names[dealer]))
    known |= {
        "deal": dealt.sentences(),
        "order": turn_order(players, dealer, game.direction),
        "pot": before.pot + dealt.ante * session.stake_units * len(players),
        "counters": tuple(_counters(round)),
    }
    known |= betting_fields(round)
    known |= knock_fields(round, dealer)
    order = str(cells.get(ORDER) or "")
    known |= {"is_begun": bool(order or known.get("is_begun")), "is_on_phones": bool(order)}
    moved = moved_since(round)
    if moved is not None:
        known |= {"turn": None, "offers": (), "moved": moved, "problem": _with_advice(moved)}
    return HandInPlay(**known)


def moved_since(round: NextRound) -> Message | None:
    """Say how the seats have changed since the hand in play began; None if they haven't."""
    before, names = _order_before(round), round.names
    if not before or before == ".".join(round.players):
        return None
    began, players = before.split("."), round.players
    gone = tuple(names[player] for player in began if player not in players and player in names)
    if gone:
        return Message("{players} left the table during this hand", players=gone)
    if [player for player in players if player in began] == began:
        late = tuple(names[player] for player in players if player not in began)
        return Message("{newcomers} joined the table during this hand", newcomers=late)
    return _SEATS_CHANGED


def bets_under_other_seats(round: NextRound, form: RoundForm, seats: Sequence[str]) -> Message | None:
    """Say that a form's bets were made by players who sat otherwise than in the form; None if they weren't.

    Whose they are follows from the seats. `seats` are the player ids by seat, as on the form's page.
    """
    before = _order_before(round)
    if not before or before == ".".join(seats) or not (form.replaced and form.bets.data):
        return None
    return _with_advice(moved_since(round) or _SEATS_CHANGED)


def began_to_bet(round: NextRound, typed: Mapping[str, Any]) -> dict[str, str]:
    """Return the cell that stores the seats when the first bet is entered on the round's own page."""
    if "bets" not in typed or (typed["bets"] and round.cells.get("bets")):
        return {}
    return {BETS_ORDER: ".".join(round.players) if typed["bets"] else ""}


def _order_before(round: NextRound) -> str:
    """Return the players' ids in seat order when the hand began, separated by dots; "" if that makes no difference."""
    cells = round.cells
    bets = cells.get(BETS_ORDER) if cells.get("bets") and round.has_bets else ""
    return str(cells.get(ORDER) or bets or "")


def _with_advice(moved: Message) -> Message:
    """Add what the table can do about a change of seats."""
    if "players" in moved.values:
        return Message("{what}. Let them back in under People, or start the hand over.", what=moved)
    if "newcomers" in moved.values:
        return Message("{what}. Let them sit this hand out under People, or start the hand over.", what=moved)
    return Message("{what}. Put them back under People, or start the hand over.", what=moved)


def _counters(round: NextRound) -> Iterator[PlayerCounts]:
    """Yield what is counted of each player under the hand's house rules."""
    for q in round.game.questions:
        if q.kind == "counts" and (not q.only_with or getattr(round.options, q.only_with)):
            counts = {player: _count_of(round.cells, player, q.key) for player in round.players}
            yield PlayerCounts(q.key, q.label, q.maximum, counts)


def _count_of(cells: Mapping[str, Any], player: str, key: str) -> int:
    """Return a player's count; 0 if the cell doesn't contain a number."""
    count = whole_typed(str(cells.get(f"players-{player}-{key}")))
    return count if isinstance(count, int) else 0
