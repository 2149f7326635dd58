"""Creates the virtual environment in `.venv` if it is missing, then runs the `companion` command in it.

Uses only the standard library, because nothing else is installed yet. `python3 companion environment test` creates the
environment with the packages of an extra, and stops there. Packages are pinned in `companion/locks` and checked by
hash, so that next year's installation is the same as today's.

Three things keep it fast and small: pip runs from outside the environment, which doesn't get its own copy; modules are
compiled when they are first imported; and Babel's data is deleted for all languages except the app's.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
LOCKS = CHECKOUT / "companion" / "locks"
TRANSLATIONS = CHECKOUT / "companion" / "translations"
VENV = CHECKOUT / ".venv"
CORE = "core"
_ON_WINDOWS = os.name == "nt"
_SCHEME = "nt_venv" if _ON_WINDOWS else "posix_venv"
# if pip is told where to find packages, uv isn't used, because it ignores these variables
_PIP_SETTINGS = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")
_PIP_FOR_OTHERS = (22, 3)  # the first pip that installs into another environment
# patterns in what pip and uv print when they fail, with the message for the user; the first match is used
_SENTENCES = (
    (
        r"No space left|Errno 28\b|disk full|os error (28|112)\b",
        "The disk is full: {need} MB are needed. Free some space, then start again.",
    ),
    (
        r"Read-only file system|Errno 30\b|os error 30\b",
        "{venv} is on a read-only disk. Copy the checkout to another one.",
    ),
    (
        r"Permission denied|Access is denied|Errno 13\b|os error (5|13)\b",
        "You don't have permission to write to {venv}. Copy the checkout to a folder of your own.",
    ),
    (
        r"DO NOT MATCH THE HASHES|Hash mismatch",
        "A package's hash differs from the lock. Start again; if it happens again, don't trust this network.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|invalid peer certificate|UnknownIssuer",
        "The connection to the package server isn't secure. Is the clock right? Does this network have a login page?",
    ),
    (
        r"connection broken by|resolve host|Name or service|name resolution|getaddrinfo|ConnectTimeout|dns error"
        r"|Network is unreachable|Failed to fetch|error sending request|ProxyError|Connection refused",
        "The packages couldn't be downloaded. Connect this computer to the internet, then start again.",
    ),
    (
        r"No matching distribution|from versions: none|Failed to build|Failed building|not supported wheel"
        r"|no wheels? with a matching|no solution found",
        "{package} isn't available for {computer}. {advice}",
    ),
)
_OTHER_PYTHON = "Python 3.13 is the safest choice: see README.md."
_OTHER_FOLDER = "Download the packages on the same kind of computer with the same Python, or unset PIP_NO_INDEX."
_MEGABYTES = 150


class Failed(Exception):  # noqa: N818 - a message for the user, not a bug
    """The environment couldn't be created; the message says why and what to do."""


def main(arguments: Sequence[str]) -> None:
    """Create the environment and run the command in it. Doesn't return: the process ends with the command's status."""
    only_make = arguments[:1] == ["environment"]
    try:
        make_environment(arguments[1:] if only_make else ())
    except Failed as sentence:
        sys.exit(str(sentence))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The next start begins again.")
    except OSError as error:
        sys.exit(_sentence(f"[Errno {error.errno}] {error.strerror}: {error.filename}"))
    if not only_make:
        run([str(python_of(VENV)), "-m", "companion.serve", *arguments])


def run(command: list[str]) -> None:
    """Replace this process by the command; doesn't return."""
    if not _ON_WINDOWS:
        os.execv(command[0], command)
    # on Windows, exec would return to the prompt at once, while the command still reads from the same keyboard
    process = subprocess.Popen(command)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            continue  # the command gets Ctrl+C too and ends by itself


def python_of(venv: Path) -> Path:
    """Return the path of an environment's Python."""
    return Path(_place("scripts", venv)) / ("python.exe" if _ON_WINDOWS else "python")


def _place(what: str, venv: Path) -> str:
    return sysconfig.get_path(what, _SCHEME, {"base": str(venv), "platbase": str(venv)})


def make_environment(extras: Sequence[str]) -> None:
    """Install the locked packages into `.venv`, unless they are installed already.

    Extras installed earlier are kept. An environment that was left incomplete is created again. Raises Failed.
    """
    known = sorted({path.stem for path in LOCKS.glob("*.txt")} - {CORE})
    unknown = [name for name in extras if name not in known]
    if unknown:
        raise Failed(f"There is no extra {unknown[0]}. There are: {', '.join(known)}.")
    stamp, unfinished = VENV / "companion.json", VENV / "unfinished"
    found = _read(stamp)
    before = found.get("extras")
    names = sorted({*extras, *(name for name in (before if isinstance(before, list) else ()) if name in known)})
    languages = _languages(names)
    wanted = {"checkout": str(CHECKOUT), "extras": names, "languages": languages, "locks": _digest(names)}
    if found == {**wanted, "python": found.get("python")} and not unfinished.exists() and _fits(found):
        return
    is_for_this = (found.get("checkout"), found.get("languages")) == (str(CHECKOUT), languages)
    if unfinished.exists() or not is_for_this or not _works():
        shutil.rmtree(VENV, ignore_errors=True)
    if not python_of(VENV).exists():
        _make_venv()
    unfinished.touch()
    _install([LOCKS / f"{name}.txt" for name in [CORE, *names]])
    if languages != ["all"]:
        _drop_languages(languages)
    # has the effect of an editable install, which would have to download a build backend
    Path(_place("purelib", VENV), "companion.pth").write_text(f"{CHECKOUT}\n", encoding="utf-8")
    stamp.write_text(json.dumps({**wanted, "python": list(sys.version_info[:2])}), encoding="utf-8")
    unfinished.unlink()


def _read(stamp: Path) -> dict[str, object]:
    try:
        found = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest(extras: Iterable[str]) -> str:
    return hashlib.sha256(b"".join((LOCKS / f"{name}.txt").read_bytes() for name in [CORE, *extras])).hexdigest()


def _fits(found: dict[str, object]) -> bool:
    """Return whether the environment works with the current Python; after an upgrade of Python this has to be tried."""
    return python_of(VENV).exists() and (found.get("python") == list(sys.version_info[:2]) or _works())


def _languages(extras: Sequence[str]) -> list[str]:
    """List the languages whose Babel data is kept: English and those of the catalogues; for tests ["all"]."""
    if "test" in extras:
        return ["all"]
    return sorted({"en", *(path.parent.name.partition("_")[0] for path in TRANSLATIONS.glob("*/LC_MESSAGES"))})


def _drop_languages(languages: Sequence[str]) -> None:
    """Delete Babel's data for all other languages, 28 of its 33 MB."""
    for path in Path(_place("purelib", VENV), "babel", "locale-data").glob("*.dat"):
        if path.stem.partition("_")[0] not in ("root", *languages):
            path.unlink()


def _works() -> bool:
    """Return whether the environment's Python starts and finds its packages."""
    asked = [str(python_of(VENV)), "-c", "import flask"]
    try:
        return subprocess.run(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def _uv() -> str | None:
    """Return the path of uv, which is faster than pip; None if it is missing, or if pip has been configured."""
    return None if any(name in os.environ for name in _PIP_SETTINGS) else shutil.which("uv")


def pip() -> list[str]:
    """Return the command that runs pip for the environment: this Python's own pip, or the one bundled with ensurepip.

    Raises Failed if there is neither.
    """
    import importlib.metadata  # only needed to install, and importing it would slow down every start

    try:
        own = tuple(map(int, importlib.metadata.version("pip").split(".")[:2]))
    except (importlib.metadata.PackageNotFoundError, ValueError):
        own = (0, 0)
    if own >= _PIP_FOR_OTHERS:
        return [sys.executable, "-m", "pip", "--python", str(python_of(VENV))]
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(os.__file__).parent / "ensurepip" / "_bundled"]
    for folder in folders:
        for wheel in sorted(Path(folder).glob("pip-*.whl")) if folder else ():
            return [str(python_of(VENV)), str(wheel / "pip")]
    if sys.platform == "linux":  # Debian packages pip and ensurepip separately
        raise Failed("This Python has no pip. Install it with: sudo apt-get install python3-pip")
    raise Failed("This Python has no pip. Install Python from python.org, or uv.")


def _make_venv() -> None:
    print("Creating the environment in .venv. This happens once and takes a few seconds.", file=sys.stderr)
    uv = _uv()
    make = (
        [uv, "venv", "--quiet", "--python", sys.executable] if uv else [sys.executable, "-m", "venv", "--without-pip"]
    )
    made = subprocess.run([*make, str(VENV)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        raise Failed(_sentence(made.stdout))


def _install(locks: Sequence[Path]) -> None:
    uv = _uv()
    if uv:
        command = [uv, "pip", "install", "--python", str(python_of(VENV)), "--no-progress"]
    else:
        command = [*pip(), "--disable-pip-version-check", "install", "--progress-bar=off", "--no-compile"]
        command += ["--retries=2", "--no-warn-script-location"]
    command += ["--no-deps", "--require-hashes", *(f"--requirement={path}" for path in locks)]
    # count distinct packages, because a package that two extras need is in both locks
    count = len(
        set(re.findall(r"^\S+==\S+", "".join(path.read_text(encoding="ascii") for path in locks), re.MULTILINE))
    )
    printed, progress = [], _Progress(count)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
    ) as installing:
        assert installing.stdout is not None
        for line in installing.stdout:
            printed.append(line)
            progress.see(line)
    if installing.returncode:
        progress.end(has_failed=True)
        raise Failed(_sentence("".join(printed)))
    progress.end()


def _sentence(printed: str) -> str:
    """Turn a tool's output into a message for the user; unknown output is included as it is."""
    for pattern, sentence in _SENTENCES:
        if re.search(pattern, printed, re.IGNORECASE):
            named = re.search(r"(?:distribution found for|satisfies the requirement|Because) ([\w.-]+)", printed)
            return sentence.format(
                need=_MEGABYTES,
                venv=VENV,
                package=named[1] if named else "A package",
                computer=f"Python {'.'.join(map(str, sys.version_info[:2]))} on {sysconfig.get_platform()}",
                advice=_OTHER_FOLDER if "PIP_NO_INDEX" in os.environ else _OTHER_PYTHON,
            )
    return f"{printed.rstrip()}\nThe environment in .venv couldn't be created; see above. The next start tries again."


class _Progress:
    """A progress line for the installation; on a terminal each update overwrites it."""

    def __init__(self, count: int) -> None:
        self._count, self._fetched, self._began = count, 0, time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._write(f"Installing {count} packages", "" if self._is_terminal else "\n")

    def see(self, line: str) -> None:
        """Update the progress from a line of pip's output."""
        if line.startswith(("Collecting ", "Processing ")):
            self._fetched += 1
            package = re.split(r"[=-]", Path(line.split()[1]).name)[0]
            self._rewrite(f"Downloading {self._fetched} of {self._count}: {package}")
        elif line.startswith("Installing collected"):
            self._rewrite("Unpacking them")

    def end(self, has_failed: bool = False) -> None:
        """Clear the line and, after a success, print how long the installation took."""
        self._rewrite("")
        if not has_failed:
            self._write(f"Installed in {time.monotonic() - self._began:.0f} s.", "\n")

    def _rewrite(self, text: str) -> None:
        if self._is_terminal:
            self._write(f"\r{text[:70]:<70}\r", "")

    def _write(self, text: str, end: str) -> None:
        print(text, end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
