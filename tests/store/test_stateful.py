"""Whatever is done in a night, in any order: the store agrees with a list model."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from nights import Plain, PlayedNight, summed_transfers
from sample_rounds import ROUNDS

from companion.store.audit import audit_night, audit_sums
from companion.store.log import ledger
from companion.store.night import revising
from companion.store.refusals import Refused

NAMES = ["Ana", "Beto", "Caro", "Dani"]
ACCOUNTS = [*NAMES[:3], "pot", "bank"]
WHICH = st.integers(0, 7)  # a line, counted round and round


class Sessions(RuleBasedStateMachine):
    """A night next to a list of lines, each with all its versions; the newest counts."""

    def __init__(self) -> None:
        super().__init__()
        self.night = PlayedNight(*NAMES[:3], away=NAMES[3:])
        self.said: list[list[tuple[dict[str, Any], bool]]] = []
        self.closed = False

    def plain(self, number: int = 0, now: tuple[dict[str, Any], bool] | None = None) -> dict[str, int] | None:
        """Compute the balances with one line changed; None if the pot would be overdrawn."""
        lines = [history[-1] for history in self.said]
        if now is not None:
            lines[number - 1 : number] = [now]
        try:
            return Plain().balances(lines)
        except ValueError:
            return None

    def say(self, number: int, now: tuple[dict[str, Any], bool], act: Any) -> None:
        """Make a change that sets a line's content; check that it is refused if it must be."""
        if self.closed or self.plain(number, now) is None:
            with pytest.raises(Refused):
                act()
        else:
            act()
            self.said[number - 1 : number] = [[*(self.said[number - 1] if number <= len(self.said) else []), now]]

    def draw_round(self, data: st.DataObject, games: Collection[str] = ROUNDS) -> dict[str, Any]:
        present = self.night.present()
        if len(present) >= 3 and ("knock" not in games or data.draw(st.booleans())):
            mine = self.night.named(ROUNDS[data.draw(st.sampled_from(sorted(games)))])
        else:
            mine = self.night.knock(data.draw(st.sampled_from(present)), data.draw(st.sampled_from(present)))
        return mine | {"stake": 1, "pot": 0}

    def add(self, document: dict[str, Any]) -> None:
        self.say(len(self.said) + 1, (document, False), lambda: self.night.save(document))

    @rule(data=st.data())
    def save_round(self, data: st.DataObject) -> None:
        if len(self.night.present()) >= 2:
            self.add(self.draw_round(data))

    @rule(giver=st.sampled_from(ACCOUNTS), taker=st.sampled_from(ACCOUNTS), amount=st.integers(1, 9))
    def save_movement(self, giver: str, taker: str, amount: int) -> None:
        if giver != taker:
            self.add(self.night.movement("loan", giver, taker, amount))

    @precondition(lambda self: self.said)
    @rule(which=WHICH, data=st.data())
    def correct(self, which: int, data: st.DataObject) -> None:
        number = which % len(self.said) + 1
        document = self.said[number - 1][-1][0]
        if document.get("movement") == "loan":
            document = document | {"amount": data.draw(st.integers(1, 9))}
        elif "game" in document and len(self.night.present()) >= (2 if document["game"] == "knock" else 3):
            document = self.draw_round(data, [document["game"]])
        self.change(number, document, voided=False)

    @precondition(lambda self: self.said)
    @rule(which=WHICH)
    def void(self, which: int) -> None:
        number = which % len(self.said) + 1
        self.change(number, self.said[number - 1][-1][0], voided=True)

    def change(self, number: int, document: dict[str, Any], *, voided: bool) -> None:
        night, seen = self.night, self.night.seen(number)
        self.say(
            number,
            (document, voided),
            lambda: revising.correct(night.public_id, number, document, seen, night.sent(), voided=voided),
        )

    @precondition(lambda self: self.said)
    @rule(which=WHICH)
    def take_back(self, which: int) -> None:
        number = which % len(self.said) + 1
        newest = self.night.line(number).current
        assert newest is not None
        if newest.follows:
            return
        history = self.said[number - 1]
        before = history[-2] if len(history) > 1 else (history[0][0], True)
        self.say(number, before, lambda: self.night.do(f"undo {number}"))

    @rule(order=st.permutations(NAMES), number=st.integers(1, 4), out=st.integers(0, 1))
    def sit(self, order: list[str], number: int, out: int) -> None:
        seats = [(name, "out" if at < out else "in") for at, name in enumerate(order[:number])]
        if self.closed:
            with pytest.raises(Refused):
                self.night.sit(seats)
        else:
            self.night.sit(seats)
            assert self.night.present() == order[out:number]

    @precondition(lambda self: len(self.said) > 3)
    @rule(split=st.booleans())
    def close(self, split: bool) -> None:
        rounds = [history[-1] for history in self.said if "movement" not in history[-1][0]]
        if self.closed or not rounds or rounds[-1][1]:
            return
        pot = (self.plain() or {}).get("pot", 0)
        self.night.do("close split" if split else "close")
        self.closed = True
        if split and pot:
            last = rounds[-1][0]
            table = last["players"][::-1] if last["game"] == "dompe" else last["players"]
            first = table.index(last["dealer"]) + 1
            self.said.append([({"movement": "split", "players": table[first:] + table[:first]}, False)])

    @precondition(lambda self: self.closed)
    @rule()
    def reopen(self) -> None:
        self.night.do("reopen")
        self.closed = False

    @invariant()
    def the_store_agrees(self) -> None:
        balances = ledger.balances(self.night.night)
        held = {key: balance for key, balance in balances.items() if balance}
        assert held == summed_transfers(self.night.public_id) == self.plain()
        assert sum(balances.values()) == 0
        assert (self.night.night.closed_at is not None) == self.closed
        assert [line.number for line in self.night.night.lines] == list(range(1, len(self.said) + 1))

    def teardown(self) -> None:
        assert list(audit_night(self.night.night)) == []
        assert list(audit_sums(self.night.group)) == []


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_session_agrees_with_a_plain_list(app: object) -> None:
    checks = settings(
        max_examples=30,
        stateful_step_count=20,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Sessions, settings=checks)
