"""A group that goes on in another place, and comes back as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nights import PlayedNight, eventful
from places import Place
from sqlalchemy import select

from companion.store.audit import audit
from companion.store.groups import groups, handles, next_night, rule_sets, seasons
from companion.store.models import Draft, Link, Night, RuleSet, Season, Seat, SettleUp, db
from companion.store.money import settle_up
from companion.store.night import settings as night_changes
from companion.store.portable import take_in
from companion.store.refusals import Conflict, Refused

NAMES = ["Ana", "Beto", "Caro", "Dani"]


def now() -> str:
    return datetime.now(UTC).isoformat()


@pytest.mark.quick  # a lock that only PostgreSQL needs
def test_a_night_goes_there_and_back(here: Place, there: Place) -> None:
    here.do("lost Ana Beto; won Caro; bank bank Ana 5")
    with here.here() as night:
        kept = {link.access: link.secret_hash for link in night.group.links}
        code = night.night.join_code
        seat = db.session.scalars(select(Seat)).first()
        assert seat is not None
        seat.phone, seat.phone_name = "a phone", "Ana's"
        db.session.add(Draft(night_id=night.night.id, group_id=night.group_id, key="round:1", cells={}))
        db.session.commit()
        version = night.night.version
    assert there.follow(here).outcome == "new"
    there.do("fix 1 won Ana; seats Beto Ana=out Caro Dani; void 2; rummy; loan Ana Caro 3; close")
    with there.here() as night:
        night_changes.write_note(night.public_id, "Café", "a note", night.sent())
        plan = settle_up.make_plan(night.group, night.night, None, None, night.sent())
        settle_up.pay(plan.public_id, 0, 1, night.sent())
        night.do("reopen")
        night.another("Dani Ana")
        night.do("won Dani")
    taken = here.take(there.file(), "a secret")
    assert (taken.outcome, taken.steps) == ("continued", 12)
    assert here.file() == there.file()
    with here.here() as night:
        first = db.session.scalars(select(Night).order_by(Night.id)).first()
        assert first is not None
        assert {link.access: link.secret_hash for link in night.group.links} == kept
        assert (first.join_code, first.draft) == (code, None)
        assert first.version > version
        assert [seat.phone for seat in first.seats if seat.player.name == "Ana"] == ["a phone"]
        assert groups.open_group("a secret") is None
    here.follow(there)
    with here.here() as night:
        assert night.night.join_code is not None
    here.do("won Ana")
    assert here.follow(there).outcome == "older"
    assert there.follow(here).outcome == "continued"
    assert here.file() == there.file()
    assert there.follow(here).outcome == "same"


def test_names_and_house_rules_come_with_what_goes_on(here: Place, there: Place) -> None:
    here.do("won Ana")
    there.follow(here)
    with there.here() as night:
        ana, beto = night.group.players[:2]
        for player, name in ((ana, "someone"), (beto, "Ana"), (ana, "Beto")):
            groups.rename_player(player, name)
        rule_sets.add_set(night.group, "knock", "ours", {})
        seasons.close_season(night.group, "Autumn", "wins", now()[:7], now()[:7], night.sent())
        handles.set_handle(night.group, ana.id, "other", "cash", night.sent())
    with pytest.raises(Conflict, match="same rounds here as in the file, but other names, house rules, chips or seas"):
        here.take(there.file())
    with there.here() as night:
        night.do("won Caro")
    assert here.follow(there).outcome == "continued"
    assert here.file() == there.file()
    assert b"cash" not in here.file(has_handles=True)
    there.do("won Caro")
    assert here.take(there.file(has_handles=True)).outcome == "continued"
    assert here.file(has_handles=True) == there.file(has_handles=True)
    with there.here() as night:
        night.do("won Caro")
    # a file without the handles leaves those that are here
    assert here.follow(there).outcome == "continued"
    assert b"cash" in here.file(has_handles=True)
    with here.here():
        assert (len(db.session.scalars(select(RuleSet)).all()), len(db.session.scalars(select(Season)).all())) == (1, 1)


def test_the_next_night_comes_with_what_goes_on(here: Place, there: Place) -> None:
    here.do("won Ana")
    there.follow(here)
    with there.here() as night:
        at = datetime.now(UTC) + timedelta(days=2)
        next_night.plan_night(night.group, next_night.Planned(at, 0, "upstairs"), night.sent("next"))
        next_night.answer(night.group, night.group.players[0].id, True, night.sent("comes"))
    assert here.take(there.file()).outcome == "same"  # it is no step
    there.do("won Caro")
    assert here.follow(there).outcome == "continued"
    assert here.file() == there.file() and b"upstairs" in here.file()


def parted(here: Place, there: Place) -> str:
    before = here.file(has_handles=True)
    with pytest.raises(Conflict) as refused:
        here.take(there.file())
    assert here.file(has_handles=True) == before
    said = str(refused.value)
    assert said.endswith("Nothing was changed. To see the file's version beside this one, import it as a copy")
    return said


def test_two_that_parted_are_refused_with_both_named(here: Place, there: Place) -> None:
    here.do("won Ana")
    there.follow(here)
    here.do("won Beto")
    there.do("won Caro")
    said = parted(here, there)
    assert (
        "The group Friday went on in both places. The last step that both have: line 1 of night 1 was written" in said
    )
    assert "Then here: line 2 of night 1 was written at 20" in said
    assert "by a phone. In the file: line 2 of night 1 was written at 20" in said
    with there.here() as night:
        plan = settle_up.make_plan(night.group, night.night, None, None, night.sent())
        settle_up.pay(plan.public_id, 0, 1, night.sent())
    copy = there.take(there.file(), "another secret", is_copy=True)
    assert (copy.outcome, copy.group.name) == ("new", "Friday (2)")
    again = here.take(there.file(), "another secret", is_copy=True)
    assert again.outcome == "new"
    with here.here():
        assert list(audit()) == []
        (made,) = db.session.scalars(select(SettleUp)).all()
        assert (made.night.group_id, made.payments[0].sum_paid) == (again.group.id, 1)
        assert len(db.session.scalars(select(Link)).all()) == 6


@pytest.mark.parametrize(
    ("mine", "yours", "said"),
    [
        (lambda n: n.do("won Ana"), lambda n: n.another(), "In the file: night 2 was opened at 20"),
        (
            lambda n: settle_up.make_plan(n.group, n.night, None, None, n.sent()),
            lambda n: n.do("close"),
            "here: plan 1 was made at 20",
        ),
        (
            lambda n: settle_up.pay(db.session.scalars(select(SettleUp)).one().public_id, 0, 1, n.sent()),
            lambda n: n.do("close"),
            "here: a payment of plan 1 was ticked at 20",
        ),
        (lambda n: n.do("seats Ana Caro Beto"), lambda n: n.do("won Ana"), "here: change 2 of night 1 was made at 20"),
    ],
    ids=["night", "plan", "tick", "seats"],
)
def test_whatever_both_did_is_named(
    here: Place, there: Place, mine: Callable[[Any], None], yours: Callable[[Any], None], said: str
) -> None:
    here.do("lost Ana Beto")
    if "tick" in said:
        with here.here() as night:
            settle_up.make_plan(night.group, night.night, None, None, night.sent())
    there.follow(here)
    with here.here() as night:
        mine(night)
    with there.here() as night:
        yours(night)
    assert said in parted(here, there)


def test_nights_with_nothing_in_common_are_told(here: Place) -> None:
    document = json.loads(here.file())
    document["group"]["nights"][0] |= {"id": "another", "key": "another"}
    with pytest.raises(Conflict, match=r"Both have nothing in common\. Then here: night 1 .*\. In the file: .* UTC"):
        del document["group"]["nights"][0]["utc_offset"]
        here.do("")
        here.take(json.dumps(document).encode())


def test_nobody_continues_a_group_without_its_link(here: Place, there: Place) -> None:
    there.follow(here)
    there.do("won Ana")
    before = here.file()
    with here.here(), pytest.raises(Conflict, match="Open its scorekeeper link on this phone, then import"):
        take_in(there.file(), "a secret", may_continue=lambda group: False)
    assert here.file() == before


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("lines.1.revisions.0.transfers.0.amount", 9),
        ("accounts.0.balance", 7),
        ("lines.0.revisions.0.document.pot", 3),
        ("changes.0.device", "somebody else's"),
        ("changes.0.at", "2026-01-01T00:00:00.000000Z"),
        ("opened_at", "2026-01-01T00:00:00.000000Z"),
        ("seats.0.player", "p9"),
    ],
)
def test_a_tampered_file_changes_nothing(here: Place, there: Place, path: str, value: Any) -> None:
    here.do("won Ana")
    there.follow(here)
    there.do("lost Beto Ana")
    here.do("won Beto" if path in ("changes.0.device", "changes.0.at", "opened_at") else "")
    document = json.loads(there.file())
    *way, last = path.split(".")
    place = document["group"]["nights"][0]
    for key in way:
        place = place[int(key) if key.isdigit() else key]
    place[last] = value
    before = here.file()
    with pytest.raises(Refused):
        here.take(json.dumps(document).encode())
    assert here.file() == before


def test_a_night_of_another_group_can_t_come_in_by_a_continuation(here: Place, there: Place) -> None:
    there.follow(here)
    there.do("won Ana")
    with there.here() as night:
        night.another()
    document = json.loads(there.file())
    with here.here():
        other = PlayedNight("Eva", "Fito").public_id
    document["group"]["nights"][1]["id"] = other
    before = here.file()
    with pytest.raises(Conflict, match="already belongs to another group here"):
        here.take(json.dumps(document).encode())
    assert here.file() == before


def test_everything_a_group_can_have_goes_on(here: Place, there: Place) -> None:
    with here.here():
        here.night = eventful()
    there.follow(here)
    there.do("reopen; won Ana; void 1")
    here.follow(there)
    assert here.file() == there.file()


def plain(file: bytes) -> Any:
    """Return what a file says, without the times and random ids of its place."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            left_out = {"id", "key", "at", "opened_at", "closed_at", "made_at", "turn", "handed_over_at"}
            return {key: without(one) for key, one in value.items() if key not in left_out}
        return [without(one) for one in value] if isinstance(value, list) else value

    return without(json.loads(file))


def is_here(place: Place) -> bool:
    with place.here() as night:
        return night.group.handed_over_at is None


STEP = st.one_of(
    st.sampled_from(["rummy", "seats Ana Beto=out Caro Dani", "seats Dani Caro Ana", "close", "close split", "reopen"]),
    st.builds("won {}".format, st.sampled_from(NAMES)),
    st.builds("lost {} {}".format, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.builds("loan Ana {} {}".format, st.sampled_from(["Beto", "Caro"]), st.integers(1, 9)),
    st.builds("{} {}".format, st.sampled_from(["void", "undo"]), st.integers(1, 6)),
    st.builds("fix {} won {}".format, st.integers(1, 6), st.sampled_from(NAMES)),
    st.sampled_from(["hand over", "backup"]),
)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, min_size=1, max_size=12))
def test_nights_played_in_two_places_end_like_in_one(sqlite: Flask, another: Place, steps: list[str]) -> None:
    def try_out(place: Place, step: str) -> None:
        # such as a round in a closed night, or of somebody who isn't there
        with suppress(Refused, AssertionError, LookupError, ValueError):
            if step.startswith("fix"):  # only a round is corrected by one
                with place.here() as night:
                    assert night.night.lines[int(step.split()[1]) - 1].game
            place.do(step)

    with sqlite.app_context():
        one, alone = (Place(sqlite, PlayedNight("Ana", "Beto", "Caro", away=["Dani"])) for _ in range(2))
    writes, other = one, another
    other.night = None
    for step in [*steps, "hand over"]:
        if step == "hand over":
            writes.hand_over()
            other.follow(writes)
            writes, other = other, writes
            assert (is_here(writes), is_here(other)) == (True, False)
        elif step == "backup":
            if other.night is not None:
                other.follow(writes)
                assert (is_here(writes), is_here(other)) == (True, False)
        else:
            if other.night is not None:  # where it isn't written, nothing is done
                before = other.file()
                try_out(other, step)
                assert other.file() == before
            try_out(writes, step)
            try_out(alone, step)
    assert plain(writes.file()) == plain(other.file())
    assert plain(writes.file()) == plain(alone.file())
