"""What each line of the log moves, and how changing an early line affects the later ones. Writes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from companion.contract import read_round
from companion.engine.absent import AbsentGame, is_bookable
from companion.engine.game import AnyGame, AnyRound
from companion.engine.messages import Message
from companion.engine.money.pots import share, share_by_weight
from companion.engine.money.settlement import POT, Reason, Settlement, Transfer
from companion.engine.players import PlayerKey
from companion.engine.problems import Problem
from companion.engine.questions.kept import kept_question
from companion.games import all_games, game_of, is_key

BANK = "bank"
_APART = "/"  # in an account's key, before the currency of costs that are settled apart from the games
APART_ACCOUNTS = f"%{_APART}%"  # the pattern of their keys
_REMEMBERED = 128  # rounds, some 20 kB each
REBUY, CHIP_COUNT = "rebuy", "count"  # movements of a night with stacks, see `stacks`
POT_MOVE = "pot"  # into or out of the pot outside a round, such as a fine or a forgotten ante
COST = "cost"  # what a player paid for others, such as a pizza
MAX_WEIGHT = 99  # of one who shares a cost
OWED_BACK = ("loan", "buy-in", COST)  # movements that nobody wins or loses by
MOVES_CHIPS = (POT_MOVE, "split", REBUY, CHIP_COUNT)  # movements on the table; the others are debts
MOVEMENTS = (*OWED_BACK, "side-bet", POT_MOVE, "split", REBUY, CHIP_COUNT)  # what a line is that isn't a round
Document = dict[str, Any]
Account = TypeVar("Account")  # an account by key or id
Kept = Mapping[str, Mapping[str, int]]  # by game, the points that players keep over its rounds. Rule: KR-14


class Unsettled(Exception):  # noqa: N818
    """A stored round the contract no longer accepts: its pot has changed, or the document was tampered with."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)


class Move(NamedTuple):
    """Units from one account to another. Accounts are keys: a player's id, "pot" or "bank"."""

    giver: str
    taker: str
    amount: int
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class LineEntry:
    """A line's current or new content; a voided one moves nothing.

    `booked` is what a stored round moves whose game isn't installed here, so that it can't be settled again.
    """

    number: int
    document: Document
    voided: bool = False
    booked: tuple[Move, ...] | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A stored round, with its game and its settlement."""

    game: AnyGame
    round: AnyRound
    settlement: Settlement


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an entry, given the pot before it; if `entry` is a round, its document now contains that pot.

    So it does the points kept from earlier rounds, if it keeps any; `kept_after` are those of all games after it.
    `settled` is None if the entry is voided or isn't a round.
    """

    entry: LineEntry
    moves: tuple[Move, ...]
    pot_before: int
    pot_after: int
    settled: Settled | None = None
    kept_after: Kept = field(default_factory=dict)


def is_round(document: Mapping[str, Any]) -> bool:
    """Return whether the document is a round rather than another movement."""
    return "movement" not in document


def played_as(document: Mapping[str, Any]) -> tuple[AnyGame, Any]:
    """Return the game and the house rules of a stored round."""
    game = game_of(document["game"])
    return game, game.options(**document.get("rules", {}))


def moves_chips(document: Mapping[str, Any]) -> bool:
    """Return whether an entry moves chips on the table, as opposed to a debt, which is paid at the end of the night."""
    return is_round(document) or document["movement"] in MOVES_CHIPS


def is_of_pot(giver: str, taker: str) -> bool:
    """Return whether units between two accounts go from a player into the pot, or back."""
    return POT in (giver, taker) and BANK not in (giver, taker)


def account_of(player: str, currency: str | None) -> str:
    """Return a player's account: that of the games, or with a currency the one for costs settled apart from them."""
    return f"{player}{_APART}{currency}" if currency else player


def parts_of_account(key: str) -> tuple[str, str | None]:
    """Return whose account it is, and the currency of the costs it is for; None if it is that of the games."""
    player, _, currency = key.partition(_APART)
    return player, currency or None


def is_of_games(key: str) -> bool:
    """Return whether an account is one of the games, rather than for costs apart from them."""
    return _APART not in key


def nets(moves: Iterable[tuple[Account, Account, int]]) -> Counter[Account]:
    """Return what each account gains or loses by moves, each given as (giver, taker, units)."""
    units: Counter[Account] = Counter()
    for giver, taker, amount in moves:
        units[giver] -= amount
        units[taker] += amount
    return units


def replay(entries: Iterable[LineEntry], pot: int, kept: Kept) -> Iterator[Outcome]:
    """Work out the entries one after another, carrying the pot and the points kept along. Rule: C-6, KR-14.

    A movement may leave a negative pot; callers must check `pot_after`.
    """
    for entry in entries:
        outcome = work_out(entry, pot, kept)
        yield outcome
        pot, kept = outcome.pot_after, outcome.kept_after


def work_out(entry: LineEntry, pot: int, kept: Kept | None = None) -> Outcome:
    """Work out what one entry moves, given the pot before it; raises Unsettled if a round can't be settled with it.

    `kept` are the points kept before it; without them, they are those in its document.
    """
    document, settled_round = entry.document, None
    moves: tuple[Move, ...] = ()
    if is_round(document):
        document = {**document, "pot": pot}
        document = document if kept is None else with_kept(document, kept)
    if not entry.voided and is_round(document):
        settled_round = settled(document) if entry.booked is None else as_booked(entry.document, entry.booked, pot)
        moves = tuple(
            Move(t.giver, t.taker, t.amount, t.reason.key, t.rule) for t in settled_round.settlement.transfers
        )
    elif not entry.voided:
        moves = tuple(_movement(document, pot))
    after = pot + sum(move.amount * ((move.taker == POT) - (move.giver == POT)) for move in moves)
    written = LineEntry(entry.number, document, entry.voided)
    return Outcome(written, moves, pot, after, settled_round, _kept_after(kept or {}, settled_round))


def keeps(document: Mapping[str, Any]) -> str | None:
    """Return the answer that has the points kept before a round; None if its house rules keep none. Rule: KR-14."""
    key: Any = document.get("game")
    rules = document.get("rules", {})
    if not is_key(key) or key not in all_games() or not isinstance(rules, Mapping):
        return None
    question = kept_question(all_games()[key], rules)
    return question.key if question is not None else None


def with_kept(document: Document, kept: Kept) -> Document:
    """Return a round's document with the points that its players have kept before it, if it keeps any.

    A document from a file may be anything; what is wrong with it is found when it is settled.
    """
    key, players, answers = keeps(document), document.get("players"), document.get("round")
    if key is None or not isinstance(players, list) or not isinstance(answers, Mapping):
        return document
    points = kept.get(document["game"], {})
    return {**document, "round": {**answers, key: {p: points[p] for p in points if p in players and points[p]}}}


def _kept_after(kept: Kept, settled_round: Settled | None) -> Kept:
    """Return the points after a round; who doesn't play keeps theirs until somebody has the total."""
    if settled_round is None or settled_round.settlement.kept is None:
        return kept
    of_round = settled_round.settlement.kept
    before = {} if of_round.is_over else kept.get(settled_round.game.key, {})
    return {**kept, settled_round.game.key: {**before, **of_round.closing}}


def settled(document: Document) -> Settled:
    """Settle a stored round document; raises Unsettled if it is no longer valid.

    The newest rounds are remembered: a round is settled when it is saved, and not again to be shown.
    """
    return _settled(json.dumps(document))


@lru_cache(maxsize=_REMEMBERED)
def _settled(written: str) -> Settled:
    entered = read_round(json.loads(written), are_keys=True)
    settlement = entered.settlement()
    if entered.game is None or entered.round is None or settlement is None:
        raise Unsettled(entered.problems)
    return Settled(entered.game, entered.round, settlement)


def is_absent(document: Mapping[str, Any]) -> bool:
    """Return whether the document is a round of a game that isn't installed here."""
    return is_round(document) and is_key(document["game"]) and document["game"] not in all_games()


def as_booked(document: Document, moves: Sequence[Move], pot: int | None = None) -> Settled:
    """Return a stored round of a game that isn't installed as its moves settled it.

    Raises Unsettled if another pot comes before it now, or if its moves aren't between its players and the pot.
    """
    game, before = AbsentGame(document["game"]), document["pot"]
    values = {"game": game.name, "pot": before, "left": before if pot is None else pot}
    text = ""
    if values["left"] != before:
        text = "{game} isn't installed here, so a round of it can't be settled again with a pot of {left} for {pot}"
    elif not is_bookable(document["players"], before, [move[:3] for move in moves]):
        text = "{game} isn't installed here, and its round moves more than its players and the pot have"
    if text:
        raise Unsettled([Problem("game", "unknown-game", Message(text, **values))])
    known = {reason.key: reason for installed in all_games().values() for reason in installed.reasons}
    keys = {player: PlayerKey(player) for player in document["players"]} | {POT: POT}
    transfers = [
        Transfer(keys[giver], keys[taker], units, known.get(reason, Reason(reason)), rule, Message("as booked"))
        for giver, taker, units, reason, rule in moves
    ]
    players = [keys[player] for player in document["players"]]
    round, settlement = game.as_booked(players, keys[document["dealer"]], before, transfers)
    return Settled(game, round, settlement)


def debts_of(document: Document) -> Iterator[Move]:
    """Yield what a movement other than a split makes its accounts owe each other."""
    yield from _movement(document, 0)


def _movement(document: Document, pot: int) -> Iterator[Move]:
    """Yield the moves of a movement: from one account to another, or to the payer of a cost from those who share it.

    A split moves the pot to the players of the last round. A rebuy moves nothing: its player gets chips for the money.
    """
    kind = document["movement"]
    if kind == "split":
        # C-6: the pot is split evenly among the players of the last round, given in turn order
        for player, part in share(pot, document["players"]).items():
            if part:
                yield Move(POT, player, part, kind, "C-6")
    elif kind == COST:
        payer, currency = document["by"], document.get("currency")
        for player, part in share_by_weight(document["amount"], dict(document["shares"]), payer).items():
            if part and player != payer:
                yield Move(account_of(player, currency), account_of(payer, currency), part, kind, "C-14")
    elif kind != REBUY:
        yield Move(document["from"], document["to"], document["amount"], kind, "C-2")
