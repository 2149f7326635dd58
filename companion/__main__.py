"""`python3 companion`: make the environment in `.venv` if it is missing, then run the `companion` command in it.

Standard library only, as nothing else is installed yet. `python3 companion environment test` only makes the
environment, with the packages of an extra.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
VENV = CHECKOUT / ".venv"
OLDEST = (3, 11)


def main(arguments: Sequence[str]) -> None:
    """Make the environment and run the command; replaces this process."""
    if arguments[:1] == ["environment"]:
        make_environment(arguments[1:])
        return
    make_environment(())
    command = VENV / "bin" / "companion"
    os.execv(command, [str(command), *arguments])


def make_environment(extras: Sequence[str]) -> None:
    """Install what `pyproject.toml` asks for into `.venv`, unless that is there already."""
    if sys.version_info < OLDEST:
        sys.exit(f"Python {'.'.join(map(str, OLDEST))} or newer is needed; this is {sys.version.split()[0]}.")
    stamp = VENV / f"installed-{'-'.join(['base', *extras])}"
    wanted = hashlib.sha256((CHECKOUT / "pyproject.toml").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    python = VENV / "bin" / "python"
    if not python.exists():
        print("Making the environment in .venv; the first time takes a minute.", file=sys.stderr)
        _make_venv()
    what = f"{CHECKOUT}[{','.join(extras)}]" if extras else str(CHECKOUT)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--editable", what]
    if subprocess.run(pip, stdout=sys.stderr).returncode:
        sys.exit("The packages could not be installed; see above. Is this computer on the network?")
    stamp.write_text(wanted)


def _make_venv() -> None:
    make = [sys.executable, "-m", "venv", str(VENV)]
    if subprocess.run(make, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        # Debian keeps this in a package of its own
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        sys.exit(f"Python cannot make an environment here. Install it with: sudo apt-get install {package}")


if __name__ == "__main__":
    main(sys.argv[1:])
