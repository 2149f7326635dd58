"""The hand that is being played, as everybody at the table may know it: who deals, whose turn it is, what lies there.

Nothing of any hand is in it, so it may be shown on every phone and on a screen that all see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from companion.engine.deal import LastTurn, LastTurns
from companion.engine.entry import Question, questions_of
from companion.engine.game import AnyGame, seated, turn_order
from companion.engine.messages import Message
from companion.engine.options import options_of
from companion.store import hand_in_play as store
from companion.store import ledger, play
from companion.store.drafts import draft_of
from companion.store.hand_in_play import ASKED_BACK, LOT, ORDER, TURN
from companion.store.identities import names_of
from companion.store.models import PlaySession

from . import bet_line
from .draft_cells import GAME, is_hand
from .form import as_typed, option_value
from .prefill import enters_bets, players_of

TurnState = Literal["waits", "next", "stay", "drop", "done"]
_POT = "pot"


@dataclass(frozen=True)
class LastTurnOf:
    """A player's last turn after a knock: "waits" for it, is "next", or what was done with it."""

    player: str
    state: TurnState


@dataclass(frozen=True)
class Offer:
    """Something the player in turn may do; it puts `least` to `most` units into the pot (`most` None: no limit)."""

    action: str
    least: int = 0
    most: int | None = 0


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

    @property
    def in_hand(self) -> tuple[str, ...]:
        """Those who have neither folded nor dropped, in turn order."""
        return tuple(player for player in self.order if player not in self.left)

    def offer(self, action: str) -> Offer | None:
        """Give what the player in turn may do of a kind."""
        return next((offer for offer in self.offers if offer.action == action), None)


def knock_question(game: AnyGame) -> Question | None:
    """Find the question of who knocked or called."""
    return next((q for q in questions_of(game.entry) if q.kind == "player" and q.meaning == "knocked"), None)


def drop_question(game: AnyGame) -> Question | None:
    """Find the question of who gave up after a knock; where bets say who folded there is none."""
    replaced = {key for question in questions_of(game.entry) for key in question.instead_of}
    asked = (q for q in questions_of(game.entry) if q.kind == "players" and q.meaning == "left")
    return next((question for question in asked if question.key not in replaced), None)


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


def at_table(session: PlaySession, game: AnyGame) -> AtTable:
    """Tell how the hand of a session's next round stands, played as a game."""
    return table_of(session, game, store.values_of(draft_of(session)))


def table_of(session: PlaySession, game: AnyGame, cells: Mapping[str, Any]) -> AtTable:
    """Tell how a hand stands by the cells of a draft."""
    players, names = tuple(players_of(session, game)), names_of(session)
    last, draft = play.next_dealer(session), draft_of(session)
    dealer = next((one for one in (cells.get("dealer"), last) if one in players), players[-1] if players else None)
    known: dict[str, Any] = {
        "number": play.next_number(session),
        "game": game,
        "mark": store.mark_of(state_of(cells)),
        "players": players,
        "names": names,
        "dealer": dealer,
        "is_chosen": game.key == (cells.get(GAME) or session.game),
        "is_first_deal": last is None,
        "by_lot": bool(cells.get(LOT)) and cells.get(LOT) == dealer,
        "is_shown": draft is not None and draft.shown,
    }
    if dealer is None or len(players) < game.seats[0]:
        return AtTable(**known)
    options = options_in_play(session, game, cells)
    dealt = game.deal(seated(game, options, [names[player] for player in players], names[dealer]))
    pot = ledger.balances(session).get(_POT, 0)
    known |= {
        "deal": dealt.sentences(),
        "order": turn_order(players, dealer, game.direction),
        "pot": pot + dealt.ante * session.stake_units * len(players),
        "counters": _counters(game, options, players, cells),
    }
    known |= _bets(session, game, options, cells, players, names, dealer, pot)
    known |= _knock(game, options, cells, players, names, dealer)
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


def _bets(
    session: PlaySession,
    game: AnyGame,
    options: Any,
    cells: Mapping[str, Any],
    players: Sequence[str],
    names: Mapping[str, str],
    dealer: str,
    pot: int,
) -> dict[str, Any]:
    """Tell how the betting stands; nothing in a game without bets, or where sums are entered."""
    if not has_bets(session, game, cells):
        return {}
    by_name = {names[player]: player for player in players}
    document = {
        "game": game.key,
        "rules": asdict(options),
        "stake": session.stake_units,
        "players": list(by_name),
        "dealer": names[dealer],
        "pot": pot,
    }
    texts = bet_line.parted(str(cells.get("bets") or ""))
    played = bet_line.play(document, texts, game)
    state = played.state
    told: dict[str, Any] = {"has_bets": True, "bets": tuple(played.said), "is_begun": bool(texts)}
    if state is None:
        text = "The bets as entered do not fit; the scorekeeper can correct them"
        return {**told, "problem": Message(text)}
    keys = [question.key for question in bet_line.bets_questions(game)]
    asked_back = cells.get(ASKED_BACK)
    return {
        **told,
        "turn": by_name.get(state["turn"]),
        "pot": state["pot"],
        "paid": {by_name[name]: units for name, units in state["paid"].items()},
        "to_call": bet_line.call_of(state),
        "offers": tuple(map(_offer, state["may"])),
        "is_exchange": state["round"] in keys[1:] and not played.told[state["round"]],
        "asked_back": asked_back if texts and asked_back in players else None,
        "all_in": tuple(by_name[name] for name in state["all_in"]),
        "left": tuple(by_name[name] for name in state["folded"]),
        "is_over": state["over"],
    }


def has_bets(session: PlaySession, game: AnyGame, cells: Mapping[str, Any]) -> bool:
    """Tell whether the bets of this hand are entered one by one."""
    if not bet_line.bets_questions(game):
        return False
    return bool(cells["betting"] == bet_line.ON if "betting" in cells else enters_bets(session, game))


def _offer(allowed: Mapping[str, Any]) -> Offer:
    units = allowed.get("amount", 0)
    return Offer(allowed["action"], allowed.get("least", units), allowed.get("most", units))


def _knock(
    game: AnyGame, options: Any, cells: Mapping[str, Any], players: Sequence[str], names: Mapping[str, str], dealer: str
) -> dict[str, Any]:
    """Tell who knocked and whose turn it is after that; nothing in a game without a knock."""
    question = knock_question(game)
    if question is None:
        return {}
    drops, knocked = drop_question(game), str(cells.get(f"asked-{question.key}") or "")
    dropped = [p for p in players if drops is not None and cells.get(f"players-{p}-{drops.key}") is True]
    told = {"knock_word": question.label, "left": tuple(dropped)}
    if knocked not in players:
        return told
    by_name = {names[player]: player for player in players}
    round = seated(game, options, list(by_name), names[dealer], **{question.key: names[knocked]})
    found = game.last_turns(round) or LastTurns(names[knocked], "knocked")
    turns = _last_turns(knocked, [by_name[name] for name in found.players], cells, dropped, drops is not None)
    following = next((turn.player for turn in turns if turn.state == "next"), None)
    return {
        **told,
        "knocked": knocked,
        "last_turns": turns,
        "last_turn": found.turn if turns else None,
        "knock_sentence": found.sentence(),
        "turn": following,
        "is_begun": True,
        "is_over": following is None,
    }


def _last_turns(
    knocked: str, players: Sequence[str], cells: Mapping[str, Any], dropped: Sequence[str], may_drop: bool
) -> tuple[LastTurnOf, ...]:
    """Tell of each player what was done with the last turn after this knock; a drop is what the round's answer says."""
    had: dict[str, str] = {}
    for player in players:
        who, _, what = str(cells.get(TURN + player) or "").partition(" ")
        told = what if who == knocked else ""
        had[player] = "drop" if player in dropped else "stay" if told == "drop" and may_drop else told
    following = next((player for player in players if not had[player]), None)
    states: dict[str, TurnState] = {"stay": "stay", "drop": "drop", "done": "done"}
    return tuple(
        LastTurnOf(player, states.get(had[player], "next" if player == following else "waits")) for player in players
    )
