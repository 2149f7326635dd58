"""Rounds whose result the table stated instead of showing cards: who won, or what the hands count. Rule: C-13."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from games.rounds import document, lines, listed, places, problems, settled, transfers
from tables import each_row, table

from companion.contract import settle

KP, DO, DP, DR, KN, KR = "knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"
ROYAL, QUADS = "As Ks Qs Js Ts", "9s 9h 9d 9c 2d"


class Told(NamedTuple):
    """A round decided by the table: its transfers after antes and bets, its winners, and the places of any hands."""

    id: str
    game: str
    seats: str
    transfers: str
    winners: str
    places: str = ""
    rules: str = ""


TOLD = f"""
KP-4, the knocker won | {KP} | Ana knocked won; Beto; Caro dropped
    | Caro>Ana 1 drop KP-3; Beto>Ana 2 stayed-in KP-4; pot>Ana 3 pot KP-4 | Ana
KP-5, another | {KP} | Ana knocked; Beto won; Caro | Ana>Beto,Caro 2 lost-knock KP-5; pot>Beto 3 pot KP-5 | Beto
KP-6, the knocker ties | {KP} | Ana knocked won; Beto; Caro won
    | Beto>pot 2 stayed-in KP-6; pot>Ana 3 pot KP-6; pot>Caro 2 pot KP-6 | Ana, Caro
KP-7, others tie | {KP} | Ana; Beto won; Caro knocked; Dani won
    | Caro>Ana,Beto,Dani 2 lost-knock KP-7; pot>Beto,Dani 2 pot KP-7 | Beto, Dani
KP-8, nobody knocked | {KP} | Ana won; Beto | pot>Ana 2 pot KP-8 | Ana
KP-10, everyone else dropped | {KP} | Ana knocked won; Beto dropped | Beto>Ana 1 drop KP-3; pot>Ana 2 pot KP-10 | Ana
KP-13, a knock that nobody saw is above the minimum | {KP} | Ana knocked; Beto won
    | Ana>Beto 2 lost-knock KP-5; pot>Beto 2 pot KP-5 | Beto | | minimum_knock=pair-of-aces
KP-14, no hand bonus without the hand | {KP} | Ana knocked won first; Beto
    | Beto>Ana 2 stayed-in KP-4; Beto>Ana 2 first-turn-bonus KP-14; pot>Ana 2 pot KP-4 | Ana | | bonuses=true
KP-14, a hand bonus with the hand | {KP} | Ana won: {ROYAL}; Beto | Beto>Ana 4 hand-bonus KP-14; pot>Ana 2 pot KP-8
    | Ana | 1 Ana | bonuses=true
KP-14, of tied winners one hand suffices | {KP} | Ana won; Beto won: {ROYAL}; Caro
    | Caro>pot 4 hand-bonus KP-14; pot>Ana 2 pot KP-8; pot>Beto 1 pot KP-8; pot>Ana,Beto 2 hand-bonus KP-14
    | Ana, Beto | 1 Beto | bonuses=true
KP-14, a loser's hand earns nothing | {KP} | Ana won; Beto: {QUADS} | pot>Ana 2 pot KP-8 | Ana | 2 Beto | bonuses=true
DO-6, an outright win that nobody entered | {DO} | Ana; Beto showed won | pot>Beto 2 pot DO-6 | Beto
DO-6, one that was entered | {DO} | Ana; Beto showed won: Jh Ts 9d 8d 7c Jk | pot>Beto 2 pot DO-6 | Beto | 1 Beto
DO-7, a call | {DO} | Ana called; Beto won; Caro | pot>Beto 3 pot DO-7 | Beto
DO-7, with the winner's hand | {DO} | Ana called; Beto won: 7c 7d 7h 2s 3d; Caro | pot>Beto 3 pot DO-7 | Beto | 1 Beto
DP-1, the bets are won | {DP} | Ana paid=5 won; Beto paid=5; Caro paid=2 folded | pot>Ana 12 pot DP-1 | Ana
DP-1, everyone else folded | {DP} | Ana paid=5 won; Beto paid=2 folded | pot>Ana 7 pot DP-1 | Ana
DP-7, the winner is in every part | {DP} | Ana paid=2; Beto paid=5 won; Caro paid=5
    | pot>Beto 6 pot DP-7; pot>Beto 6 pot DP-7 | Beto | | all_in=true
DP-7, the rest goes back | {DP} | Ana paid=2 won; Beto paid=5 | pot>Ana 4 pot DP-7; pot>Beto 3 returned DP-7 | Ana |
    | all_in=true
DP-7, one other is left in a part | {DP} | Ana paid=2 won; Beto paid=5; Caro paid=4 folded
    | pot>Ana 6 pot DP-7; pot>Beto 5 pot DP-7 | Ana, Beto | | all_in=true
DP-7, the hands of a part that no winner paid into | {DP}
    | Ana paid=2 won; Beto paid=5: 2-2 3-3 4-4 1-2 3-5; Caro paid=5: 6-6 5-5 1-4 2-4 3-4
    | pot>Ana 6 pot DP-7; pot>Beto 6 pot DP-7 | Ana, Beto | 2 Beto, 3 Caro | all_in=true
DP-8, the betting told as well | {DP} | Ana won; Beto; Caro / Ana bet 2, Beto fold, Caro call | pot>Ana 7 pot DP-1
    | Ana
DR-2, a tie | {DR} | Ana paid=2 won; Beto paid=2; Caro paid=2 won | pot>Ana 3 pot DR-2; pot>Caro 3 pot DR-2
    | Ana, Caro
DR-1, given hands come after all the winners | {DR}
    | Ana paid=2 won; Beto paid=2: 2c 3d 4h 6s 8c; Caro paid=2 won; Dani paid=2: 2h 3s 4c 6d 8h
    | pot>Ana 4 pot DR-2; pot>Caro 4 pot DR-2 | Ana, Caro | 3 Beto, 3 Dani
DR-6, an exchange that cannot be checked | {DR} | Ana paid=2 exchanged=4 won; Beto paid=2 | pot>Ana 4 pot DR-1 | Ana
KN-2, the lowest | {KN} | Ana; Beto won; Caro knocked | pot>Beto 3 pot KN-2; Caro>pot 3 match-pot KN-3 | Beto
KN-2, the knocker ties | {KN} | Ana; Beto won; Caro knocked won | pot>Beto 2 pot KN-2; pot>Caro 1 pot KN-2
    | Beto, Caro
KN-4, nobody knocked | {KN} | Ana; Beto won | pot>Beto 2 pot KN-4 | Beto
KN-5, poker hands | {KN} | Ana knocked; Beto won | pot>Beto 2 pot KN-5; Ana>pot 2 match-pot KN-3 | Beto | | hand=poker
KN-2, counted points | {KN} | Ana counts="7.5"; Beto counts=10; Caro counts=7.5
    | pot>Ana 2 pot KN-4; pot>Caro 1 pot KN-4 | Ana, Caro | 1 Ana, 1 Caro, 3 Beto
KN-2, points beside a hand | {KN} | Ana counts=3; Beto knocked: 5s Qh 7d Ac 2s; Caro counts=50
    | pot>Ana 3 pot KN-2; Beto>pot 3 match-pot KN-3 | Ana | 1 Ana, 2 Beto, 3 Caro
KR-3, counted deadwood | {KR} | Ana knocked counts=5; Beto counts=15; Caro counts=5 | Beto>Caro 10 deadwood KR-4
    | Caro | 1 Ana, 1 Caro, 3 Beto
KR-3, the knocker pays the penalty | {KR} | Ana counts=5; Beto knocked counts=15
    | Beto>Ana 10 deadwood KR-3; Beto>Ana 10 knocker-penalty KR-3 | Ana | 1 Ana, 2 Beto
KR-6, no deadwood | {KR} | Ana knocked counts=0; Beto counts=0 | Beto>Ana 25 rum-bonus KR-6 | Ana | 1 Ana, 1 Beto
KR-3, points beside a hand | {KR} | Ana knocked: 4s 4h 4d 6c 7c 8c 2d; Beto counts=70; Caro counts=2
    | Beto>Caro 68 deadwood KR-4 | Caro | 1 Ana, 1 Caro, 3 Beto
"""


@each_row(TOLD, Told)
def test_c_13_settles_by_the_same_rules(row: Told) -> None:
    settlement = settled(document(row.game, row.seats, row.rules))
    moved = [line for line in transfers(settlement) if line.split()[2] not in ("ante", "bets")]
    assert sorted(moved) == sorted(lines(row.transfers))
    assert ", ".join(settlement["winners"]) == row.winners
    assert places(settlement) == row.places


class Bad(NamedTuple):
    """What a table can't say, and the problems."""

    id: str
    game: str
    seats: str
    problems: str
    rules: str = ""


BAD = f"""
as good as the winner's | {KP} | Ana won: 9s 9h 8d 4c 2d; Beto: 9c 9d 8h 4s 2h | round.hands.Beto contradiction
better than the winner's | {KP} | Ana won: {QUADS}; Beto: {ROYAL} | round.hands.Beto contradiction
winners' that are not equal | {KP} | Ana won: {ROYAL}; Beto won: {QUADS}; Caro | round.hands.Beto contradiction
between two winners' | {KP} | Ana won: {ROYAL}; Beto won: 8s 8h 2c 3d 4h; Caro: {QUADS}
    | round.hands.Beto contradiction; round.hands.Caro contradiction
a knocker's hand below the minimum | {KP} | Ana knocked: 2s 3h 5d 8c 9d; Beto won | round.hands.Ana invalid-knock
    | minimum_knock=pair-of-aces
a winner who dropped | {KP} | Ana knocked; Beto dropped won; Caro | round.won_by bad-value
a winner among winners who dropped | {KP} | Ana knocked won; Beto dropped won; Caro | round.won_by bad-value
a winner without a hand to win with | {DO} | Ana called; Beto won: Ks Kd 9h 9c 4s | round.hands.Beto contradiction
the caller without one | {DO} | Ana called won: Ks Kd 9h 9c 4s; Beto
    | round.hands.Ana invalid-knock; round.hands.Ana contradiction
a caller without one who lost | {DO} | Ana called: Ks Kd 9h 9c 4s; Beto won | round.hands.Ana invalid-knock
two winners in Dompe | {DO} | Ana called won; Beto won | round.won_by bad-value
another winner than who showed an outright win | {DO} | Ana won; Beto showed | round.won_by bad-value
no outright win | {DO} | Ana; Beto showed won: Ks Kd 9h 9c 4s 3d | round.hands.Beto not-an-outright-win
a hand beside an outright win | {DO} | Ana: 7c 7d 7h 2s 3d; Beto showed won | round.hands.Ana unexpected-hand
a tie broken by suit otherwise than told | {DO} | Ana called won: 9c 8s 7h 6d 5s; Beto: 9d 8h 7s 6c 5h
    | round.hands.Beto contradiction
two winners in Domino Poker | {DP} | Ana paid=2 won; Beto paid=2 won | round.won_by bad-value
a winner who folded | {DP} | Ana paid=2; Beto paid=2; Caro paid=1 folded won | round.won_by bad-value
a winner who folded in the betting | {DP} | Ana; Beto won; Caro / Ana bet 2, Beto fold, Caro call
    | round.won_by bad-value
the hands of a part that no winner paid into | {DP} | Ana paid=2 won; Beto paid=5; Caro paid=5
    | round.hands.Beto missing-hand; round.hands.Caro missing-hand | all_in=true
one of them | {DP} | Ana paid=2 won; Beto paid=5: 2-2 3-3 4-4 1-2 3-5; Caro paid=5; Dani paid=3
    | round.hands.Caro missing-hand; round.hands.Dani missing-hand | all_in=true
sums that are wrong by themselves | {DP} | Ana paid=2 won; Beto paid=5; Caro paid=5 | round.paid.Ana unequal-bets
a sum is missing | {DP} | Ana paid=2 won; Beto paid=5; Caro | round.paid.Caro missing-field | all_in=true
too few cards | {KN} | Ana won: 5s Qh; Beto | round.hands.Ana wrong-hand-size
points and winners | {KN} | Ana won counts=3; Beto counts=4 | round.won_by bad-value
points and a hand | {KN} | Ana counts=3; Beto counts=4: 5s Qh 7d Ac 2s | round.points.Beto bad-value
points where the best poker hand wins | {KN} | Ana counts=3; Beto counts=4; Caro | round.points bad-value | hand=poker
neither points nor a hand | {KN} | Ana counts=3; Beto | round.hands.Beto missing-hand
a quarter | {KN} | Ana counts=3.25; Beto counts=4; Caro | round.points.Ana bad-value; round.hands.Caro missing-hand
more than five cards count | {KN} | Ana counts=50.5; Beto counts=51; Caro counts=50
    | round.points.Ana bad-value; round.points.Beto bad-value
less than nothing | {KN} | Ana counts=-1; Beto counts="-0.5" | round.points.Ana bad-value; round.points.Beto bad-value
more than seven cards count | {KR} | Ana counts=71; Beto counts=70; Caro counts=3 | round.points.Ana bad-value
more than ten cards count | {KR} | Ana counts=101; Beto counts=100 | round.points.Ana bad-value
half a point of deadwood | {KR} | Ana counts=2.5; Beto counts="3"
    | round.points.Ana bad-value; round.points.Beto bad-value
"""


@each_row(BAD, Bad)
def test_c_13_what_the_table_cannot_say(row: Bad) -> None:
    assert sorted(problems(document(row.game, row.seats, row.rules))) == sorted(listed(row.problems))


# game | round | what decided | house rules
WORDS = f"""
{KP} | Ana won; Beto | The table decided: Ana has the best hand
{KP} | Ana won; Beto won | The table decided: Ana and Beto tie for the best hand
{KP} | Ana won: {ROYAL}; Beto: {QUADS} | The table decided: Ana has the best hand
{DO} | Ana; Beto showed won | The table decided: Beto showed an outright win
{DP} | Ana paid=2 won; Beto paid=5; Caro paid=4 folded | The table decided: Ana has the best hand; Beto wins a side pot
    | all_in=true
{KN} | Ana counts=3; Beto counts=4 | Ana beats Beto: 3 against 4 points
{KR} | Ana counts=3; Beto counts=3 | Ana and Beto tie with 3 deadwood
"""


@pytest.mark.parametrize("row", table(WORDS), ids="|".join)
def test_c_13_says_that_the_table_decided(row: tuple[str, ...]) -> None:
    game, seats, words, *rules = row
    assert settled(document(game, seats, *rules))["decided_by"] == words


def test_c_13_says_why_a_hand_is_needed() -> None:
    _, answer = settle(document(DP, "Ana paid=2 won; Beto paid=5: 2-2 3-3 4-4 1-2 3-5; Caro paid=5", "all_in=true"))
    text = "Ana did not pay into every part of the pot, and Caro may win one; enter Caro's hand"
    assert [error["message"] for error in answer["errors"]] == [text]


@pytest.mark.parametrize(
    ("game", "seats", "category", "points"),
    [(KN, "Ana counts=7.5; Beto counts=10", "points", "7.5"), (KR, "Ana counts=7; Beto counts=10", "deadwood", 7)],
)
def test_c_13_points_appear_as_hands_without_cards(game: str, seats: str, category: str, points: Any) -> None:
    first = settled(document(game, seats))["hands"][0]
    assert first["cards"] is None
    assert (first["category"], first["points"]) == (category, points)
    assert (first["melds"], first["unmatched"], first["wild_as"]) == (None, None, None)


# what stands for Ana's points | what is read; None for a problem
POINTS = [
    *[(points, "7.5") for points in (7.5, "7.5", " 7.5 ", "7½")],
    *[("½", "0.5"), ("0", "0"), ("10.0", "10"), (0, "0"), ("050", "50")],
    *[(points, None) for points in (True, None, [], {}, "", ".5", "7.", "7,5", "1e1", "٣", "seven", 10**400, 1e300)],
    *[(float(text), None) for text in ("nan", "inf")],
]


@pytest.mark.parametrize(("points", "read"), POINTS)
def test_c_13_points_as_number_or_text(points: object, read: str | None) -> None:
    written = document(KN, "Ana; Beto counts=50.0")
    written["round"]["points"]["Ana"] = points
    if read is None:
        assert problems(written) == ["round.points.Ana bad-value"]
    else:
        assert [hand["points"] for hand in settled(written)["hands"]] == [read, "50"]


NO_HANDS = "round.hands.Ana missing-hand; round.hands.Beto missing-hand"
# games | the answer's key | values | the problems
ANSWERS: list[tuple[str, str, list[Any], str]] = [
    (f"{KP} {DO} {DP} {DR} {KN}", "won_by", [None, []], NO_HANDS),
    (f"{KP} {DO} {DP} {DR} {KN}", "won_by", [["Zoe"]], "round.won_by unknown-player"),
    (f"{KP} {DO} {DP} {DR} {KN}", "won_by", [["Ana", " Ana"]], "round.won_by duplicate-player"),
    (f"{KP} {DO} {DP} {DR} {KN}", "won_by", ["Ana", [7]], "round.won_by bad-value"),
    (f"{KP} {DO} {DP} {DR}", "points", [None, [], {}, ["Ana"]], "round.points unknown-field"),
    (KR, "won_by", [None, [], {}, ["Ana"]], "round.won_by unknown-field"),
]


@pytest.mark.parametrize(("games", "key", "values", "expected"), ANSWERS)
def test_c_13_answers_that_say_nothing_or_cannot_be(games: str, key: str, values: list[Any], expected: str) -> None:
    for game in games.split():
        seats = {DO: "Ana called; Beto", DP: "Ana paid=2; Beto paid=2", DR: "Ana paid=2; Beto paid=2"}
        written = document(game, seats.get(game, "Ana; Beto"))
        for value in values:
            written["round"][key] = value
            assert sorted(problems(written)) == sorted(listed(expected)), (game, value)
