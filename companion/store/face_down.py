"""What others may know of a hand until the hands are shown: its number of cards and their kind, never which they are.

Hands are read here and nowhere else. Whatever makes an answer for a phone gets a `Sight` of the draft, in which a hand
that another phone entered is a `FaceDown`; so no answer can depend on its cards, whatever the phone asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.engine.pieces import PieceSet
from companion.engine.variants import variants
from companion.games import all_games

KIND = "kind-"  # of a cell, followed by a player's id: the kind of cards that this player's hand was entered in
_PLAYER, _HAND = "players-", "-hand"


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
        found = Counter(piece for piece in map(pieces.find, pieces.tokens(hand)) if piece is not None)
        return cls(sum(min(times, pieces.copies.get(piece, 1)) for piece, times in found.items()), kind)

    def fits(self, kind: str) -> bool:
        """Return whether the hand is one of this kind of cards, and not left over from another game."""
        return self.kind in ("", kind)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a phone may see of a draft.

    `cells` are the values of its cells, without the hands that lie face down on this phone: those of `down`. `hands` is
    what everybody may know of each hand. Players are ids.
    """

    cells: Mapping[str, Any] = field(default_factory=dict)
    hands: Mapping[str, FaceDown] = field(default_factory=dict)
    down: frozenset[str] = frozenset()


def see(cells: Mapping[str, Any], device: str | None, *, is_shown: bool) -> Sight:
    """Return what a device may see of a draft's cells (name → [value, device]): once the hands are shown, all of them.

    Before that, it sees of the hands those that were entered on it. Having taken the player's seat isn't enough:
    somebody could take a seat just to look. Without a device, return what everybody may see.
    """
    typed_on = {cell: typed_on for cell, (_, typed_on) in cells.items() if is_hand(cell)}
    hidden = set() if is_shown else {cell for cell, other in typed_on.items() if other != device or device is None}
    hands = {_player_of(cell): _face_down(cells, cell) for cell in typed_on}
    down = frozenset(player for player in map(_player_of, hidden) if hands[player].size)
    return Sight({cell: value for cell, (value, _) in cells.items() if cell not in hidden}, hands, down)


def _face_down(cells: Mapping[str, Any], cell: str) -> FaceDown:
    kind, _ = cells.get(KIND + _player_of(cell), ("", ""))
    return FaceDown.of(str(cells[cell][0]), kind)


def hand_cell(player: str) -> str:
    """Return the cell with a player's hand."""
    return f"{_PLAYER}{player}{_HAND}"


def is_hand(cell: str) -> bool:
    """Return whether a cell is a hand."""
    return cell.startswith(_PLAYER) and cell.endswith(_HAND)


def _player_of(cell: str) -> str:
    return cell.removeprefix(_PLAYER).removesuffix(_HAND)


def with_kinds(cells: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Add to typed cells the kind of cards in which the hands among them were typed."""
    return {**cells, **{KIND + _player_of(cell): kind for cell in cells if is_hand(cell)}}


def kind_of(pieces: PieceSet[Any]) -> str:
    """Return the kind of a set of cards or tiles. Sets of one kind differ only in that one has more pieces."""
    return str(_widest(pieces).pieces[0].text)


@cache
def _widest(pieces: PieceSet[Any]) -> PieceSet[Any]:
    """Return the largest set of any game that has all the pieces of this one."""
    return max((pieces, *(one for one in all_sets() if _texts(one) >= _texts(pieces))), key=len)


@cache
def _widest_by_kind() -> dict[str, PieceSet[Any]]:
    return {kind_of(pieces): _widest(pieces) for pieces in all_sets()}


@cache
def all_sets() -> tuple[PieceSet[Any], ...]:
    """Return each set of cards or tiles that a game may be played with."""
    sets = (game.pieces(options) for game in all_games().values() for _, options in variants(game))
    return tuple({id(one): one for one in sets}.values())


def _texts(pieces: PieceSet[Any]) -> frozenset[str]:
    return frozenset(piece.text for piece in pieces.pieces)
