"""What others may know of a hand until the hands are shown: its number of cards and their kind, never which they are.

Where all decide at once whether to be in, they don't even know that there is a hand: only who is in enters one. Until
everybody has decided, what was entered about a player on another phone isn't there, but that the player has decided.

The scorekeeper who plays has two pages: the own hand, which others don't look at, and all hands, where they enter
theirs. What was entered on the first lies face down on the second.

Hands are read here and nowhere else. Whatever makes an answer for a phone gets a `Sight` of the round, in which a hand
that another phone entered is a `FaceDown`; so no answer can depend on its cards, whatever the phone asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.engine.pieces.sets import PieceSet
from companion.engine.variants import variants
from companion.games import all_games

from .cells import HAND, IS_IN, KIND, NO_PLAYERS, SECRET, SENT, TABLE, TURNED, Cells, Values, each, values_in, writer_of


@dataclass(frozen=True, slots=True)
class FaceDown:
    """All that others may know of a hand.

    `kind` is that of the game it was entered for, and `size` counts all cards of this kind. Neither depends on the game
    or the deck that somebody asks about: if they did, asking about several would tell which cards they are.
    """

    size: int
    kind: str

    @classmethod
    def of(cls, hand: str, kind: str) -> FaceDown:
        """Count the cards of a typed hand, each as often as the set has it. In an unknown kind, every word counts."""
        pieces = _widest_by_kind().get(kind)
        if pieces is None:
            return cls(len(hand.split()), kind)
        counts = Counter(piece for piece in map(pieces.find, pieces.tokens(hand)) if piece is not None)
        return cls(sum(min(times, pieces.copies.get(piece, 1)) for piece, times in counts.items()), kind)

    def fits(self, kind: str) -> bool:
        """Return whether the hand is one of this kind of cards, and not left over from another game."""
        return self.kind in ("", kind)


@dataclass(frozen=True, slots=True)
class AtOnce:
    """A decision that these players make at once; the question with the key `out` says who is out."""

    out: str
    players: tuple[str, ...]

    def decided(self, cells: Cells) -> frozenset[str]:
        """Return who has decided, in or out, whichever it is."""
        return frozenset(player for player in self.players if self._has_decided(cells.get(player, {})))

    def is_made(self, cells: Cells) -> bool:
        """Return whether everybody has decided."""
        return self.decided(cells).issuperset(self.players)

    def _has_decided(self, asked: Mapping[str, Any]) -> bool:
        return any(asked[key][0] for key in (self.out, IS_IN) if key in asked)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a phone may see of the round being entered.

    `cells` are the values entered, without the hands that lie face down on this phone: those of `down`. `hands` is what
    everybody may know of each player's hand. `is_shown`: the hands were revealed. All phones save the round under
    `key`, which is None before anything was entered. Where all decide at once whether to be in, `decided` are those who
    have; as long as some are `undecided`, what `cells` and `hands` say of a player was entered on this phone. `secret`
    are those of whom anything was entered in such a game: this stays so if the table then plays another game, but for
    the keys of what is entered openly in that one.
    """

    cells: Values = field(default_factory=dict)
    hands: Mapping[str, FaceDown] = field(default_factory=dict)
    down: frozenset[str] = frozenset()
    is_shown: bool = False
    key: str | None = None
    decided: frozenset[str] = frozenset()
    undecided: tuple[str, ...] = ()
    secret: Mapping[str, frozenset[str]] = field(default_factory=dict)


def see(
    cells: Cells,
    device: str | None,
    *,
    is_shown: bool,
    is_own: bool = False,
    key: str | None = None,
    at_once: AtOnce | None = None,
) -> Sight:
    """Return what a device may see: once the hands are shown, all those that were turned over, and everything else.

    Before that, it sees of the hands those that were entered on it, and so it does of hands that weren't turned over;
    those of its page for the own hand only there (`is_own`). Having taken the player's seat isn't enough: somebody
    could take a seat just to look. Without a device, return what everybody may see. `at_once` is the decision of the
    game at the table, whichever game somebody asks about.
    """
    writers = {writer_of(device, is_own=own) for own in {False, is_own}} if device is not None else ()
    decided = at_once.decided(cells) if at_once is not None else frozenset[str]()
    undecided = () if at_once is None or is_shown else tuple(p for p in at_once.players if p not in decided)

    marks = {owner: str(asked[SECRET][0]).split() for owner, asked in cells.items() if SECRET in asked}
    secret = {owner: frozenset(keys) for owner, (_, *keys) in ((o, mark) for o, mark in marks.items() if mark)}

    def is_unknown(owner: str, key: str) -> bool:
        is_secret = bool(undecided) if at_once is not None else owner in secret and key not in secret[owner]
        return is_secret and owner not in NO_PLAYERS

    turned = str(cells[TABLE][TURNED][0]).split(".") if TURNED in cells.get(TABLE, {}) else None

    def is_hidden(owner: str, key: str, other: str | None) -> bool:
        if other in writers:
            return False
        if is_shown:
            return key == HAND and turned is not None and owner not in turned
        return key == HAND or is_unknown(owner, key)

    values = {
        owner: {key: value for key, (value, other) in asked.items() if not is_hidden(owner, key, other)}
        for owner, asked in cells.items()
    }
    typed = {player: asked for player, asked in cells.items() if HAND in asked}
    hidden = {player for player, asked in typed.items() if is_hidden(player, HAND, asked[HAND][1])}
    hands = {
        player: _face_down(asked)
        for player, asked in typed.items()
        if not (player in hidden and is_unknown(player, HAND))
    }
    down = frozenset(player for player in hidden & hands.keys() if hands[player].size)
    return Sight(values, hands, down, is_shown, key, decided, undecided, secret)


def told_to_all(cells: Cells, at_once: AtOnce) -> tuple[object, ...]:
    """Return all that everybody may know of a draft in a game in which all decide at once, before hands are shown."""
    sight = see(cells, None, is_shown=False, at_once=at_once)
    known = frozenset((owner, key, value) for owner, key, value in each(sight.cells) if key != SENT)
    return known, sight.hands, sight.decided


def _face_down(asked: Mapping[str, Any]) -> FaceDown:
    kind, _ = asked.get(KIND, ("", ""))
    return FaceDown.of(str(asked[HAND][0]), kind)


def of_table(cells: Cells) -> Values:
    """Return what a draft's cells say of the table, which is no hand."""
    return values_in({TABLE: cells.get(TABLE, {})})


def with_kinds(changes: Values, kind: str) -> Values:
    """Add to typed cells the kind of cards in which the hands among them were typed."""
    return {owner: {**asked, KIND: kind} if HAND in asked else asked for owner, asked in changes.items()}


def kind_of(pieces: PieceSet[Any]) -> str:
    """Return the kind of a set of cards or tiles; "" if it is empty.

    Sets of one kind differ only in that one has more pieces.
    """
    return str(_widest(pieces).pieces[0].text) if pieces.pieces else ""


@cache
def _widest(pieces: PieceSet[Any]) -> PieceSet[Any]:
    """Return the largest set of any game that has all the pieces of this one."""
    return max((pieces, *(other for other in all_sets() if _texts(other) >= _texts(pieces))), key=len)


@cache
def _widest_by_kind() -> dict[str, PieceSet[Any]]:
    return {kind_of(pieces): _widest(pieces) for pieces in all_sets()}


@cache
def all_sets() -> tuple[PieceSet[Any], ...]:
    """Return each set of cards or tiles that a game may be played with."""
    games = (game for game in all_games().values() if game.has_hands)
    sets = (game.pieces(options) for game in games for _, options in variants(game))
    return tuple({id(pieces): pieces for pieces in sets}.values())


def _texts(pieces: PieceSet[Any]) -> frozenset[str]:
    return frozenset(piece.text for piece in pieces.pieces)
