"""The `companion` command: the options of its server, the other commands, and the message for each kind of failure."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from companion import __version__
from companion.config import BadSetting
from companion.engine.guard import GameFailed
from companion.folders import EXTRAS, install_command
from companion.store.db.faults import fault
from companion.store.db.startup import Unusable
from companion.store.refusals import Refused

from ..server import start
from ..server.listening import EVERYWHERE, FIRST_PORT
from ..whole_numbers import WholeNumber
from . import admin, deploy_files, group_files, maintenance, own_games, pocket_files

_CHOOSE = "Choose another place, or change its permissions (COMPANION_INSTANCE moves the data folder)."
_PORT = WholeNumber(0, 65535)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a Windows console may be unable to print a name
    try:
        return int(companion.main(arguments, prog_name="companion", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        print("Interrupted.", file=sys.stderr)
    except (BadSetting, GameFailed, Unusable, Refused) as sentence:
        print(sentence, file=sys.stderr)
    except FileExistsError as error:
        there = error.filename2 or error.filename
        print(f"{there} exists already and wasn't changed. Choose another name.", file=sys.stderr)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""  # unknown for an open file
        print(f"{place}{error.strerror}. {_CHOOSE}", file=sys.stderr)
    except DBAPIError as error:
        if fault(error) is None:
            raise
        said = " ".join(str(error.orig).split())
        print(f"The database failed: {said}. Nothing was changed. Fix this, then try again.", file=sys.stderr)
    return 1


def _listening(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for host, port and HTTPS."""
    for option in (
        click.option("--port", type=_PORT, help=f"Port to listen on (default: {FIRST_PORT} or the next free one)."),
        click.option("--https", is_flag=True, help="Serve over HTTPS with a self-signed certificate."),
        click.option("--host", help="Address to listen on (default: all)."),
    ):
        command = option(command)
    return command


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@_listening
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def companion(context: click.Context, host: str | None, https: bool, port: int | None) -> int | None:
    """Serve the app to the phones at the table, or run another command."""
    return None if context.invoked_subcommand else start.serve(host or EVERYWHERE, port, https)


@companion.command()
@_listening
@click.pass_context
def serve(context: click.Context, host: str | None, https: bool, port: int | None) -> int:
    """Serve the app (the default)."""
    assert context.parent is not None
    before = context.parent.params  # `companion --port 9000 serve` is the same as `companion serve --port 9000`
    port = before["port"] if port is None else port
    return start.serve(host or before["host"] or EVERYWHERE, port, https or before["https"])


@companion.command()
@click.argument("extra", type=click.Choice(EXTRAS))
def environment(extra: str) -> int:
    """Install an extra: https, push, mdns or club. A package's user is told what does that."""
    print(f"Install it with: {install_command(extra)}")
    return 1  # `environment.py` installs it in a checkout, before any other package is there


for _command in (
    maintenance.audit,
    maintenance.check,
    maintenance.recount,
    maintenance.migrate,
    maintenance.backup,
    maintenance.restore,
    admin.groups,
    admin.close_night,
    admin.delete_group,
    group_files.export,
    group_files.import_file,
    group_files.link,
    deploy_files.deploy_files,
    pocket_files.pocket,
    own_games.new_game,
    own_games.try_game,
):
    companion.add_command(_command)
