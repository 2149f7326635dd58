"""A table's own games: found in the instance folder, left out if they can't be used, and shown when they are gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from devices import Device, PlayedNight, problem
from flask import Flask
from pages import Page
from test_portable_pages import upload

from companion.contract import read_round, settle
from companion.contract.own_games import load_own
from companion.games import all_games, use_own
from companion.store.audit import audit, rounds_of_absent_games
from companion.store.db.database import transaction
from companion.store.groups.groups import all_groups
from companion.store.history.recording import rebuild
from companion.store.models import db
from companion.store.night import play
from companion.store.portable import import_group
from companion.store.refusals import Refused, Sent

REDS = Path(__file__).resolve().parents[1] / "reds.py"
HANDS = {"Ana": "As Ks 7d", "Beto": "2h 3h 4c", "Caro": "9d 8d 2c"}
PAGES = ("", "/changes", "/rounds", "/money", "/people", "/close", "/round", "/rules", "/pictures", "/print", "/me")
MORE = ("/settle", "/table", "/lines/1", "/lines/2", "/lines/3", "/lines/3/void", "/lines/4", "{group}/leaderboard")
# what is replaced in the source of Reds, and what is said about the file; the line is the last one replaced
BROKEN = [
    (
        [("    seats = (2, 9)", '    example_name = "Ours"\n    seats = (2, 9)')],
        "mine.py: a table's own game has a name",
    ),
    ([("    examples = (\n", "    examples = ()\n    others = (\n")], "mine.py: it needs at least one example"),
    ([("_SIZE, _COURT = 3, 10", "_SIZE, _COURT = 3,, 10")], "mine.py, line {line}: SyntaxError: invalid syntax"),
    ([("_SIZE, _COURT = 3, 10", "_SIZE, _COURT = 3, 1 // 0")], "mine.py, line {line}: ZeroDivisionError: integer"),
    ([("_SIZE, _COURT = 3, 10", "import sys\nsys.exit(3)")], "mine.py, line {line}: SystemExit: 3"),
    ([("_SIZE, _COURT = 3, 10", "while True: pass")], "mine.py, line {line}: it runs without end"),
    ([], "mine.py: it needs a docstring with its rules"),
    ([("GAME = Reds()", "GAME = 5")], "mine.py: it doesn't end with GAME"),
    ([('key = "mine"', 'key = "knock"')], "mine.py: the key knock is that of Knock already"),
    ([('key = "mine"', 'key = "reds"')], "mine.py: the key reds must be the file's name"),
    ([('name = "Reds"', 'name = "guts"')], "mine.py: there is a game called guts already"),
    ([('Reason("lowest")', 'Reason("Lowest")')], "mine.py: a reason must be in small letters"),
    ([("reasons = (LOWEST, LOWEST_KNOCKER)", "reasons = (LOWEST_KNOCKER,)")], "mine.py: its reasons lack lowest"),
    ([('"As Ks 7d"', '"As Ks 7x"')], "mine.py: its example {'knocker': 'Ana'"),
    (
        [("worst = best(hands), hands[-1].place", "worst = best(hands), hands[9].place")],
        "mine.py, line {line}: IndexError",
    ),
    ([('"RE-3"', '"RE-3333333333"')], "mine.py: the rule id RE-3333333333 is longer than 10 characters"),
    ([('    summary = "The highest total of red cards is paid by the lowest."\n', "")], "mine.py: AttributeError"),
    ([('{player} has the lowest total"', '{nobody} has the lowest total"')], "mine.py: KeyError: 'nobody'"),
]


@pytest.fixture
def games(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with the game of Reds, which is loaded."""
    (tmp_path / "games").mkdir()
    copy(REDS, tmp_path / "games")
    assert [game.key for game in load_own(tmp_path / "games").games] == ["reds"]
    yield tmp_path / "games"
    use_own(())


@pytest.fixture
def night(app: Flask, games: Path) -> PlayedNight:
    """A night with a round of Knock Poker, a fine, and two rounds of Reds."""
    night = PlayedNight(app)
    night.plays("round, fine 2")
    for number in (3, 4):
        saves_reds(night, number)
    return night


def saves_reds(night: PlayedNight, number: int) -> None:
    ids = night.players
    answers = {"knocker": ids["Ana"], "hands": {ids[name]: hand for name, hand in HANDS.items()}}
    document = {"game": "reds", "players": list(ids.values()), "dealer": ids["Caro"], "round": answers}
    with night.app.app_context():
        play.save_round(night.night.removeprefix("/s/"), number, document, Sent(f"reds {number}", "a phone"))


def is_sound(app: Flask) -> dict[str, int]:
    """Audit the database; returns how many rounds weren't settled again."""
    with app.app_context():
        assert list(audit()) == []
        return rounds_of_absent_games()


def nets(board: str) -> str:
    return board[board.index("As a table") : board.index("All rounds")]


def exported(night: PlayedNight) -> bytes:
    return bytes(night.keeper.get(f"{night.group}/export/group.json").data)


def test_a_night_stays_whole_without_the_game(night: PlayedNight, games: Path) -> None:
    before, standings, board = exported(night), night.text("/money"), night.text("{group}/leaderboard")
    assert is_sound(night.app) == {}
    load_own(games / "nowhere")
    assert is_sound(night.app) == {"reds": 2}
    codes = {page: night.keeper.get(night.address(page)).status_code for page in (*PAGES, *MORE)}
    assert {page: code for page, code in codes.items() if code != 200} == {}
    assert night.keeper.get(night.address("/lines/3/correct")).status_code == 404
    line = night.text("/lines/3")
    assert "Caro wins +1" in line
    assert "Fix this round" not in line
    assert "Reds isn't installed here, so the round is shown as it was booked" in line
    assert exported(night) == before
    assert night.text("/money") == standings
    assert nets(night.text("{group}/leaderboard")) == nets(board)
    player = night.players["Caro"]
    assert "Reds 2" in night.text(f"{{group}}/players/{player}")
    # a round of the game is voided and counts again, but not with another pot
    told = night.post("/lines/2", do="void", seen="1").text
    assert problem(told).startswith("Round 3 can't be settled with the pot this leaves")
    night.plays("fine 1, void 3, back 3")
    assert night.text("/money") != standings
    assert is_sound(night.app) == {"reds": 2}
    # nothing new of it
    with pytest.raises(Refused) as unknown:
        saves_reds(night, 6)
    assert unknown.value.problems[0].code == "unknown-game"


def test_its_rounds_are_imported_by_their_transfers(night: PlayedNight, games: Path) -> None:
    load_own(games / "nowhere")
    file = json.loads(exported(night))
    night.keeper.does(f"{night.group}/delete")
    for spoil in (spoil_player, spoil_account, spoil_pot, spoil_answer, spoil_game):
        spoiled = json.loads(json.dumps(file))
        spoil(spoiled["group"]["nights"][0]["lines"][2]["revisions"][0])
        with night.app.app_context(), pytest.raises(Refused, match=r"night 1, (line 3|the balance|account)"):
            import_group(json.dumps(spoiled).encode(), "other")
    with night.app.app_context():
        group, is_new = import_group(json.dumps(file).encode(), "secret")
        assert is_new
        home = f"/g/{group.public_id}"
        assert rounds_of_absent_games(group.id) == {"reds": 2}
    assert is_sound(night.app) == {"reds": 4}  # with those of the deleted group
    phone = Device(night.app)
    phone.open("secret")
    assert json.loads(phone.get(f"{home}/export/group.json").data) == file
    # the page says so too
    told = Page(upload(phone.client, json.dumps(file).encode()).text)
    assert "2 rounds of reds weren't settled again, as that game isn't installed here." in told.text
    assert home in told.all("a", "href")
    # with the game's file its results are worked out by its rules
    load_own(games)
    with night.app.app_context():
        with transaction():
            for one in all_groups():
                rebuild(one)
        assert list(audit()) == []
        db.session.remove()


def spoil_player(revision: dict[str, Any]) -> None:
    revision["document"]["players"][0] = "p9"


def spoil_account(revision: dict[str, Any]) -> None:
    revision["transfers"][0] |= {"from": "pot", "amount": 50}  # more than it holds


def spoil_pot(revision: dict[str, Any]) -> None:
    revision["document"]["pot"] = 5


def spoil_answer(revision: dict[str, Any]) -> None:
    revision["document"]["round"]["knocker"] = "Eva"


def spoil_game(revision: dict[str, Any]) -> None:
    revision["document"]["game"] = "blues"


@pytest.mark.parametrize(("changes", "said"), BROKEN, ids=[row[1][:40] for row in BROKEN])
def test_a_broken_file_is_told_and_left_out(games: Path, changes: list[tuple[str, str]], said: str) -> None:
    source = REDS.read_text().replace('key = "reds"', 'key = "mine"')
    if "reds must be" not in said:
        source = source.replace('name = "Reds"', 'name = "Mine"') if '"guts"' not in str(changes) else source
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
        said = said.replace("{line}", str(source[: source.index(new) + len(new)].count("\n") + 1))
    if "docstring" in said:
        source = source[source.index("from __future__") :]
    (games / "mine.py").write_text(source)
    (games / "test_mine.py").write_text("1 // 0")  # isn't a game
    if '"reds"' in str(changes):
        (games / "reds.py").unlink()
    found = load_own(games)
    assert [sentence[: len(said)] for sentence in found.left_out] == [said]
    assert found.left_out[0].endswith("This game is left out.")
    assert "mine" not in all_games()
    assert ("reds" in all_games()) == (games / "reds.py").exists()


def test_what_fails_while_it_is_played_is_a_problem_of_its_round(games: Path, app: Flask) -> None:
    source = REDS.read_text()
    for before, added in MISBEHAVE.items():
        source = source.replace(before, added + before)
    (games / "reds.py").write_text(source)
    assert load_own(games).left_out == ()
    line = source[: source.index("return 1 // 0")].count("\n") + 1
    document = {"game": "reds", "players": list(HANDS), "round": {"knocker": "Ana", "hands": HANDS}}
    assert settle(document)[0] == 200
    for stake, said in (
        (7, f"reds.py, line {line}: ZeroDivisionError: integer division or modulo by zero"),
        (8, "it runs without end (more than 5,000,000 steps)"),
        (9, "KeyError: 'nobody'"),
    ):
        status, answered = settle({**document, "stake": stake})
        assert status == 422
        errors: Any = answered["errors"]
        (error,) = errors
        assert (error["field"], error["message"].startswith("This table's own game failed")) == ("game", True)
        assert said in error["message"]
    # a deal that fails is the usual one, so no page of the night stops
    night = PlayedNight(app, game="reds")
    assert {night.keeper.get(night.address(page)).status_code for page in ("", "/round", "/rules", "/me")} == {200}
    assert read_round(document).round is not None


MISBEHAVE = {
    "        hands = self.standing(round)\n": "        misbehave(round)\n",
    "    def last_turns(": "    def deal(self, round):\n        return 1 // (len(round.players) - 3)\n\n",
    "class Reds(": """
def misbehave(round):
    if round.stake_units == 7:
        return 1 // 0
    while round.stake_units == 8:
        pass
    if round.stake_units == 9:
        raise KeyError("nobody")


""",
}
