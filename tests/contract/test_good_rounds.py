"""Valid rounds in every accepted notation: results are canonical and in the contract's order; input isn't modified."""

from typing import Any

import pytest
from sample_rounds import RESULTS, ROUNDS, changed

from companion.contract import settle
from companion.games import all_games

KP, DO, DP, DR, KN, KR = "knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"


def test_every_game_has_a_sample_round() -> None:
    assert set(ROUNDS) == set(RESULTS) == set(all_games())


@pytest.mark.parametrize("game", ROUNDS)
def test_sample_round_settles_as_in_the_rule_book(game: str) -> None:
    winner, net, closing, payments = RESULTS[game]
    status, answer = settle(ROUNDS[game])
    found: Any = answer
    assert status == 200
    assert found["winners"] == [winner]
    assert list(found["net"].items()) == list(zip(ROUNDS[game]["players"], net, strict=True))
    assert found["pot"]["closing"] == closing
    if payments:
        assert {(p["from"], p["to"], p["amount"]) for p in found["payments"]} == payments
    assert list(found) == ["winners", "hands", "decided_by", "pot", "transfers", "net", "payments", "handovers"]
    assert all(
        list(hand) == ["player", "place", "cards", "category", "description", "points", "melds", "unmatched", "wild_as"]
        for hand in found["hands"]
    )


FRENCH = "9s 9h 9d 4c 4d"
# game | other rules | Ana's hand as typed | as it comes back
NOTATION: list[tuple[str, dict[str, Any], object, str]] = [
    (KP, {}, "  9S, 9H 9D  4C,4D ", FRENCH),
    (KP, {}, "9s9h 9d4c4d", FRENCH),
    (KP, {}, ["9♠", "9♥\ufe0f", "9♦", "4♣", "4d"], FRENCH),
    (KP, {}, "10d TS ac qH jc", "Td Ts Ac Qh Jc"),
    (DO, {}, "* Kd 9h 9c 4s", "Jk Kd 9h 9c 4s"),
    (DO, {}, ["JK", "Kd", "9h", "9c", "4s"], "Jk Kd 9h 9c 4s"),
    (DP, {}, "3-1 21 [4-3] 5:4 5–2", "1-3 1-2 3-4 4-5 2-5"),
    (DO, {"deck": "spanish-48"}, "Ao So Ce rB 9c", "1o 10o 11e 12b 9c"),
    (DO, {"deck": "spanish-40"}, "1O 10o 11E 12b 7c", "1o 10o 11e 12b 7c"),
]


@pytest.mark.parametrize(("game", "rules", "typed", "canonical"), NOTATION, ids=[ascii(row[2]) for row in NOTATION])
def test_hand_is_read_in_every_notation(game: str, rules: dict[str, Any], typed: object, canonical: str) -> None:
    changes: dict[str, Any] = {"round.hands.Ana": typed, "rules": rules}
    if rules:
        changes |= {"round.hands.Beto": "5o 5c 5e 6o 6c", "round.hands.Caro": "4o 4c 4e 3o 3c"}
    answer: Any = settle(changed(game, changes))[1]
    assert [hand["cards"] for hand in answer["hands"] if hand["player"] == "Ana"] == [canonical.split()], answer


def test_names_are_trimmed_everywhere() -> None:
    answer: Any = settle(
        {
            "game": KP,
            "players": [" Ana", "Beto ", "  Caro "],
            "dealer": " Caro",
            "round": {
                "knocker": "Ana ",
                "dropped": ["Caro"],
                "draws": {" Ana ": 2},
                "hands": {" Ana": FRENCH, "Beto ": "Ah Kh 8h 5h 3h"},
            },
        }
    )[1]
    assert answer["net"] == {"Ana": 5, "Beto": -3, "Caro": -2}


def test_dealer_is_the_last_player_by_default() -> None:
    # KP-6 with an odd pot: the first in turn order gets the odd unit, so it shows who dealt
    tied = {"Ana": "As Ks 9s 5d 3d", "Beto": "Ah Kh 9h 5c 3c", "Caro": "Qs Js 8d 7c 2d"}
    document = {"game": KN, "rules": {"hand": "poker"}, "players": ["Ana", "Beto", "Caro"], "round": {"hands": tied}}
    nets = [settle({**document, **dealer})[1]["net"] for dealer in ({}, {"dealer": "Caro"}, {"dealer": "Ana"})]
    assert nets == [{"Ana": 1, "Beto": 0, "Caro": -1}] * 2 + [{"Ana": 0, "Beto": 1, "Caro": -1}]


def test_c_1_amounts_are_stakes_times_units() -> None:
    nets = [settle(changed(KP, {"stake": stake}))[1]["net"] for stake in (1, 25, 1_000_000)]
    assert nets == [{"Ana": 5 * u, "Beto": -3 * u, "Caro": -2 * u} for u in (1, 25, 1_000_000)]


@pytest.mark.parametrize(
    ("game", "field", "values"),
    [
        (KN, "points", ["0", "3.5", "29"]),
        (KR, "points", [2, 10, 23]),
        (KP, "points", [None, None]),
        (KP, "melds", [None, None]),
        (KP, "wild_as", [None, None]),
        (KR, "place", [1, 2, 3]),
        (DO, "place", [1, 2, 3]),
        (DO, "category", ["three-of-a-kind", "three-of-a-kind", "no-hand"]),
        (DP, "category", ["royal", "straight-sixes"]),
        (DR, "category", ["royal-flush", "four-of-a-kind"]),
    ],
)
def test_shown_hands_from_best_to_worst(game: str, field: str, values: list[object]) -> None:
    answer: Any = settle(ROUNDS[game])[1]
    assert [hand[field] for hand in answer["hands"]] == values
