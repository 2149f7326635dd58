"""The command that writes the app for a phone's browser, where no computer is at the table."""

from __future__ import annotations

import re
from pathlib import Path

import click

from companion.store.db.startup import Unusable


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--scope", default="/", show_default=True, help="The folder's path on its host, such as /table/.")
def pocket(folder: Path, scope: str) -> int:
    """Write the app for phones that need no computer: a folder of static files for any host with HTTPS.

    It needs Node and npm, the network once, and some minutes. companion/pocket/README.md says how to host it.
    """
    if not re.fullmatch(r"/((?!\.+/)[A-Za-z0-9._~-]+/)*", scope):
        raise Unusable(f"{scope!r} isn't a path on a host, such as / or /table/.")
    from companion.pocket.build import build  # only this command needs it
    from companion.pocket.tools import Missing

    try:
        fetched = build(folder, scope)
    except Missing as missing:
        raise Unusable(str(missing)) from missing
    print(f"{folder} has the app. A first visit to {scope} fetches {fetched / 1e6:.1f} MB; host it with HTTPS.")
    return 0
