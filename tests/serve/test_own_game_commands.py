"""`companion new-game` writes a game that `companion try-game` finds nothing wrong with, until somebody breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import create_app
from companion.games import all_games, use_own
from companion.serve.commands.main import main
from companion.serve.existing import own_games

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Return a function that runs the command in an empty instance: its exit status, and what it printed."""
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path))

    def ran(*arguments: str) -> tuple[int, str]:
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    yield ran
    use_own(())


NEW = ("--name", "Our Löwball", "--cards", "5", "--players", "2-7", "--wins", "lowest", "--ante", "2")
TRIED = "No fault in 3 rounds of the test and 300 random rounds of Our Löwball."
REFUSED = [
    (("our-game", *NEW[:4], "--players", "7-2", *NEW[6:]), "7-2 players with 5 cards each can't play"),
    (("our-game", *NEW[:4], "--players", "2-20", *NEW[6:]), "2-20 players"),
    (("our-game", *NEW[:3], "11", "--players", "5", *NEW[6:]), "5 players with 11 cards"),
    (("Our", *NEW), "The key Our is another game's, or isn't in small letters"),
    (("knock", *NEW), "The key knock is another game's"),
    (("our-game", "--name", 'a "', *NEW[2:]), "The name needs 1 to 40 characters"),
    (("our-game", "--name", "Guts", *NEW[2:]), "there is a game called Guts already"),
]
# what is broken in the file, and what is said
BROKEN = [
    ("return min(card.rank, 10)", "return card.rnk", "our_game.py, line", "AttributeError: 'Card' object has no"),
    ('"OU-3"', '"OU-9"', "a transfer follows rule OU-9, which the docstring doesn't have", "1 faults in"),
    ("SIGN * total", "total", "comes to {'Ana':", "not {'Ana':"),
    ("winners, book = best(hands)", "winners, book = (min(round.players),)", "other names come to something", ""),
    ("hands = self.place(round)", "hands = self.place(round)[::-1]", "the hands aren't sorted, best first", ""),
    ("GAME = OwnGame()", "GAME = OwnGame", "our_game.py: it doesn't end with GAME", "This game is left out"),
]


@pytest.mark.thorough
def test_a_new_game_is_whole(run: Run, tmp_path: Path) -> None:
    status, said = run("new-game", "our-game", *NEW)
    assert (status, "has the game and" in said) == (0, True)
    assert run("try-game", "our-game") == (0, TRIED + "\n")
    assert run("new-game", "our-game", *NEW)[0] == 1  # nothing is overwritten
    app = create_app({"INSTANCE": str(tmp_path), "TESTING": True})
    assert own_games(app) == ["This table's own games: Our Löwball."]
    game = all_games()["our-game"]
    assert (game.seats, game.options().ante, game.has_hands) == ((2, 7), 2, True)
    page = app.test_client().get("/help/our-game", follow_redirects=True)
    assert (page.status_code, "the lowest total of 5 cards takes the pot" in page.text) == (200, True)


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[row[1][:30] for row in REFUSED])
def test_what_cannot_be_a_game_is_refused(run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    status, printed = run("new-game", *arguments)
    assert status == 1
    assert said in printed
    assert [*tmp_path.rglob("*.py")] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new", "said", "also"), BROKEN, ids=[row[2][:40] for row in BROKEN])
def test_what_is_broken_is_found(run: Run, tmp_path: Path, old: str, new: str, said: str, also: str) -> None:
    run("new-game", "our-game", *NEW)
    file = tmp_path / "games" / "our_game.py"
    source = file.read_text()
    assert old in source
    file.write_text(source.replace(old, new))
    status, printed = run("try-game", "our-game")
    assert status == 1
    assert said in printed
    assert also in printed


def test_a_game_that_is_not_there(run: Run) -> None:
    status, printed = run("try-game", "our-game")
    assert (status, "There is no game our-game in" in printed) == (1, True)
