"""Chip stacks: what is in front of everybody, what a round may put in, rebuys, and the count at the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nights import PlayedNight
from sample_rounds import ROUNDS
from tampering import tampering
from test_portable import File

from companion.contract import read_round
from companion.games import all_games
from companion.store.audit import audit, audit_night, audit_sums
from companion.store.groups import groups
from companion.store.groups.deleting import delete_group
from companion.store.log import ledger
from companion.store.log.replay import LineEntry
from companion.store.models import Night, db
from companion.store.money.stacks import overdrawn, rules_in_force, shortfalls, stacks_of
from companion.store.night import chips
from companion.store.portable import export_group, import_group
from companion.store.portable.group_file import read
from companion.store.refusals import Conflict, Refused

# Knock: everybody antes 1; who knocks and loses matches the pot (KN-3)
STEPS = [
    ("without", "won Ana", ""),
    ("at-the-start", "buy-in 20", "Ana 20, Beto 20, Caro 20, pot 0"),
    ("a-round", "buy-in 20; won Ana", "Ana 22, Beto 19, Caro 19, pot 0"),
    ("chosen-later", "won Ana; buy-in 20", "Ana 22, Beto 19, Caro 19, pot 0"),
    ("a-pot", "buy-in 20; lost Ana Beto", "Ana 16, Beto 22, Caro 19, pot 3"),
    ("a-pot-that-is-split", "buy-in 20; lost Ana Beto; close split", "Ana 17, Beto 23, Caro 20, pot 0"),
    ("below-nothing", "buy-in 3; lost Ana Beto", "Ana -1, Beto 5, Caro 2, pot 3"),
    ("a-rebuy", "buy-in 3; lost Ana Beto; rebuy Ana 3", "Ana 2, Beto 5, Caro 2, pot 3"),
    ("a-rebuy-voided", "buy-in 3; rebuy Ana 3; void 1", "Ana 3, Beto 3, Caro 3, pot 0"),
    ("debts-move-no-chips", "buy-in 9; loan Ana Beto 5; side-bet Caro Ana 2; bank bank Beto 4",
     "Ana 9, Beto 9, Caro 9, pot 0"),
    ("a-fine-moves-chips", "buy-in 9; pot Ana pot 2", "Ana 7, Beto 9, Caro 9, pot 2"),
    ("who-joins-buys-in", "buy-in 9; won Ana; seats Ana Beto Dani Caro", "Ana 11, Beto 8, Dani 9, Caro 8, pot 0"),
    ("who-leaves-keeps-them", "buy-in 9; won Ana; seats Ana Beto", "Ana 11, Beto 8, Caro 8, pot 0"),
    ("without-again", "buy-in 9; rebuy Ana 3; buy-in none", ""),
    ("all-of-it-is-lost", "lost Ana Beto; buy-in 4", "Ana 0, Beto 6, Caro 3, pot 3"),
    ("another-buy-in", "buy-in 9; rebuy Ana 3; buy-in 10", "Ana 13, Beto 10, Caro 10, pot 0"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "stacks"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS])
def test_steps(app: object, steps: str, stacks: str) -> None:
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani"])
    night.do(steps)
    assert night.stacks() == stacks
    assert list(audit()) == []


def test_who_has_no_chips_is_out(night: PlayedNight) -> None:
    night.do("buy-in 4; lost Ana Beto")
    stacks = stacks_of(night.night)
    assert stacks is not None
    assert stacks.out == [night.ids["Ana"]]


def test_a_rebuy_is_neither_gain_nor_loss(night: PlayedNight) -> None:
    night.do("buy-in 3; lost Ana Beto; rebuy Ana 10")
    assert night.standings() == "Ana -4, Beto 2, Caro -1, pot 3"
    assert night.line(2).game is None
    assert ledger.balances_of({night.night.id: night.group_id}) == {night.night.id: ledger.balances(night.night)}


REFUSED = [
    ("nothing-in-front", "buy-in 3; lost Ana Beto", "won Beto",
     "Ana has no chips left: record a rebuy first, or let Ana sit out"),
    ("nothing-left", "buy-in 4; lost Ana Beto", "won Beto",
     "Ana has no chips left: record a rebuy first, or let Ana sit out"),
    ("a-buy-in-of-nothing", "", "buy-in 0", "A buy-in is 1 to 1,000,000,000"),
    ("a-negative-one", "", "buy-in -5", "A buy-in is 1 to 1,000,000,000"),
    ("too-large-a-one", "", "buy-in 1000000001", "A buy-in is 1 to 1,000,000,000"),
    ("less-than-was-lost", "lost Ana Beto", "buy-in 3", "Ana has lost more than that already; choose 4 or more"),
    ("less-than-another-lost", "lost Caro Beto", "buy-in 3", "Caro has lost more than that already; choose 4 or more"),
    ("a-rebuy-without-stacks", "", "rebuy Ana 5", "This night is played without stacks; choose a buy-in first"),
    ("a-rebuy-from-outside", "buy-in 5", "rebuy Dani 5", "Only players of this night can buy chips"),
    ("a-rebuy-when-closed", "buy-in 5; close", "rebuy Ana 5", "This night is closed; reopen it to make changes"),
    ("a-buy-in-when-closed", "close", "buy-in 5", "This night is closed; reopen it to make changes"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "step", "says"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(app: object, steps: str, step: str, says: str) -> None:
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani"])
    night.do(steps)
    before = night.standings(), night.stacks(), len(night.night.lines)
    with pytest.raises(Refused) as refused:
        night.do(step)
    assert night.says(refused.value.message) == says
    db.session.expire_all()
    assert (night.standings(), night.stacks(), len(night.night.lines)) == before


def test_all_who_lack_chips_are_told_at_once(night: PlayedNight) -> None:
    night.do("buy-in 3; rummy")
    with pytest.raises(Refused) as refused:
        night.do("won Beto")
    assert [problem.field for problem in refused.value.problems] == [
        f"round.hands.{night.ids[name]}" for name in ("Beto", "Caro")
    ]


def bets_of() -> list[str]:
    return [game.key for game in all_games().values() if any(q.kind == "bets" for q in game.questions)]


@pytest.mark.parametrize("game", bets_of())
def test_a_bet_above_the_stack_is_refused_in_every_game_with_bets(night: PlayedNight, game: str) -> None:
    document = night.named(ROUNDS[game])
    entered = read_round(document)
    assert entered.game is not None and entered.round is not None
    most = max(entered.round.entry.paid.values())
    settlement = entered.game.settle(entered.round)
    for held in (dict.fromkeys(document["players"], most), {}):
        assert shortfalls(settlement, held) == {}
    night.do(f"buy-in {most - 1}")
    with pytest.raises(Refused, match=f"puts in {most} but has only {most - 1}: fix the amount, or record a rebuy"):
        night.save(document)
    night.do("; ".join(f"rebuy {name} 1" for name in ("Ana", "Beto", "Caro")))
    night.save(document)
    assert list(audit()) == []


@pytest.mark.parametrize("game", bets_of())
def test_stacks_turn_all_in_on_in_every_game_with_bets(night: PlayedNight, game: str) -> None:
    night.do("buy-in 20")
    assert rules_in_force(night.night, game)["all_in"] is True
    assert rules_in_force(night.night, "knock") == night.night.rules.get("knock", {})
    session = groups.start_night(night.group, [int(night.ids["Ana"]), int(night.ids["Beto"])], game,
                                   {game: {"ante": 2}}, "another", buy_in=7)  # fmt: skip
    assert (session.buy_in_units, rules_in_force(session, game)) == (7, {"ante": 2, "all_in": True})


@pytest.mark.parametrize("game", bets_of())
def test_the_all_in_of_stacks_is_not_kept_with_the_rules(night: PlayedNight, game: str) -> None:
    night.do("buy-in 20")
    document = night.named(ROUNDS[game])
    night.save({**document, "rules": {"ante": 1, "all_in": True}})
    assert night.night.rules[game] == {"ante": 1}
    night.do("buy-in none")
    assert rules_in_force(night.night, game) == {"ante": 1}
    night.save({**document, "rules": {"ante": 1, "all_in": True}})
    assert rules_in_force(night.night, game) == {"ante": 1, "all_in": True}
    night.do("buy-in 20")
    night.save({**document, "rules": {"all_in": True}})
    assert night.night.rules[game] == {"all_in": True}


def test_a_correction_is_not_refused_but_told(night: PlayedNight) -> None:
    night.do("buy-in 4; rebuy Ana 3; loan Ana Beto 9; lost Ana Beto; won Ana")
    assert overdrawn(night.night) == []
    rebuy = night.line(1).current
    assert rebuy is not None
    found = overdrawn(night.night, LineEntry(1, rebuy.document, voided=True))
    assert [(short.number, short.player, short.units, short.stack) for short in found] == [(4, night.ids["Ana"], 1, 0)]
    night.do("void 1")
    assert night.stacks() == "Ana 5, Beto 5, Caro 2, pot 0"
    assert list(audit()) == []


def test_without_stacks_nothing_is_overdrawn(night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana")
    assert (overdrawn(night.night), stacks_of(night.night)) == ([], None)


def test_what_does_not_fit_a_later_pot_is_not_told_twice(night: PlayedNight) -> None:
    night.do("buy-in 9; won Ana")
    document: dict[str, Any] = {**night.line(1).current.document, "game": "knock", "round": {}}  # type: ignore[union-attr]
    assert overdrawn(night.night, LineEntry(1, document)) == []


def counted(night: PlayedNight, text: str) -> dict[str, int]:
    return {night.ids[name]: int(units) for name, units in (one.split("=") for one in text.split())}


COUNTS = [
    ("as-it-should", "Ana=16 Beto=22 Caro=19 pot=3", "", None),
    # Caro did not put the ante of 1 in that round: she has one more
    ("an-ante", "Ana=15 Beto=22 Caro=20 pot=3", "Ana -1 [1], Caro 1 [1]", "Ana 15, Beto 22, Caro 20, pot 3"),
    ("the-pot-not-matched", "Ana=19 Beto=22 Caro=19 pot=0", "Ana 3 [1], pot -3 [1]", "Ana 19, Beto 22, Caro 19, pot 0"),
    # Caro neither gave nor got what Ana did not match the pot with, and Ana and Caro mistook an ante
    ("another's", "Ana=13 Beto=22 Caro=22 pot=3", "Ana -3 [1], Caro 3 []", "Ana 13, Beto 22, Caro 22, pot 3"),
    ("the-wrong-way", "Ana=18 Beto=22 Caro=17 pot=3", "Ana 2 [1], Caro -2 [1]", "Ana 18, Beto 22, Caro 17, pot 3"),
    ("the-whole-round", "Ana=20 Beto=20 Caro=17 pot=3", "Ana 4 [1], Beto -2 [1], Caro -2 [1]",
     "Ana 20, Beto 20, Caro 17, pot 3"),
    ("nothing-explains-it", "Ana=6 Beto=32 Caro=19 pot=3", "Ana -10 [], Beto 10 []", "Ana 6, Beto 32, Caro 19, pot 3"),
    ("one-is-missing", "Ana=16 Beto=22 Caro=18 pot=3", "Caro -1 [1]", "1 missing on the table"),
    ("too-many", "Ana=16 Beto=24 Caro=19 pot=3", "Beto 2 [1]", "2 too many on the table"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "told", "after"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_a_count(night: PlayedNight, given: str, told: str, after: str | None) -> None:
    night.do("buy-in 20; lost Ana Beto")
    rows = chips.compare(night.night, counted(night, given))
    assert [row.counted for row in rows] == [*counted(night, given).values()]
    differing = [row for row in rows if row.difference]
    assert ", ".join(f"{night.names[row.account]} {row.difference} {list(row.suspects)}" for row in differing) == told
    assert night.stacks() == "Ana 16, Beto 22, Caro 19, pot 3"  # nothing is saved
    if after is None or "," in after:
        chips.book_count(night.public_id, 2, counted(night, given), night.sent())
        db.session.expire_all()
        assert night.stacks() == (after or "Ana 16, Beto 22, Caro 19, pot 3")
        assert all(
            not row.difference for row in chips.compare(night.night, counted(night, given)) if row.account != "pot"
        )
    else:
        with pytest.raises(Refused, match=after):
            chips.book_count(night.public_id, 2, counted(night, given), night.sent())
    assert list(audit()) == []


def test_a_count_of_before_is_not_booked(night: PlayedNight) -> None:
    night.do("buy-in 20; won Ana; won Ana")
    with pytest.raises(Conflict, match="Something was recorded after you counted"):
        chips.book_count(night.public_id, 2, counted(night, "Ana=22 Beto=19 Caro=19"), night.sent())


def test_the_likeliest_lines_of_a_difference_are_at_most_five(night: PlayedNight) -> None:
    night.do("buy-in 20; bank bank Ana 9; " + "; ".join(["won Ana"] * 7))
    rows = chips.compare(night.night, counted(night, "Ana=33 Beto=14 Caro=13"))
    assert [list(row.suspects) for row in rows] == [[8, 7, 6, 5, 4], [8, 7, 6, 5, 4], []]


def test_a_line_that_explains_two_differences_is_likelier_than_a_newer_one(night: PlayedNight) -> None:
    night.do("buy-in 20; loan Ana Beto 5; loan Ana Caro 5")
    rows = chips.compare(night.night, counted(night, "Ana=25 Beto=15 Caro=20"))
    assert [list(row.suspects) for row in rows] == [[1, 2], [1], []]


def test_the_audit_finds_chips_that_nobody_bought(night: PlayedNight) -> None:
    night.do("buy-in 20; won Ana")
    with tampering():
        db.session.execute(
            db.text("UPDATE account SET balance = balance + 5 WHERE key = :key"), {"key": night.ids["Ana"]}
        )
    told = [text for text in audit() if "stacks" in text]
    assert told == [f"night {night.public_id}: the stacks and the pot hold 65, bought were 60"]


def test_a_night_with_stacks_is_exported_and_imported(night: PlayedNight) -> None:
    assert b"buy_in" not in export_group(night.group.public_id)
    night.do("buy-in 3; lost Ana Beto; rebuy Ana 9; won Ana")
    chips.book_count(night.public_id, 4, counted(night, "Ana=12 Beto=3 Caro=3"), night.sent())
    public_id, stacks = night.group.public_id, night.stacks()
    file = export_group(public_id)
    assert b'"buy_in":3' in file
    night.do("close")
    again = export_group(public_id)
    delete_group(night.group, "its key")
    group, is_new = import_group(again, "a secret")
    assert is_new
    assert export_group(group.public_id) == again
    (session,) = db.session.scalars(db.select(Night).where(Night.group_id == group.id))
    found = stacks_of(session)
    assert found is not None
    assert [*found.held.values()] == [int(one.split()[1]) for one in stacks.split(", ")[:-1]]
    assert list(audit()) == []


# what nobody could have saved, in a file: where it stands, what it is, and what is said of it
FORGED = [
    ("buy_in", 0, "night 1, buy_in: 0 isn't a whole number from 1 to 1000000000"),
    ("buy_in", -3, "night 1, buy_in: -3 isn't a whole number"),
    ("buy_in", "3", "night 1, buy_in: 3 isn't a whole number"),
    ("buy_in", None, "night 1, buy_in: null isn't a whole number"),
    ("changes.1.content.document.from", "pot", "document: a rebuy goes from the bank to a player"),
    ("changes.1.content.document.to", "pot", "document: a rebuy goes from the bank to a player"),
    ("lines.0.revisions.0.document.from", "p2", "document: a rebuy goes from the bank to a player"),
    ("lines.0.revisions.0.transfers", [{"from": "pot", "to": "p1", "amount": 9, "reason": "rebuy", "rule": "C-2"}],
     "its transfers don't follow from the rules"),
    ("changes.0.content.buy_in", 0, "change 1, content, buy_in: 0 isn't a whole number"),
    ("changes.0.content", {}, "change 1, content: buy_in is missing"),
    ("changes.1.content", {}, "change 2, content: document is missing"),
    ("changes.2.content", {"number": 2}, "change 3, content: counted is missing"),
    ("changes.2.content.counted", 1, "counted: 1 isn't a list of pairs"),
    ("changes.2.content.counted", [["p1"]], "isn't a list of pairs"),
    ("changes.2.content.counted.0.0", "p9", "there is no player p9 here"),
    ("changes.2.content.counted.0.1", -1, "-1 isn't a whole number from 0"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "says"), FORGED)
def test_a_forged_file_is_refused(night: PlayedNight, path: str, value: object, says: str) -> None:
    night.do("buy-in 3; rebuy Ana 9")
    chips.book_count(night.public_id, 2, counted(night, "Ana=11 Beto=4 Caro=3"), night.sent())
    file = File(export_group(night.group.public_id))
    file.put(f"nights.0.{path}", value)
    with pytest.raises(Refused) as refused:
        read(file.content)
    assert says in str(refused.value)


STEP = st.sampled_from(
    ["won Ana", "won Beto", "won Caro", "lost Ana Beto", "lost Beto Caro", "lost Caro Ana", "rummy", "void 1", "void 2",
     "undo 1", "undo 2", "fix 1 won Beto", "rebuy Ana 7", "rebuy Beto 30", "rebuy Caro 2", "loan Ana Beto 5",
     "side-bet Caro Ana 3", "bank bank Beto 8", "seats Ana Beto", "seats Ana Beto Caro", "close split", "reopen",
     "buy-in 40", "buy-in 200"]
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(buy_in=st.integers(1, 60), steps=st.lists(STEP, max_size=9))
def test_all_chips_are_always_somewhere(app: object, buy_in: int, steps: list[str]) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do(f"buy-in {buy_in}")
    for step in steps:
        try:
            assert not step.startswith("fix") or night.line(1).game is not None
            night.do(step)
        except (Refused, AssertionError):  # also a line that is not there, or no round
            db.session.rollback()
    found = stacks_of(night.night)
    assert found is not None
    assert sum(found.held.values()) == sum(found.bought.values()) - ledger.balances(night.night)["pot"]
    assert [*audit_night(night.night), *audit_sums(night.group)] == []  # not the examples before, too
