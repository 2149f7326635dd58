"""The hand that is being played, as everybody at the table may know it: who deals, whose turn it is, what lies there.

Nothing of any hand is in it, so it may be shown on every phone and on a screen that all see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.deal import LastTurn
from companion.engine.entry import Question, questions_of
from companion.engine.game import AnyGame, seated, turn_order
from companion.engine.messages import Message
from companion.engine.options import options_of
from companion.store import hand_in_play as store
from companion.store.before_round import BeforeRound
from companion.store.drafts import draft_of
from companion.store.hand_in_play import ASKED_BACK, LOT, ORDER, TURN
from companion.store.identities import names_of
from companion.store.models import PlaySession

from .betting import Offer, betting_of
from .draft_cells import GAME, is_hand
from .form import as_typed, option_value
from .last_turns import LastTurnOf, knock_of
from .prefill import players_of


@dataclass(frozen=True)
class Counter:
    """A count that players keep while the hand is played, such as the cards they drew; by player, 0 where none."""

    key: str
    label: str
    maximum: int
    counts: Mapping[str, int]


@dataclass(frozen=True)
class AtTable:
    """How the hand that is being played stands. Players are their ids, amounts are units, sentences have names.

    `is_chosen` tells that all phones know this game to be the next one. `number` is the line that the round will be,
    `mark` stands for this state: whoever acts says which one was seen.
    `players` are in seat order, `order` is the turn order, with the dealer last. `is_first_deal`: nobody has dealt yet
    tonight, so a dealer may be drawn by lot; `by_lot`: that was done. `deal` are the sentences of the deal guide.

    `turn` is whose turn it is, in the betting or after a knock, as far as the phones are told; else None. `pot` has
    what was carried into the round, the antes and the bets.

    Betting: `has_bets` in a game with bets that are entered one by one. `paid` is what each has put in, with the ante;
    `to_call` what the player in turn must add to stay; `offers` what that player may do; `bets` what was done, in
    words; `is_exchange` while nobody has bet after the exchange. `asked_back` is who asks to undo the last action.

    Knock: `knock_word` is what it is called ("" in a game without), `knocked` who did, `last_turns` who has a turn
    after it, in order, `last_turn` what may be done in it, `knock_sentence` says it all.

    `is_begun` tells that somebody bet or knocked, `is_on_phones` that this was told from the table, not on the round's
    own page. `left` are those who folded or dropped, `is_over` tells that play has ended, so that everyone shows;
    `is_shown`, that all hands are turned up. `problem` says why nothing can be done at the moment.
    """

    number: int
    game: AnyGame
    mark: str
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
    last_turns: tuple[LastTurnOf, ...] = ()
    last_turn: LastTurn | None = None
    knock_sentence: Message | None = None
    left: tuple[str, ...] = ()
    counters: tuple[Counter, ...] = ()
    is_begun: bool = False
    is_on_phones: bool = False
    is_over: bool = False
    is_shown: bool = False
    problem: Message | None = None

    def offer(self, action: str) -> Offer | None:
        """Give what the player in turn may do of a kind."""
        return next((offer for offer in self.offers if offer.action == action), None)


def state_of(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Pick the cells that say how the hand stands, which an action depends on: no hand, no count."""
    return {
        cell: value
        for cell, value in cells.items()
        if cell in ("dealer", "bets", "betting", ASKED_BACK)
        or cell.startswith(("asked-", TURN))
        or (cell.startswith("players-") and value is True)
    }


def shown_mark(cells: Mapping[str, Any]) -> str:
    """Give a mark of all that a phone shows of the hand: how it stands, and the counts."""
    answers = {cell: value for cell, value in cells.items() if cell.startswith("players-") and not is_hand(cell)}
    return store.mark_of({**state_of(cells), **answers})


def at_table(session: PlaySession, game: AnyGame, before: BeforeRound | None = None) -> AtTable:
    """Tell how the hand of a session's next round stands, played as a game."""
    return table_of(session, game, store.values_of(draft_of(session)), before)


def table_of(
    session: PlaySession, game: AnyGame, cells: Mapping[str, Any], before: BeforeRound | None = None
) -> AtTable:
    """Tell how a hand stands by the cells of a draft."""
    before = before or BeforeRound(session)
    draft, names, players = draft_of(session), names_of(session), tuple(players_of(session, game))
    dealer = next(
        (one for one in (cells.get("dealer"), before.dealer) if one in players), players[-1] if players else None
    )
    known: dict[str, Any] = {
        "number": before.number,
        "game": game,
        "mark": store.mark_of(state_of(cells)),
        "players": players,
        "names": names,
        "dealer": dealer,
        "is_chosen": game.key == (cells.get(GAME) or session.game),
        "is_first_deal": before.dealer is None,
        "by_lot": bool(cells.get(LOT)) and cells.get(LOT) == dealer,
        "is_shown": draft is not None and draft.shown,
    }
    if dealer is None or len(players) < game.seats[0]:
        return AtTable(**known)
    options = options_in_play(session, game, cells)
    dealt = game.deal(seated(game, options, [names[player] for player in players], names[dealer]))
    known |= {
        "deal": dealt.sentences(),
        "order": turn_order(players, dealer, game.direction),
        "pot": before.pot + dealt.ante * session.stake_units * len(players),
        "counters": _counters(game, options, players, cells),
    }
    known |= betting_of(before, session.stake_units, game, options, cells, players, names, dealer)
    known |= knock_of(game, options, cells, players, names, dealer)
    order = str(cells.get(ORDER) or "")
    known |= {"is_begun": bool(order or known.get("is_begun")), "is_on_phones": bool(order)}
    if order and order != ".".join(players):
        known |= {"turn": None, "offers": (), "problem": _moved(order.split("."), players, names)}
    return AtTable(**known)


def _moved(before: Sequence[str], players: Sequence[str], names: Mapping[str, str]) -> Message:
    """Say that the seats are no more those of the hand, and what to do."""
    gone = tuple(names[player] for player in before if player not in players and player in names)
    if gone:
        text = "{players} left the table during this hand. Let them back in under People, or start the hand over."
        return Message(text, players=gone)
    return Message("The seats were changed during this hand. Put them back under People, or start the hand over.")


def options_in_play(session: PlaySession, game: AnyGame, cells: Mapping[str, Any]) -> Any:
    """Give the house rules of the hand: those of the night, with what was changed for this round."""
    chosen, rules = {}, as_typed(session.rules.get(game.key, {}))
    for option in options_of(game.options):
        given = cells.get(f"rules-{option.key}", rules.get(option.key))
        value = option_value(option, given)
        if given is not None and option.accepts(value):
            chosen[option.key] = value
    options = game.options(**chosen)
    return game.options() if any(game.check_options(options)) else options


def counted(game: AnyGame, options: Any) -> list[Question]:
    """List the questions of a game that count something while it is played, under these house rules."""
    return [
        question
        for question in questions_of(game.entry)
        if question.kind == "counts" and (not question.only_with or getattr(options, question.only_with))
    ]


def _counters(game: AnyGame, options: Any, players: Sequence[str], cells: Mapping[str, Any]) -> tuple[Counter, ...]:
    return tuple(
        Counter(q.key, q.label, q.maximum, {player: count_of(cells, player, q.key) for player in players})
        for q in counted(game, options)
    )


def count_of(cells: Mapping[str, Any], player: str, key: str) -> int:
    """Read a player's count; what is no number counts as none."""
    text = str(cells.get(f"players-{player}-{key}") or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
