"""The database refuses to change or delete ledger rows, whoever asks; what a change moved is found in them."""

import pytest
from nights import PlayedNight
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from companion.store.audit import audit
from companion.store.log.ledger import balances, moved_by, ranked
from companion.store.models import db

FORBIDDEN = [
    "UPDATE revision SET voided = NOT voided",
    "UPDATE revision SET document = '{}'",
    "UPDATE transfer SET amount = amount + 1",
    "UPDATE transfer SET rule = rule",
    "UPDATE change SET device_id = 1",
    "UPDATE line SET number = number + 10",
    "UPDATE line SET night_id = night_id",
    "DELETE FROM transfer",
    "DELETE FROM transfer WHERE amount = 1",
    "DELETE FROM revision",
    "DELETE FROM change",
    "DELETE FROM line",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_what_is_in_the_ledger_stays(night: PlayedNight, statement: str) -> None:
    night.do("lost Ana Beto; won Ana; bank Ana bank 5; fix 1 won Ana; void 2")
    before = night.standings(), night.revisions()
    db.session.rollback()
    with pytest.raises(DBAPIError, match="What is in the ledger stays"):
        db.session.execute(text(statement))
    db.session.rollback()
    assert (night.standings(), night.revisions()) == before
    assert list(audit()) == []


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_a_row_that_replaces_another_is_refused_too(night: PlayedNight) -> None:
    night.do("won Ana")
    db.session.rollback()
    with pytest.raises(DBAPIError, match="What is in the ledger stays"):
        db.session.execute(text("REPLACE INTO transfer SELECT * FROM transfer"))


# what was played | what is changed | whether later rounds change with it
CHANGES = [
    ("won Ana", "fix 1 won Beto", False),
    ("won Ana; won Beto", "void 1", False),
    ("won Ana; void 1", "undo 1", False),
    ("lost Ana Beto; won Caro; won Ana", "void 1", True),
    ("lost Ana Beto; won Caro; void 1", "undo 1", True),
    ("lost Ana Beto; bank Ana bank 5; won Caro", "fix 1 won Beto", True),
]


@pytest.mark.parametrize(("played", "changed", "has_followers"), CHANGES)
def test_what_a_change_moved_is_the_difference_of_the_balances(
    night: PlayedNight, played: str, changed: str, has_followers: bool
) -> None:
    night.do(played)
    before = balances(night.night)
    night.do(changed)
    after = balances(night.night)
    moved = moved_by(night.night, night.line(1).current.change_id)
    assert moved == {key: units - before.get(key, 0) for key, units in after.items() if units != before.get(key, 0)}
    assert any(night.line(number).current.follows for number in range(1, len(night.revisions()) + 1)) == has_followers


def test_whoever_won_most_comes_first_and_the_pot_is_left_out() -> None:
    assert ranked({"1": -5, "pot": 9, "2": 7, "3": -2, "bank": -9}) == ["2", "3", "1", "bank"]
    assert ranked({"2": 0, "1": 0}) == ["2", "1"]  # equals keep their order
