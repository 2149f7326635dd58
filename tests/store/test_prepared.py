"""Prepared statements: values and rows are converted as SQLAlchemy does it, and errors are SQLAlchemy's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from nights import PlayedNight
from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import IntegrityError, ProgrammingError

from companion.store.db.prepared import Prepared
from companion.store.models import Change, Line, Revision, db

AT = datetime(2026, 11, 24, 23, 5, tzinfo=UTC)
CONTENT = {"hands": {"Ana": "Q♥"}, "voided": False, "pot": None}
ADD = Prepared(insert(Change).returning(Change.id))
FIND = Prepared(select(Change.content, Change.at, Change.device_id).where(Change.submission_key == bindparam("key")))
FIRST_VOIDED = Prepared(
    select(Revision.voided).join(Line, Line.current_id == Revision.id).where(Line.number == bindparam("number"))
)


def change(night: PlayedNight, key: str) -> dict[str, object]:
    about = {"kind": "note", "content": CONTENT, "device_id": 7, "at": AT}
    of_night = {"group_id": night.group_id, "night_id": night.night.id}
    return {**of_night, "submission_key": key, **about}


def test_what_is_written_is_read_back(night: PlayedNight) -> None:
    id_ = ADD.value(change(night, "one"))
    assert FIND.rows({"key": "one"}) == [(CONTENT, AT, 7)]
    found = db.session.get_one(Change, (id_, night.group_id))
    assert (found.content, found.at, found.device_id) == (CONTENT, AT, 7)


@pytest.mark.parametrize(("steps", "is_voided"), [("won Ana", False), ("won Ana; void 1", True)])
def test_truth_values(night: PlayedNight, steps: str, is_voided: bool) -> None:
    night.do(steps)
    assert FIRST_VOIDED.value({"number": 1}) is is_voided


def test_of_no_row_there_is_no_value(night: PlayedNight) -> None:
    assert FIND.value({"key": "none"}) is None
    assert FIND.rows({"key": "none"}) in ([], ())


def test_several_rows_and_none(night: PlayedNight) -> None:
    one = Prepared(insert(Change).inline())
    one.many([])
    one.many([change(night, key) for key in ("one", "two")])
    assert [FIND.value({"key": key}) for key in ("one", "two")] == [CONTENT, CONTENT]


def test_an_error_is_that_of_any_statement_and_tells_no_values(night: PlayedNight) -> None:
    ADD.value(change(night, "one"))
    with pytest.raises(IntegrityError) as caught:
        ADD.value(change(night, "one"))
    assert "Q♥" not in str(caught.value)


def test_a_value_that_the_statement_lacks_is_a_bug(night: PlayedNight) -> None:
    with pytest.raises(AssertionError, match="nonsense"):
        FIND.rows({"key": "one", "nonsense": 1})
    with pytest.raises((KeyError, ProgrammingError), match="key"):
        FIND.rows({})
