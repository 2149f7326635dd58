"""The `companion` command: without arguments it serves the app to the phones at the table."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import socket
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import segno
import waitress
from flask import Flask
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from companion import create_app
from companion.config import BadSetting, read_settings
from companion.store import backup as backups
from companion.store import groups
from companion.store.faults import fault
from companion.store.links import new_secret
from companion.store.refusals import Refused
from companion.store.portable import export_group, import_group, rounds_sheet, transfers_sheet
from companion.store.startup import Unusable
from companion.web.http.hosts import network_address
from companion.web.http.request_log import serve_metrics

from .memory import tune_memory

FIRST_PORT = 8000
_TRIES = 100
_THREADS = 4  # twice as many would take turns at the processor: each save waits longer, and holds more memory
FORMS = {"json": export_group, "rounds": rounds_sheet, "transfers": transfers_sheet}
_CHOOSE = "Choose another place, or give this user the right to write there (COMPANION_INSTANCE moves the folder)."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="companion", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    serving = commands.add_parser("serve", help="serve the app (the default)", argument_default=argparse.SUPPRESS)
    for where in (parser, serving):
        where.add_argument("--host", help="address to listen on (default: all)")
        where.add_argument(
            "--https", action="store_true", help="serve over HTTPS, with a certificate of its own making"
        )
        where.add_argument("--port", type=int, help=f"port to listen on (default: {FIRST_PORT} or the next free one)")
    commands.add_parser("audit", help="settle every stored round again and compare")
    for name, about in (
        ("backup", "copy the database to a new file, also while the app runs"),
        ("restore", "put a backup in the database's place; what was there is kept beside it"),
    ):
        commands.add_parser(name, help=about).add_argument("file", type=Path)
    exporting = commands.add_parser("export", help="write a group, with all its history, to a new file")
    exporting.add_argument("group", nargs="?", help="its name or id; without one the groups are listed")
    exporting.add_argument("file", nargs="?", type=Path)
    exporting.add_argument("--as", dest="form", choices=FORMS, default="json", help="or a sheet, as CSV")
    importing = commands.add_parser("import", help="put an exported group into the database")
    importing.add_argument("file", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "audit":
            return audit()
        if chosen.command in ("backup", "restore"):
            return {"backup": backup, "restore": restore}[chosen.command](chosen.file)
        if chosen.command == "export":
            return export(chosen.group, chosen.file, chosen.form)
        if chosen.command == "import":
            return import_file(chosen.file)
        return serve(chosen.host or "0.0.0.0", chosen.port, chosen.https)
    except (BadSetting, Unusable, Refused) as sentence:
        print(sentence, file=sys.stderr)
    except FileExistsError as error:
        print(
            f"{error.filename2 or error.filename} is there already, and stays as it is. Choose another name.",
            file=sys.stderr,
        )
    except OSError as error:
        print(f"{error.filename}: {error.strerror}. {_CHOOSE}", file=sys.stderr)
    except DBAPIError as error:
        if fault(error) is None:
            raise
        said = " ".join(str(error.orig).split())
        print(f"The database failed: {said}. Nothing was changed; see to it, then run this again.", file=sys.stderr)
    return 1


def serve(host: str, port: int | None, https: bool = False) -> int:
    """Serve until interrupted; returns 1 when no port could be had."""
    with contextlib.ExitStack() as opened:
        try:
            listening = opened.enter_context(listen(host, port))
            plain = opened.enter_context(listen(host, None)) if https else None
        except OSError as error:
            sentence = f"Cannot listen on {host}: {error.strerror or error}. Choose another --host or --port."
            print(sentence, file=sys.stderr)
            return 1
        if plain is None:
            _serve(host, listening)
        else:
            _serve_secure(host, listening, plain)
    return 0


def _serve(host: str, listening: socket.socket) -> None:
    app = _made()
    print(welcome(host, listening.getsockname()[1]), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        waitress.serve(app, sockets=[listening], threads=_THREADS, ident=None)


def _serve_secure(host: str, listening: socket.socket, plain: socket.socket) -> None:
    """Serve over HTTPS, and over HTTP the page that says what browsers will ask; never returns."""
    from .certificate import certificate_for
    from .https import Secure

    certificate = certificate_for(Path(str(read_settings()["INSTANCE"])), own_names(host))
    port = listening.getsockname()[1]
    print(welcome(host, port, plain.getsockname()[1]))
    print(f"The certificate is of this computer's own making. Its SHA-256 fingerprint:\n  {certificate.fingerprint}")
    print(flush=True)
    Secure(lambda: _made(CERTIFICATE=(certificate.fingerprint, port)), certificate, listening, plain).run()


def own_names(host: str) -> list[str]:
    """List the names and addresses that this computer is asked for under."""
    name = socket.gethostname().lower()
    found = ["localhost", "127.0.0.1", "::1", name, f"{name}.local", network_address(), host]
    return [one for one in found if one and one.isascii() and one not in ("0.0.0.0", "::")]


def _made(**settings: object) -> Flask:
    app = create_app(settings)
    if app.config["METRICS"]:
        _serve_metrics(app)
    tune_memory()
    return app


def _serve_metrics(app: Flask) -> None:
    address = app.config["METRICS"]
    try:
        serve_metrics(address, app.extensions["companion_metrics"])
    except OSError as error:
        raise BadSetting(f"COMPANION_METRICS is {address}: {error.strerror}. Choose another address.") from error


def audit() -> int:
    """Print everything in the database that does not fit; returns 1 when there is something."""
    from companion.store.audit import audit as found

    with create_app().app_context():
        wrong = list(found())
    print("\n".join([*wrong, f"{len(wrong)} wrong." if wrong else "Every round, balance and pot fits."]))
    return 1 if wrong else 0


def backup(file: Path) -> int:
    """Copy the database to a new file."""
    database = _sqlite_file("pg_dump --format=custom --file=FILE")
    if not database.exists():
        raise Unusable(f"There is no database at {database} yet.")
    try:
        backups.copy(database, file)
    except sqlite3.Error as error:
        raise Unusable(
            f"{database} cannot be copied to {file}: {error}. Is there room, and may this user write there?"
        ) from error
    print(f"{file} holds the database as it is now. The key of the cookies is not in it: {database.parent}/secret_key")
    return 0


def restore(file: Path) -> int:
    """Put a backup in the database's place, bring it to this app's version, and settle it all again."""
    database = _sqlite_file("pg_restore --clean --if-exists")
    database.parent.mkdir(parents=True, exist_ok=True)
    kept = backups.restore(file, database)
    print(f"{database} is now as {file} is." + (f" What was there is in {kept}." if kept else ""))
    return audit()


def export(name: str | None, file: Path | None, form: str) -> int:
    """Write a group to a new file; without a name list the groups."""
    with create_app().app_context():
        if name is None:
            for group in groups.all_groups():
                print(f"{group.public_id}  {group.name}")
            return 0
        if file is None:
            raise Unusable("Say which file to write: companion export GROUP FILE")
        found = [group for group in groups.all_groups() if name in (group.public_id, group.name)]
        if len(found) != 1:
            what = "Several groups are" if found else "No group is"
            raise Unusable(f"{what} called {name}; take the id that companion export lists.")
        # a group may be gone through before the file is there, so that there is never a part of one
        content = FORMS[form](found[0].public_id)
        with file.open("xb") as opened:
            opened.write(content)
        print(f"{file} holds the group {name}. Whoever has the file knows all of it; no link and no PIN is in it.")
    return 0


def import_file(file: Path) -> int:
    """Put an exported group into the database, and print its new link."""
    app, secret = create_app(), new_secret()
    with app.app_context():
        group, is_new = import_group(file.read_bytes(), secret)
        name = group.name
    if not is_new:
        print(f"The group {name} is here already, as it is in {file}; nothing was changed.")
        return 0
    address = app.config["PUBLIC_URL"] or f"http://{network_address() or 'localhost'}:{FIRST_PORT}"
    print(f"The group {name} is here now; its old links are not. Its new link to keep score, shown only now:")
    print(f"  {address}/open/{secret}")
    return 0


def _sqlite_file(otherwise: str) -> Path:
    """Find the database's file; raises Unusable with the other way where it is none."""
    url = make_url(str(read_settings()["SQLALCHEMY_DATABASE_URI"]))
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Unusable(f"The database {url.render_as_string()} is none of SQLite. Use its own tool: {otherwise}")
    return Path(url.database)


def listen(host: str, port: int | None) -> socket.socket:
    """Open the port, or without one the first free from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + _TRIES)
    refused: OSError | None = None
    for number in tries:
        opened = socket.socket(family, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, number))
            opened.listen()
        except (OSError, OverflowError) as error:
            opened.close()
            refused = error if isinstance(error, OSError) else OSError("no such port")
        else:
            return opened
    assert refused is not None
    raise refused


def welcome(host: str, port: int, plain_port: int | None = None) -> str:
    """Say where the app is to be found, with a QR code for the phones.

    With HTTPS, `port` being its own, the code leads to `plain_port`, where it is said what the browser will ask.
    """
    scheme = "https" if plain_port else "http"
    everywhere = host in ("", "0.0.0.0", "::")
    local = f"{scheme}://{'localhost' if everywhere else _in_url(host)}:{port}/"
    phones = network_address() if everywhere else host
    if phones is None or (not everywhere and _is_loopback(host)):
        return f"Companion is at {local} on this computer only: no network for phones was found. Stop with Ctrl+C."
    shared = f"{scheme}://{_in_url(phones)}:{port}/"
    first = f"http://{_in_url(phones)}:{plain_port}/" if plain_port else shared
    lines = ["Companion for the table", f"  on this computer  {local}", f"  on the phones     {shared}"]
    if plain_port:
        lines.append(f"  what they will be asked, and the QR code  {first}")
    return "\n".join([*lines, "", _drawn(segno.make(first, error="l")), "Stop with Ctrl+C."])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _drawn(code: segno.QRCode) -> str:
    """Draw a QR code in half blocks, light on dark terminals and dark on light ones alike."""
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[bool(a), bool(b)] for a, b in zip(*pair, strict=True)) for pair in pairs)
