"""Builds the container image without a builder, and runs it: the Containerfile's steps, in a Debian of its own.

sudo .venv/bin/python tests/build_container.py FOLDER

Needs Debian, root, debootstrap, and the network. In place of `python:3.13-slim`, both stages begin with Debian 13 and
its Python, the same; it stays in FOLDER/debian for the next time. The finished image is served as the Containerfile
says: by its user, with a root file system that cannot be written. Prints what the steps add to the base, also packed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent
RELEASE = "trixie"
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates"
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE = 60  # seconds, until it is healthy


@dataclass
class Stage:
    """A stage of the build, and how what it makes is to be run."""

    root: Path
    settings: dict[str, str] = field(default_factory=dict)
    user: str = "0"
    folder: str = "/"
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start a command in this root, as its user and in its folder."""
        settings = {"PATH": SYSTEM_PATH, **self.settings}
        inside = ["/usr/sbin/chroot", f"--userspec={self.user}:{self.user}", str(self.root)]
        return subprocess.Popen([*inside, "/usr/bin/env", f"--chdir={self.folder}", *command], env=settings)

    def run(self, command: list[str]) -> None:
        """Run a command to its end, which must be a good one."""
        if self.start(command).wait():
            raise SystemExit(f"failed: {command}")


def main() -> None:
    """Build the image in a folder, measure it, and try it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    base = folder / "debian"
    if not (base / "usr/bin/python").exists():
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, base], check=True)
        (base / "usr/bin/python").symlink_to("python3")
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copyfile(f"/{name}", base / name)
    stage = build(base, folder)
    added = [stage.root / "opt/venv", stage.root / "app"]
    print(f"{sum(map(size, added)) / 1e6:.0f} MB on top of the base, {packed(added, folder) / 1e6:.0f} MB packed")
    print(f"healthy after {serve(stage):.1f} s")


def build(base: Path, folder: Path) -> Stage:
    """Run the steps of all stages; returns the last one."""
    stages: dict[str, Stage] = {}
    for number, (instruction, rest) in enumerate(steps()):
        print(instruction, rest)
        if instruction == "FROM":
            root = folder / f"stage-{len(stages)}"
            shutil.rmtree(root, ignore_errors=True)
            subprocess.run(["cp", "-a", base, root], check=True)
            stage = stages[rest.partition(" AS ")[2] or str(number)] = Stage(root)
        elif instruction == "COPY":
            copy(stages, stage, rest.split())
        elif instruction == "ENV":
            name, _, value = rest.partition("=")
            stage.settings[name] = value
        elif instruction == "RUN":
            stage.run(["sh", "-c", rest])
        elif instruction == "USER":
            stage.user = rest
        elif instruction == "WORKDIR":
            stage.folder = rest
        elif instruction == "HEALTHCHECK":
            stage.health = json.loads(rest[rest.index("[") :])
        elif instruction == "CMD":
            stage.command = json.loads(rest)
    return stage


def steps() -> Iterator[tuple[str, str]]:
    """Yield the Containerfile's instructions, each with its arguments."""
    for line in (CHECKOUT / ".container" / "Containerfile").read_text().splitlines():
        if line and not line.startswith("#"):
            instruction, _, rest = line.partition(" ")
            yield instruction, rest


def copy(stages: dict[str, Stage], stage: Stage, words: list[str]) -> None:
    """Copy from the checkout, or with `--from` from an earlier stage."""
    source = CHECKOUT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    what, where = source / words[0].lstrip("/"), stage.root / words[1].lstrip("/")
    ignored = shutil.ignore_patterns("__pycache__") if source == CHECKOUT else None
    if what.is_dir():
        shutil.copytree(what, where, symlinks=True, ignore=ignored)
    else:
        shutil.copyfile(what, where)


def size(folder: Path) -> int:
    """Return what the files below a folder take, in bytes."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def packed(folders: list[Path], aside: Path) -> int:
    """Return how many bytes folders take in an archive, as a registry sends them."""
    archive = aside / "added.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        for folder in folders:
            tar.add(folder, folder.name)
    return archive.stat().st_size


@contextmanager
def mounted(*arguments: str | Path) -> Iterator[None]:
    subprocess.run(["mount", *arguments], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", arguments[-1]], check=True)


def serve(stage: Stage) -> float:
    """Serve with a root that cannot be written but for `/data`, until it is healthy; returns how long that took."""
    root = stage.root
    with ExitStack() as stack:
        stack.enter_context(mounted("--bind", root, root))
        stack.enter_context(mounted("--bind", root / "data", root / "data"))
        for name in ("dev", "dev/shm"):
            stack.enter_context(mounted("--bind", f"/{name}", root / name))
        stack.enter_context(mounted("-t", "proc", "proc", root / "proc"))
        subprocess.run(["mount", "-o", "remount,ro,bind", root], check=True)
        began = time.monotonic()
        serving = stage.start(stage.command)
        try:
            while stage.start(["sh", "-c", '"$@" 2>/dev/null', "health", *stage.health]).wait():
                if serving.poll() is not None or time.monotonic() > began + PATIENCE:
                    raise SystemExit("It never was healthy.")
                time.sleep(0.2)
            took = time.monotonic() - began
            if stage.start(["touch", "/app/written"]).wait() == 0:
                raise SystemExit("Its root can be written.")
        finally:
            serving.terminate()
            serving.wait()
    return took


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("It needs root, to change into another root: run it with sudo.")
    main()
