"""How long saves take while photographs are read: `python -m benchmarks.photos`, from tests/.

Eight phones save rounds at once, each in a night of its own; then they do the same while two others send one photograph
after the other. What is asked for: the 99th percentile stays below 100 ms.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from threading import Event
from time import sleep

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from .serving import Client
from .web import CLIENTS, crowd, ours, slowest

PICTURE = Path(__file__).parent.parent / "camera" / "samples" / "cards" / "rendered_001.jpg"
NIGHTS = 10  # of rounds in the history; they do not matter here
READERS, SAVES = 2, 60
PATH = "/settle/knock-poker"


def read(client: Client, done: Event) -> list[float]:
    """Photograph hands until told to stop; returns the seconds of each reading."""
    token, times = client.token(PATH), list[float]()
    while not done.is_set():
        fields = {"csrf_token": token, "do": "photo-0", "photo": FileStorage(PICTURE.open("rb"), "hand.jpg")}
        edge, body = encode_multipart(MultiDict(fields))
        kind = f"multipart/form-data; boundary={edge}"
        answer = client.ask("POST", f"{PATH}/photo", body, {"Content-Type": kind, "Accept": "application/json"})
        if answer.status == 200 and '"hand"' in answer.text:
            times.append(answer.seconds)
        else:
            assert answer.status in (200, 429), answer.text[:300]
            sleep(0.5)  # others are being read, or this was too often
    return times


def main() -> None:
    """Measure, and print two lines."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        table, done = ours(stack, Path(folder), 1, NIGHTS), Event()
        savers = [table.saves(number) for number in range(CLIENTS)]
        crowd(savers, 1)
        sleep(3)  # by then the server has counted the games' hands
        alone, _ = crowd(savers, SAVES)
        with ThreadPoolExecutor(READERS) as pool:
            readers = [pool.submit(read, table.server.client(), done) for _ in range(READERS)]
            sleep(3)  # the first reading loads NumPy and the weights
            beside, _ = crowd(savers, SAVES)
            done.set()
        photos = [seconds for reader in readers for seconds in reader.result()]
    about = f"while {len(photos)} photos were read, {sum(photos) / max(len(photos), 1):.1f} s each"
    for what, times in (("alone", alone), (about, beside)):
        print(f"{what}: median {1000 * median(times):.0f} ms, 99th percentile {1000 * slowest(times):.0f} ms")


if __name__ == "__main__":
    main()
