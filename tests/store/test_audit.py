"""The audit finds what was changed behind the app's back, and nothing else."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from copies import kept
from flask import Flask
from nights import PlayedNight
from sqlalchemy import text
from tampering import tampering

from companion.store.audit import audit
from companion.store.groups import groups
from companion.store.log import ledger
from companion.store.models import Night, db

# Ana 11, Beto -6, Caro 0, bank -5; line 2 left a pot of 3, which line 4 took
STEPS = "lost Ana Beto; lost Beto Caro; rummy; won Ana; bank bank Ana 5; fix 1 won Ana; void 3"


def line(number: int, position: int | None = None) -> str:
    current = f"(SELECT current_id FROM line WHERE number = {number} AND night_id = {{night}})"
    return f"id = {current}" if position is None else f"revision_id = {current} AND position = {position}"


def account(key: str, whose: str = "=") -> str:
    return f"(SELECT id FROM account WHERE key = '{key}' AND night_id {whose} {{night}})"


OF_LINE = "WHERE night_id = {night} AND number ="
OLD_REVISION = "(SELECT r.id FROM revision r JOIN line l ON l.id = r.line_id WHERE l.number = 3 AND r.number = 2)"

# what is done to the tables, and how the audit's sentences begin after the night
TAMPERED = [
    ("nothing", "UPDATE line SET number = number", []),
    ("amount", f"UPDATE transfer SET amount = 4 WHERE {line(5, 0)}",
     ["line 5: the transfers are", "the balance of {ana} is 11", "the balance of bank is -5"]),
    ("giver", f"UPDATE transfer SET giver_id = {account('{caro}')} WHERE {line(4, 0)}",
     ["line 4: the transfers are", "the balance of {ana} is 11", "the balance of {caro} is 0"]),
    ("taker", f"UPDATE transfer SET taker_id = {account('{caro}')} WHERE {line(5, 0)}",
     ["line 5: the transfers are", "the balance of {ana} is 11", "the balance of {caro} is 0"]),
    ("reason", f"UPDATE transfer SET reason = 'bets' WHERE {line(1, 0)}", ["line 1: the transfers are"]),
    ("rule", f"UPDATE transfer SET rule = 'KN-9' WHERE {line(1, 0)}", ["line 1: the transfers are"]),
    ("order", f"UPDATE transfer SET position = 9 WHERE {line(1, 0)}", ["line 1: the transfers are"]),
    ("transfer-gone", f"DELETE FROM transfer WHERE {line(2, 4)}",
     ["line 2: the transfers are", "the balance of {beto} is -6", "the balance of pot is 0", "the pot holds -3"]),
    ("balance", f"UPDATE account SET balance = 99 WHERE id = {account('{ana}')}", ["the balance of {ana} is 99"]),
    ("pot", f"UPDATE account SET balance = 1 WHERE id = {account('pot')}", ["the balance of pot is 1, its"]),
    ("unvoided", f"UPDATE revision SET voided = false WHERE {line(3)}",
     ["line 3: the transfers are []", "line 3: the results are None"]),
    ("voided", f"UPDATE revision SET voided = true WHERE {line(5)}", ["line 5: the transfers are"]),
    ("number", f"UPDATE line SET number = 9 {OF_LINE} 5", ["the lines are numbered [1, 2, 3, 4, 9]"]),
    ("no-current-revision", f"UPDATE line SET current_id = NULL {OF_LINE} 5",
     ["the lines are numbered [1, 2, 3, 4]", "the balance of {ana} is 11", "the balance of bank is -5",
      "line 5: revision 1 is the newest, but not the current one"]),
    ("old-revision-is-current", f"UPDATE line SET current_id = {OLD_REVISION} {OF_LINE} 3",
     ["line 3: the results are None", "the balance of {ana} is 11", "the balance of {beto} is -6",
      "the balance of {caro} is 0", "line 3: revision 3 is the newest, but not the current one"]),
    ("account-of-another-night", f"UPDATE transfer SET taker_id = {account('pot', '<>')} WHERE {line(1, 0)}",
     ["line 1"]),
]  # fmt: skip


@pytest.fixture
def told(app: object) -> PlayedNight:
    return kept("told", tell)


def tell() -> PlayedNight:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do(STEPS)
    players = [int(night.ids[name]) for name in ("Ana", "Beto")]
    groups.start_night(night.group, players, "knock", {}, "another key")  # in which nothing is wrong
    assert night.standings() == "Ana 11, Beto -6, bank -5"
    return night


def check(night: PlayedNight, sentences: list[str]) -> None:
    expected = [f"night {night.public_id}: {sentence}" for sentence in sentences]
    found = [sentence.replace(", line", ": line", 1) for sentence in audit()]
    assert len(found) == len(expected), found
    assert all(one.startswith(other) for one, other in zip(found, expected, strict=True)), found


def test_what_is_saved_meanwhile_is_not_wrong(app: Flask, told: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    read = ledger.balances

    def book() -> None:
        with app.app_context():
            told.do("won Ana; won Beto")

    def read_after_others_saved(night: Night) -> dict[str, int]:
        monkeypatch.setattr("companion.store.audit.balances", read)
        with ThreadPoolExecutor(1) as phone:
            phone.submit(book).result()
        return read(night)

    monkeypatch.setattr("companion.store.audit.balances", read_after_others_saved)
    assert list(audit()) == []
    assert len(told.night.lines) == 7
    assert list(audit()) == []


@pytest.mark.parametrize(("statement", "sentences"), [row[1:] for row in TAMPERED], ids=[row[0] for row in TAMPERED])
def test_tampering_with_the_tables_is_found(told: PlayedNight, statement: str, sentences: list[str]) -> None:
    ids = {name.lower(): key for name, key in told.ids.items()} | {"night": told.night.id}
    with tampering():
        db.session.execute(text(statement.format(**ids)))
    check(told, [sentence.format(**ids) for sentence in sentences])


OF_A_TRIGGER = ["trigger transfer_refuses_update: it is missing"]


def test_a_trigger_that_is_missing_is_found(told: PlayedNight) -> None:
    on_postgresql = db.engine.dialect.name == "postgresql"
    if on_postgresql:
        steps = [("ALTER TABLE transfer DISABLE TRIGGER transfer_refuses_update", OF_A_TRIGGER)]
        steps += [("ALTER TABLE transfer ENABLE TRIGGER transfer_refuses_update", [])]
    else:
        made = text("SELECT sql FROM sqlite_master WHERE name = 'transfer_refuses_update'")
        again = db.session.execute(made).scalar_one()
        steps = [("DROP TRIGGER transfer_refuses_update", OF_A_TRIGGER), (again, [])]
    for statement, sentences in steps:
        db.session.execute(text(statement))
        db.session.commit()
        assert [sentence.split(",")[0] for sentence in audit()] == sentences


def test_a_stake_that_is_not_the_rounds_is_found(told: PlayedNight) -> None:
    told.night.stake_units = 25
    db.session.commit()
    # lines 1, 2 and 4 are rounds, and 3 is one that is void; a correction may give line 1 any stake
    check(told, [f"line {number}: the stake is 1, the night's is 25" for number in (2, 3, 4)])


BOTH_OF_LINE_4 = ["line 4: the transfers are", "line 4: the results are"]
# a line, what is replaced in its document, and how the audit's sentence begins
DOCUMENTS = [
    ("other-hands", 4, ('"5s 5h 5d Qc Qs"', '"5s 5h 5d Qc Ks"'), ["line 4: the results are"]),  # still the lowest
    ("better-hand", 4, ('"Kh Jd Tc 9s 8h"', '"5c Qh Ad 2s 3c"'), ["line 4: the results are"]),  # 6 are more than 0
    ("other-knocker", 4, ('"knocker": "{ana}"', '"knocker": "{beto}"'), BOTH_OF_LINE_4),
    ("other-stake", 1, ('"stake": 1', '"stake": 2'),
     ["line 1: the stake is 2", "line 1: the transfers are", "line 1: the results are"]),
    ("other-pot", 4, ('"pot": 3', '"pot": 4'), ["line 4: the pot before it is 3", "line 4: the results are"]),
    ("other-amount", 5, ('"amount": 5', '"amount": 6'), ["line 5: the transfers are"]),
    ("unknown-game", 4, ('"game": "knock"', '"game": "chess"'), ["line 4: it is a line of knock"]),
    ("unknown-card", 4, ("5s 5h", "5s 5z"), ["line 4: cannot", "line 4: the results are"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "replaced", "sentences"), [row[1:] for row in DOCUMENTS], ids=[row[0] for row in DOCUMENTS]
)
def test_tampering_with_a_document_is_found(
    told: PlayedNight, number: int, replaced: tuple[str, str], sentences: list[str]
) -> None:
    revision = told.line(number).current
    assert revision is not None
    old, new = (part.replace("{ana}", told.ids["Ana"]).replace("{beto}", told.ids["Beto"]) for part in replaced)
    before = json.dumps(revision.document)
    assert old in before
    with tampering():
        revision.document = json.loads(before.replace(old, new))
    check(told, sentences)


def test_the_audit_goes_on_where_a_pot_was_overdrawn(app: object) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("lost Ana Beto; loan pot Ana 1; won Ana")
    revision = night.line(2).current
    assert revision is not None
    with tampering():
        revision.document = revision.document | {"amount": 9}
    assert [sentence for sentence in audit() if "line 2: the transfers are" in sentence]


def test_every_session_is_looked_at(told: PlayedNight) -> None:
    other = PlayedNight("Eva", "Fabi")
    other.do("won Eva")
    for night in (told, other):
        night.night.accounts[0].balance += 1
    db.session.commit()
    assert [sentence.split(":")[0] for sentence in audit()] == [f"night {n.public_id}" for n in (told, other)]


# Ana won lines 1 and 4 and is in 1, 2 and 4; with Caro she was better off in all three but line 2
OF_ANA = "player_id = {ana} AND group_id = {group}"
SUMS = [
    ("result", f"UPDATE result SET net = net + 1 WHERE number = 4 AND {OF_ANA}", ["night", *["group"] * 4]),
    ("result-gone", f"DELETE FROM result WHERE number = 4 AND {OF_ANA}", ["night", *["group"] * 4]),
    ("tally", f"UPDATE tally SET wins = wins + 1 WHERE game = '' AND {OF_ANA}", ["group"]),
    ("tally-gone", f"DELETE FROM tally WHERE game <> '' AND {OF_ANA}", ["group"]),
    ("duel", "UPDATE duel SET better = 0 WHERE first_id = {ana} AND second_id = {caro}", ["group"]),
]


@pytest.mark.parametrize(("statement", "where"), [row[1:] for row in SUMS], ids=[row[0] for row in SUMS])
def test_tampering_with_results_and_sums_is_found(told: PlayedNight, statement: str, where: list[str]) -> None:
    ids = {name.lower(): key for name, key in told.ids.items()} | {"group": told.group_id}
    db.session.execute(text(statement.format(**ids)))
    db.session.commit()
    assert [sentence.split(" ")[0] for sentence in audit()] == where


def test_a_typed_text_that_is_gone_is_found(told: PlayedNight) -> None:
    told.save(told.movement("loan", "Ana", "Beto", 5) | {"note": "for the taxi"})
    assert list(audit()) == []
    with tampering():
        db.session.execute(text("DELETE FROM typed WHERE text = 'for the taxi'"))
    found = [re.sub("[0-9]+", "1", sentence.rpartition(", ")[2]) for sentence in audit()]
    assert found == [f"{what} 1: the typed text 1 is missing" for what in ("change", "revision")]
