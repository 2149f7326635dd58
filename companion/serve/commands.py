"""The `companion` command: its options, and the message for each kind of failure."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from companion.config import BadSetting
from companion.store.faults import fault
from companion.store.refusals import Refused
from companion.store.startup import Unusable

from . import admin, group_files, maintenance, start
from .listening import EVERYWHERE, FIRST_PORT

_CHOOSE = "Choose another place, or change its permissions (COMPANION_INSTANCE moves the data folder)."
_MAY_BEGIN_WITH_A_DASH = {"ignore_unknown_options": True}  # ids are random: 1 in 64 begins with "-"
_file = click.argument("file", type=click.Path(path_type=Path))


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
    except (BadSetting, Unusable, Refused) as sentence:
        print(sentence, file=sys.stderr)
    except FileExistsError as error:
        there = error.filename2 or error.filename
        print(f"{there} exists already and wasn't changed. Choose another name.", file=sys.stderr)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}. {_CHOOSE}", file=sys.stderr)
    except DBAPIError as error:
        if fault(error) is None:
            raise
        said = " ".join(str(error.orig).split())
        print(f"The database failed: {said}. Nothing was changed. Fix this, then try again.", file=sys.stderr)
    return 1


def _listening(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for host, port and HTTPS."""
    for option in (
        click.option("--port", type=int, help=f"Port to listen on (default: {FIRST_PORT} or the next free one)."),
        click.option("--https", is_flag=True, help="Serve over HTTPS with a self-signed certificate."),
        click.option("--host", help="Address to listen on (default: all)."),
    ):
        command = option(command)
    return command


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@_listening
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
def audit() -> int:
    """Settle every stored round again and compare the results with the database."""
    return maintenance.audit()


@companion.command()
@_file
@click.option("--keep", type=click.IntRange(1), help="FILE is a folder of backups; keep this many of them.")
def backup(file: Path, keep: int | None) -> int:
    """Copy the database to a new file, even while the app runs."""
    return maintenance.backup(file) if keep is None else maintenance.backup_keeping(file, keep)


@companion.command()
@_file
def restore(file: Path) -> int:
    """Replace the database by a backup.

    The old database is kept in a file next to it.
    """
    return maintenance.restore(file)


@companion.command()
def groups() -> int:
    """List the groups: id, name, players, last night."""
    return admin.groups()


@companion.command(name="close-night", context_settings=_MAY_BEGIN_WITH_A_DASH)
@click.argument("group")
@click.option("--split", is_flag=True, help="First split the pot among the players of the last round.")
def close_night(group: str, split: bool) -> int:
    """Close a group's last night, if it was left open."""
    return admin.close_night(group, split)


@companion.command(name="delete-group", context_settings=_MAY_BEGIN_WITH_A_DASH)
@click.argument("group")
@click.option("--yes", is_flag=True, help="Don't ask for confirmation.")
def delete_group(group: str, yes: bool) -> int:
    """Delete a group permanently."""
    return admin.delete_group(group, lambda question: yes or click.confirm(question, abort=True))


@companion.command(context_settings=_MAY_BEGIN_WITH_A_DASH)
@click.argument("group", required=False)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--as", "form", type=click.Choice(group_files.FORMS), default="json", help="json, or a CSV sheet.")
def export(group: str | None, file: Path | None, form: str) -> int:
    """Write a group with all its history to a new file.

    GROUP is its name or id. Without it, the groups are listed.
    """
    return group_files.export(group, file, form)


@companion.command(name="import")
@_file
def import_file(file: Path) -> int:
    """Import an exported group."""
    return group_files.import_file(file)
