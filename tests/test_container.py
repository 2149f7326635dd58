"""The container image without a builder: copies its files to a clean folder, runs its command and checks its health.

`build_container.py` builds it for real, as root and with the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest
import yaml
from ports import free_port
from waiting import MAX_SECONDS, until

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).parent.parent
FOLDER = CHECKOUT / ".container"


def steps() -> Iterator[tuple[str, str]]:
    """Yield the Containerfile's instructions, each with its arguments."""
    for line in (FOLDER / "Containerfile").read_text().replace("\\\n", "").splitlines():
        if line and not line.startswith("#"):
            instruction, _, rest = line.partition(" ")
            yield instruction, rest


STEPS = list(steps())


def given(instruction: str) -> list[str]:
    return [rest for name, rest in STEPS if name == instruction]


def words(text: str) -> list[str]:
    found: list[str] = json.loads(text[text.index("[") :])
    return found


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """Return a read-only folder with what the image's last stage copies."""
    for rest in given("COPY"):
        *sources, where = rest.split()
        target = tmp_path / where.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        for source in (CHECKOUT / what for what in sources if not rest.startswith("--from")):
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
        until(lambda: serving.poll() or not subprocess.run(health, env=settings, capture_output=True).returncode)
        assert serving.poll() is None
    finally:
        serving.terminate()
        serving.wait(MAX_SECONDS)
    assert {path.name for path in (root / "data").iterdir()} >= {"companion.db", "secret_key"}
    assert not (root / "app" / "instance").exists()


def test_it_installs_from_the_locks_and_has_no_rights() -> None:
    (install,) = [step for step in given("RUN") if "pip" in step and "--require-hashes" in step]
    for lock in re.findall(r"-r /locks/(\S+)", install):
        assert (CHECKOUT / "companion" / "locks" / lock).exists()
    assert given("USER")[-1] not in ("0", "root")
    assert given("VOLUME") == ["/data"]
    # the last stage has no Debian, and its check still runs as root, so that it may store the byte code
    last = STEPS[[*map(itemgetter(1), STEPS)].index("scratch") :]
    assert [name for name, _ in last if name in ("RUN", "USER", "CMD")] == ["RUN", "USER", "CMD"]


def test_the_services_are_sandboxed() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    app = services["companion"]
    assert (FOLDER / app["build"]["context"] / app["build"]["dockerfile"]).exists()
    assert [name for name, one in services.items() if "ports" in one] == ["caddy"]
    for one in services.values():
        assert one["read_only"] and one["cap_drop"] == ["ALL"] and "no-new-privileges:true" in one["security_opt"]
        assert all(":size=" in folder for folder in one["tmpfs"])
        assert {"mem_limit", "pids_limit", "logging", "restart"} <= one.keys()
    assert not app.keys() & {"cap_add", "user", "ports"}
    assert [volume.partition(":")[2] for volume in app["volumes"]] == given("VOLUME")
    hosting = (CHECKOUT / "companion" / "serve" / "HOSTING.md").read_text()
    for name in set(re.findall(r"\$\{(\w+):\?\}", (FOLDER / "compose.yaml").read_text())):
        assert f"{name}=" in hosting
