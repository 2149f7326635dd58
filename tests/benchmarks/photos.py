"""How long saves take while photographs are read: `python -m benchmarks.photos`, from tests/.

Eight phones save rounds at once, each in a night of its own; then they do the same while two others send one photograph
after the other. What is asked for: the 99th percentile stays below 100 ms.
"""

from __future__ import annotations

import http.client
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from .web import CLIENTS, crowd, ours

PICTURE = Path(__file__).parent.parent / "camera" / "samples" / "cards" / "rendered_001.jpg"
NIGHTS = 10  # of rounds in the history; they do not matter here
READERS, SAVES = 2, 60
PATH = "/settle/knock-poker"


class Reader(threading.Thread):
    """A phone that photographs hands until it is told to stop; `times` are the seconds of each reading."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port, self.done = port, threading.Event()
        self.times: list[float] = []

    def run(self) -> None:
        """Ask for one reading after the other."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", PATH)
            page = connection.getresponse()
            cookie = (page.headers["Set-Cookie"] or "").partition(";")[0]
            token = page.read().decode().partition('name="csrf_token" type="hidden" value="')[2].partition('"')[0]
            while not self.done.is_set():
                fields = {"csrf_token": token, "do": "photo-0", "photo": FileStorage(PICTURE.open("rb"), "hand.jpg")}
                edge, body = encode_multipart(MultiDict(fields))
                headers = {"Content-Type": f"multipart/form-data; boundary={edge}", "Cookie": cookie}
                began = time.perf_counter()
                connection.request("POST", PATH + "/photo", body, {**headers, "Accept": "application/json"})
                answer = connection.getresponse()
                told = answer.read()
                if answer.status == 200 and b'"hand"' in told:
                    self.times.append(time.perf_counter() - began)
                else:
                    assert answer.status in (200, 429), told[:300]
                    time.sleep(0.5)  # others are being read, or this was too often


def percentile(times: list[float], share: int) -> float:
    """Give a percentile in milliseconds."""
    return 1000 * sorted(times)[len(times) * share // 100]


def main() -> None:
    """Measure, and print two lines."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        table = ours(stack, Path(folder), 1, NIGHTS)
        savers = [table.saves(number) for number in range(CLIENTS)]
        crowd(savers, 1)
        time.sleep(3)  # by then the server has counted the games' hands
        alone, _ = crowd(savers, SAVES)
        readers = [Reader(table.server.port) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        time.sleep(3)  # the first reading loads NumPy and the weights
        beside, _ = crowd(savers, SAVES)
        for reader in readers:
            reader.done.set()
        for reader in readers:
            reader.join()
        read = [seconds for reader in readers for seconds in reader.times]
        print(f"alone: median {percentile(alone, 50):.0f} ms, 99th percentile {percentile(alone, 99):.0f} ms")
        print(f"while {len(read)} photos were read, {sum(read) / max(len(read), 1):.1f} s each: ", end="")
        print(f"median {percentile(beside, 50):.0f} ms, 99th percentile {percentile(beside, 99):.0f} ms")


if __name__ == "__main__":
    main()
