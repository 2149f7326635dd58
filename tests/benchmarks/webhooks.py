"""How much slower a save is while webhooks lead to receivers that hang or answer 10 MB: the ratio of 99th percentiles.

    PYTHONPATH=.:tests:tests/store python tests/benchmarks/webhooks.py

One group saves rounds without webhooks, another with one, and a sender works beside the saves as it does in the app.
Five runs of each kind of receiver; the median of their ratios is printed.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from flask import Flask
from nights import PlayedNight
from receivers import Receiver

from companion import create_app
from companion.serve.sending import Sender
from companion.store.groups import webhooks
from companion.store.models import db

RUNS, SAVES = 5, 300
BIG = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 10_000_000


def slowest(night: PlayedNight) -> float:
    """Return the 99th percentile of the milliseconds that a save takes."""
    times = []
    for _ in range(SAVES):
        round_ = night.round("won Ana")
        began = time.perf_counter()
        night.save(round_)
        times.append((time.perf_counter() - began) * 1000)
        db.session.remove()
    return statistics.quantiles(times, n=100)[98]


def ratio(app: Flask, url: str) -> float:
    """Measure a group without webhooks, then one with a webhook that leads to an address."""
    without, told = PlayedNight("Ana", "Beto", "Caro"), PlayedNight("Ana", "Beto", "Caro")
    webhooks.make_webhook(told.group, url, webhooks.EVENTS, "salt", f"key {told.group_id}")
    before = slowest(without)
    sender = Sender(app)
    sender.start()
    after = slowest(told)
    sender.stop()
    sender.join()
    for webhook in webhooks.webhooks_of(told.group):
        webhooks.change_webhook(told.group, webhook.id, "revoke")
    print(f"{before:.2f} ms without, {after:.2f} ms with a webhook: {after / before:.2f}", flush=True)
    return after / before


def main() -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory() as folder, Receiver(b"") as hangs, Receiver(BIG) as talks:
        app = create_app({"INSTANCE": Path(folder), "WEBHOOKS": "anywhere"})
        with app.app_context():
            for what, receiver in (("hangs", hangs), ("answers 10 MB", talks)):
                median = statistics.median(ratio(app, receiver.url) for _ in range(RUNS))
                print(f"a receiver that {what}: median ratio {median:.2f} in {len(receiver.got)} tries")
            db.engine.dispose()


if __name__ == "__main__":
    main()
