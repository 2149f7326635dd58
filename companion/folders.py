"""Where the app's folders are, and how it was installed: a checkout, or an installed package without one."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

DISTRIBUTION = "table-companion"  # its name on PyPI
EXTRAS = ("club", "https", "mdns", "push")  # those that a table may want


@dataclass(frozen=True)
class Paths:
    """The folders for templates, static files and data: next to the package in a checkout, inside it in a wheel."""

    templates: Path
    static: Path
    instance: Path


def paths() -> Paths:
    """Locate the folders. Without a checkout, the data is in the user's own folder for data of programs."""
    package = Path(__file__).resolve().parent
    checkout = package.parent
    if _is_checkout():
        return Paths(checkout / "templates", checkout / "static", checkout / "instance")
    return Paths(package / "templates", package / "static", _user_data())


def _is_checkout() -> bool:
    return (Path(__file__).resolve().parent.parent / "pyproject.toml").exists()


def _user_data() -> Path:
    """Return the folder that this system gives a program's data; without a home, `instance` in the working folder."""
    folder = Path(os.environ.get("XDG_DATA_HOME", ""))
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", ""))
    elif sys.platform == "darwin":
        folder = Path(os.path.expanduser("~/Library/Application Support"))
    elif not folder.is_absolute():  # as the XDG Base Directory Specification says
        folder = Path(os.path.expanduser("~/.local/share"))
    return folder / DISTRIBUTION if folder.is_absolute() else Path.cwd() / "instance"


def command(words: str) -> str:
    """Return what to type for a command, the way this copy of the app was installed."""
    if not _is_checkout():
        folders = Path(sys.prefix).parts
        if "pipx" in folders and folders[-2] in (".cache", "pipx"):  # `pipx run`, which installs nothing
            return f"pipx run {DISTRIBUTION} {words}"
        if "uv" in folders and "tools" not in folders:  # the same for `uvx`
            return f"uvx {DISTRIBUTION} {words}"
        return f"companion {words}"
    return f"{'py' if sys.platform == 'win32' else 'python3'} companion {words}"


def install_command(extra: str) -> str:
    """Return the command that installs an extra the way this copy of the app was installed."""
    if _is_checkout():
        return command(f"environment {extra}")
    wanted, folders = f"'{DISTRIBUTION}[{extra}]'", Path(sys.prefix).parts
    if "pipx" in folders:
        return f"pipx install --force {wanted}"
    if "uv" in folders:
        return f"uv tool install {wanted}" if "tools" in folders else f"uvx --from {wanted} companion"
    return f"pip install {wanted}"
