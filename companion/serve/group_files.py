"""The commands that export a group to a file and import it again.

They import `portable` only when they run, because it would slow down the start of the server.
"""

from __future__ import annotations

from pathlib import Path

from companion import create_app
from companion.store.groups import all_groups
from companion.store.links import new_secret
from companion.store.startup import Unusable
from companion.web.http.addresses import in_url, network_address

from .admin import group_called
from .listening import FIRST_PORT

FORMS = ("json", "rounds", "transfers")


def export(name: str | None, file: Path | None, form: str) -> int:
    """Write a group to a new file. Without a name, list the groups."""
    from companion.store.portable import export_group, rounds_sheet, transfers_sheet

    write = dict(zip(FORMS, (export_group, rounds_sheet, transfers_sheet), strict=True))[form]
    with create_app().app_context():
        if name is None:
            for group in all_groups():
                print(f"{group.public_id}  {group.name}")
            return 0
        if file is None:
            raise Unusable("Say which file to write: companion export GROUP FILE")
        found = group_called(name)
        # build all the content before creating the file, so that an export is never incomplete
        content = write(found.public_id)
        with file.open("xb") as opened:
            opened.write(content)
        print(f"{file} contains the whole group {name}, except its links and PIN. Keep the file private.")
    return 0


def import_file(file: Path) -> int:
    """Import an exported group into the database, and print its new link."""
    from companion.store.portable import import_group

    app, secret = create_app(), new_secret()
    with app.app_context():
        group, is_new = import_group(file.read_bytes(), secret)
        name = group.name
    if not is_new:
        print(f"The group {name} exists already, with the same content as {file}. Nothing was changed.")
        return 0
    address = app.config["PUBLIC_URL"] or f"http://{in_url(network_address() or 'localhost')}:{FIRST_PORT}"
    print(f"The group {name} was imported. Its old links don't work here. New scorekeeper link, shown only once:")
    print(f"  {address}/open/{secret}")
    return 0
