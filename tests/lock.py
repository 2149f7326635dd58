"""Renews the locks: `python3 tests/lock.py`. `python3 tests/lock.py --newer` only lists what has a newer release.

`companion/locks/core.txt` names every package that the app needs by itself, with its version and the hashes of its
files, for all platforms; the lock of an extra names what this adds. `wheels.json` names the files, for the test that
looks for one for each platform. uv works it all out; where it is missing it is fetched for the time being.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
LOCKS = CHECKOUT / "companion" / "locks"
CORE = "core"
UNLOCKED = ("train",)  # only for whoever trains the networks anew; gigabytes, and never needed by the app
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)


def project() -> dict[str, dict[str, object]]:
    """Read the dependencies of pyproject.toml: those of the core, and those of each extra."""
    read = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "python": read["requires-python"],
        "dependencies": read["dependencies"],
        "extras": {name: asked for name, asked in read["optional-dependencies"].items() if name not in UNLOCKED},
    }


def digest() -> str:
    """Hash what pyproject.toml asks for: a lock was made for one such hash."""
    return hashlib.sha256(json.dumps(project(), sort_keys=True).encode()).hexdigest()


def pins(text: str) -> list[tuple[str, str]]:
    """List the names and versions that a lock pins."""
    return [(found["name"], found["version"]) for found in _PIN.finditer(text)]


def entries(text: str) -> list[str]:
    """Split a lock into its packages, each with its hashes."""
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
    """Write the newest releases that pyproject.toml allows into the locks."""
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
    """Name the packages of the locks that have a newer release; none where the network cannot say."""
    asked = [sys.executable, "-m", "pip", "--disable-pip-version-check", "list", "--outdated", "--format=json"]
    done = subprocess.run([*asked, "--retries=0", "--timeout=5"], capture_output=True, text=True)
    if done.returncode:
        return []
    locked = {name.lower() for path in LOCKS.glob("*.txt") for name, _ in pins(path.read_text(encoding="utf-8"))}
    return [
        f"{one['name']} {one['version']} -> {one['latest_version']}"
        for one in json.loads(done.stdout)
        if one["name"].lower().replace("_", "-") in locked
    ]


def main() -> None:
    """Renew the locks, or list what is newer."""
    if sys.argv[1:] == ["--newer"]:
        found = newer()
        if found:
            print(f"Newer than the locks (python3 tests/lock.py renews them): {', '.join(found)}")
        return
    with tempfile.TemporaryDirectory() as made:
        renew(_uv(Path(made)), Path(made), LOCKS)


if __name__ == "__main__":
    main()
