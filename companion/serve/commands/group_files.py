"""The commands that export a group to a file and import it again, and the one that makes new links.

They import `portable` only when they run, because it would slow down the start of the server.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from flask import Flask

from companion.folders import command
from companion.store.db.startup import Unusable
from companion.store.groups.groups import all_groups
from companion.store.groups.links import new_secret, renew
from companion.store.refusals import Gone
from companion.web.http.network.addresses import in_url, network_address

from ..existing import existing_database, not_settled_again
from ..server.listening import FIRST_PORT
from .admin import MAY_BEGIN_WITH_A_DASH, as_object, group_called

_PATH = click.Path(path_type=Path)
_FORMS = ("json", "rounds", "transfers")


@click.command(context_settings=MAY_BEGIN_WITH_A_DASH)
@click.argument("group", required=False)
@click.argument("file", required=False, type=_PATH)
@click.option("--json", "as_json", is_flag=True, help="List the groups as JSON, an object per line.")
@click.option("--as", "form", type=click.Choice(_FORMS), default="json", help="json, or a CSV sheet.")
def export(group: str | None, file: Path | None, form: str, as_json: bool) -> int:
    """Write a group with all its history, or a sheet of its rounds or transfers, to a new file.

    GROUP is its name or id. Without it, the groups are listed.
    """
    from companion.store.portable import export_group, rounds_sheet, transfers_sheet

    write = dict(zip(_FORMS, (export_group, rounds_sheet, transfers_sheet), strict=True))[form]
    with existing_database():
        if group is None:
            for listed in all_groups():
                as_line = f"{listed.public_id}  {listed.name}"
                print(json.dumps(as_object(listed), ensure_ascii=False) if as_json else as_line)
            return 0
        if file is None:
            raise Unusable(f"Say which file to write: {command('export GROUP FILE')}")
        named_group = group_called(group)
        _write_whole(file, write(named_group.public_id))
        held = "the whole group" if form == "json" else f"the {form} of the group"
        left_out = ", except its links and PIN" if form == "json" else ""
        print(f"{file} contains {held} {named_group.name}{left_out}. Keep the file private.")
    return 0


def _write_whole(file: Path, content: bytes) -> None:
    """Write a new file of its owner's alone; if that fails, as on a full disk, leave no part of it."""
    file.touch(0o600, exist_ok=False)
    opened = file.open("wb")
    try:
        with opened:
            opened.write(content)
    except OSError as error:
        file.unlink()
        raise OSError(error.errno, error.strerror, str(file)) from error


@click.command(name="import")
@click.argument("file", type=_PATH)
@click.option("--copy", is_flag=True, help="Import it as a group of its own, beside the one that is there.")
def import_file(file: Path, copy: bool) -> int:
    """Import an exported group, or continue the same group with a file that goes on where it ends."""
    from companion.store.portable import take_in

    secret = new_secret()
    with existing_database() as app:
        taken = take_in(file.read_bytes(), secret, may_continue=lambda group: True, is_copy=copy)
        name, place, unsettled = taken.group.name, taken.place, list(not_settled_again(taken.group.id))
    print(*(f"{line}\n" for line in unsettled), sep="", end="")
    if place is not None:
        print(f"From now on score of the group {name} is kept {place}.")
    unchanged = " Nothing was changed." if place is None else ""
    if taken.outcome == "continued":
        print(f"The group {name} goes on here as in {file}; changes added: {taken.steps}. Its links stay.")
        return 0
    if taken.outcome == "older":
        print(f"Nothing new: everything in {file} is in the group {name} already, and more.{unchanged}")
        return 0
    if taken.outcome == "same":
        print(f"The group {name} exists already, with the same content as {file}.{unchanged}")
        return 0
    print(f"The group {name} was imported. Its old links don't work here. New scorekeeper link, shown only once:")
    print_link(app, secret)
    return 0


@click.command(context_settings=MAY_BEGIN_WITH_A_DASH)
@click.argument("group")
def link(group: str) -> int:
    """Make new links for a group whose links are lost.

    The old ones stop working on every phone. GROUP is its name or id.
    """
    with existing_database() as app:
        named_group = group_called(group)
        name = named_group.name
        try:
            secret = renew(named_group, "keep", "")
        except Gone:
            raise Unusable(f"The group {name} has just been deleted by somebody else.") from None
    print(f"The old links of the group {name} don't work any more. New scorekeeper link, shown only once:")
    print_link(app, secret)
    return 0


def print_link(app: Flask, secret: str) -> None:
    """Print the address of a link, as far as the settings tell where the app is."""
    address = app.config["PUBLIC_URL"] or f"http://{in_url(network_address() or 'localhost')}:{FIRST_PORT}"
    print(f"  {address}/open/{secret}")
    if not app.config["PUBLIC_URL"]:
        print("If the app is at another address, use that instead. COMPANION_PUBLIC_URL sets it.")
