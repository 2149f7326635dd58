"""What is said after a knock: whose last turns are open, who pays for dropping, and what a screen for all tells."""

from __future__ import annotations

import pytest
from tables import each_row
from test_state_lines import PHONES, after, line

from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table.guidance.after_knock import open_turns, told_to_all
from companion.table.last_turns import Knock
from companion.table.steps import Button

FIVE = tuple(PlayerKey(str(number)) for number in range(1, 6))


def test_of_many_open_turns_only_the_next_one_is_named() -> None:
    assert [str(open_turns(FIVE[:n])) for n in (1, 3, 5)] == [
        "1's last turn",
        "Last turns: 1, 2 and 3",
        "1's last turn, then 4 more",
    ]


# who dropped, the fee, who looks | what is due
@each_row("""
2 | 3 | 1 | 2 gives you 3 now
2 3 | 3 | 1 | 2 and 3 give you 3 each
2 3 4 5 | 3 | 1 | 4 players give you 3 each
2 3 | 3 | 2 | Give 1 3 now
2 3 | 3 | 4 | None
2 3 | 0 | 1 | None
1 2 | 3 | 1 | 2 gives you 3 now
- | 3 | 1 | None
2 | 3 | - | None
""")
def test_who_drops_and_who_knocked_are_told_what_is_due(row: tuple[str, str, str, str]) -> None:
    dropped, fee, me, told = row
    gave = tuple(map(PlayerKey, dropped.replace("-", "").split()))
    knock = Knock("knocked", FIVE[0], dropped=gave, drop_fee=int(fee))
    assert str(knock.due(None if me == "-" else PlayerKey(me))) == told


# game | what was tapped | what a screen for all tells beside its state line, and that line
@each_row("""
knock-poker | 9 knocks | Last turns: 7 and 8; then everyone shows | 9 knocked: 7's last turn
knock-poker | 9 knocks, 7 drop | 7 gives 9 1; then everyone shows | 9 knocked: 8's last turn
knock-poker | 9 knocks, 7 drop, 8 stay | 9 knocked; 7 gives 9 1 | Still missing: 8 and 9
knock-poker | keeper knocker=9 | 9 knocked. Last turns: 7, then 8 | Still missing: 7, 8 and 9
dompe | 8 knocks | Last turns: 7 and 9; an outright win ends the round | 8 called: 7's last turn
dompe | 9 knocks | 9 called; nobody has another turn, so everyone shows | Still missing: 8, 7 and 9
knock-rummy | 9 knocks | 9 knocked; nobody has another turn, so everyone shows | Still missing: 7, 8 and 9
""")
def test_a_screen_for_all_names_who_knocked_once(row: tuple[str, str, str, str]) -> None:
    game, taps, guide, lead = row
    state = after(game, taps)
    assert "; ".join(map(str, told_to_all(state.hand))) == guide
    assert line(state, "screen").startswith(f"{lead} [- / -]")


WITH_KNOCK = [key for key, game in all_games().items() if after(key, "").hand.knock_word and game.has_hands]


@pytest.mark.parametrize("game", WITH_KNOCK)
def test_whoever_knocks_can_take_it_back_until_somebody_has_had_a_turn(game: str) -> None:
    """In every game with a knock or call, by the first in turn as by the dealer, who has nobody after."""
    players = after(game, "").hand.players
    for player in players:
        state = after(game, f"{player} knocks")
        step = state.steps[PHONES[player]]
        assert step.quiet is not None and step.quiet.do == "unknock", player
        assert str(step.note) in ("You knocked", "You called")
        others = [state.steps[PHONES[other]] for other in players if other != player]
        told = [f"{other.sentence} {other.note}" for other in others]
        assert all(f"{player} knocked" in one or f"{player} called" in one for one in told), told
        for other in players:
            turn = state.steps[PHONES[other]].main
            if turn is not None and turn.do in ("stay", "done"):
                had = after(game, f"{player} knocks, {other} {turn.do}")
                buttons: list[Button | None] = [had.steps[PHONES[player]].main, had.steps[PHONES[player]].quiet]
                assert all(one is None or one.do != "unknock" for one in buttons)


def test_nothing_is_due_of_a_knocker_while_last_turns_are_open() -> None:
    """The way to the own hand is there, but in no brass, and the line says whose turns are open."""
    for game in WITH_KNOCK:
        state = after(game, "7 knocks")
        step = state.steps[PHONES["7"]]
        is_open = bool(state.hand.turn)
        assert step.main is not None and step.main.do == "hand"
        assert (step.is_due, str(step.sentence).startswith("Show your hand")) == (not is_open, not is_open)
