"""What a page and a phone's poll request, again and again."""

from __future__ import annotations

from dataclasses import replace

from .peers import Request
from .serving import Answer, Client


def asks(client: Client, path: str, status: int = 200, **headers: str) -> Request:
    """Return a function that requests a page."""

    def ask() -> Answer:
        answer = client.get(path, **headers)
        assert answer.status == status, (path, answer.status)
        return answer

    return ask


def states(client: Client, night: str) -> Request:
    """Return a function that requests a night's state, which is the one the client has."""
    mark = client.get(f"{night}/state").headers["ETag"]
    return asks(client, f"{night}/state", 304, If_None_Match=mark)


def polls(client: Client, night: str) -> Request:
    """Return a function that polls for changes, of which there are none, as phones do.

    They ask at the address that came with the state. When the server doesn't know any more that nothing has changed,
    every few seconds, they request the state as well, which takes its time and names an address again.
    """
    state = states(client, night)
    address = state().headers["Companion-News"]

    def poll() -> Answer:
        nonlocal address
        answer = client.get(address)
        if answer.status == 204:
            return answer
        known = state()
        address = known.headers["Companion-News"]
        return replace(answer, seconds=answer.seconds + known.seconds)

    return poll
