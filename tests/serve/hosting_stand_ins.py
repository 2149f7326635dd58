"""Stands in for what HOSTING.md runs that needs root, a boot or the internet: `python hosting_stand_ins.py NAME …`.

The folder `ROOT` is the computer. What a program would do to the app is done for real: `systemctl` runs what the units
say, with their settings; an environment is a real one, in which the app is installed from a wheel; its other packages
are those of the tests.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(os.environ["CHECKOUT"])
sys.path.insert(0, str(CHECKOUT / "tests"))


ROOT = Path(os.environ["ROOT"])
PORTS = {"8000": os.environ["PORT"], "9100": os.environ["METRICS_PORT"]}
PACKAGES = Path(os.environ["PACKAGES"])
OF_ROOT = re.compile(r"(?<![\w.-])/(?=(?:opt|var|etc|root|usr/local)/)")  # the beginning of a path on that computer


def here(text: str) -> str:
    """Return a file's text with its paths in ROOT and with free ports."""
    text = OF_ROOT.sub(f"{ROOT}/", text)
    for port, free in PORTS.items():
        text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free}")
    return text


def as_companion(settings: Path) -> dict[str, str]:
    lines = here(settings.read_text()).splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return os.environ | given | {"PGUSER": "companion"}


def git(do: str, *arguments: str) -> None:
    if do == "clone":
        parts = ("companion", "static", "templates", "pyproject.toml", "README.md")
        for part in parts:
            (shutil.copytree if (CHECKOUT / part).is_dir() else _copy)(CHECKOUT / part, Path(arguments[-1]) / part)


def _copy(source: Path, place: Path) -> None:
    shutil.copy(source, place)


def python3(_m: str, what: str, folder: str) -> None:
    """Make an environment whose `pip` installs the app, and only looks whether the locks are there."""
    assert (_m, what) == ("-m", "venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = Path(folder).glob("lib/python*/site-packages")
    (packages / "tests.pth").write_text(f"{PACKAGES}\n")
    for name, command in (
        ("pip", f'"{sys.executable}" "{__file__}" pip "{folder}"'),
        ("companion", f'"{folder}/bin/python" -m companion.serve'),
        ("gunicorn", f'"{folder}/bin/python" -m gunicorn'),
    ):
        script = Path(folder, "bin", name)
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)


def pip(folder: str, install: str, _no_deps: str, *what: str) -> None:
    if what[0] == "--require-hashes":
        assert all(Path(lock).is_file() for lock in what[2::2])
        return
    (packages,) = Path(folder).glob("lib/python*/site-packages")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], check=True)
    (wheel,) = Path(folder).glob("*.whl")
    shutil.unpack_archive(wheel, packages, "zip")


def runuser(_u: str, user: str, _end: str, *command: str) -> None:
    subprocess.run(command, env=os.environ | {"PGUSER": user}, check=True)


def systemd_run(*words: str) -> None:
    (settings,) = (word.partition("EnvironmentFile=")[2] for word in words if "EnvironmentFile=" in word)
    command = words[next(at for at, word in enumerate(words) if word.startswith("/")) :]
    sys.exit(subprocess.run([here(command[0]), *command[1:]], env=as_companion(Path(here(settings)))).returncode)


def systemctl(do: str, *units: str) -> None:
    for unit in units:
        if unit.endswith(".timer"):
            assert (ROOT / "etc/systemd/system" / unit).is_file()
        elif unit.startswith("companion"):
            if do in ("stop", "restart"):
                _stop(ROOT / f"{unit}.pid")
            if do != "stop":
                _start(unit)


def _start(unit: str) -> None:
    text = here((ROOT / f"etc/systemd/system/{unit}.service").read_text()).replace("\\\n", "")
    keys = [line.partition("=")[::2] for line in text.splitlines()]
    for folder in (value for key, value in keys if key == "StateDirectory"):
        (ROOT / "var/lib" / folder).mkdir(0o700, parents=True, exist_ok=True)
    (settings,) = (Path(value) for key, value in keys if key == "EnvironmentFile")
    for key, command in keys:
        if key == "ExecStartPre" or (key == "ExecStart" and "Type=oneshot" in text):
            subprocess.run(shlex.split(command), env=as_companion(settings), check=True)
        elif key == "ExecStart":
            log = (ROOT / f"{unit}.log").open("ab")
            running = subprocess.Popen(
                shlex.split(command), env=as_companion(settings), stdout=log, stderr=log, start_new_session=True
            )
            (ROOT / f"{unit}.pid").write_text(str(running.pid))


def _stop(file: Path) -> None:
    pid = int(file.read_text())
    os.kill(pid, signal.SIGTERM)
    while (
        Path(f"/proc/{pid}/stat").exists()
        and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    ):
        pass
    file.unlink()


if __name__ == "__main__":
    do = globals().get(Path(sys.argv[1]).name.replace("-", "_"))
    if do is not None:
        do(*sys.argv[2:])
