"""Places where one group is kept: servers or phones, between which its file goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from nights import PlayedNight

from companion.store.audit import audit
from companion.store.groups import links, turns
from companion.store.models import Group, db
from companion.store.portable import Taken, export_group, take_in


class Place:
    """A server or a phone, and a night in it; what it does is done in its own database."""

    def __init__(self, app: Flask, night: PlayedNight | None = None) -> None:
        self._app, self.night = app, night

    @contextmanager
    def here(self) -> Iterator[PlayedNight]:
        with self._app.app_context():
            yield self.night  # type: ignore[misc]

    def file(self, **more: Any) -> bytes:
        with self.here() as night:
            return export_group(night.group.public_id, **more)

    def take(self, file: bytes, secret: str | None = None, **more: Any) -> Taken:
        with self._app.app_context():
            taken = take_in(file, secret or links.new_secret(), may_continue=lambda group: True, **more)
            db.session.refresh(taken.group)
            return taken

    def follow(self, other: Place) -> Taken:
        """Take in the file of another place, and go on with its night."""
        assert other.night is not None
        taken = self.take(other.file())
        with other.here() as night:
            public_id, keys = night.public_id, night._keys
        with self._app.app_context():
            group = db.session.get_one(Group, taken.group.id)
            self.night = PlayedNight.__new__(PlayedNight)
            self.night.ids = {player.name: str(player.id) for player in group.players} | {"pot": "pot", "bank": "bank"}
            self.night.group_id, self.night.public_id, self.night._keys = group.id, public_id, keys
            assert list(audit()) == []
        return taken

    def do(self, steps: str) -> None:
        with self.here() as night:
            night.do(steps)

    def hand_over(self) -> bytes:
        """Hand the group over; returns its file."""
        with self.here() as night:
            turns.hand_over(night.group, night.sent())
        return self.file()
