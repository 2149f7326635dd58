"""Drives a night by players' names with steps written as text, and compares it with a list model.

Steps are separated by semicolons: "won Ana" and "lost Ana Beto" (Knock: Ana knocks and wins, or loses to Beto), "rummy"
(Ana 29, Beto -8, Caro -21), "fix 1 won Ana", "void 1", "undo 1", "loan Ana Beto 5" (also bank, side-bet), "seats Ana
Beto=out Caro", "close", "close split", "reopen"; with stacks "buy-in 20" (or none), "rebuy Ana 20".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from typing import Any

from games.rounds import document as written
from sample_rounds import ROUNDS
from sqlalchemy import text

from companion.contract import settle
from companion.contract.naming import renamed
from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.store.groups import groups, links
from companion.store.log import ledger
from companion.store.models import Change, Group, Line, Night, db
from companion.store.money import settle_up
from companion.store.money.stacks import stacks_of
from companion.store.night import chips, drafts, play, revising
from companion.store.night import settings as night_changes
from companion.store.night.before_round import BeforeRound
from companion.store.refusals import Sent
from companion.table.cells import Values
from companion.table.input import Typed

Document = dict[str, Any]


def enter(
    public_id: str, key: str, number: int, cells: Values, device: str, *, game: str = "knock", shown: bool = False
) -> BeforeRound:
    """Enter cells into the next round's draft, as on the scorekeeper's phone with the seats of now."""
    night = play.find_night(public_id)
    seats = night.player_keys("in") if night is not None else []
    return drafts.enter(public_id, key, number, Typed(game, seats, cells, keeps=True), device, shown=shown)


# Knock's points: 0, 16, 47, 47 (KN-2)
LOWEST, MIDDLE, HIGHEST, AS_HIGH = "5s 5h 5d Qc Qs", "As 2h 3d 4c 6s", "Ks Jh Td 9c 8s", "Kh Jd Tc 9s 8h"


class PlayedNight:
    """A group's night; players are given by name, accounts as "pot" and "bank"."""

    def __init__(self, *names: str, away: Sequence[str] = ()) -> None:
        group = groups.make_group("Friday", [*names, *away], links.new_secret())
        self.ids = {player.name: str(player.id) for player in group.players} | {"pot": "pot", "bank": "bank"}
        self.group_id = group.id
        seats = [int(self.ids[name]) for name in names]
        self.public_id = groups.start_night(group, seats, "knock", {}, links.new_secret()).public_id
        self._keys = iter(range(1, 10_000))  # in contrast to `count`, it can be copied

    @property
    def night(self) -> Night:
        found = play.find_night(self.public_id)
        assert found is not None
        return found

    @property
    def group(self) -> Group:
        return db.session.get_one(Group, self.group_id)

    @property
    def names(self) -> dict[str, str]:
        """Return the names by account."""
        return {key: name for name, key in self.ids.items()}

    def another(self, names: str = "Ana Beto Caro", **more: Any) -> Night:
        """Start a further night of the group, to which the next steps belong."""
        seats = [int(self.ids[name]) for name in names.split()]
        made = groups.start_night(self.group, seats, "knock", {}, links.new_secret(), **more)
        self.public_id = made.public_id
        return made

    def sent(self, key: str | None = None) -> Sent:
        return Sent(key or f"key {next(self._keys)}", "a phone")

    def named(self, document: Document) -> Document:
        """Replace a round's names by ids."""
        return renamed(document, self.ids)

    def says(self, message: Message) -> str:
        """Return a sentence with the players' names."""
        names = {key: name for name, key in self.ids.items()}
        values = {key: names[value] if isinstance(value, PlayerKey) else value for key, value in message.values.items()}
        return str(Message(message.template, message.plural, **values))

    def present(self) -> list[str]:
        return [self.names[str(seat.player_id)] for seat in self.night.seats if seat.state == "in"]

    def knock(self, knocker: str, winner: str) -> Document:
        players = self.present()
        hands = {winner: LOWEST} if knocker == winner else {winner: LOWEST, knocker: HIGHEST}
        others = [hand for hand in (MIDDLE, AS_HIGH, HIGHEST) if hand not in hands.values()]
        hands |= dict(zip([player for player in players if player not in hands], others, strict=False))
        seats = (f"{player}{' knocked' if player == knocker else ''}: {hands[player]}" for player in players)
        return self.named(written("knock", ";".join(seats)) | {"dealer": players[-1]})

    def round(self, step: str) -> Document:
        match step.split():
            case ["won", player]:
                return self.knock(player, player)
            case ["lost", knocker, winner]:
                return self.knock(knocker, winner)
            case ["rummy"]:
                return self.named(ROUNDS["knock-rummy"])
        raise ValueError(step)

    def movement(self, kind: str, giver: str, taker: str, amount: int) -> Document:
        return {"movement": kind, "from": self.ids[giver], "to": self.ids[taker], "amount": amount, "note": "as agreed"}

    def seen(self, number: int) -> int:
        """Return the revision of a line that the page shows."""
        return self.line(number).current.number

    def line(self, number: int) -> Line:
        line = play.find_line(self.night, number)
        assert line is not None
        return line

    def save(self, document: Document, key: str | None = None, number: int | None = None) -> Change:
        """Book a round or movement as the next line."""
        at = number or play.next_number(self.night)
        book = play.move if "movement" in document else play.save_round
        return book(self.public_id, at, document, self.sent(key))

    def do(self, steps: str) -> None:
        for step in filter(None, (step.strip() for step in steps.split(";"))):
            self._do(step)

    def _do(self, step: str) -> None:
        match step.split():
            case ["fix", number, *rest]:
                fixed, at = self.round(" ".join(rest)), int(number)
                revising.correct(self.public_id, at, fixed, self.seen(at), self.sent())
            case ["void", number]:
                said = self.line(int(number)).current
                revising.correct(self.public_id, int(number), said.document, said.number, self.sent(), voided=True)
            case ["undo", number]:
                revising.undo(self.public_id, int(number), self.seen(int(number)), self.sent())
            case [("bank" | "loan" | "side-bet" | "pot") as kind, giver, taker, amount]:
                self.save(self.movement("buy-in" if kind == "bank" else kind, giver, taker, int(amount)))
            case ["seats", *seats]:
                pairs = (seat.partition("=") for seat in seats)
                self.sit([(name, state or "in") for name, _, state in pairs])
            case ["close", *split]:
                night_changes.close(self.public_id, split == ["split"], self.sent())
            case ["buy-in", units]:
                chips.set_buy_in(self.public_id, None if units == "none" else int(units), self.sent())
            case ["rebuy", player, units]:
                chips.rebuy(self.public_id, self.ids[player], int(units), self.sent())
            case ["reopen"]:
                night_changes.reopen(self.public_id, self.sent())
            case _:
                self.save(self.round(step))

    def sit(self, seats: Sequence[tuple[str, str]]) -> None:
        night_changes.set_seats(self.public_id, [(int(self.ids[name]), state) for name, state in seats], self.sent())

    def told(self, units: Mapping[str, int]) -> str:
        """Write what isn't zero of units by account: "Ana 2, Beto -1, Caro -1"."""
        shown = [(self.names[key], number) for key, number in units.items() if number]
        return ", ".join(f"{name} {number}" for name, number in sorted(shown))

    def standings(self) -> str:
        """Write the balances."""
        return self.told(ledger.balances(self.night))

    def stacks(self) -> str:
        """Write what is in front of everybody, and the pot: "Ana 19, Beto 19, Caro 22, pot 0"."""
        found = stacks_of(self.night)
        if found is None:
            return ""
        shown = [f"{self.names[key]} {units}" for key, units in found.held.items()]
        return ", ".join([*shown, f"pot {found.pot}"])

    def revisions(self) -> list[int]:
        """Count the revisions of each line."""
        return [len(line.revisions) for line in self.night.lines]


def eventful() -> PlayedNight:
    """Play two nights with everything that a group can have, and settle up."""
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani", "Eva"])
    night.do("lost Ana Beto; lost Beto Caro; rummy; won Ana; bank bank Ana 5; fix 1 won Ana; void 3; undo 2")
    night.do("seats Ana Beto=out Dani Caro; lost Ana Caro; close split")
    players = {player.name: player for player in night.group.players}
    groups.rename_player(players["Beto"], "Bertram Ñ 李")
    groups.retire_player(players["Eva"], True)
    groups.rename_player(players["Dani"], "=Dani")
    night_changes.write_note(night.public_id, "Café", "=a note\nof two lines", night.sent())
    play.write_remark(night.public_id, 1, "+a remark", night.sent())
    first = settle_up.make_plan(night.group, night.night, None, None, night.sent())
    settle_up.pay(first.public_id, 0, 1, night.sent())
    settle_up.pay(first.public_id, 0, -1, night.sent())
    settle_up.make_plan(night.group, None, None, "bank", night.sent())
    groups.start_night(night.group, [players["Eva"].id, players["Ana"].id], "knock", {}, "another", 25, "EUR")
    return night


def summed_transfers(public_id: str) -> dict[str, int]:
    """Sum the current revisions' transfers by account, with the tests' own SQL; omits zeros."""
    query = """
        SELECT a.key, SUM(CASE WHEN t.taker_id = a.id THEN t.amount ELSE -t.amount END)
        FROM night s JOIN line l ON l.night_id = s.id JOIN transfer t ON t.revision_id = l.current_id
        JOIN account a ON a.id IN (t.giver_id, t.taker_id) WHERE s.public_id = :night GROUP BY a.key
    """
    return {key: int(total) for key, total in db.session.execute(text(query), {"night": public_id}) if total}


@cache
def settled(document: str) -> tuple[dict[str, int], int]:
    """Settle a round given as JSON; returns the nets and the closing pot."""
    status, settlement = settle(json.loads(document))
    found: Any = settlement
    assert status == 200
    return found["net"], found["pot"]["closing"]


class Plain:
    """A model of the night as a list of lines, recomputed from the start each time; uses only the contract."""

    def __init__(self) -> None:
        self.lines: list[tuple[Document, bool]] = []

    def balances(self, lines: Sequence[tuple[Document, bool]] | None = None) -> dict[str, int]:
        """Return the nonzero balances; raises ValueError if the pot would be overdrawn."""
        sums: Counter[str] = Counter()
        for document, voided in self.lines if lines is None else lines:
            if voided:
                continue
            if document.get("movement") == "split":
                # one unit after the other, round the table (C-3)
                sums.update(islice(cycle(document["players"]), sums.pop("pot", 0)))
            elif "movement" in document:
                sums[document["from"]] -= document["amount"]
                sums[document["to"]] += document["amount"]
            else:
                nets, sums["pot"] = settled(json.dumps({**document, "pot": sums["pot"]}))
                sums.update(nets)
            if sums["pot"] < 0:
                raise ValueError(document)
        return {key: total for key, total in sums.items() if total}
