"""What a phone types into a round: what of it counts, and when a hand is a last turn."""

from __future__ import annotations

import pytest
from test_hand_actions import PLAYERS, Before, round_of

from companion.games import all_games
from companion.table.cells import TABLE, Cells, Values, written
from companion.table.hand import HandInPlay
from companion.table.input import Typed, accepted
from companion.table.next_round import NextRound
from companion.table.refusals import Refused
from companion.table.sight import see

POKER, KNOCK = all_games()["knock-poker"], all_games()["knock"]
ANA, BETO, CARO = PLAYERS
WHOLE, PART = "9s 9h 9d 4c 4d", "9s 9h"
KNOCKED: Cells = written({}, {TABLE: {"knocker": CARO, "order": ".".join(PLAYERS)}}, "three")


def after(cells: Cells, typed: Values, me: str = BETO, *, keeps: bool = False, game: str = "knock-poker") -> Cells:
    round = round_of(all_games()[game], cells, next((player for player in PLAYERS if player == me), None), "phone")
    return written(cells, accepted(Typed(game, PLAYERS, typed, keeps), round, [ANA, BETO]), "phone")


def turns(cells: Cells, game: str = "knock-poker") -> dict[str, str]:
    return {turn.player: turn.state for turn in HandInPlay(round_of(all_games()[game], cells)).last_turns}


@pytest.mark.parametrize(("game", "done"), [("knock-poker", "stay"), ("knock", "done")])
@pytest.mark.parametrize("keeps", [False, True])
def test_c_11_a_whole_hand_after_a_knock_is_its_players_last_turn(game: str, done: str, keeps: bool) -> None:
    begun = after(KNOCKED, {BETO: {"hand": PART}}, keeps=keeps, game=game)
    assert turns(begun, game) == {ANA: "next", BETO: "waits"}
    sent = after(begun, {BETO: {"hand": WHOLE}}, keeps=keeps, game=game)
    assert turns(sent, game) == {ANA: "next", BETO: done}
    assert turns(after(sent, {BETO: {"hand": PART}}, keeps=keeps, game=game), game) == {ANA: "next", BETO: "waits"}
    both = after(sent, {ANA: {"hand": WHOLE}}, ANA, game=game)
    assert HandInPlay(round_of(all_games()[game], both)).is_over


def test_a_hand_from_before_the_knock_or_of_somebody_else_is_no_turn() -> None:
    held = after({}, {BETO: {"hand": WHOLE}})
    knocked = written(held, {TABLE: {"knocker": CARO, "order": ".".join(PLAYERS)}}, "three")
    assert turns(knocked) == {ANA: "next", BETO: "waits"}
    assert turns(after(KNOCKED, {ANA: {"hand": WHOLE}}, BETO, keeps=True)) == {ANA: "next", BETO: "waits"}
    noted = written({}, {TABLE: {"knocker": CARO}}, "keeper")  # on the round's own page
    assert turns(after(noted, {BETO: {"hand": WHOLE}})) == {ANA: "next", BETO: "waits"}


def test_c_11_a_host_without_a_seat_enters_last_turns_of_who_has_no_phone() -> None:
    """With a seat, a hand of somebody else is no turn; nor is one of a player who can have it on an own phone."""
    sent = after(KNOCKED, {ANA: {"hand": WHOLE}}, me="", keeps=True)
    assert turns(sent) == {ANA: "stay", BETO: "next"}
    both = after(sent, {BETO: {"hand": "Ah Kh 8h 5h 3h"}}, me="", keeps=True)
    assert turns(both) == {ANA: "stay", BETO: "stay"}
    assert turns(after(both, {ANA: {"hand": PART}}, me="", keeps=True)) == {ANA: "next", BETO: "stay"}
    assert turns(after(KNOCKED, {ANA: {"hand": WHOLE}}, me="")) == {ANA: "next", BETO: "waits"}
    of_all = Typed("knock-poker", PLAYERS, {ANA: {"hand": WHOLE}}, keeps=True)
    assert "turn" not in accepted(of_all, round_of(POKER, KNOCKED), [BETO])[ANA]


@pytest.mark.parametrize("did", ["stay", "drop"])
def test_a_turn_that_was_tapped_stays_whatever_is_typed(did: str) -> None:
    dropped = {"dropped": did == "drop"}
    tapped = written(KNOCKED, {BETO: {"turn": f"{CARO} {did}", **dropped}}, "phone")
    for hand in (PART, WHOLE, ""):
        assert turns(after(tapped, {BETO: {"hand": hand}}))[BETO] == did


def test_only_what_is_about_the_player_counts_and_nothing_from_other_seats() -> None:
    typed = {ANA: {"hand": "2c"}, BETO: {"hand": "3c"}, TABLE: {"dealer": ANA}}
    assert {owner: set(asked) for owner, asked in after({}, typed).items()} == {BETO: {"hand", "kind"}}
    assert set(after({}, typed, keeps=True)) == {ANA, BETO, TABLE}
    round = round_of(POKER, {}, BETO)
    assert accepted(Typed("knock-poker", PLAYERS[:2], typed, keeps=True), round) == {}


def test_once_the_hands_are_shown_a_changed_hand_is_no_turn_that_is_told_as_a_late_answer() -> None:
    sent = after(KNOCKED, {BETO: {"hand": WHOLE}})
    shown = NextRound(Before("knock-poker"), POKER, see(sent, "phone", is_shown=True), BETO)
    assert set(accepted(Typed("knock-poker", PLAYERS, {BETO: {"hand": PART}}, keeps=False), shown)[BETO]) == {
        "hand",
        "kind",
    }


@pytest.mark.parametrize(("before", "is_early"), [({}, False), (KNOCKED, True)])
def test_c_15_a_foul_hand_is_said_once_nobody_acts_any_more(before: Cells, is_early: bool) -> None:
    """Who says so earlier would tell those who still have a turn."""
    for typed in ({"foul": True}, {"mucked": True, "hand": PART}):
        if is_early:
            with pytest.raises(Refused, match="Others are still playing"):
                after(before, {BETO: typed})
        else:
            assert after(before, {BETO: typed})[BETO].keys() >= typed.keys()
    assert after(before, {BETO: {"foul": False}})[BETO]["foul"] == [False, "phone"]
    assert after(before, {BETO: {"foul": True}}, keeps=True)[BETO]["foul"] == [True, "phone"]


GUTS = "guts"
THREE, TWO = "As Ks Qs", "As Ks"


def undecided(cells: Cells) -> tuple[str, ...]:
    return round_of(all_games()[GUTS], cells).undecided


def test_gu_3_a_whole_hand_says_that_its_player_is_in_until_it_is_taken_back() -> None:
    begun = after({}, {ANA: {"hand": TWO}}, ANA, game=GUTS)
    assert undecided(begun) == (ANA, BETO, CARO)
    whole = after(begun, {ANA: {"hand": THREE}}, ANA, game=GUTS)
    assert undecided(whole) == (BETO, CARO)
    assert undecided(after(whole, {ANA: {"hand": TWO}}, ANA, game=GUTS)) == (ANA, BETO, CARO)
    # of who has no phone, the scorekeeper enters it; what a player tapped stays
    both = after(whole, {BETO: {"hand": THREE}, CARO: {"out": True}}, "", keeps=True, game=GUTS)
    assert undecided(both) == ()
    tapped = written(begun, {ANA: {"is-in": "said"}}, "phone")
    assert undecided(after(tapped, {ANA: {"hand": TWO}}, ANA, game=GUTS)) == (BETO, CARO)


def test_gu_3_once_all_have_decided_no_player_decides_again() -> None:
    said: Values = {ANA: {"is-in": "said"}, BETO: {"out": True}, CARO: {"is-in": "said"}}
    decided = written({}, said, "phone")
    for tick, player in ((True, ANA), (False, BETO)):
        with pytest.raises(Refused, match="All have decided"):
            after(decided, {player: {"out": tick}}, player, game=GUTS)
    assert undecided(after(decided, {ANA: {"out": False}}, ANA, game=GUTS)) == ()  # says the same again
    shown = NextRound(Before(GUTS), all_games()[GUTS], see(decided, "phone", is_shown=True), ANA)
    with pytest.raises(Refused, match="All have decided"):
        accepted(Typed(GUTS, PLAYERS, {ANA: {"out": True}}, keeps=False), shown)
    kept = after(decided, {ANA: {"hand": TWO}, BETO: {"out": True}}, ANA, game=GUTS)
    assert undecided(kept) == ()
    assert undecided(after(decided, {BETO: {"out": False}}, "", keeps=True, game=GUTS)) == (BETO,)


def test_what_was_entered_while_all_decide_stays_secret_in_another_game() -> None:
    decided = after({}, {BETO: {"out": True}}, game=GUTS)
    assert decided[BETO]["secret"] == ["yes", "phone"]
    assert round_of(POKER, decided).cells[BETO] == {}
    assert round_of(POKER, decided, device="phone").cells[BETO] == {"out": True, "secret": "yes"}
    again = after(decided, {BETO: {"hand": WHOLE}})
    assert again[BETO]["secret"] == ["", "phone"]
    assert round_of(POKER, again).hands[BETO].size == 5


def test_what_a_scorekeeper_enters_in_another_game_opens_nothing_else() -> None:
    decided = after({}, {BETO: {"hand": THREE}}, game=GUTS)
    of_host: Values = {BETO: {"dropped": True}}
    round = round_of(POKER, decided, device="host")
    again = written(decided, accepted(Typed("knock-poker", PLAYERS, of_host, keeps=True), round), "host")
    assert set(round_of(POKER, again).cells[BETO]) == {"dropped"}
    assert BETO not in round_of(POKER, again).hands
    whole = written(again, accepted(Typed("knock-poker", PLAYERS, {BETO: {"hand": WHOLE}}, keeps=True), round), "host")
    assert (round_of(POKER, whole).hands[BETO].size, "is-in" in round_of(POKER, whole).cells[BETO]) == (5, False)


def test_in_the_middle_of_a_hand_nothing_is_typed_into_another_game() -> None:
    asked = {ANA: {"hand": THREE}}
    begun = written({}, {TABLE: {"game": "knock-poker", "order": ".".join(PLAYERS), "knocker": CARO}}, "three")
    with pytest.raises(Refused, match="The table is playing Knock Poker now"):
        after(begun, asked, keeps=True, game=GUTS)
    before = written({}, {TABLE: {"game": "knock-poker"}}, "three")
    assert after(before, asked, keeps=True, game=GUTS)[TABLE]["game"] == [GUTS, "phone"]
