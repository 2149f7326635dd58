"""Creates the virtual environment in `.venv` if it is missing, then runs the `companion` command in it.

Uses only the standard library, because nothing else is installed yet. `python3 companion environment test` creates the
environment with the packages of an extra, and stops there. Packages are pinned in `companion/locks` and checked by
hash, so that next year's installation is the same as today's. The environment gets no pip of its own, and modules are
compiled when they are first imported, which keeps it fast and small.
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
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
LOCKS = CHECKOUT / "companion" / "locks"
VENV = CHECKOUT / ".venv"
_ON_WINDOWS = os.name == "nt"
_SCHEME = "nt_venv" if _ON_WINDOWS else "posix_venv"
# if pip is told where to find packages, uv isn't used, because it ignores these variables
_PIP_SETTINGS = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")
# patterns in what pip and uv print when they fail, with the message for the user; the first match is used
_SENTENCES = {
    r"No space left|Errno 28\b|disk full|os error (28|112)\b": "The disk is full: {need} MB are needed. "
    "Free some space, then start again.",
    r"Read-only file system|Errno 30\b|os error 30\b": "{venv} is on a read-only disk. "
    "Copy the checkout to another one.",
    r"Permission denied|Access is denied|Errno 13\b|os error (5|13)\b": "You don't have permission to write to {venv}. "
    "Copy the checkout to a folder of your own.",
    r"DO NOT MATCH THE HASHES|Hash mismatch": "A package's hash differs from the lock. "
    "Start again; if it happens again, don't trust this network.",
    r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|invalid peer certificate|UnknownIssuer": "The connection to "
    "the package server isn't secure. Is the clock right? Does this network have a login page?",
    r"connection broken by|resolve host|Name or service|name resolution|getaddrinfo|ConnectTimeout|dns error"
    r"|Network is unreachable|Failed to fetch|error sending request|ProxyError|Connection refused": "The packages "
    "couldn't be downloaded. Connect this computer to the internet, then start again.",
    r"No matching distribution|from versions: none|Failed to build|Failed building|not supported wheel"
    r"|no wheels? with a matching|no solution found": "{package} isn't available for {computer}. {advice}",
}
_OTHER_PYTHON = "Python 3.13 is the safest choice: see companion/locks/README.md."
_OTHER_FOLDER = "Download the packages on the same kind of computer with the same Python, or unset PIP_NO_INDEX."
_MEGABYTES = 180


class Failed(Exception):  # noqa: N818 - a message for the user, not a bug
    """The environment couldn't be created; the message says why and what to do."""


class Mistyped(Failed):
    """The command was typed wrong."""


def main(arguments: Sequence[str]) -> None:
    """Create the environment and run the command in it. Doesn't return: the process ends with the command's status."""
    only_make = arguments[:1] == ["environment"] and not {"-h", "--help"} & {*arguments}
    try:
        make_environment(arguments[1:] if only_make else ())
    except Mistyped as sentence:
        print(sentence, file=sys.stderr)
        sys.exit(2)
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
    return _place("scripts", venv) / ("python.exe" if _ON_WINDOWS else "python")


def _place(what: str, venv: Path) -> Path:
    return Path(sysconfig.get_path(what, _SCHEME, {"base": str(venv), "platbase": str(venv)}))


def make_environment(extras: Sequence[str]) -> None:
    """Install the locked packages into `.venv`, unless they are installed already.

    Extras installed earlier are kept. An environment that was left incomplete is created again. Raises Failed.
    """
    known = sorted(path.stem for path in LOCKS.glob("*.txt") if path.stem != "core")
    unknown = [name for name in extras if name not in known]
    if unknown:
        raise Mistyped(f"There is no extra {unknown[0]}. There are: {', '.join(known)}.")
    stamp = VENV / "companion.json"
    stamped = _read(stamp)
    extras_before = stamped.get("extras")
    before = {*extras_before} & {*known} if isinstance(extras_before, list) else set()
    names = sorted({*extras, *before})
    locks = [LOCKS / f"{name}.txt" for name in ["core", *names]]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in locks)).hexdigest()
    wanted = {"checkout": str(CHECKOUT), "extras": names, "locks": digest, "python": list(sys.version_info[:2])}
    is_usable = stamped.get("checkout") == str(CHECKOUT) and _works(stamped.get("python") == wanted["python"])
    if is_usable and stamped == {**wanted, "python": stamped.get("python")}:
        return
    if not is_usable:
        shutil.rmtree(VENV, ignore_errors=True)
        _make_venv()
    # a stamp without a checkout is that of an incomplete environment; an extra that can't be installed isn't kept
    stamp.write_text(json.dumps({"extras": sorted(before)}), encoding="utf-8")
    _install(locks)
    # has the effect of an editable install, which would have to download a build backend
    (_place("purelib", VENV) / "companion.pth").write_text(f"{CHECKOUT}\n", encoding="utf-8")
    stamp.write_text(json.dumps(wanted), encoding="utf-8")


def _read(stamp: Path) -> dict[str, object]:
    try:
        stamped = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamped if isinstance(stamped, dict) else {}


def _works(is_same_python: bool) -> bool:
    """Return whether the environment's Python is there and, after an upgrade of Python, finds its packages."""
    python = python_of(VENV)
    try:
        return python.exists() and (
            is_same_python or subprocess.run([python, "-c", "import flask"], capture_output=True).returncode == 0
        )
    except OSError:
        return False


def pip() -> list[str]:
    """Return the command that runs pip for the environment: this Python's own pip, or the one bundled with ensurepip.

    Raises Failed if there is neither.
    """
    import importlib.util  # only needed to install, and importing it would slow down every start

    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", str(python_of(VENV))]
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(os.__file__).parent / "ensurepip" / "_bundled"]
    for folder in filter(None, folders):
        for wheel in Path(folder).glob("pip-*.whl"):
            return [str(python_of(VENV)), str(wheel / "pip")]
    if sys.platform == "linux":  # Debian packages pip and ensurepip separately
        raise Failed("This Python has no pip. Install it with: sudo apt-get install python3-pip")
    raise Failed("This Python has no pip. Install Python from python.org, or uv.")


def _make_venv() -> None:
    print("Installing into .venv. This happens once, and takes about half a minute.", file=sys.stderr)
    make = [sys.executable, "-m", "venv", "--without-pip", str(VENV)]
    made = subprocess.run(make, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        raise Failed(_sentence(made.stdout))


def _install(locks: Sequence[Path]) -> None:
    """Install what the locks name, and print how far it is: on a terminal on a single line, for each package of pip."""
    uv = None if any(name in os.environ for name in _PIP_SETTINGS) else shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", f"--python={python_of(VENV)}", "--no-progress"]
    else:
        command = [*pip(), "--disable-pip-version-check", "install", "--progress-bar=off", "--no-compile"]
        command += ["--retries=2", "--no-warn-script-location"]
    command += ["--no-deps", "--require-hashes", *(f"--requirement={path}" for path in locks)]
    # a package that two extras need is in both locks
    packages = {
        line for path in locks for line in re.findall(r"^\S+==\S+", path.read_text(encoding="ascii"), re.MULTILINE)
    }
    print(f"Installing {len(packages)} packages", file=sys.stderr, flush=True)
    printed, fetched = "", 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
    ) as installing:
        for line in installing.stdout or ():
            printed += line
            if line.startswith(("Collecting ", "Processing ")) and sys.stderr.isatty():
                fetched += 1
                package = re.split(r"[=-]", Path(line.split()[1]).name)[0]
                progress = f"Downloading {fetched} of {len(packages)}: {package}"
                print(f"{progress:<70.70}", end="\r", file=sys.stderr, flush=True)
    if installing.returncode:
        raise Failed(_sentence(printed))
    print(f"{'Installed.':<70}", file=sys.stderr)


def _sentence(printed: str) -> str:
    """Turn a tool's output into a message for the user; unknown output is included as it is."""
    for pattern, sentence in _SENTENCES.items():
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


if __name__ == "__main__":
    main(sys.argv[1:])
