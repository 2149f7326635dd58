"""How much slower a save is while webhooks lead to receivers that hang or answer 10 MB: the ratio of 99th percentiles.

    .venv/bin/python -m tests.benchmarks.webhooks [--postgresql]

One group saves rounds without webhooks, another with one, and a sender works beside the saves as it does in the app.
Five runs of each kind of receiver; the median of their ratios is printed. With `--postgresql`, on a server of its own.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "store"))

from flask import Flask
from nights import PlayedNight
from receivers import Receiver

from benchmarks.club import postgresql
from companion import create_app
from companion.serve.sending.sender import Sender
from companion.store.groups import webhooks
from companion.store.models import db

RUNS, SAVES = 5, 300
BIG = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 10_000_000


def slowest(night: PlayedNight, saves: int) -> float:
    """Return the 99th percentile of the milliseconds that a save takes."""
    times = []
    for _ in range(saves):
        round_ = night.round("won Ana")
        began = time.perf_counter()
        night.save(round_)
        times.append((time.perf_counter() - began) * 1000)
        db.session.remove()
    return statistics.quantiles(times, n=100)[98]


def ratio(app: Flask, url: str, saves: int) -> float:
    """Measure a group without webhooks, then one with a webhook that leads to an address."""
    without, told = PlayedNight("Ana", "Beto", "Caro"), PlayedNight("Ana", "Beto", "Caro")
    webhooks.make_webhook(told.group, url, webhooks.EVENTS, "salt", f"key {told.group_id}")
    before = slowest(without, saves)
    sender = Sender(app)
    sender.start()
    after = slowest(told, saves)
    sender.stop()
    sender.join()
    for webhook in webhooks.webhooks_of(told.group):
        webhooks.change_webhook(told.group, webhook.id, "revoke")
    print(f"{before:.2f} ms without, {after:.2f} ms with a webhook: {after / before:.2f}", flush=True)
    return after / before


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--saves", type=int, default=SAVES)
    asked = parser.parse_args(arguments)
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        folder.chmod(0o755)  # as root, PostgreSQL runs as another user
        settings: dict[str, object] = {"INSTANCE": folder / "instance", "WEBHOOKS": "anywhere"}
        if asked.postgresql:
            settings["SQLALCHEMY_DATABASE_URI"] = opened.enter_context(postgresql(folder / "server"))
        hangs, talks = opened.enter_context(Receiver(b"")), opened.enter_context(Receiver(BIG))
        app = create_app(settings)
        with app.app_context():
            for what, receiver in (("hangs", hangs), ("answers 10 MB", talks)):
                median = statistics.median(ratio(app, receiver.url, asked.saves) for _ in range(asked.runs))
                print(f"a receiver that {what}: median ratio {median:.2f} in {len(receiver.got)} tries")
            db.engine.dispose()


if __name__ == "__main__":
    main()
