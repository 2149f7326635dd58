"""Stakes set in the middle of a night: from the next round on, in all games or in one, and undone."""

from __future__ import annotations

import re

import pytest
from devices import WHOLE, PlayedNight, problem, words
from tables import each_row

from companion.store.audit import audit
from companion.store.models import Night, db
from companion.store.portable import export_group

GAMES = ("knock-poker", "knock-rummy")


def of_games(night: PlayedNight) -> str:
    """Return the stakes of Knock Poker and Knock Rummy."""
    with night.app.app_context():
        session = db.session.scalars(db.select(Night)).one()
        return " ".join(str(session.stake_of(game)) for game in GAMES)


# what is done, and the stakes of Knock Poker and Knock Rummy after it
@each_row("""
stakes double                                                          | 2 2
stakes double, stakes double                                           | 4 4
stakes all 20                                                          | 20 20
stakes all 20, stakes own 1/10 knock-rummy                             | 20 2
stakes all 20, stakes own 1/10 knock-rummy, stakes double              | 40 4
stakes all 20, stakes own 1/10 knock-rummy, stakes all 10              | 10 2
stakes own 3 knock-rummy, stakes as-others x knock-rummy               | 1 1
stakes all 20, stakes all 1/4, stakes back                             | 20 20
stakes double, stakes back                                             | 1 1
stakes double, stakes back, stakes back                                | 2 2
""")
def test_stakes_are_set_for_all_games_or_one_and_undone(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    assert of_games(night.plays(script)) == expected
    with night.app.app_context():
        assert list(audit()) == []


@each_row("""
own | 1/10      | 1/10 of 1 isn't a whole amount; the smallest stake that works is 10
own | 2/6       | 2/6 of 1 isn't a whole amount; the smallest stake that works is 3
all | 0         | “0” isn't a stake: enter 1 to 1000000, or a part such as 1/10
all |           | Enter an amount, for example 100
all | 1/0       | “1/0” isn't a stake: enter 1 to 1000000, or a part such as 1/10
all | 1000001   | “1000001” isn't a stake: enter 1 to 1000000, or a part such as 1/10
own | -2        | “-2” isn't a stake: enter 1 to 1000000, or a part such as 1/10
""")
def test_what_is_not_whole_is_refused_with_what_works(night: PlayedNight, row: tuple[str, str, str]) -> None:
    do, typed, expected = row
    page = night.told("/stakes", do=do, stake=typed, seen="", game="knock-rummy")
    assert problem(page.html) == expected
    assert page.fields["stake"] == [typed]
    assert of_games(night) == "1 1"


@pytest.mark.parametrize("seen", ["chess=2", "all=0", "all=x", "all=2;;", "all"])
def test_forged_stakes_are_refused(night: PlayedNight, seen: str) -> None:
    assert night.post("/stakes", do="double", seen=seen).status_code == 400
    page = night.told("/stakes", do="double", seen="all=1000000")
    assert problem(page.html) == "A stake is 1000000 at most"
    page = night.told("/stakes", do="back", seen="", before="all=1000001")
    assert problem(page.html) == "A stake is 1000000 at most"


def test_a_second_phone_is_told_and_the_same_form_counts_once(night: PlayedNight) -> None:
    for _ in range(2):
        assert night.post("/stakes", do="double", seen="", key="one form").status_code == 303
    assert of_games(night) == "2 2"
    late = night.post("/stakes", do="double", seen="")
    assert (late.status_code, problem(late.text)) == (
        409,
        "The stake was just changed on another phone; check it first",
    )
    assert night.guest("play").post(night.address("/stakes"), do="double", seen="all=2").status_code in (403, 404)


def test_rounds_settle_for_their_own_stake_and_say_it(night: PlayedNight) -> None:
    night.plays("round, stakes double, round")
    assert "Ana wins +6" in night.text("/lines/1")
    assert "Ana wins +12" in night.text("/lines/2")
    for path in ("", "/round", "/rounds", "/lines/2", "/changes", "/rules"):
        assert re.search(r"[Ss]take:? (is )?2", night.text(path)), path
    with night.app.app_context():
        (session,) = db.session.scalars(db.select(Night))
        stakes = [line.current.document["stake"] for line in session.lines]
        nets = [[t.amount for t in line.current.transfers] for line in session.lines]
        exported = export_group(session.group.public_id).decode()
    assert stakes == [1, 2]
    assert nets[1] == [2 * amount for amount in nets[0]]
    assert '"stakes":{"all":2}' in exported


def test_a_hand_keeps_its_stake_until_it_is_saved(night: PlayedNight) -> None:
    phone = night.joined("Ana")
    night.types(phone, players_0_hand="9s 9h")
    before = night.state(phone)
    night.plays("stakes double")
    assert "The round at hand is still played for 1." in night.text("/rules")
    assert "A stake is 1 Caro shuffles" in night.text("/table")
    assert night.page("/round").fields["played_for"] == ["1"]
    assert night.state(phone)["hand"] != before["hand"]  # its page draws itself anew
    night.plays("round")
    assert night.page("/round").fields["played_for"] == ["2"]
    assert "still played" not in night.text("/rules")
    with night.app.app_context():
        (session,) = db.session.scalars(db.select(Night))
        assert session.lines[0].current.document["stake"] == 1


@pytest.mark.parametrize(("chosen", "stake"), [("stake-1", 1), ("stake-2", 2)])
def test_a_round_typed_under_the_old_stake_asks_for_which(night: PlayedNight, chosen: str, stake: int) -> None:
    waiting = night.round_fields(night.keeper, **WHOLE)
    night.plays("stakes double")
    page = night.told("/round", **waiting, do="save")
    assert problem(page.html).startswith("This round was entered for a stake of 1, and the stake is 2 now.")
    again = {name: values for name, values in page.fields.items() if name not in ("csrf_token", "do")}
    settled = night.told("/round", **again, do=chosen)
    assert settled.fields["played_for"] == [str(stake)]
    last = {name: values for name, values in settled.fields.items() if name not in ("csrf_token", "do")}
    night.does("/round", **last, do="save")
    with night.app.app_context():
        (session,) = db.session.scalars(db.select(Night))
        assert [line.current.document["stake"] for line in session.lines] == [stake]
        assert list(audit()) == []


def test_a_correction_can_say_another_stake(night: PlayedNight) -> None:
    night.plays("round")
    form = night.form("/lines/1/correct")
    assert form["stake"] == ["1"]
    night.does("/lines/1/correct", **form | {"stake": "3"}, do="save")
    assert "Stake: 3 (before: 1)" in words(night.html("/lines/1"))
    with night.app.app_context():
        assert list(audit()) == []


def test_the_next_night_begins_with_the_first_stake_and_keeps_those_of_games(night: PlayedNight) -> None:
    night.plays("stakes all 20, stakes own 1/10 knock-rummy, close")
    night.night = night.does("{group}/tonight", do="again", key="again")
    with night.app.app_context():
        newest = db.session.scalars(db.select(Night).order_by(Night.id.desc())).first()
        assert newest is not None
        assert [newest.stake_of(game) for game in GAMES] == [1, 2]


# what is done, and what the screen that everybody sees says of the stake
@each_row("""
                         | This hand Caro shuffles
stakes double            | This hand A stake is 2 (× 2) Caro shuffles
stakes all 20            | This hand A stake is 20 (× 20) Caro shuffles
stakes own 3 knock-rummy | This hand A stake is 1 Caro shuffles
stakes double, round     | Who pays whom
""")
def test_the_screen_for_all_tells_the_stake(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    (side,) = re.findall(r'<aside class="side">(.*?)</aside>', night.plays(script).html("/table"), re.DOTALL)
    assert words(side).startswith(expected)


# what is done, and what every phone announces
@each_row("""
round                                          |
round, stakes double                           | From round 2 on, a stake is 2 (before: 1).
stakes all 20, stakes double                   | From round 1 on, a stake is 40 (before: 20).
stakes all 20, stakes own 1/10 knock-rummy     | From round 1 on, a stake in Knock Rummy is 2 (before: 20).
stakes own 3 knock-rummy, stakes double        | From round 1 on, a stake in Knock Rummy is 6 (before: 3).
stakes double, round                           |
""")
def test_new_stakes_are_announced_on_all_phones(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    phone, viewer = night.joined("Beto"), night.guest("look")
    night.plays(script)
    pages = [(path, by) for path in ("", "/rounds", "/money", "/people") for by in (None, phone, viewer)]
    pages += [("/lines/1", by) for by in (None, phone, viewer) if script.startswith("round")]
    for path, by in pages:
        text = night.text(path, by)
        assert expected in text, text
        if not expected:
            assert "From round" not in text
    for by in (None, phone):
        assert bool(re.search(r'<a href="[^"]*">stake [0-9]+</a>', night.html("/round", by))) == bool(expected)
    assert ('value="back"' in night.html("")) == bool(expected)
    assert 'value="back"' not in night.html("", phone)


def test_announced_stakes_are_taken_back_where_they_are_announced(night: PlayedNight) -> None:
    night.plays("stakes all 20, stakes double")
    page = night.form("")
    night.does("/stakes", seen=page["seen"], before=page["before"], do="back")
    assert of_games(night) == "20 20"
    assert "From round 1 on, a stake is 20 (before: 40)." in night.text("")
    night.plays("round, stakes double")
    page = night.form("")
    night.does("/stakes", seen=page["seen"], before=page["before"], do="back")
    assert "A stake stays 20, the change to 40 was undone." in night.text("")
    night.plays("stakes own 3 knock")
    page = night.form("")
    night.does("/stakes", seen=page["seen"], before=page["before"], do="back")
    assert "A stake in Knock stays 20, the change to 3 was undone." in night.text("", night.joined("Beto"))
    night.plays("close")
    assert "A stake" not in night.text("") and "From round" not in night.text("")


def test_a_hand_that_keeps_its_stake_is_not_announced_with_the_new_one(night: PlayedNight) -> None:
    night.types(night.joined("Ana"), players_0_hand="9s 9h")
    night.plays("stakes double")
    assert "From round 2 on, a stake is 2 (before: 1)." in night.text("")
