"""The search for nights on a group's page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from flask import request

from companion.engine.messages import Message
from companion.store import groups as store


@dataclass
class Search:
    """The search terms as typed; invalid ones are ignored, and reported on the page."""

    player: str = ""
    game: str = ""
    since: str = ""
    until: str = ""
    problem: ClassVar = Message("This isn't a day; choose one, or write it like 2026-11-21")

    @classmethod
    def asked(cls) -> Search:
        return cls(**{key: request.args.get(key, "") for key in ("player", "game", "since", "until")})

    @property
    def is_open(self) -> bool:
        return any((self.player, self.game, self.since, self.until))

    def wanted(self) -> store.Wanted:
        player = int(self.player) if self.player.isdecimal() and len(self.player) < 10 else None
        return store.Wanted(player, self.game or None, _day(self.since), _day(self.until))

    @property
    def wrong(self) -> list[str]:
        """The fields with an invalid day."""
        return [key for key in ("since", "until") if (text := getattr(self, key)) and _day(text) is None]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
