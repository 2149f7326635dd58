"""Phones at one table act in the same moment: what each is told is what is stored, and no half round is ever seen.

    .venv/bin/python tests/probes/race.py [--trials 200] [--phones 4] [--database postgresql://...]

In each trial, all phones start from one barrier, in each of these cases:
  double_tap     the same form: all are told that it is saved, and it is stored once
  same_round     the same number under different keys: one is saved, the others are refused
  key_reuse      the same key with different amounts: one is saved, as its sender was told, the others are refused
  all_different  each its own round, with the next number if somebody was first: all are saved
  edit           a correction based on the same revision: one is saved, as its sender was told, the others are refused
Meanwhile one more phone reads the balances, whose sum is 0. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Barrier, Event

from forms import form_with
from hosts import Database, Phone, Server, finish, seated

SAVED, REFUSED = 303, 409
BALANCE = re.compile(r">([+\u2212]?[\d,]+)</b>")


@dataclass
class Table:
    """The phones of a table, and what was found out."""

    database: Database
    phones: Sequence[Phone]
    statuses: dict[str, Counter[int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    number: int = 1  # of the next round

    def together(self, case: str, act: Callable[[int, Phone], int], saved: int) -> list[int]:
        """Let all phones act at once, of whom so many must be told that it is saved; returns who was."""
        gate = Barrier(len(self.phones))

        def one(at: int) -> int:
            gate.wait()
            return act(at, self.phones[at])

        with ThreadPoolExecutor(len(self.phones)) as pool:
            told = list(pool.map(one, range(len(self.phones))))
        self.statuses.setdefault(case, Counter()).update(told)
        winners = [at for at, status in enumerate(told) if status == SAVED]
        if len(winners) != saved or any(status not in (SAVED, REFUSED) for status in told):
            self.wrong.append(f"{case}: told {told}")
        return winners

    def expect(self, case: str, antes: Sequence[int]) -> None:
        """Check the rounds from the next number on, by their antes, and continue after them."""
        stored = sorted((one.number, one.ante) for one in self.database.rounds() if one.number >= self.number)
        if stored != list(enumerate(antes, self.number)):
            self.wrong.append(f"{case}: stored {stored}, not {antes} from {self.number}")
        self.number = max([self.number, *(number + 1 for number, _ in stored)])

    def play(self, trial: int) -> None:
        """Play each case once."""
        number, everybody = self.number, len(self.phones)
        self.together("double_tap", lambda _, phone: phone.sends(f"{trial} double", number).status, everybody)
        self.expect("double_tap", [1])
        self.edit(number)
        number = self.number
        won = self.together("same_round", lambda at, phone: phone.sends(f"{trial} {at}", number, 1 + at).status, 1)
        self.expect("same_round", [1 + at for at in won])
        number = self.number
        won = self.together("key_reuse", lambda at, phone: phone.sends(f"{trial} key", number, 1 + at).status, 1)
        self.expect("key_reuse", [1 + at for at in won])
        number = self.number
        self.together("all_different", lambda at, phone: after_others(phone, f"{trial} own {at}", number), everybody)
        self.expect("all_different", [1] * everybody)

    def edit(self, number: int) -> None:
        """Correct a round on all phones."""
        seen = form_with(self.phones[0].get(f"/lines/{number}/correct"), "settle").fields["seen"][0]
        won = self.together("edit", lambda at, phone: phone.corrects(number, seen, 2 + at).status, 1)
        stored = [(one.revision, one.ante) for one in self.database.rounds() if one.number == number]
        if stored != [(2, 2 + at) for at in won]:
            self.wrong.append(f"edit: stored {stored}, saved by {won}")


def after_others(phone: Phone, key: str, number: int) -> int:
    """Save a round with the first number that is free; returns the last status."""
    while (answer := phone.sends(key, number)).status == REFUSED:
        offered = int(form_with(answer.text, "save").fields["number"][0])
        if offered == number:
            break
        number = offered
    return answer.status


def read(phone: Phone, is_over: Event, wrong: list[str]) -> int:
    """Read the balances until the phones are done; returns how often."""
    looks, is_last = 0, False
    while not is_last:
        is_last = is_over.is_set()
        table = re.search(r'<table class="standings[^"]*">.*?</table>', phone.get("/money"), re.DOTALL)
        shown = BALANCE.findall(table[0]) if table else []
        if sum(int(text.replace("\u2212", "-").replace(",", "")) for text in shown):
            wrong.append(f"the balances are {shown}")
        looks += bool(shown)
    return looks


def main() -> int:
    """Run the probe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--phones", type=int, default=4)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        database = Database(Path(folder), given.database)
        server = Server(database)
        (keeper,) = seated(database, server.port, 1)
        server.start()
        reader, *phones = [replace(keeper, name=f"phone{at}") for at in range(given.phones + 1)]
        for phone in (reader, *phones):
            phone.open()
        table, is_over = Table(database, phones), Event()
        reading = pool.submit(read, reader, is_over, table.wrong)
        try:
            for trial in range(given.trials):
                table.play(trial)
        finally:
            is_over.set()
            looks = reading.result()
            server.kill()
        wrong = [*table.wrong, *database.wrong()]
    return finish(
        "race", looks > 0 and not wrong, trials=given.trials, looks=looks, statuses=table.statuses, wrong=wrong
    )


if __name__ == "__main__":
    sys.exit(main())
