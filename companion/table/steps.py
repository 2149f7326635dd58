"""The state line of a hand as data: a sentence, a main button and a quiet one, and for whom one waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

# a player's own phone; that page on the scorekeeper's phone; the scorekeeper's for all; a screen that everybody sees
Look = Literal["player", "host", "keeper", "screen"]
Phase = Literal["stopped", "deal", "playing", "deciding", "betting", "undo", "last-turns", "show", "waiting", "shown"]
MOST_NAMES = 3  # that a line holds
KEEPER = "keeper"  # whom one waits for, if it is the scorekeeper
# what a button leads to, where it is no action of the hand in play
PLACES: Mapping[str, str] = {
    "hand": "the keys of one's own hand",
    "hands": "the keys of all hands, with who knocked",
    "table": "the table, where the scorekeeper acts for everybody",
    "games": "the menu of games",
    "people": "the players of the night",
    "show": "turns the hands over that are in",
    "settle": "settles the round",
}


@dataclass(frozen=True)
class Button:
    """A button: `do` is an action of the hand in play, for `player`, or one of PLACES. `under` is its second line.

    `held`: what it says where it is held down, as a knock is, or a fold where checking is free.
    """

    do: str
    label: Message
    player: PlayerKey | None = None
    under: Message | None = None
    held: Message | None = None


@dataclass(frozen=True)
class NextStep:
    """The state line: `sentence` about a player (`about`; None: the table), the `main` step and a `quiet` one.

    `waits_for` are the players who must do something before it goes on, or KEEPER; `note` says what somebody else can
    do. `quiet` is smaller than `main`, or the other half of a choice (`is_choice`). `main` is in brass if it `is_due`;
    if not, both are quiet.
    """

    phase: Phase
    sentence: Message
    about: PlayerKey | None = None
    main: Button | None = None
    quiet: Button | None = None
    waits_for: tuple[str, ...] = ()
    note: Message | None = None
    is_choice: bool = False
    is_due: bool = True


def both(first: Message | None, second: Message | None) -> Message | None:
    """Join two notes, of which each may be missing."""
    return Message("{first}. {second}", first=first, second=second) if first and second else first or second
