"""The stand-in for a game whose file isn't here."""

import pytest

from companion.engine.absent import AbsentGame, is_bookable
from companion.engine.game import seated


def test_nothing_is_known_of_an_absent_game() -> None:
    game = AbsentGame("gin-rummy")
    round = seated(game, game.options(ante=1), ("Ana", "Beto"), "Ana")
    assert (game.name, game.has_hands, game.questions, game.house_rules) == ("Gin rummy", False, (), ())
    assert (game.who_must_show(round), game.place(round)) == ((), ())
    with pytest.raises(NotImplementedError, match="gin-rummy isn't installed"):
        game.settle(round)


@pytest.mark.parametrize(
    ("moves", "may"),
    [
        ([("Ana", "pot", 2), ("pot", "Beto", 5)], True),
        ([("pot", "Beto", 4), ("Ana", "pot", 2)], False),
        ([("Ana", "Caro", 1)], False),
        ([("Ana", "Ana", 1)], False),
        ([("Ana", "Beto", 0)], False),
    ],
)
def test_what_is_booked_is_between_the_players_and_a_pot_that_holds_it(
    moves: list[tuple[str, str, int]], may: bool
) -> None:
    assert is_bookable(("Ana", "Beto"), 3, moves) == may
