"""What the table view shows, in values: the places around the table, and what is beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.pieces.sets import Piece

from ..round.result import PaymentKind
from ..text.language import capital
from ..text.pieces import face

Stage = Literal["waiting", "down", "shown", "result", "closed"]


@dataclass(frozen=True)
class Place:
    """A seat on the screen, with `backs` cards face down, or `cards` face up and their description, `reading`.

    `is_in`: the hand has been entered. `states` are words such as "knocked". `won` is what the player won tonight,
    without costs and loans. `net` is the round's result, None before the round is settled. `stack` are the chips still
    in front of the player; None in a night without stacks. Amounts are in units.
    """

    key: str
    name: str
    won: int
    sits_out: bool = False
    is_dealer: bool = False
    has_turn: bool = False
    is_in: bool = False
    backs: int = 0
    cards: tuple[Piece, ...] = ()
    reading: str = ""
    states: tuple[str, ...] = ()
    net: int | None = None
    wins: bool = False
    paid: int = 0
    stack: int | None = None

    @property
    def words(self) -> str:
        """What the player did and has, such as "Knocked · full house, nines over fours"."""
        text = " · ".join(part for part in (", ".join(self.states), self.reading) if part)
        return capital(text) if text[:1].isalpha() else text


@dataclass(frozen=True)
class BigScreen:
    """What the screen shows. `number` is the round's number, `stake` the units of a stake in the hand that is played or
    comes next; `lead` is the sentence in the middle of the table.

    `left` are players who left the table; those who left after the round that is shown are among the places. `guide`
    describes how the hand is dealt, the last bets, or what happens after a knock. `asked` says who is to choose the
    next game. `moves` are the last round's handovers, after what was `already_paid` during play, or its payments if
    `way` is "score", of which `during_play` says what was due then; None while a hand is played. `due` is what is still
    to pay after the night, with the currency of costs that are settled apart from the games, or None; while it is open,
    None itself. `speech` is read aloud.
    """

    stage: Stage
    number: int
    game: AnyGame
    places: tuple[Place, ...]
    stake: int
    left: tuple[Place, ...] = ()
    pot: int = 0
    lead: str = ""
    why: str = ""
    guide: tuple[Message, ...] = ()
    asked: str = ""
    moves: tuple[Payment, ...] | None = None
    already_paid: tuple[Payment, ...] = ()
    during_play: tuple[Message | None, ...] = ()
    way: PaymentKind = "chips"
    due: tuple[tuple[Payment, str | None], ...] | None = None
    speech: str = ""

    @property
    def standings(self) -> list[Place]:
        """Those at the table, and who left with a gain or loss; with the pot their gains sum to zero."""
        listed = self.places + tuple(place for place in self.left if place.won)
        return sorted(listed, key=lambda place: place.won, reverse=True)

    @property
    def each_during_play(self) -> Message | None:
        """What was due during play of every payment, if that is the same and can be said once."""
        alike = set(self.during_play)
        return self.during_play[0] if len(self.during_play) > 1 and len(alike) == 1 else None

    @property
    def is_tiles(self) -> bool:
        """Whether the game's pieces are drawn as tiles, in landscape; CARDominoes are drawn as cards."""
        return any(face(piece).kind == "tile" for piece in self.game.pieces(self.game.options()).pieces[:1])
