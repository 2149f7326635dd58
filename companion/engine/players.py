"""A player inside the program: a key. The name is put in where a person reads it."""

from __future__ import annotations


class PlayerKey(str):
    """A player's key: in a night the number of the player's row as text, in the API the name itself.

    It is a text like any other, but in a sentence it stands for the player: `Message` takes it as it takes a card, and
    whoever shows the sentence puts the name in.
    """

    __slots__ = ()
