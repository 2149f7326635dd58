"""The command that writes the files with which a club hosts the app: systemd's, nginx's and the settings."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import click

from companion.store.db.startup import Unusable

FOLDER = Path(__file__).with_name("deploy")
_EXAMPLE = "cards.example.org"


@click.command(name="deploy-files")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--host", default=_EXAMPLE, show_default=True, help="The name under which the app is reached.")
def deploy_files(folder: Path, host: str) -> int:
    """Write systemd units, nginx's settings and companion.env into a folder, for hosting a club.

    The settings get a new secret key. HOSTING.md says what to do with the files.
    """
    if not re.fullmatch(r"[A-Za-z0-9.-]+", host):
        raise Unusable(f"{host!r} isn't the name of a host, such as {_EXAMPLE}.")
    folder.mkdir(0o700, parents=True, exist_ok=True)
    for source in sorted(FOLDER.iterdir()):
        place = folder / source.name
        text = source.read_text(encoding="utf-8").replace(_EXAMPLE, host)
        place.touch(0o600 if source.suffix == ".env" else 0o644, exist_ok=False)
        place.write_text(text.replace("=SECRET\n", f"={secrets.token_hex(32)}\n"), encoding="utf-8")
        print(place)
    return 0
