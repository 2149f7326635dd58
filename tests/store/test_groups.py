"""Groups, players and starting sessions: creating, finding, renaming, and refusals."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from copies import kept
from nights import PlayedNight

from companion.store.groups import groups, links
from companion.store.groups.groups import Wanted
from companion.store.log import ledger
from companion.store.models import Group, Line, Night, Player, db
from companion.store.night import play
from companion.store.night.reading import movements_of, rounds_of
from companion.store.night.won import curves_of
from companion.store.refusals import Refused

TWELVE = [f"Player {at}" for at in range(1, 13)]


def make(*players: str, name: str = "Friday", secret: str = "the secret") -> Group:
    return groups.make_group(name, players, secret)


def roster(group: Group) -> list[str]:
    return [f"{player.name}{' retired' if player.retired else ''}" for player in group.players]


@pytest.mark.parametrize("players", [["Ana", "Beto"], TWELVE, ["Ñandú", "李"]], ids=["two", "twelve", "letters"])
def test_a_group_is_made_with_its_players(app: object, players: list[str]) -> None:
    made = groups.make_group("  Pot ", [f" {player} " for player in players], "the secret")
    assert (made.name, roster(made)) == ("Pot", players)  # no player may be called that, a group may


# the name, the players, and the problems
BAD = [
    ("no-players", "Friday", [], "players bad-value"),
    ("one-player", "Friday", ["Ana"], "players bad-value"),
    ("thirteen-players", "Friday", [*TWELVE, "One more"], "players bad-value"),
    ("twice", "Friday", ["Ana", "Beto", "Ana"], "players.2 duplicate-player"),
    ("twice-in-another-case", "Friday", ["Ana", "aNA"], "players.1 duplicate-player"),
    ("twice-with-blanks", "Friday", ["Ana", " Ana "], "players.1 duplicate-player"),
    ("twice-composed-otherwise", "Friday", ["Jos\u00e9", "Jose\u0301"], "players.1 duplicate-player"),
    ("no-name", "Friday", ["Ana", " "], "players.1 bad-value"),
    ("called-pot", "Friday", ["Ana", "Pot"], "players.1 bad-value"),
    ("control-characters", "Friday", ["Ana", "B\x00"], "players.1 bad-value"),
    ("half-a-surrogate-pair", "Friday", ["Ana", "\ud800"], "players.1 bad-value"),
    ("too-long", "Friday", ["Ana", "b" * 101], "players.1 bad-value"),
    ("group-without-a-name", " ", ["Ana", "Beto"], "name bad-value"),
    ("group-with-a-long-name", "g" * 101, ["Ana", "Beto"], "name bad-value"),
    (
        "all-at-once",
        "",
        ["Pot", "", "Ana", "ana"],
        "name bad-value; players.0 bad-value; players.1 bad-value; players.3 duplicate-player",
    ),
]


@pytest.mark.parametrize(("name", "players", "problems"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_group_that_cannot_be_made(app: object, name: str, players: list[str], problems: str) -> None:
    with pytest.raises(Refused) as refused:
        groups.make_group(name, players, "the secret")
    assert "; ".join(f"{problem.field} {problem.code}" for problem in refused.value.problems) == problems
    assert groups.open_group("the secret") is None


@pytest.mark.parametrize("name", ["x" * 100, "\ufdfa" * 100, "\u1e9e" * 100], ids=["x", "grows-to-18", "grows-to-2"])
def test_the_longest_names_fit(app: object, name: str) -> None:
    made = make("Ana", name, name=name)
    assert made.players[1].name == name
    groups.rename_player(made.players[0], name[:-1])
    assert made.players[0].name == name[:-1]


def test_a_problem_with_the_groups_name_does_not_speak_of_a_player(app: object) -> None:
    with pytest.raises(Refused) as refused:
        make("Ana", "Beto", name=" ")
    assert "player" not in str(refused.value.problems[0].message)


def test_secrets_are_long_and_all_different(app: object) -> None:
    secrets = {links.new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(secret) * 6 >= 128 for secret in secrets)


def test_a_player_is_added_renamed_and_retired(app: object) -> None:
    group = make("Ana", "Beto")
    groups.add_player(group, " Caro ", "one")
    caro = group.players[2]
    groups.rename_player(group.players[0], " Anita ")
    groups.retire_player(group.players[1], True)
    assert roster(group) == ["Anita", "Beto retired", "Caro"]
    groups.add_player(group, "Ana", "two")
    groups.retire_player(caro, True)
    groups.add_player(group, "cARO ", "three")
    assert roster(group) == ["Anita", "Beto retired", "Caro", "Ana"]
    groups.retire_player(group.players[1], False)
    assert roster(group) == ["Anita", "Beto", "Caro", "Ana"]


def test_a_player_may_change_the_case_of_the_own_name(app: object) -> None:
    group = make("ana", "Beto")
    groups.rename_player(group.players[0], "ANA")
    assert roster(group) == ["ANA", "Beto"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("beto", "duplicate-player"), ("CARO", "duplicate-player"), ("", "bad-value"), ("pot", "bad-value")],
)
def test_names_that_are_taken_or_bad_are_refused(app: object, name: str, code: str) -> None:
    group = make("Ana", "Beto", "Caro")
    groups.retire_player(group.players[2], True)
    acts = [lambda: groups.rename_player(group.players[0], name)]
    if name != "CARO":  # who is retired comes back under the same name
        acts.append(lambda: groups.add_player(group, name, "key"))
    for act in acts:
        with pytest.raises(Refused) as refused:
            act()
        assert [(problem.field, problem.code) for problem in refused.value.problems] == [("name", code)]
    assert roster(group) == ["Ana", "Beto", "Caro retired"]


def test_the_same_name_in_another_group_is_another_player(app: object) -> None:
    one, other = make("Ana", "Beto"), make("Ana", "Beto", secret="another")
    assert {player.id for player in one.players}.isdisjoint(player.id for player in other.players)


def ids(group: Group) -> list[int]:
    return [player.id for player in group.players]


def test_a_session_starts_with_seats_accounts_and_its_own_rules(app: object) -> None:
    group = make("Ana", "Beto", "Caro")
    ana, _, caro = ids(group)
    rules = {"knock": {"ante": 2}}
    started = groups.start_night(group, [caro, ana], "knock", rules, "key", stake_units=25, currency="EUR")
    rules["dompe"] = {}
    db.session.expire_all()
    assert [(seat.player_id, seat.position, seat.state) for seat in started.seats] == [(caro, 0, "in"), (ana, 1, "in")]
    assert ledger.balances(started) == {str(caro): 0, str(ana): 0, "pot": 0}
    assert (started.game, started.rules) == ("knock", {"knock": {"ante": 2}})
    assert (started.stake_units, started.currency, started.closed_at, started.version) == (25, "EUR", None, 0)
    assert started.opened_at.tzinfo is not None
    assert play.find_night(started.public_id) is started


@pytest.mark.parametrize("players", ["", "Ana", "Ana Ana", "Ana Eva"])
def test_a_session_needs_two_different_players_of_the_group(app: object, players: str) -> None:
    group, other = make("Ana", "Beto"), make("Eva", "Fabi", secret="another")
    known: dict[str, Player] = {player.name: player for player in [*group.players, *other.players]}
    with pytest.raises(Refused, match="at least 2 of the group's players"):
        groups.start_night(group, [known[name].id for name in players.split()], "knock", {}, "key")
    assert groups.last_night(group) is None


def test_the_last_night_is_the_newest_of_the_group(app: object) -> None:
    group, other = make("Ana", "Beto"), make("Ana", "Beto", secret="another")
    assert groups.last_night(group) is None
    for key in ("one", "two"):
        newest = groups.start_night(group, ids(group), "knock", {}, key)
    groups.start_night(other, ids(other), "knock", {}, "three")
    assert groups.last_night(group) is newest


def test_sessions_are_listed_newest_first(app: object) -> None:
    group, other = make("Ana", "Beto"), make("Ana", "Beto", secret="another")
    one, two, three = (groups.start_night(group, ids(group), "knock", {}, key).id for key in ("1", "2", "3"))
    groups.start_night(other, ids(other), "knock", {}, "4")
    pages = [groups.nights_of(group, before, number) for before, number in ((None, 2), (two, 2), (None, 9), (one, 9))]
    assert [[session.id for session in page] for page in pages] == [[three, two], [one], [three, two, one], []]


def on(session: Night, day: str) -> Night:
    """Set when a session began, in UTC, on a computer whose clock shows UTC."""
    session.opened_at, session.utc_offset = datetime.fromisoformat(day).replace(tzinfo=UTC), 0
    db.session.commit()
    return session


@pytest.fixture
def nights(app: object) -> dict[str, int]:
    """Six nights of one group, given by their players and games, and one night of another group."""
    return kept("nights", six_nights)


def six_nights() -> dict[str, int]:
    group = make("Ana", "Beto", "Caro", "Dani")
    known = {player.name: player.id for player in group.players}
    made: dict[str, int] = {}
    for name, seats, days, games in (
        ("1", "Ana Beto", "2026-01-01T00:00:00", "knock"),
        ("2", "Ana Caro", "2026-01-01T23:59:59", "knock dompe"),
        ("3", "Beto Caro", "2026-01-02T00:00:00", ""),
        ("4", "Ana Beto Caro", "2026-01-31T12:00:00", "dompe"),
        ("5", "Ana Beto", "2026-02-01T00:00:00", "knock"),
        ("6", "Ana Caro", "2026-03-01T20:00:00", "dompe"),
    ):
        session = on(groups.start_night(group, [known[seat] for seat in seats.split()], "knock", {}, name), days)
        for number, game in enumerate([*games.split(), None], start=1):
            db.session.add(Line(group_id=group.id, night_id=session.id, number=number, game=game))
        db.session.commit()
        made[name] = session.id
    other = make("Ana", "Beto", secret="another")
    on(groups.start_night(other, ids(other), "knock", {}, "other"), "2026-01-01T12:00:00")
    return made


# player, game, first and last day, the clock of the nights, and the nights found, newest first
SEARCHES = [
    ("", "", "", "", 0, "654321"),
    ("Ana", "", "", "", 0, "65421"),
    ("Dani", "", "", "", 0, ""),
    ("", "knock", "", "", 0, "521"),
    ("", "dompe", "", "", 0, "642"),
    ("", "knock-rummy", "", "", 0, ""),
    ("", "whist", "", "", 0, ""),
    ("", "", "2026-01-02", "", 0, "6543"),
    ("", "", "", "2026-01-01", 0, "21"),
    ("", "", "", "2025-12-31", 0, ""),
    ("", "", "2026-01-01", "2026-01-01", 0, "21"),
    ("", "", "2026-01-02", "2026-01-31", 0, "43"),
    ("", "", "2026-01-31", "2026-01-02", 0, ""),
    ("", "", "0001-01-01", "9999-12-31", 0, "654321"),
    ("Caro", "dompe", "", "", 0, "642"),
    ("Beto", "knock", "2026-01-02", "", 0, "5"),
    ("Caro", "dompe", "2026-01-01", "2026-02-01", 0, "42"),
    # in Mexico the first three began in the evening of the day before
    ("", "", "2026-01-01", "2026-01-01", -6, "32"),
    ("", "", "", "2025-12-31", -6, "1"),
    ("", "", "2026-01-31", "2026-01-31", -6, "54"),
    ("", "", "0001-01-01", "9999-12-31", -6, "654321"),
]


@pytest.mark.parametrize(("player", "game", "since", "until", "hours", "found"), SEARCHES)
def test_sessions_are_searched_and_paged(
    nights: dict[str, int], player: str, game: str, since: str, until: str, hours: int, found: str
) -> None:
    group = groups.open_group("the secret")
    assert group is not None
    for session in groups.nights_of(group, None, 9):
        session.utc_offset = hours * 3600
    db.session.commit()
    known = {one.name: one.id for one in group.players}
    days = [date.fromisoformat(day) if day else None for day in (since, until)]
    wanted = Wanted(known.get(player), game or None, *days)
    listed, before = [], None
    while page := groups.nights_of(group, before, 2, wanted):
        listed += page
        before = page[-1].id
    assert [session.id for session in listed] == [nights[night] for night in found]


def test_a_player_of_another_group_is_in_no_session(nights: dict[str, int]) -> None:
    group, other = groups.open_group("the secret"), groups.open_group("another")
    assert group is not None
    assert other is not None
    assert groups.nights_of(group, None, 9, Wanted(player=other.players[0].id)) == []


def test_a_night_that_is_opened_again_keeps_its_join_code(night: PlayedNight) -> None:
    code = night.night.join_code
    assert code is not None
    assert re.fullmatch("[A-Z0-9]{6}", code)
    assert not set(code) & set("AEIOU01L5S8BGQZ26V")
    night.do("close; reopen")
    assert night.night.join_code == code


def test_a_code_is_new_if_a_link_was_renewed_while_its_night_was_closed(night: PlayedNight) -> None:
    code = night.night.join_code
    night.do("close")
    links.renew(night.group, "play", "the secret")
    assert night.night.join_code is None
    night.do("reopen")
    assert night.night.join_code not in (None, code)


def test_a_renamed_player_keeps_the_balance(night: PlayedNight) -> None:
    night.do("won Ana")
    groups.rename_player(night.group.players[0], "Anita")
    assert night.standings() == "Ana 2, Beto -1, Caro -1"
    assert night.night.seats[0].player.name == "Anita"


def test_a_night_that_does_not_exist_has_no_access(app: object) -> None:
    assert links.glance_at("nowhere") is None


def test_names_and_keys_of_players(night: PlayedNight) -> None:
    names = night.night.names
    keys = {name: key for key, name in names.items()}
    assert keys == {name: night.ids[name] for name in ("Ana", "Beto", "Caro")}


def test_rounds_before_another(night: PlayedNight) -> None:
    night.do("won Ana; loan Ana Beto 3; won Beto; won Caro")
    assert [line.number for line in rounds_of(night.night, None, 2)] == [4, 3]
    assert [line.number for line in rounds_of(night.night, 4, 2)] == [3, 1]


def test_movements_without_the_rounds(night: PlayedNight) -> None:
    night.do("loan Ana Beto 3; won Ana; loan Beto Caro 1; loan Caro Ana 2")
    assert [line.number for line in movements_of(night.night, 2)] == [4, 3]


def test_no_night_has_no_curve(app: object) -> None:
    assert curves_of({}) == {}


def test_each_night_s_curve_is_its_own_winner_s(night: PlayedNight) -> None:
    night.do("won Ana; won Beto")
    first = night.night
    night.another()
    night.do("won Beto")
    ana, beto = int(night.ids["Ana"]), int(night.ids["Beto"])
    assert curves_of({first: ana, night.night: beto}) == {first.id: [0, 2, 1], night.night.id: [0, 2]}


def test_a_round_that_all_tie_is_a_step_of_the_curve_too(night: PlayedNight) -> None:
    night.do("won Ana; loan Ana Beto 3")
    tied = [night.ids[player] for player in night.present()]
    night.save({**night.knock("Ana", "Ana"), "round": {"knocker": None, "won_by": tied}})
    assert curves_of({night.night: int(night.ids["Ana"])}) == {night.night.id: [0, 2, 2]}
