"""What the machine can do on which the app runs: all of it on a computer, little inside a phone's browser."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """What the app may use and offer; it starts no process, and opens no socket without `phones`.

    `phones`: other phones reach the app, so there are codes, links, seats on own phones and the table view.
    `threads`: something may run beside the requests. `photographs`: there is a camera button, if packages for it are.
    """

    phones: bool = True
    threads: bool = True
    photographs: bool = True
