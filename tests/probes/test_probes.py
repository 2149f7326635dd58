"""Short runs of the probes: kills, power cuts, races, slow connections and malformed requests.

The first three are outside the repository, next to it or where PROBES says; their headers explain the figures. Each
probe is a command of its own, whose defaults are those of a long run.
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
from ports import free_port

pytestmark = pytest.mark.thorough

HERE = Path(__file__).resolve().parent
MAX_SECONDS = 300  # seconds; a probe that is not done by then hangs
CHECKOUT = HERE.parents[1]
PLACES = [Path(os.environ.get("PROBES", "nowhere")), CHECKOUT.parent / "shared/probes", Path("/work/shared/probes")]
PROBES = next((place for place in PLACES if (place / "crash.py").exists()), None)
COMMAND = f"exec {sys.executable} -c 'from companion.serve.command import main; main()' --host 127.0.0.1 --port"
SHORT = {
    "crash": ["--kills", "4", "--max-up", "0.8", "--health", "/healthz"],
    "powerloss": ["--cuts", "4", "--seconds", "2", "--health", "/healthz"],
    # with the driver's own transactions more than nine races in ten lost a correction
    "race": ["--trials", "6"],
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


@pytest.mark.skipif(PROBES is None, reason="the probes are not beside this checkout")
@pytest.mark.parametrize("probe", SHORT)
def test_probe(tmp_path: Path, probe: str) -> None:
    if probe == "powerloss" and not shutil.which("strace"):
        pytest.skip("no strace")
    port = free_port()
    command = [sys.executable, f"{PROBES}/{probe}.py", "--adapter", f"{HERE}/adapter.py", *SHORT[probe]]
    command += ["--cmd", f"{COMMAND} {port}", "--base", f"http://127.0.0.1:{port}", "--db", f"{tmp_path}/companion.db"]
    environment = {"PROBES_HOME": str(tmp_path), "COMPANION_INSTANCE": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = run(command, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["ok"]
    if probe != "race":
        assert found["acked"] > 0
        assert found["lost" if probe == "crash" else "lost_cuts"] == 0


def test_slow_clients_keep_nobody_waiting() -> None:
    command = [sys.executable, f"{HERE}/slow.py", "--connections", "120", "--seconds", "1", "--files", "1024"]
    done = run([*command, "--ways", "half a hand-shake", "half a head", "half a body", "reads no answer"], {})
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert len(found["ways"]) == 7
    assert all(row["opened"] >= 100 and row["asked"] > 0 for row in found["ways"].values()), found


def test_malformed_requests_are_no_errors_of_ours() -> None:
    command = [sys.executable, f"{HERE}/malformed.py", "--requests", "200"]
    environment = {"PYTHONPATH": str(CHECKOUT), "DATABASE_URL": ""}
    done = run(command, environment)
    found = json.loads(done.stdout)
    assert (found["5xx"], found["leaked"], found["tracebacks"]) == (0, 0, 0), done.stdout + done.stderr
    assert found["statuses"]["200"] > 0
    assert found["routes"] > 40


def test_the_costliest_requests_are_answered_soon() -> None:
    command = [sys.executable, f"{HERE}/costly.py", "--each", "1", "--most", "5"]
    done = run(command, {"PYTHONPATH": str(CHECKOUT), "DATABASE_URL": ""})
    found = json.loads(done.stdout)
    assert (found["ok"], found["wrong"], done.returncode) == (True, [], 0), done.stdout + done.stderr
    assert found["routes"] > 40
