"""Who sent a change, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.table.refusals import Conflict, Refused

__all__ = ["AlreadySo", "Conflict", "Elsewhere", "Gone", "Refused", "Sent"]


@dataclass(frozen=True, slots=True)
class Sent:
    """The sender of a change: the form's key and the device's name.

    A program also says what it sent (`said`), which is compared in place of the change's content if the key comes
    again, and perhaps the `version` of the night that it saw: in another one the change is a conflict.
    """

    key: str
    device: str
    said: Any = None
    version: int | None = None


class AlreadySo(Refused):
    """What was asked for was already done on another phone, so that nothing is left to do or to put right."""


class Elsewhere(Refused):
    """The group is written elsewhere, so it can only be looked at here."""


class Gone(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """The group was deleted concurrently."""
