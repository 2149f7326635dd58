"""Who sent a change, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.refusals import Conflict, Refused

__all__ = ["Conflict", "Gone", "Refused", "Sent"]


@dataclass(frozen=True, slots=True)
class Sent:
    """The sender of a change: the form's key and the device's name."""

    key: str
    device: str


class Gone(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """The group was deleted concurrently."""
