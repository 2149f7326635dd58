"""The order in which the units left over by an uneven split go to the sharers. Rule: C-3."""

from __future__ import annotations

from typing import NamedTuple

from ..messages import Message


class OddUnits(NamedTuple):
    """The sharers in the order in which they get one odd unit each, nobody if they stay in the pot; and what decided.

    `why` is None where it goes by seat.
    """

    order: tuple[str, ...]
    why: Message | None = None
