"""A valid round of each game with nets worked out by hand from RULES.md, and a way to change it.

For a game that isn't in the tables, a round is made from one of its own examples.
"""

import copy
from typing import Any

from games.rounds import document
from tables import table

from companion.contract import read_round
from companion.engine.game import EXAMPLE_PLAYERS
from companion.games import AnyGame, all_games

WITH_HANDS = [key for key, game in all_games().items() if game.has_hands]
GONE: Any = type("Gone", (), {"__repr__": lambda _: "GONE"})()  # as a changed value: take the key out


def _sample(game: str, seats: str) -> dict[str, Any]:
    """Write a round of which all house rules, the stake and the pot are the usual ones, and the last player deals."""
    written = document(game, seats)
    round, players = written["round"], written["players"]
    round["hands"] = round.pop("hands")  # after the answers, as people write it
    return {"game": game, "players": players, "dealer": players[-1], "round": round}


# full house beats flush: the pot of 3, 2 from Beto who stayed (KP-4), 1 from Caro who dropped (KP-3)
# three eights beat the caller's three sevens: the pot of 3 (DO-7)
# a royal beats straight sixes: the pot of 12 (DP-1)
# a royal flush beats four twos: the pot of 9 (DR-2)
# 0 points beat the knocker's 3.5 and 29: the pot of 3, and Ana matches it into the next pot (KN-3)
# three queens beat two pair: the pot of 7 (FD-1)
# two pair beat a pair: the pot of 9 (SP-1)
# a pair beats king high: the pot of 3, and Ana matches it into the next pot (GU-3)
# three queens beat two pair: the pot of 3 (WH-4)
# 29 points beat the knocker's 19 and 8: the pot of 3 (TH-4)
# 2 deadwood against 10 and 23: 8 from Beto, 21 from Caro (KR-3)
_SAMPLES = """
knock-poker | Ana knocked: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro dropped
dompe | Ana: Ks Kd 9h 9c 4s; Beto called: 7c 7d 7h 2s 3d; Caro: 8s 8h 8d Kc 3c
domino-poker | Ana paid=5: 2-2 3-3 4-4 5-5 6-6; Beto paid=5: 1-6 2-6 3-6 4-6 5-6; Caro paid=2 folded
draw-poker | Ana paid=4: 2c 2d 2h 2s 3c; Beto paid=4: As Ks Qs Js Ts; Caro paid=1 folded
knock | Ana knocked: 5s Qh 7d Ac 2s; Beto: Ks Kh 2d 3c 4s; Caro: 5h Qd Qc 5c 5d
five-card-draw | Ana paid=3: Kh Ks 8d 8c 3s; Beto paid=3: Qs Qd Qc 7h 2c; Caro paid=1 folded
straight-poker | Ana paid=4: Js Jh 9d 6c 3s; Beto paid=1 folded; Caro paid=4: Th Tc 5d 5h 2s
guts | Ana: Kd Qs 9c; Beto: 8h 8c Js; Caro out
whisky-poker | Ana knocked: Kh Ks 8d 8c 3s; Beto: Qs Qd Qc 7h 2c; Caro: Ah Jd 9c 6s 4h
thirty-one | Ana knocked: 9s Ts 2d; Beto: Kh Qh 9h; Caro: 8c 7h 5d
knock-rummy | Ana knocked: 4s 4h 4d 6c 7c 8c 2d; Beto: As 2s 3s 9h 9d 9c Qh; Caro: Kh Ks Kd 5h 5s Jd 3c
"""
ROUNDS: dict[str, dict[str, Any]] = {game: _sample(game, seats) for game, seats in table(_SAMPLES)}

# game: winner, net of Ana, Beto, Caro, pot afterwards, payments
RESULTS: dict[str, tuple[str, list[int], int, set[tuple[str, str, int]]]] = {
    "knock-poker": ("Ana", [5, -3, -2], 0, {("Beto", "Ana", 3), ("Caro", "Ana", 2)}),
    "dompe": ("Caro", [-1, -1, 2], 0, {("Ana", "Caro", 1), ("Beto", "Caro", 1)}),
    "domino-poker": ("Ana", [7, -5, -2], 0, {("Beto", "Ana", 5), ("Caro", "Ana", 2)}),
    "draw-poker": ("Beto", [-4, 5, -1], 0, {("Ana", "Beto", 4), ("Caro", "Beto", 1)}),
    # the pot gains 3; other fewest payments are as good, so they are left open
    "knock": ("Caro", [-4, -1, 2], 3, set()),
    "five-card-draw": ("Beto", [-3, 4, -1], 0, {("Ana", "Beto", 3), ("Caro", "Beto", 1)}),
    "straight-poker": ("Caro", [-4, -1, 5], 0, {("Ana", "Caro", 4), ("Beto", "Caro", 1)}),
    "guts": ("Beto", [-4, 2, -1], 3, set()),
    "whisky-poker": ("Beto", [-1, 2, -1], 0, {("Ana", "Beto", 1), ("Caro", "Beto", 1)}),
    "thirty-one": ("Beto", [-1, 2, -1], 0, {("Ana", "Beto", 1), ("Caro", "Beto", 1)}),
    "knock-rummy": ("Ana", [29, -8, -21], 0, {("Beto", "Ana", 8), ("Caro", "Ana", 21)}),
}


def of_examples(game: AnyGame) -> dict[str, Any]:
    """Make a round of three players, or as many as the game allows, from the game's examples.

    Surplus players are removed from an example; the first result without problems is used.
    """
    least, most = game.seats
    players = list(EXAMPLE_PLAYERS[: max(least, min(3, most))])
    gone = EXAMPLE_PLAYERS[len(players) :]
    named = {"called": game.example_name} if game.is_named else {}
    written = (
        {"game": game.key, **named, "players": players, "dealer": players[-1], "round": _without(gone, example)}
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


for _key, _game in all_games().items():  # in their order, which must be the same in each process of a run
    if _key not in ROUNDS:
        ROUNDS[_key] = of_examples(_game)
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
