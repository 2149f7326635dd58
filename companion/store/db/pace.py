"""When this process last changed something for the people at the tables, so that what can wait gives way to them."""

from __future__ import annotations

from time import monotonic


class Changes:
    """The time of the last change."""

    latest = 0.0

    def note(self) -> None:
        """Note that something is being changed now."""
        self.latest = monotonic()

    def seconds_ago(self) -> float:
        """Return how long ago the last change was."""
        return monotonic() - self.latest


changes = Changes()
