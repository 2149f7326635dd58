"""The cookies of the app inside a browser: a service worker can neither read `Cookie` nor send `Set-Cookie`."""

from __future__ import annotations

import sqlite3
from http.cookies import CookieError, SimpleCookie
from pathlib import Path


class Jar:
    """The phone's cookies, in a small database, because a phone that lost them would be locked out of its groups."""

    def __init__(self, place: Path | str) -> None:
        self._file = sqlite3.connect(place, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=FULL")
        self._file.execute("CREATE TABLE IF NOT EXISTS cookie (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        self._kept = dict(self._file.execute("SELECT name, value FROM cookie").fetchall())
        self._is_stored = True

    def header(self, of_page: str = "") -> str:
        """Return the value of `Cookie`, with those that a page's script has set."""
        return "; ".join(filter(None, [*(f"{name}={value}" for name, value in self._kept.items()), of_page]))

    def take(self, sent: list[str]) -> None:
        """Keep the cookies of an answer, each the value of a `Set-Cookie`, before the page has the answer.

        When the phone is full they are kept in memory, and each later answer tries to store them.
        """
        kept = dict(self._kept)
        for header in sent:
            name, _, rest = header.partition("=")
            value = rest.partition(";")[0]
            if _is_gone(header):
                kept.pop(name, None)
            else:
                kept[name] = value
        if kept != self._kept or not self._is_stored:
            self._kept = kept
            self._is_stored = self._store()

    def _store(self) -> bool:
        try:
            with self._file:  # rolls back what fails
                self._file.execute("BEGIN")
                self._file.execute("DELETE FROM cookie")
                self._file.executemany("INSERT INTO cookie VALUES (?, ?)", self._kept.items())
        except sqlite3.OperationalError:
            return False
        return True

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _is_gone(sent: str) -> bool:
    """Return whether a `Set-Cookie` deletes its cookie."""
    try:
        (cookie,) = SimpleCookie(sent).values()
    except (CookieError, ValueError):
        return False
    return cookie["max-age"] == "0" or "1970" in cookie["expires"]
