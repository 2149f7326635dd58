"""The container image without a builder: copies its files to a clean folder, runs its command and checks its health.

`build_container.py` runs all of its steps, as root and with the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from build_container import steps
from ports import free_port

CHECKOUT = Path(__file__).parent.parent
FOLDER = CHECKOUT / ".container"
STEPS = list(steps())
PATIENCE = 60  # seconds


def given(instruction: str) -> list[str]:
    return [rest for name, rest in STEPS if name == instruction]


def words(text: str) -> list[str]:
    found: list[str] = json.loads(text[text.index("[") :])
    return found


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """Return a read-only folder with what the image's last stage copies."""
    for what, where in (rest.split() for rest in given("COPY") if not rest.startswith("--from")):
        source, target = CHECKOUT / what, tmp_path / where.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (tmp_path / "data").mkdir()
    yield tmp_path


def test_its_command_serves_what_was_copied_and_is_healthy(root: Path) -> None:
    port = str(free_port())
    settings = dict(line.split("=", 1) for line in given("ENV"))
    settings["PATH"] = os.environ["PATH"]
    for name in ("PYTHONPATH", "COMPANION_INSTANCE"):
        settings[name] = str(root / settings[name].lstrip("/"))

    def inside(command: list[str]) -> list[str]:
        assert command[0] == "python"
        return [sys.executable, "-P", *(word.replace("8000", port) for word in command[1:])]

    health = inside(words(given("HEALTHCHECK")[0]))
    serving = subprocess.Popen(inside(words(given("CMD")[0])), env=settings, cwd=root / "data")
    try:
        latest = time.monotonic() + PATIENCE
        while subprocess.run(health, env=settings, capture_output=True).returncode:
            assert serving.poll() is None and time.monotonic() < latest
            time.sleep(0.2)
    finally:
        serving.terminate()
        serving.wait(PATIENCE)
    assert {path.name for path in (root / "data").iterdir()} >= {"companion.db", "secret_key"}
    assert not (root / "app" / "instance").exists()


def test_it_installs_from_the_locks_and_has_no_rights() -> None:
    (install,) = [step for step in given("RUN") if "pip" in step and "--require-hashes" in step]
    for lock in re.findall(r"-r /locks/(\S+)", install):
        assert (CHECKOUT / "companion" / "locks" / lock).exists()
    # what follows is run with the path that the image sets, and Debian makes users with a command in /usr/sbin
    (path,) = [rest for rest in given("ENV") if rest.startswith("PATH=")]
    assert "/usr/sbin" in path.split(":")
    assert given("USER")[-1] not in ("0", "root")
    assert given("VOLUME") == ["/data"]
    assert [name for name, _ in STEPS].index("USER") < [name for name, _ in STEPS].index("CMD")


def test_the_services_are_shut_in() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    app = services["companion"]
    assert app["read_only"] and app["cap_drop"] == ["ALL"]
    assert (FOLDER / app["build"]["context"] / app["build"]["dockerfile"]).exists()
    assert [name for name, one in services.items() if "ports" in one] == ["caddy"]
    assert all("mem_limit" in one for one in services.values())
    readme = (CHECKOUT / "README.md").read_text()
    for name in set(re.findall(r"\$\{(\w+):\?\}", (FOLDER / "compose.yaml").read_text())):
        assert f"{name}=" in readme
