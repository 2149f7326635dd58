"""Rounds whose result the table stated instead of showing cards: who won, or what the hands count. Rule: C-13."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from games.rounds import Bad, Document, cases, document, lines, listed, places, problems, settled, transfers

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


TOLD = [
    Told(
        "KP-4, the knocker won",
        KP,
        "Ana knocked won; Beto; Caro dropped",
        "Caro>Ana 1 drop KP-3; Beto>Ana 2 stayed-in KP-4; pot>Ana 3 pot KP-4",
        "Ana",
    ),
    Told(
        "KP-5, another",
        KP,
        "Ana knocked; Beto won; Caro",
        "Ana>Beto,Caro 2 lost-knock KP-5; pot>Beto 3 pot KP-5",
        "Beto",
    ),
    Told(
        "KP-6, the knocker ties",
        KP,
        "Ana knocked won; Beto; Caro won",
        "Beto>pot 2 stayed-in KP-6; pot>Ana 3 pot KP-6; pot>Caro 2 pot KP-6",
        "Ana, Caro",
    ),
    Told(
        "KP-7, others tie",
        KP,
        "Ana; Beto won; Caro knocked; Dani won",
        "Caro>Ana,Beto,Dani 2 lost-knock KP-7; pot>Beto,Dani 2 pot KP-7",
        "Beto, Dani",
    ),
    Told("KP-8, nobody knocked", KP, "Ana won; Beto", "pot>Ana 2 pot KP-8", "Ana"),
    Told(
        "KP-10, everyone else dropped",
        KP,
        "Ana knocked won; Beto dropped",
        "Beto>Ana 1 drop KP-3; pot>Ana 2 pot KP-10",
        "Ana",
    ),
    Told(
        "KP-13, a knock that nobody saw is above the minimum",
        KP,
        "Ana knocked; Beto won",
        "Ana>Beto 2 lost-knock KP-5; pot>Beto 2 pot KP-5",
        "Beto",
        rules="minimum_knock=pair-of-aces",
    ),
    Told(
        "KP-14, no hand bonus without the hand",
        KP,
        "Ana knocked won first; Beto",
        "Beto>Ana 2 stayed-in KP-4; Beto>Ana 2 first-turn-bonus KP-14; pot>Ana 2 pot KP-4",
        "Ana",
        rules="bonuses=true",
    ),
    Told(
        "KP-14, a hand bonus with the hand",
        KP,
        f"Ana won: {ROYAL}; Beto",
        "Beto>Ana 4 hand-bonus KP-14; pot>Ana 2 pot KP-8",
        "Ana",
        "1 Ana",
        rules="bonuses=true",
    ),
    Told(
        "KP-14, of tied winners one hand suffices",
        KP,
        f"Ana won; Beto won: {ROYAL}; Caro",
        "Caro>pot 4 hand-bonus KP-14; pot>Ana 2 pot KP-8; pot>Beto 1 pot KP-8; pot>Ana,Beto 2 hand-bonus KP-14",
        "Ana, Beto",
        "1 Beto",
        rules="bonuses=true",
    ),
    Told(
        "KP-14, a loser's hand earns nothing",
        KP,
        f"Ana won; Beto: {QUADS}",
        "pot>Ana 2 pot KP-8",
        "Ana",
        "2 Beto",
        rules="bonuses=true",
    ),
    Told("DO-6, an outright win that nobody entered", DO, "Ana; Beto showed won", "pot>Beto 2 pot DO-6", "Beto"),
    Told(
        "DO-6, one that was entered",
        DO,
        "Ana; Beto showed won: Jh Ts 9d 8d 7c Jk",
        "pot>Beto 2 pot DO-6",
        "Beto",
        "1 Beto",
    ),
    Told("DO-7, a call", DO, "Ana called; Beto won; Caro", "pot>Beto 3 pot DO-7", "Beto"),
    Told(
        "DO-7, with the winner's hand",
        DO,
        "Ana called; Beto won: 7c 7d 7h 2s 3d; Caro",
        "pot>Beto 3 pot DO-7",
        "Beto",
        "1 Beto",
    ),
    Told("DP-1, the bets are won", DP, "Ana paid=5 won; Beto paid=5; Caro paid=2 folded", "pot>Ana 12 pot DP-1", "Ana"),
    Told("DP-1, everyone else folded", DP, "Ana paid=5 won; Beto paid=2 folded", "pot>Ana 7 pot DP-1", "Ana"),
    Told(
        "DP-7, the winner is in every part",
        DP,
        "Ana paid=2; Beto paid=5 won; Caro paid=5",
        "pot>Beto 6 pot DP-7; pot>Beto 6 pot DP-7",
        "Beto",
        rules="all_in=true",
    ),
    Told(
        "DP-7, the rest goes back",
        DP,
        "Ana paid=2 won; Beto paid=5",
        "pot>Ana 4 pot DP-7; pot>Beto 3 returned DP-7",
        "Ana",
        rules="all_in=true",
    ),
    Told(
        "DP-7, one other is left in a part",
        DP,
        "Ana paid=2 won; Beto paid=5; Caro paid=4 folded",
        "pot>Ana 6 pot DP-7; pot>Beto 5 pot DP-7",
        "Ana, Beto",
        rules="all_in=true",
    ),
    Told(
        "DP-7, the hands of a part that no winner paid into",
        DP,
        "Ana paid=2 won; Beto paid=5: 2-2 3-3 4-4 1-2 3-5; Caro paid=5: 6-6 5-5 1-4 2-4 3-4",
        "pot>Ana 6 pot DP-7; pot>Beto 6 pot DP-7",
        "Ana, Beto",
        "2 Beto, 3 Caro",
        rules="all_in=true",
    ),
    Told(
        "DP-8, the betting told as well",
        DP,
        "Ana won; Beto; Caro / Ana bet 2, Beto fold, Caro call",
        "pot>Ana 7 pot DP-1",
        "Ana",
    ),
    Told(
        "DR-2, a tie",
        DR,
        "Ana paid=2 won; Beto paid=2; Caro paid=2 won",
        "pot>Ana 3 pot DR-2; pot>Caro 3 pot DR-2",
        "Ana, Caro",
    ),
    Told(
        "DR-1, given hands come after all the winners",
        DR,
        "Ana paid=2 won; Beto paid=2: 2c 3d 4h 6s 8c; Caro paid=2 won; Dani paid=2: 2h 3s 4c 6d 8h",
        "pot>Ana 4 pot DR-2; pot>Caro 4 pot DR-2",
        "Ana, Caro",
        "3 Beto, 3 Dani",
    ),
    Told(
        "DR-6, an exchange that cannot be checked",
        DR,
        "Ana paid=2 exchanged=4 won; Beto paid=2",
        "pot>Ana 4 pot DR-1",
        "Ana",
    ),
    Told(
        "KN-2, the lowest", KN, "Ana; Beto won; Caro knocked", "pot>Beto 3 pot KN-2; Caro>pot 3 match-pot KN-3", "Beto"
    ),
    Told(
        "KN-2, the knocker ties",
        KN,
        "Ana; Beto won; Caro knocked won",
        "pot>Beto 2 pot KN-2; pot>Caro 1 pot KN-2",
        "Beto, Caro",
    ),
    Told("KN-4, nobody knocked", KN, "Ana; Beto won", "pot>Beto 2 pot KN-4", "Beto"),
    Told(
        "KN-5, poker hands",
        KN,
        "Ana knocked; Beto won",
        "pot>Beto 2 pot KN-5; Ana>pot 2 match-pot KN-3",
        "Beto",
        rules="hand=poker",
    ),
    Told(
        "KN-2, counted points",
        KN,
        'Ana counts="7.5"; Beto counts=10; Caro counts=7.5',
        "pot>Ana 2 pot KN-4; pot>Caro 1 pot KN-4",
        "Ana, Caro",
        "1 Ana, 1 Caro, 3 Beto",
    ),
    Told(
        "KN-2, points beside a hand",
        KN,
        "Ana counts=3; Beto knocked: 5s Qh 7d Ac 2s; Caro counts=50",
        "pot>Ana 3 pot KN-2; Beto>pot 3 match-pot KN-3",
        "Ana",
        "1 Ana, 2 Beto, 3 Caro",
    ),
    Told(
        "KR-3, counted deadwood",
        KR,
        "Ana knocked counts=5; Beto counts=15; Caro counts=5",
        "Beto>Caro 10 deadwood KR-4",
        "Caro",
        "1 Ana, 1 Caro, 3 Beto",
    ),
    Told(
        "KR-3, the knocker pays the penalty",
        KR,
        "Ana counts=5; Beto knocked counts=15",
        "Beto>Ana 10 deadwood KR-3; Beto>Ana 10 knocker-penalty KR-3",
        "Ana",
        "1 Ana, 2 Beto",
    ),
    Told(
        "KR-6, no deadwood",
        KR,
        "Ana knocked counts=0; Beto counts=0",
        "Beto>Ana 25 rum-bonus KR-6",
        "Ana",
        "1 Ana, 1 Beto",
    ),
    Told(
        "KR-3, points beside a hand",
        KR,
        "Ana knocked: 4s 4h 4d 6c 7c 8c 2d; Beto counts=70; Caro counts=2",
        "Beto>Caro 68 deadwood KR-4",
        "Caro",
        "1 Ana, 1 Caro, 3 Beto",
    ),
]


@pytest.mark.parametrize("row", cases(TOLD))
def test_c_13_settles_by_the_same_rules(row: Told) -> None:
    settlement = settled(document(row.game, row.seats, row.rules))
    moved = [line for line in transfers(settlement) if line.split()[2] not in ("ante", "bets")]
    assert sorted(moved) == sorted(lines(row.transfers))
    assert ", ".join(settlement["winners"]) == row.winners
    assert places(settlement) == row.places


def told(written: Document) -> list[tuple[str, str]]:
    """Return the fields and codes of a round's problems."""
    status, answer = settle(written)
    assert status == 422
    return [(error["field"], error["code"]) for error in answer["errors"]]


BAD = [
    (
        "as good as the winner's",
        KP,
        Bad("", "Ana won: 9s 9h 8d 4c 2d; Beto: 9c 9d 8h 4s 2h", "round.hands.Beto contradiction"),
    ),
    ("better than the winner's", KP, Bad("", f"Ana won: {QUADS}; Beto: {ROYAL}", "round.hands.Beto contradiction")),
    (
        "winners' that are not equal",
        KP,
        Bad("", f"Ana won: {ROYAL}; Beto won: {QUADS}; Caro", "round.hands.Beto contradiction"),
    ),
    (
        "between two winners'",
        KP,
        Bad(
            "",
            f"Ana won: {ROYAL}; Beto won: 8s 8h 2c 3d 4h; Caro: {QUADS}",
            "round.hands.Beto contradiction; round.hands.Caro contradiction",
        ),
    ),
    (
        "a knocker's hand below the minimum",
        KP,
        Bad("", "Ana knocked: 2s 3h 5d 8c 9d; Beto won", "round.hands.Ana invalid-knock", "minimum_knock=pair-of-aces"),
    ),
    ("a winner who dropped", KP, Bad("", "Ana knocked; Beto dropped won; Caro", "round.won_by bad-value")),
    (
        "a winner among winners who dropped",
        KP,
        Bad("", "Ana knocked won; Beto dropped won; Caro", "round.won_by bad-value"),
    ),
    (
        "a winner without a hand to win with",
        DO,
        Bad("", "Ana called; Beto won: Ks Kd 9h 9c 4s", "round.hands.Beto contradiction"),
    ),
    (
        "the caller without one",
        DO,
        Bad("", "Ana called won: Ks Kd 9h 9c 4s; Beto", "round.hands.Ana invalid-knock; round.hands.Ana contradiction"),
    ),
    (
        "a caller without one who lost",
        DO,
        Bad("", "Ana called: Ks Kd 9h 9c 4s; Beto won", "round.hands.Ana invalid-knock"),
    ),
    ("two winners in Dompe", DO, Bad("", "Ana called won; Beto won", "round.won_by bad-value")),
    ("another winner than who showed an outright win", DO, Bad("", "Ana won; Beto showed", "round.won_by bad-value")),
    ("no outright win", DO, Bad("", "Ana; Beto showed won: Ks Kd 9h 9c 4s 3d", "round.hands.Beto not-an-outright-win")),
    (
        "a hand beside an outright win",
        DO,
        Bad("", "Ana: 7c 7d 7h 2s 3d; Beto showed won", "round.hands.Ana unexpected-hand"),
    ),
    (
        "a tie broken by suit otherwise than told",
        DO,
        Bad("", "Ana called won: 9c 8s 7h 6d 5s; Beto: 9d 8h 7s 6c 5h", "round.hands.Beto contradiction"),
    ),
    ("two winners in Domino Poker", DP, Bad("", "Ana paid=2 won; Beto paid=2 won", "round.won_by bad-value")),
    ("a winner who folded", DP, Bad("", "Ana paid=2; Beto paid=2; Caro paid=1 folded won", "round.won_by bad-value")),
    (
        "a winner who folded in the betting",
        DP,
        Bad("", "Ana; Beto won; Caro / Ana bet 2, Beto fold, Caro call", "round.won_by bad-value"),
    ),
    (
        "the hands of a part that no winner paid into",
        DP,
        Bad(
            "",
            "Ana paid=2 won; Beto paid=5; Caro paid=5",
            "round.hands.Beto missing-hand; round.hands.Caro missing-hand",
            "all_in=true",
        ),
    ),
    (
        "one of them",
        DP,
        Bad(
            "",
            "Ana paid=2 won; Beto paid=5: 2-2 3-3 4-4 1-2 3-5; Caro paid=5; Dani paid=3",
            "round.hands.Caro missing-hand; round.hands.Dani missing-hand",
            "all_in=true",
        ),
    ),
    (
        "sums that are wrong by themselves",
        DP,
        Bad("", "Ana paid=2 won; Beto paid=5; Caro paid=5", "round.paid.Ana unequal-bets"),
    ),
    (
        "a sum is missing",
        DP,
        Bad("", "Ana paid=2 won; Beto paid=5; Caro", "round.paid.Caro missing-field", "all_in=true"),
    ),
    ("too few cards", KN, Bad("", "Ana won: 5s Qh; Beto", "round.hands.Ana wrong-hand-size")),
    ("points and winners", KN, Bad("", "Ana won counts=3; Beto counts=4", "round.won_by bad-value")),
    ("points and a hand", KN, Bad("", "Ana counts=3; Beto counts=4: 5s Qh 7d Ac 2s", "round.points.Beto bad-value")),
    (
        "points where the best poker hand wins",
        KN,
        Bad("", "Ana counts=3; Beto counts=4; Caro", "round.points bad-value", "hand=poker"),
    ),
    ("neither points nor a hand", KN, Bad("", "Ana counts=3; Beto", "round.hands.Beto missing-hand")),
    (
        "a quarter",
        KN,
        Bad("", "Ana counts=3.25; Beto counts=4; Caro", "round.points.Ana bad-value; round.hands.Caro missing-hand"),
    ),
    (
        "more than five cards count",
        KN,
        Bad(
            "",
            "Ana counts=50.5; Beto counts=51; Caro counts=50",
            "round.points.Ana bad-value; round.points.Beto bad-value",
        ),
    ),
    (
        "less than nothing",
        KN,
        Bad("", 'Ana counts=-1; Beto counts="-0.5"', "round.points.Ana bad-value; round.points.Beto bad-value"),
    ),
    (
        "more than seven cards count",
        KR,
        Bad("", "Ana counts=71; Beto counts=70; Caro counts=3", "round.points.Ana bad-value"),
    ),
    ("more than ten cards count", KR, Bad("", "Ana counts=101; Beto counts=100", "round.points.Ana bad-value")),
    (
        "half a point of deadwood",
        KR,
        Bad("", 'Ana counts=2.5; Beto counts="3"', "round.points.Ana bad-value; round.points.Beto bad-value"),
    ),
]


@pytest.mark.parametrize(("game", "bad"), [pytest.param(game, bad, id=id) for id, game, bad in BAD])
def test_c_13_what_the_table_cannot_say(game: str, bad: Bad) -> None:
    assert sorted(problems(game, bad)) == sorted(listed(bad.problems))


WORDS = [
    (KP, "Ana won; Beto", "", "The table decided: Ana has the best hand"),
    (KP, "Ana won; Beto won", "", "The table decided: Ana and Beto tie for the best hand"),
    (KP, f"Ana won: {ROYAL}; Beto: {QUADS}", "", "The table decided: Ana has the best hand"),
    (DO, "Ana; Beto showed won", "", "The table decided: Beto showed an outright win"),
    (
        DP,
        "Ana paid=2 won; Beto paid=5; Caro paid=4 folded",
        "all_in=true",
        "The table decided: Ana has the best hand; Beto wins a side pot",
    ),
    (KN, "Ana counts=3; Beto counts=4", "", "Ana beats Beto: 3 against 4 points"),
    (KR, "Ana counts=3; Beto counts=3", "", "Ana and Beto tie with 3 deadwood"),
]


@pytest.mark.parametrize(("game", "seats", "rules", "words"), WORDS)
def test_c_13_says_that_the_table_decided(game: str, seats: str, rules: str, words: str) -> None:
    assert settled(document(game, seats, rules))["decided_by"] == words


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


@pytest.mark.parametrize("points", [7.5, "7.5", " 7.5 ", "7½"])
def test_c_13_half_points_as_number_or_text(points: object) -> None:
    written = document(KN, "Ana; Beto counts=10.0")
    written["round"]["points"]["Ana"] = points
    assert [hand["points"] for hand in settled(written)["hands"]] == ["7.5", "10"]


@pytest.mark.parametrize(("points", "read"), [("½", "0.5"), ("0", "0"), ("10.0", "10"), (0, "0"), ("050", "50")])
def test_c_13_valid_points_are_read(points: object, read: str) -> None:
    written = document(KN, "Ana; Beto counts=50")
    written["round"]["points"]["Ana"] = points
    assert settled(written)["hands"][0]["points"] == read


@pytest.mark.parametrize(
    "points",
    [True, None, [], {}, "", ".5", "7.", "7,5", "1e1", "٣", "seven", float("nan"), float("inf"), 10**400, 1e300],
)
def test_c_13_invalid_points_are_problems(points: object) -> None:
    written = document(KN, "Ana; Beto counts=50")
    written["round"]["points"]["Ana"] = points
    assert told(written) == [("round.points.Ana", "bad-value")]


@pytest.mark.parametrize("won_by", [None, []])
@pytest.mark.parametrize("game", [KP, DO, DP, DR, KN])
def test_c_13_an_empty_word_counts_as_absent(game: str, won_by: Any) -> None:
    mark = {DO: " called"}.get(game, "")
    paid = " paid=2" if game in (DP, DR) else ""
    written = document(game, f"Ana{mark}{paid}; Beto{paid}")
    written["round"]["won_by"] = won_by
    assert told(written) == [("round.hands.Ana", "missing-hand"), ("round.hands.Beto", "missing-hand")]


@pytest.mark.parametrize(
    ("won_by", "code"),
    [(["Zoe"], "unknown-player"), (["Ana", " Ana"], "duplicate-player"), ("Ana", "bad-value"), ([7], "bad-value")],
)
@pytest.mark.parametrize("game", [KP, DO, DP, DR, KN])
def test_c_13_impossible_winners_are_problems(game: str, won_by: Any, code: str) -> None:
    mark = {DO: " called"}.get(game, "")
    paid = " paid=2" if game in (DP, DR) else ""
    written = document(game, f"Ana{mark}{paid}; Beto{paid}")
    written["round"]["won_by"] = won_by
    assert told(written) == [("round.won_by", code)]


@pytest.mark.parametrize(
    ("game", "key"), [(KR, "won_by"), (KP, "points"), (DO, "points"), (DP, "points"), (DR, "points")]
)
@pytest.mark.parametrize("value", [None, [], {}, ["Ana"]])
def test_c_13_games_without_the_question_reject_its_key(game: str, key: str, value: Any) -> None:
    mark = {DO: " called"}.get(game, "")
    paid = " paid=2" if game in (DP, DR) else ""
    written = document(game, f"Ana{mark}{paid}; Beto{paid}")
    written["round"][key] = value
    assert (f"round.{key}", "unknown-field") in told(written)
