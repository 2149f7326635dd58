"""A valid round of each game with nets worked out by hand from RULES.md, and a way to change it.

For a game that isn't in the tables, a round is made from one of its own examples.
"""

import copy
from typing import Any

from companion.contract import read_round
from companion.engine.game import EXAMPLE_PLAYERS
from companion.games import AnyGame, all_games

GONE: Any = type("Gone", (), {"__repr__": lambda _: "GONE"})()  # as a changed value: take the key out

ROUNDS: dict[str, dict[str, Any]] = {
    # Ana's full house beats the flush: the pot of 3, 2 from Beto who stayed (KP-4), 1 from Caro who dropped (KP-3)
    "knock-poker": {
        "game": "knock-poker",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "knocker": "Ana",
            "dropped": ["Caro"],
            "hands": {"Ana": "9s 9h 9d 4c 4d", "Beto": "Ah Kh 8h 5h 3h"},
        },
    },
    # Caro's three eights beat the caller's three sevens: the pot of 3 (DO-7)
    "dompe": {
        "game": "dompe",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "caller": "Beto",
            "hands": {"Ana": "Ks Kd 9h 9c 4s", "Beto": "7c 7d 7h 2s 3d", "Caro": "8s 8h 8d Kc 3c"},
        },
    },
    # Ana's royal beats straight sixes: the pot of 12 (DP-1)
    "domino-poker": {
        "game": "domino-poker",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "paid": {"Ana": 5, "Beto": 5, "Caro": 2},
            "folded": ["Caro"],
            "hands": {"Ana": "2-2 3-3 4-4 5-5 6-6", "Beto": "1-6 2-6 3-6 4-6 5-6"},
        },
    },
    # Beto's royal flush beats four twos: the pot of 9 (DR-2)
    "draw-poker": {
        "game": "draw-poker",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "paid": {"Ana": 4, "Beto": 4, "Caro": 1},
            "folded": ["Caro"],
            "hands": {"Ana": "2c 2d 2h 2s 3c", "Beto": "As Ks Qs Js Ts"},
        },
    },
    # 0 points beat the knocker's 3.5 and 29: the pot of 3, and Ana matches it into the next pot (KN-3)
    "knock": {
        "game": "knock",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "knocker": "Ana",
            "hands": {"Ana": "5s Qh 7d Ac 2s", "Beto": "Ks Kh 2d 3c 4s", "Caro": "5h Qd Qc 5c 5d"},
        },
    },
    # 2 deadwood against 10 and 23: 8 from Beto, 21 from Caro (KR-3)
    "knock-rummy": {
        "game": "knock-rummy",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "knocker": "Ana",
            "hands": {"Ana": "4s 4h 4d 6c 7c 8c 2d", "Beto": "As 2s 3s 9h 9d 9c Qh", "Caro": "Kh Ks Kd 5h 5s Jd 3c"},
        },
    },
}

# game: winner, net of Ana, Beto, Caro, pot afterwards, payments
RESULTS: dict[str, tuple[str, list[int], int, set[tuple[str, str, int]]]] = {
    "knock-poker": ("Ana", [5, -3, -2], 0, {("Beto", "Ana", 3), ("Caro", "Ana", 2)}),
    "dompe": ("Caro", [-1, -1, 2], 0, {("Ana", "Caro", 1), ("Beto", "Caro", 1)}),
    "domino-poker": ("Ana", [7, -5, -2], 0, {("Beto", "Ana", 5), ("Caro", "Ana", 2)}),
    "draw-poker": ("Beto", [-4, 5, -1], 0, {("Ana", "Beto", 4), ("Caro", "Beto", 1)}),
    # the pot gains 3; other fewest payments are as good, so they are left open
    "knock": ("Caro", [-4, -1, 2], 3, set()),
    "knock-rummy": ("Ana", [29, -8, -21], 0, {("Beto", "Ana", 8), ("Caro", "Ana", 21)}),
}


def of_examples(game: AnyGame) -> dict[str, Any]:
    """Make a round of three players, or as many as the game allows, from the game's examples.

    Surplus players are removed from an example; the first result without problems is used.
    """
    least, most = game.seats
    players = list(EXAMPLE_PLAYERS[: max(least, min(3, most))])
    gone = EXAMPLE_PLAYERS[len(players) :]
    written = (
        {"game": game.key, "players": players, "dealer": players[-1], "round": _without(gone, example)}
        for example in game.examples
    )
    return next(document for document in written if not read_round(document).problems)


def _without(gone: tuple[str, ...], answers: Any) -> Any:
    if isinstance(answers, dict):
        return {key: _without(gone, answer) for key, answer in answers.items() if key not in gone}
    if isinstance(answers, list):
        return [_without(gone, answer) for answer in answers if answer not in gone]
    return answers


def result_of(document: dict[str, Any]) -> tuple[str, list[int], int, set[tuple[str, str, int]]]:
    """Settle a round, for tests of what builds on settlements."""
    round = read_round(document).round
    assert round is not None
    settled = all_games()[document["game"]].settle(round)
    return settled.winners[0], list(settled.net.values()), settled.pot_closing, set()


for _key in all_games().keys() - ROUNDS.keys():
    ROUNDS[_key] = of_examples(all_games()[_key])
    RESULTS[_key] = result_of(ROUNDS[_key])


def changed(game: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Copy a game's round and set values by path: `{"round.hands.Beto": "..."}`; GONE removes a key."""
    document = copy.deepcopy(ROUNDS[game])
    for path, value in changes.items():
        *parents, last = path.split(".")
        place = document
        for key in parents:
            place = place.setdefault(key, {})
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return document
