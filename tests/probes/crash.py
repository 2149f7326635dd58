"""Kills the server at random moments while phones save: what they were told is saved must be there exactly once.

    .venv/bin/python tests/probes/crash.py [--kills 20] [--writers 4] [--acks 40] [--seed 1] [--database postgresql://...]

Each life of the server ends after a random number of acknowledged rounds, at most --acks, while others are on their
way; there are more lives than --kills if none of them was cut. A phone sends what was cut again, with the same key.
Prints one line of JSON: `lost` were acknowledged and are not there, `doubled` are there twice, `unknown` nobody sent;
`cut` got no answer, and `cut_landed` were saved nevertheless; `wrong` is what the audit and SQLite say after each life.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from threading import Thread

from hosts import Database, Phone, Server, finish, seated, start, until

ENDLESS = 1_000_000


def life(phones: list[Phone], server: Server, acks: int) -> list[str]:
    """Let phones play until so many more rounds are acknowledged, then kill the server; returns what that cut."""
    wanted = sum(len(phone.saved) for phone in phones) + acks
    threads = start(phones, ENDLESS)

    def is_over() -> bool:
        return sum(len(phone.saved) for phone in phones) >= wanted or not any(map(Thread.is_alive, threads))

    until(is_over)
    under_way = [phone.under_way for phone in phones if phone.under_way]
    server.kill()
    for thread in threads:
        thread.join()
    return [key for key in under_way if not any(key in phone.saved for phone in phones)]


def check(database: Database, phones: list[Phone], found: dict[str, list[str]]) -> None:
    """Add what is wrong with the database."""
    for what, keys in database.compare(phones).items():
        found.setdefault(what, []).extend(keys)


def main() -> int:
    """Run the probe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("kills", 20), ("writers", 4), ("acks", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    random, lives, landed, cut = Random(given.seed), 0, 0, list[str]()
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder), given.database)
        server = Server(database)
        phones = seated(database, server.port, given.writers)
        server.start()
        for phone in phones:
            phone.open()
        while lives < given.kills or not cut:
            lives += 1
            now = life(phones, server, random.randint(1, given.acks))
            server.start()
            check(database, phones, found)
            landed += len({*now} & {one.key for one in database.rounds()})
            cut += now
        for thread in start(phones, max(len(phone.saved) for phone in phones) + 1):
            thread.join()  # what was cut is sent again
        server.kill()
        check(database, phones, found)
        found["refused"] = [one for phone in phones for one in phone.refused]
        found["never saved"] = [key for key in cut if not any(key in phone.saved for phone in phones)]
    acked = sum(len(phone.saved) for phone in phones)
    is_good = acked > 0 and len(cut) > 0 and not any(found.values())
    return finish("crash", is_good, kills=lives, acked=acked, cut=len(cut), cut_landed=landed, **found)


if __name__ == "__main__":
    sys.exit(main())
