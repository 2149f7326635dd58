"""The set-up for real: pip installs small packages from a folder, without a network, and what stops it is told.

Each checkout has the files of the set-up and a lock of its own; nothing is faked but the packages.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from waiting import MAX_SECONDS, until

pytestmark = pytest.mark.thorough

PACKAGE = Path(__file__).parent.parent / "companion"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
CAN_MOUNT = IS_ROOT and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
REFUSING = "http://127.0.0.1:9/simple"


class Checkout:
    """A checkout whose lock names one package, and a folder of wheels that has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        (self.folder / "companion" / "locks").mkdir(parents=True)
        for name in ("__main__.py", "environment.py"):
            shutil.copy(PACKAGE / name, self.folder / "companion" / name)
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        self.lock = self.folder / "companion" / "locks" / "core.txt"
        self.venv = self.folder / ".venv"
        self.needs(self.wheel())

    def wheel(self, platform: str = "any", size: int = 0) -> Path:
        """Make a wheel of a package that is called like one that the app needs."""
        path = self.wheels / f"flask-3.0-py3-none-{platform}.whl"
        info = "flask-3.0.dist-info"
        files = {
            "flask.py": "#" * size,
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: flask\nVersion: 3.0\n",
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-{platform}\n",
            f"{info}/RECORD": f"flask.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
        }
        with ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return path

    def needs(self, wheel: Path) -> None:
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        self.lock.write_text(f"flask==3.0 \\\n    --hash=sha256:{digest}\n")

    def start(self, *before: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Make the environment, from the folder of wheels unless settings say otherwise, by what stands before it."""
        settings = settings or {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
        environment = {**kept, "PIP_CONFIG_FILE": os.devnull, **settings}
        command = [*before, sys.executable, "companion", "environment"]
        return subprocess.run(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def heals(self) -> bool:
        done = self.start()
        return done.returncode == 0 and self.has_flask()

    def has_flask(self) -> bool:
        return len(list(self.venv.rglob("flask.py"))) == 1


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_folder_of_wheels_is_enough_and_the_second_start_asks_nobody(checkout: Checkout) -> None:
    done = checkout.start()
    assert (done.returncode, done.stdout.splitlines()[-1].strip()) == (0, "Installed.")
    assert checkout.has_flask()
    assert not list(checkout.venv.rglob("pip")) and not list(checkout.venv.rglob("*.pyc"))
    done = checkout.start(PIP_INDEX_URL=REFUSING)
    assert (done.returncode, done.stdout) == (0, "")


def test_without_a_network_it_says_so_and_recovers_later(checkout: Checkout) -> None:
    done = checkout.start(PIP_INDEX_URL=REFUSING)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        "The packages couldn't be downloaded. Connect this computer to the internet, then start again."
    )
    assert checkout.heals()


def test_another_file_than_the_lock_names_is_not_installed(checkout: Checkout) -> None:
    checkout.wheel(size=10)
    done = checkout.start()
    assert done.returncode == 1 and not checkout.has_flask()
    assert done.stdout.splitlines()[-1].startswith("A package's hash differs from the lock.")
    checkout.wheel(size=0)
    checkout.needs(checkout.wheel())
    assert checkout.heals()


def test_a_lock_that_does_not_fit_this_computer_names_the_package(checkout: Checkout) -> None:
    (checkout.wheels / "flask-3.0-py3-none-any.whl").unlink()
    checkout.needs(checkout.wheel("plan9_vax"))
    done = checkout.start()
    assert done.returncode == 1
    python = f"Python {sys.version_info.major}.{sys.version_info.minor} on "
    assert done.stdout.splitlines()[-1].startswith(f"flask isn't available for {python}")
    checkout.needs(checkout.wheel())
    assert checkout.heals()


def test_after_a_kill_the_next_start_recovers(checkout: Checkout) -> None:
    settings = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(checkout.wheels)}
    command = [sys.executable, "companion", "environment"]
    starting = subprocess.Popen(command, cwd=checkout.folder, env=settings, start_new_session=True)
    stamp = checkout.venv / "companion.json"
    until(stamp.exists)
    os.killpg(starting.pid, signal.SIGKILL)  # with its pip
    starting.wait(MAX_SECONDS)
    assert "locks" not in stamp.read_text()
    (checkout.venv / "half").touch()
    assert checkout.heals()
    assert not (checkout.venv / "half").exists()


@pytest.mark.skipif(not CAN_MOUNT, reason="only root may make a small disk")
@pytest.mark.parametrize(
    ("mount", "said"),
    [
        ("mkdir .venv && mount -t tmpfs -o size=200k none .venv", "The disk is full: 180 MB are needed."),
        ("mount --bind . . && mount -o remount,ro,bind .", "is on a read-only disk."),
    ],
)
def test_a_full_disk_is_reported(checkout: Checkout, mount: str, said: str) -> None:
    checkout.needs(checkout.wheel(size=400_000))
    script = f'{mount} && cd "$PWD" && exec "$@"'
    done = checkout.start("unshare", "-m", "sh", "-c", script, "sh")
    assert done.returncode == 1 and "Traceback" not in done.stdout
    assert said in done.stdout.splitlines()[-1]
    assert checkout.heals()


@pytest.mark.skipif(sys.platform == "win32", reason="asks for POSIX rights")
def test_a_read_only_folder_is_reported(checkout: Checkout, tmp_path: Path) -> None:
    if IS_ROOT:
        for folder in [checkout.folder, *checkout.folder.parents]:
            if not folder.stat().st_mode & 0o005:
                folder.chmod(0o755)
        python = shutil.which("python3", path="/usr/bin:/bin")
        is_old = (
            python and subprocess.run([python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).returncode
        )
        if python is None or is_old or shutil.which("setpriv") is None:
            pytest.skip("no Python that another user may run")
        command = ["setpriv", "--reuid=65534", "--clear-groups", python, "companion", "environment"]
        done = subprocess.run(command, cwd=checkout.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    else:
        checkout.folder.chmod(0o555)
        done = checkout.start()
        checkout.folder.chmod(0o755)
    assert done.returncode == 1 and "Traceback" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith(f"You don't have permission to write to {checkout.venv}.")
    assert checkout.heals()
