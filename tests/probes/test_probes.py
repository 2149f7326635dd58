"""Short runs of the probes: kills, power cuts, races, slow connections and malformed requests.

Each probe is a command of its own, whose defaults are those of a long run; its first lines explain the figures.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

HERE = Path(__file__).resolve().parent
MAX_SECONDS = 300  # seconds; a probe that is not done by then hangs
CHECKOUT = HERE.parents[1]
SHORT = {
    "crash": ["--kills", "3", "--acks", "8"],
    "powerloss": ["--cuts", "4", "--acks", "30"],
    "race": ["--trials", "3"],
}


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a probe; one that hangs is ended with all its servers, which would hold its pipes open for ever."""
    environment = os.environ | environment
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        command, cwd=CHECKOUT, env=environment, text=True, start_new_session=True, **pipes
    ) as process:
        try:
            said, errors = process.communicate(timeout=MAX_SECONDS)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, said, errors)


@pytest.mark.parametrize("probe", SHORT)
def test_probe(probe: str) -> None:
    if probe == "powerloss" and not shutil.which("strace"):
        pytest.skip("no strace")
    done = run([sys.executable, f"{HERE}/{probe}.py", *SHORT[probe]], {"PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["ok"]
    if probe == "race":
        assert set(found["statuses"]) == {"double_tap", "edit", "same_round", "key_reuse", "all_different"}
    else:
        assert found["acked"] > 0
        assert found["cut" if probe == "crash" else "fsyncs"] > 0


def test_slow_clients_keep_nobody_waiting() -> None:
    command = [sys.executable, f"{HERE}/slow.py", "--connections", "120", "--seconds", "1", "--files", "1024"]
    done = run([*command, "--ways", "half a hand-shake", "half a head", "half a body", "reads no answer"], {})
    # 1 says that an answer took longer than a second, as it may beside other work
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert len(found["ways"]) == 7
    # others are answered while slow ones are open
    assert all(row["opened"] >= 100 and row["asked"] > 0 for row in found["ways"].values()), found


def test_malformed_requests_are_no_errors_of_ours() -> None:
    done = run([sys.executable, f"{HERE}/malformed.py", "--requests", "300"], {})
    found = json.loads(done.stdout)
    assert (found["5xx"], found["leaked"], found["tracebacks"]) == (0, 0, 0), done.stdout + done.stderr
    assert found["statuses"]["200"] > 0
    assert found["routes"] > 40
