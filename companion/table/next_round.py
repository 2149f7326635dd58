"""The round at hand, by what the night knows and phones have entered: its game, players, dealer, rules and bets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey
from companion.engine.questions.kept import kept_question
from companion.engine.variants import usable_options

from . import bets
from .bets import BETS_ENTERED, PlayedBets
from .cells import (
    BETS,
    BETS_ORDER,
    BETTING,
    CALLED,
    DEALER,
    DEALT,
    GAME,
    KEEPER_SEAT,
    KIND,
    LOT,
    ORDER,
    PLAYERS,
    RULES,
    SENT,
    STAKE,
    TABLE,
    Values,
    each,
    value,
)
from .sight import FaceDown, Sight, kind_of

# what is entered before a hand, or says nothing about it
_BEFORE_HAND = (GAME, CALLED, DEALER, LOT, SENT, BETTING, KIND, STAKE, PLAYERS, KEEPER_SEAT)


class RoundBefore(Protocol):
    """The round before, even if it is voided."""

    @property
    def game(self) -> str: ...
    @property
    def document(self) -> Mapping[str, Any]: ...


class Before(Protocol):
    """What is known of a night before its next round.

    `number` is that of the line that the round will become, `game` is set as the night's next one. `seated` are all who
    have sat there, `present` those in this round, in seat order. `in_front` are the chips in front of the players, None
    in a night without stacks; amounts are in units. `dealer` is whose turn it is to deal, None before the first round;
    `dealers` are all who have sat there, in the order in which they deal next.
    `called` is what the table called the game of the round before, "" if that had a name of its own. `dealer_chooses`:
    tonight the game is the dealer's choice.
    """

    @property
    def number(self) -> int: ...
    @property
    def game(self) -> str: ...
    @property
    def seated(self) -> Sequence[PlayerKey]: ...
    @property
    def present(self) -> Sequence[PlayerKey]: ...
    @property
    def pot(self) -> int: ...
    @property
    def in_front(self) -> Mapping[str, int] | None: ...
    @property
    def dealer(self) -> PlayerKey | None: ...
    @property
    def dealers(self) -> Sequence[PlayerKey]: ...
    @property
    def last(self) -> RoundBefore | None: ...
    @property
    def called(self) -> str: ...
    @property
    def dealer_chooses(self) -> bool: ...
    def stake(self, game: str) -> int:
        """Return the units of a stake in a game, from the next hand on."""
        ...

    def rules(self, game: str) -> Mapping[str, Any]:
        """Return a game's house rules tonight."""
        ...

    def kept(self, game: str) -> Mapping[str, int]:
        """Return the points that players have kept in a game, by player. Rule: KR-14."""
        ...


B = TypeVar("B", bound=Before, covariant=True)


def who_plays(before: Before, game: AnyGame, cells: Values) -> list[PlayerKey]:
    """Return who plays a hand of those who are present, in seat order; no more than the game allows.

    Once a hand is dealt, those who came since aren't in it, as long as the others still sit as they did. Of too many
    those play whom the table chose, or who played the last round of the game; then who deals, and who deals next.
    """
    of_bets = value(cells, TABLE, BETS_ORDER) if value(cells, TABLE, BETS) else ""
    dealt, _, players = str(value(cells, TABLE, DEALT)).partition(" ")
    began = str(value(cells, TABLE, ORDER) or of_bets or (players if dealt == game.key else "")).split(".")
    present, most = before.present, game.seats[1]
    still = [player for player in present if player in began]
    if still == began and len(still) <= most:  # they may be looked at on a page of another game
        return still
    if len(present) <= most:
        return list(present)
    playing = by_choice(before, game, cells)[-most:]
    return [player for player in present if player in playing]


def by_choice(before: Before, game: AnyGame, cells: Values) -> list[PlayerKey]:
    """Return those who are present for a game that not all can play: who is to play before all others comes last."""
    last = before.last
    if chosen := value(cells, TABLE, PLAYERS):
        wanted = str(chosen).split(".")
    else:
        wanted = last.document["players"] if last is not None and last.game == game.key else []
    in_turn = dict.fromkeys([*(player for player in before.dealers if player in before.present), *before.present])
    others = [player for player in reversed(in_turn) if player not in wanted]
    return [*others, *(player for key in wanted for player in before.present if player == key)]


class NextRound(Generic[B]):
    """A night's next round, if it is played as this game, as somebody may see it: the player `me`, None for others.

    Each value is worked out when it is first used. Who needs one makes it and passes it on, so that nothing is worked
    out twice; after a change, a new one is made.
    """

    def __init__(self, before: B, game: AnyGame, sight: Sight, me: PlayerKey | None = None) -> None:
        self.before = before
        self.game = game
        self.sight = sight
        self.me = me

    @property
    def is_begun(self) -> bool:
        """Whether phones have entered anything."""
        return self.sight.key is not None

    @property
    def is_shown(self) -> bool:
        """Whether the hands have been revealed."""
        return self.sight.is_shown

    @property
    def key(self) -> str | None:
        """The key under which all phones save the round; None before the first of it was entered."""
        return self.sight.key

    @property
    def cells(self) -> Values:
        """What was entered, whichever phone wrote it, without the hands that lie face down here."""
        return self.sight.cells

    def entered(self, owner: str, question: str) -> Any:
        """Return what was entered in one cell; "" if nothing was."""
        return value(self.cells, owner, question)

    @property
    def hands(self) -> Mapping[str, FaceDown]:
        """What everybody may know of the hands entered so far, by player."""
        return self.sight.hands

    @property
    def down(self) -> frozenset[str]:
        """The players whose hand lies face down here."""
        return self.sight.down

    @property
    def undecided(self) -> tuple[str, ...]:
        """Who hasn't decided yet, where all decide at once whether to be in; until then no decision is known."""
        return self.sight.undecided

    @property
    def decided(self) -> frozenset[str]:
        """Who has decided, where all decide at once whether to be in."""
        return self.sight.decided

    @property
    def kind(self) -> str:
        """The kind of cards or tiles that the round is played with."""
        return kind_of(self.game.pieces(self.options))

    @cached_property
    def players(self) -> list[PlayerKey]:
        """The players in seat order; no more than the game allows. Who joins in the middle of a hand sits it out."""
        return who_plays(self.before, self.game, self.cells)

    def player(self, key: object) -> PlayerKey | None:
        """Return the player of this round with a key, as a cell has it; None if there is none."""
        return next((player for player in self.players if player == key), None)

    @property
    def my_seat(self) -> int | None:
        """The seat of the player who sees this; None without one, or if that player sits this round out."""
        return self.players.index(self.me) if self.me in self.players else None

    @cached_property
    def stake(self) -> int:
        """The units of a stake in this hand. A stake set while it was being played counts from the next. Rule: C-1."""
        game, _, units = str(self.entered(TABLE, STAKE)).partition(" ")
        return int(units) if game == self.game.key else self.before.stake(self.game.key)

    @property
    def played_game(self) -> str:
        """The key of the game that is set as the next one for all phones, whichever this page is about."""
        return str(self.entered(TABLE, GAME) or self.before.game)

    @property
    def called(self) -> str:
        """What the table calls this game: what it entered, else the name of the last round's; "" if it has a name."""
        return str(self.entered(TABLE, CALLED) or self.before.called) if self.game.is_named else ""

    @property
    def is_dealt(self) -> bool:
        """Whether anything of the hand itself is known to be entered, such as a card, a bet or a knock."""
        entered = (cell for cell in each(self.cells) if cell[0] != RULES and cell[1] not in _BEFORE_HAND)
        is_any_in = any(hand.size for hand in self.hands.values())
        return is_any_in or bool(self.decided) or any(value for *_, value in entered)

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """The house rules in force tonight."""
        return self.before.rules(self.game.key)

    @cached_property
    def options(self) -> Any:
        """The hand's house rules: the night's, with this round's changes; defaults if they contradict each other."""
        changed = self.cells.get(RULES, {})
        of_round = {o.key: _as_value(o.kind, changed[o.key]) for o in self.game.house_rules if o.key in changed}
        return usable_options(self.game, {**self.rules, **of_round})

    @cached_property
    def kept(self) -> Mapping[str, int]:
        """The points kept from earlier rounds, by player; none where each round is paid. Rule: KR-14."""
        is_played = kept_question(self.game, asdict(self.options)) is not None
        return self.before.kept(self.game.key) if is_played else {}

    @cached_property
    def dealer(self) -> PlayerKey | None:
        """The player who deals this hand; None if nobody plays."""
        chosen = map(self.player, (self.entered(TABLE, DEALER), *self.before.dealers))
        return next(filter(None, chosen), self.players[-1] if self.players else None)

    @cached_property
    def bets(self) -> PlayedBets | None:
        """The bets entered so far; None if this hand's aren't entered one by one, or if nobody plays."""
        if not self.has_bets or self.dealer is None:
            return None
        document = {
            "game": self.game.key,
            "rules": asdict(self.options),
            "stake": self.stake,
            "players": self.players,
            "dealer": self.dealer,
            "pot": self.before.pot,
        }
        return bets.play(document, bets.split(self.entered(TABLE, BETS)), self.game, self.before.in_front)

    @property
    def _last(self) -> Mapping[str, Any] | None:
        """The answers and hands of the last round; None if it was another game."""
        last = self.before.last
        return last.document["round"] if last is not None and last.game == self.game.key else None

    @property
    def has_bets(self) -> bool:
        """Whether bets are entered one by one: the default, unless the last round of this game had totals."""
        betting_rounds = self.game.betting_rounds
        if betting_rounds and BETTING in self.cells.get(TABLE, {}):
            return bool(self.entered(TABLE, BETTING) == BETS_ENTERED)
        return bool(betting_rounds) if self._last is None else any(self._last.get(q.key) for q in betting_rounds)

    @property
    def way(self) -> str:
        """The question that replaced hands in the last round; "" if cards were entered, or in another game."""
        return "" if self._last is None else word_in(self._last, self.game)


def _as_value(kind: str, entered: Any) -> object:
    """Convert a house rule as it was entered: a number is a text; one that can't be read stays so, and isn't used."""
    return int(entered) if kind == "integer" and str(entered).isascii() and str(entered).isdigit() else entered


def word_in(entry: Mapping[str, Any], game: AnyGame) -> str:
    """Return the question that replaces hands in a stored round; "" if it has hands."""
    if any(entry.get("hands", {}).values()):
        return ""
    return next((q.key for q in game.questions if q.replaces_hands and entry.get(q.key)), "")
