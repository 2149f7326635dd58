"""Renews the locks: `python3 tests/lock.py`. `python3 tests/lock.py --newer` only lists newer releases.

`companion/locks/core.txt` names every package that the app needs by itself, with its version and the hashes of its
files, for all platforms; the lock of an extra names what this adds. `wheels.json` names the files, for the test that
looks for one for each platform. uv resolves the versions; if it isn't installed, it is put into a temporary folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))  # so that any Python runs this file
from companion import environment  # noqa: E402

LOCKS = CHECKOUT / "companion" / "locks"
CORE = "core"
UNLOCKED = ("train",)  # only for retraining the networks: gigabytes that the app never needs
RUN = (CORE, "club", "https", "push", "mdns")  # what tables run; the other locks are for tests
WEEK = 7 * 24 * 3600  # seconds
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)


def project() -> dict[str, dict[str, object]]:
    """Read pyproject.toml's dependencies: the core's, and each extra's."""
    read = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "python": read["requires-python"],
        "dependencies": read["dependencies"],
        "extras": {name: asked for name, asked in read["optional-dependencies"].items() if name not in UNLOCKED},
    }


def digest() -> str:
    """Hash the dependencies in pyproject.toml; a lock records the hash it was made for."""
    return hashlib.sha256(json.dumps(project(), sort_keys=True).encode()).hexdigest()


def pins(text: str) -> list[tuple[str, str]]:
    """List the names and versions a lock pins."""
    return [(found["name"], found["version"]) for found in _PIN.finditer(text)]


def entries(text: str) -> list[str]:
    """Split a lock into its packages with their hashes."""
    return re.findall(r"^[A-Za-z0-9].*\n(?:[ ]+.*\n)*", text, re.MULTILINE)


def _uv(folder: Path) -> list[str]:
    found = shutil.which("uv")
    if found is None:
        subprocess.run([sys.executable, "-m", "venv", folder / "uv"], check=True)
        python = next(path for path in (folder / "uv").glob("*/python*") if path.stem == "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        return [str(python), "-m", "uv"]
    return [found]


def _compile(uv: list[str], target: Path, *options: str) -> str:
    command = [*uv, "pip", "compile", "--quiet", "--universal", "--python-version=3.11", "--no-header"]
    command += ["--no-annotate", *options, "--output-file", str(target), "pyproject.toml"]
    subprocess.run(command, cwd=CHECKOUT, check=True)
    return target.read_text(encoding="utf-8")


def renew(uv: list[str], folder: Path, locks: Path) -> None:
    """Update the locks to the newest releases that pyproject.toml allows."""
    locks.mkdir(exist_ok=True)
    extras = [f"--extra={name}" for name in project()["extras"]]
    everything = _compile(uv, folder / "pylock.toml", *extras, "--format=pylock.toml")
    constraints = folder / "constraints.txt"
    _compile(uv, constraints, *extras)
    hashed = ("--generate-hashes", f"--constraint={constraints}")
    texts = {CORE: _compile(uv, folder / "core.txt", *hashed)}
    core = set(entries(texts[CORE]))
    for extra in project()["extras"]:
        text = _compile(uv, folder / f"{extra}.txt", f"--extra={extra}", *hashed)
        texts[extra] = "".join(entry for entry in entries(text) if entry not in core)
    for name, text in texts.items():
        head = f"# Made by tests/lock.py for {digest()}\n"
        (locks / f"{name}.txt").write_text(head + text, encoding="utf-8")
    named = {name for key in texts if key not in ("test", "benchmarks") for name, _ in pins(texts[key])}
    files = {
        f"{package['name']}=={package['version']}": sorted(
            wheel["url"].rpartition("/")[2] for wheel in package.get("wheels", ())
        )
        for package in tomllib.loads(everything)["packages"]
        if package["name"] in named
    }
    (locks / "wheels.json").write_text(json.dumps(files, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def newer() -> list[str]:
    """List the packages in the locks of `RUN` that have a newer release; none if the network is down.

    Asks the package index once a week, because that takes pip some seconds; the answer is kept in `.venv`.
    """
    kept = environment.VENV / "newer.json"
    known = _recall(kept)
    if known is None:
        known = _ask()
        if known is not None and kept.parent.is_dir():
            kept.write_text(json.dumps({"locks": digest(), "newest": known}), encoding="utf-8")
    # a package may be locked in one version for older Pythons and in another for newer ones
    locked: dict[str, list[str]] = {}
    for lock in RUN:
        for name, version in pins((LOCKS / f"{lock}.txt").read_text(encoding="utf-8")):
            locked.setdefault(name, []).append(version)
    return [
        f"{name} {', '.join(locked[name])} -> {newest}"
        for name, newest in sorted((known or {}).items())
        if name in locked and newest not in locked[name]
    ]


def _recall(kept: Path) -> dict[str, str] | None:
    try:
        if time.time() - kept.stat().st_mtime > WEEK:
            return None
        found = json.loads(kept.read_text(encoding="utf-8"))
        return dict(found["newest"]) if found["locks"] == digest() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _ask() -> dict[str, str] | None:
    """Ask the package index for the newest release of each package, as pip would install it here."""
    names = sorted({name for key in RUN for name, _ in pins((LOCKS / f"{key}.txt").read_text(encoding="utf-8"))})
    try:
        asked = [*environment.pip(), "--disable-pip-version-check", "install", "--dry-run", "--ignore-installed"]
    except environment.Failed:
        return None
    asked += ["--no-deps", "--quiet", "--only-binary=:all:", "--report=-", "--retries=0", "--timeout=5"]
    done = subprocess.run([*asked, *names], capture_output=True, text=True)
    if done.returncode:
        return None
    found = [one["metadata"] for one in json.loads(done.stdout)["install"]]
    return {re.sub(r"[-_.]+", "-", one["name"]).lower(): one["version"] for one in found}


def main() -> None:
    """Renew the locks, or list newer releases."""
    parser = argparse.ArgumentParser(description="Renew the locks.", allow_abbrev=False)
    parser.add_argument("--newer", action="store_true", help="only list newer releases; the locks stay as they are")
    if parser.parse_args().newer:
        found = newer()
        if found:
            print(f"Newer than the locks (python3 tests/lock.py renews them): {', '.join(found)}")
        return
    with tempfile.TemporaryDirectory() as made:
        renew(_uv(Path(made)), Path(made), LOCKS)


if __name__ == "__main__":
    main()
