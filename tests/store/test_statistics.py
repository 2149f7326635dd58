"""Every statistic of a night and of the history: a table of nights with the values worked out by hand.

The same values are also worked out from the settlements alone, one definition after the other, as the pages state them:

- won and lost in a night: rounds, side bets, chip counts and a split pot; not what is only owed back.
- the biggest pot: the most that one round's pot gave to its winners, without chips that nobody else matched.
- the turning point: the line from which on the night's only winner had won more than anybody else.
- the best hand: the rarest one shown; the first, of several as rare.
- a player's rounds, wins, knocks, folds: of the rounds that aren't void, those whose settlement or entry says so.
- most won, most lost: the highest and lowest net of one round.
- wins in a row: the longest run of wins among the rounds the player was in.
- head to head: of the rounds both were in, how often one's net was higher or lower, and the sum of the differences.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby
from typing import Any, NamedTuple

import pytest
from games.rounds import document as written
from nights import Document, Night

from companion.contract import settle
from companion.store.audit import audit
from companion.store.history import DUELS, TALLIES, best_of, stored_sums
from companion.store.models import Line, PlaySession
from companion.store.night import night_of, round_counts, won_in
from companion.store.tallies import ALL_GAMES, Summary

RETURNED_BET = """
domino-poker all_in=true: Ana paid=50: 1-6 2-5 3-4 1-5 1-2; Beto paid=1: 5-6 1-3 1-4 2-3 2-4; \
Caro paid=1: 6-6 5-5 4-6 3-5 2-2
domino-poker all_in=true: Ana paid=3: 6-6 5-5 4-4 3-3 2-2; Beto paid=3: 5-6 1-3 1-4 2-3 2-4; \
Caro paid=3: 1-6 2-5 3-4 1-5 1-2
"""
HIGH, LOW, LOWER = "As Ad Ah 9c 2c", "Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c"
KNOCKED = f"Ana knocked: {HIGH}; Beto: {LOW}; Caro: {LOWER}"


class Told(NamedTuple):
    """A night, and its statistics in text; "" is not checked by hand, but against the plain reading."""

    id: str
    steps: str
    won: str
    pot: str
    turn: str
    rounds: str  # of the first player: rounds/wins, streak, knocks/good, folds, most won, most lost
    against: str = ""  # first player against the second: rounds, better, worse, difference


NIGHTS = [
    Told("returned-chips", RETURNED_BET, "Ana 5, Beto -4, Caro -1", "9 Ana 2", "2 Ana", "2/1 1 0/0 0 6 -1", "2 1 0 9"),
    Told(
        "uncalled-bet",  # without all-in the 49 come back with the pot; they are nobody's winnings
        """
        domino-poker: Ana paid=50; Beto folded paid=1; Caro folded paid=1
        domino-poker: Ana paid=2: 1-6 2-5 3-4 1-5 1-2; Beto paid=2: 6-6 5-5 4-4 3-3 2-2; Caro paid=1 folded
        """,
        "Ana 0, Beto 2, Caro -2",
        "5 Beto 2",
        "2 Beto",
        "2/1 1 0/0 0 2 -2",
        "2 1 1 -2",
    ),
    Told(
        "side-pot-with-a-folded-bet",  # of Ana's 50 only 20 were matched, by Beto, who folded
        f"draw-poker all_in=true: Ana paid=50: {LOW}; Beto folded paid=20; Caro paid=10: {HIGH}",
        "Ana 0, Beto -20, Caro 20",
        "50 Ana+Caro 1",
        "1 Caro",
        "1/1 1 0/0 0 0 0",
        "1 1 0 20",
    ),
    Told(
        "nobody-matched-anything",
        "domino-poker ante=0: Ana paid=7; Beto folded paid=0; Caro folded paid=0",
        "Ana 0, Beto 0, Caro 0",
        "none",
        "none",
        "1/1 1 0/0 0 0 0",
    ),
    Told(
        "carried-pot",  # nobody opened, so the antes stay for the next round
        f"""
        draw-poker openers=pair-of-jacks: Ana passed; Beto; Caro
        draw-poker openers=pair-of-jacks: Ana paid=1: {HIGH}; Beto paid=1: {LOW}; Caro paid=1: {LOWER}
        """,
        "Ana 4, Beto -2, Caro -2",
        "6 Ana 2",
        "2 Ana",
        "2/1 1 0/0 0 5 -1",
        "2 1 0 6",
    ),
    Told("matched-pot", "lost Ana Beto; won Caro", "Ana -5, Beto 1, Caro 4", "6 Caro 2", "2 Caro", "2/0 0 1/0 0 0 -4"),
    Told(
        "matched-pot-that-stays", "lost Ana Beto", "Ana -4, Beto 2, Caro -1", "3 Beto 1", "1 Beto", "1/0 0 1/0 0 0 -4"
    ),
    Told(
        "payments-through-the-pot",  # Ana and Beto tie; Caro's 2 are shared with the pot of 3, but don't belong to it
        f"knock-poker: Ana knocked: {HIGH}; Beto: Ac 9s 2h Kc Qh; Caro: {LOWER}\n"
        f"knock-poker: Ana knocked: 9s 9d 5h 4c 3c; Beto: 9h 9c 5s 4d 3d; Caro: Qc Td 8d 7h 6s",
        "Ana 8, Beto -2, Caro -6",
        "3 Ana 1",
        "1 Ana",
        "2/2 2 2/2 0 6 0",
        "2 2 0 10",
    ),
    Told("voided", "won Ana; won Beto; void 1", "Ana -1, Beto 2, Caro -1", "3 Beto 2", "2 Beto", "1/0 0 0/0 0 0 -1"),
    Told(
        "undone", "won Ana; won Beto; void 1; undo 1", "Ana 1, Beto 1, Caro -2", "3 Ana 1", "none", "2/1 1 1/1 0 2 -1"
    ),
    Told(
        "corrected-with-a-pot-that-changes",
        "lost Ana Beto; won Caro; fix 1 won Ana",
        "Ana 1, Beto -2, Caro 1",
        "3 Ana 1",
        "none",
        "2/1 1 1/1 0 2 -1",
        "2 1 0 3",
    ),
    Told("loan", "won Beto; loan Caro Ana 50", "Ana -1, Beto 2, Caro -1", "3 Beto 1", "1 Beto", "1/0 0 0/0 0 0 -1"),
    Told("buy-in", "buys Ana 20\nwon Ana", "Ana 2, Beto -1, Caro -1", "3 Ana 2", "2 Ana", "1/1 1 1/1 0 2 0"),
    Told(
        "side-bet", "won Beto; side-bet Beto Ana 9", "Ana 8, Beto -7, Caro -1", "3 Beto 1", "2 Ana", "1/0 0 0/0 0 0 -1"
    ),
    Told("loan-alone", "loan Beto Ana 5", "Ana 0, Beto 0, Caro 0", "none", "none", "none"),
    Told(
        "rebuy",
        "buy-in 20; won Ana; rebuy Beto 20; won Ana",
        "Ana 4, Beto -2, Caro -2",
        "3 Ana 1",
        "1 Ana",
        "2/2 2 2/2 0 2 0",
    ),
    Told("pot-split-at-the-end", "lost Ana Beto; close split", "Ana -3, Beto 3, Caro 0", "3 Beto 1", "1 Beto", ""),
    Told(
        "pot-left", "lost Ana Beto; lost Beto Caro", "Ana -5, Beto -5, Caro 4", "6 Caro 2", "2 Caro", "2/0 0 1/0 0 0 -4"
    ),
    Told(
        "nobody-won",  # the antes are still in the pot
        "draw-poker openers=pair-of-jacks: Ana passed; Beto; Caro",
        "Ana -1, Beto -1, Caro -1",
        "none",
        "none",
        "1/0 0 0/0 0 0 -1",
    ),
    Told(
        "least-lost-is-not-won",  # Ana sat out and has lost least, but nobody won anything
        "seats Ana=out Beto Caro\ndraw-poker openers=pair-of-jacks: Beto passed; Caro",
        "Ana 0, Beto -1, Caro -1",
        "none",
        "none",
        "none",
    ),
    Told(
        "tie",
        f"draw-poker: Ana paid=1: {HIGH}; Beto paid=1: Ac 9s 2h Kc Qh; Caro paid=1: {LOWER}\n"
        "draw-poker: Ana paid=2: 9s 9d 5h 4c 3c; Beto paid=2: 9h 9c 5s 4d 3d; Caro paid=2: 8c 8s 2h 4s 6d",
        "Ana 3, Beto 0, Caro -3",
        "6 Ana+Beto 2",
        "1 Ana",
        "2/2 2 0/0 0 2 0",
        "2 1 0 3",
    ),
    Told(
        "by-word",  # only the winner is named; no hand is known
        "draw-poker: Ana paid=4 won; Beto paid=4; Caro paid=1 folded",
        "Ana 5, Beto -4, Caro -1",
        "9 Ana 1",
        "1 Ana",
        "1/1 1 0/0 0 5 0",
    ),
    Told(
        "joined-later-and-left",
        "seats Ana Beto Caro=out; won Ana; seats Ana Beto Caro; won Caro; seats Ana=left Beto Caro; won Caro",
        "Ana 0, Beto -3, Caro 3",
        "3 Caro 2",
        "2 Caro",
        "2/1 1 1/1 0 1 -1",
        "2 1 0 2",
    ),
    Told("no-pot", "rummy", "Ana 29, Beto -8, Caro -21", "none", "1 Ana", "1/1 1 1/1 0 29 0"),
    Told(
        "wins-in-a-row",
        "won Ana; won Ana; won Beto; won Ana; void 3",
        "Ana 6, Beto -3, Caro -3",
        "3 Ana 1",
        "1 Ana",
        "",
    ),
    Told(
        "drops",
        f"knock-poker: {KNOCKED.rsplit(';', 1)[0]}; Caro dropped",
        "Ana 5, Beto -3, Caro -2",
        "3 Ana 1",
        "1 Ana",
        "",
    ),
]


def played(night: Night, steps: str) -> None:
    """Play a night: lines of the driver's steps, or a round as "game option=value: seats"."""
    for line in filter(None, (line.strip() for line in steps.replace("\\\n", "").splitlines())):
        head, _, seats = line.partition(":")
        game, *rules = head.split()
        if seats and game.endswith(("poker", "dompe", "knock", "rummy")):
            night.save(night.named(written(game, seats, " ".join(rules))))
        elif game == "buys":
            night.save(night.movement("buy-in", rules[0], "bank", int(rules[1])))
        else:
            night.do(line)


# the plain reading: from the settlements of the current documents alone


def settled_lines(session: PlaySession, pots: Counter[str]) -> list[tuple[Line, Document]]:
    """Settle the rounds that aren't void again, through the contract, each with the pot that the last one left."""
    found = []
    for line in session.lines:
        document, pot = line.current.document, pots["pot"]
        if line.current.voided:
            continue
        if "movement" in document:
            pots["pot"] -= pots["pot"] if document["movement"] == "split" else 0
            found.append((line, {"movement": document}))
            continue
        status, settlement = settle({**document, "pot": pot})
        assert status == 200
        pots["pot"] = settlement["pot"]["closing"]  # type: ignore[index, assignment]
        found.append((line, {"entry": document["round"], "game": document["game"], **settlement}))
    return found


def plain_pot(settlement: Document) -> tuple[int, list[str]]:
    """Count the chips one by one: those of an ante or bet that no other player has put in don't count."""
    put_in: Counter[str] = Counter()
    for move in settlement["transfers"]:
        if move["reason"] in ("ante", "bets"):
            put_in[move["from"]] += move["amount"]
    alone = [
        who for chip in range(max(put_in.values(), default=0)) for who in [[p for p in put_in if put_in[p] > chip]]
    ]
    unmatched = Counter(who[0] for who in alone if len(who) == 1)
    paid: Counter[str] = Counter()
    for move in settlement["transfers"]:
        if move["from"] == "pot":
            paid[move["to"]] += move["amount"]
        if move["to"] == "pot" and move["reason"] in ("stayed-in", "hand-bonus"):
            unmatched["shared"] += move["amount"]
    takers = [player for player in paid if paid[player] > unmatched[player]]
    return sum(paid.values()) - unmatched.total(), takers


def plain_nets(line: Document, players: list[str]) -> dict[str, int]:
    """What a line won and lost, by player."""
    if "movement" not in line:
        return {player: line["net"].get(player, 0) for player in players}
    move = line["movement"]
    if move["movement"] != "side-bet":
        return dict.fromkeys(players, 0)
    return {player: move["amount"] * ((player == move["to"]) - (player == move["from"])) for player in players}


def plainly(night: Night) -> dict[str, Any]:
    """Work out all statistics of a night, in ids."""
    session, players = night.session, [str(seat.player_id) for seat in night.session.seats]
    lines = settled_lines(session, Counter())
    sums = {player: [0] for player in players}
    for line, told in lines:
        change = plain_nets(told, players)
        if told.get("movement", {}).get("movement") == "split":
            change = dict.fromkeys(players, 0)
            for transfer in line.current.transfers:
                change[transfer.taker.key] += transfer.amount
        for player in players:
            sums[player].append(sums[player][-1] + change[player])
    pots = [(*plain_pot(told), line.number) for line, told in lines if "movement" not in told]
    best = max(pots, key=lambda pot: pot[0], default=(0, [], 0))
    leader = max(players, key=lambda player: sums[player][-1])
    turn = None
    if sums[leader][-1] > 0:
        for at in reversed(range(len(lines) + 1)):
            if sums[leader][at] <= max(sums[player][at] for player in players if player != leader):
                break
            turn = lines[at - 1][0].number
    rounds = [told for _, told in lines if "movement" not in told]
    by_player = {}
    for player in players:
        mine = [told for told in rounds if player in told["net"]]
        wins = [player in told["winners"] for told in mine]
        knocked = [player in (told["entry"].get("knocker"), told["entry"].get("caller")) for told in mine]
        left = [player in (*told["entry"].get("folded", ()), *told["entry"].get("dropped", ())) for told in mine]
        nets = [told["net"][player] for told in mine]
        streak = max((len(list(run)) for won, run in groupby(wins) if won), default=0)
        good = sum(k and w for k, w in zip(knocked, wins, strict=True))
        counted = f"{len(mine)}/{sum(wins)} {streak} {sum(knocked)}/{good} {sum(left)}"
        by_player[player] = f"{counted} {max([0, *nets])} {min([0, *nets])}" if mine else "none"
    against = {}
    for one, other in combinations(sorted(players, key=int), 2):
        both = [told["net"][one] - told["net"][other] for told in rounds if {one, other} <= told["net"].keys()]
        if both:
            against[one, other] = f"{len(both)} {sum(n > 0 for n in both)} {sum(n < 0 for n in both)} {sum(both)}"
    return {
        "won": {player: each[-1] for player, each in sums.items()},
        "pot": best if best[0] > 0 else None,
        "turn": (turn, leader) if turn else None,
        "rounds": by_player,
        "against": against,
        "counted": len(rounds),
    }


def tally_words(sums: Summary | None) -> str:
    if sums is None:
        return "none"
    counted = f"{sums.rounds}/{sums.wins} {sums.streak_best} {sums.knocks}/{sums.good_knocks} {sums.folds}"
    return f"{counted} {sums.biggest_win} {sums.biggest_loss}"


def stored(night: Night) -> dict[str, Any]:
    """Read the same statistics as the app stores and shows them."""
    session = night.session
    story = night_of(session)
    line, turn = story.biggest_pot, story.turning_point
    sums = stored_sums(TALLIES, DUELS)
    tallies = {str(key[1]): tally for key, tally in sums.tallies.items() if key[2] == ALL_GAMES}
    duels: dict[tuple[str, str], Any] = {}
    for key, versus in sums.duels.items():
        pair = (str(key[1]), str(key[2]))
        duels[pair] = duels[pair] + versus if pair in duels else versus
    return {
        "won": {player: each[-1] for player, each in story.results.items()},
        "pot": (line.pot.units, list(line.pot.winners), line.number) if line else None,
        "turn": (turn[0].number, turn[1]) if turn else None,
        "rounds": {player: tally_words(tallies.get(player)) for player in story.players},
        "against": {pair: f"{v.rounds} {v.better} {v.worse} {v.difference}" for pair, v in duels.items()},
        "counted": round_counts(session)[1],
    }


def in_words(found: dict[str, Any], night: Night) -> tuple[str, str, str, str, str]:
    """Write statistics as the table does."""
    names = {key: name for name, key in night.ids.items()}
    first, second, *_ = found["won"]
    pot, turn = found["pot"], found["turn"]
    return (
        ", ".join(f"{names[player]} {units}" for player, units in found["won"].items()),
        f"{pot[0]} {'+'.join(sorted(names[player] for player in pot[1]))} {pot[2]}" if pot else "none",
        f"{turn[0]} {names[turn[1]]}" if turn else "none",
        found["rounds"][first],
        found["against"].get((first, second), ""),
    )


@pytest.mark.parametrize("told", NIGHTS, ids=[row.id for row in NIGHTS])
def test_every_statistic_of_a_night(night: Night, told: Told) -> None:
    played(night, told.steps)
    found = stored(night)
    assert found == plainly(night)
    for by_hand, by_app in zip(told[2:], in_words(found, night), strict=True):
        assert by_hand in ("", by_app)
    listed = won_in({night.session.id: night.group_id})[night.session.id]
    assert {player: listed[player] for player in found["won"]} == found["won"]
    assert list(audit()) == []


# steps, the line and the player with the best hand: the rarest shown, in a round that counts and has cards
BEST = [
    (f"knock-poker: {KNOCKED}", (1, "Ana")),
    (f"knock-poker: Ana knocked: {LOWER}; Beto: {HIGH}; Caro: {LOW}", (1, "Beto")),
    (f"knock-poker: Ana knocked: {LOW}; Beto: {HIGH}; Caro: {LOWER}\nknock-poker: {KNOCKED}", (1, "Beto")),
    (
        f"knock-poker: {KNOCKED}\nknock-poker: Ana knocked: 9s 9h 9d 4c 4d; Beto: {LOW[:5]} 8h 3h 2c; Caro dropped",
        (2, "Ana"),
    ),
    (f"knock-poker: Ana knocked: {LOWER}; Beto: {HIGH}; Caro: {LOW}\nvoid 1", None),
    (f"knock-poker: Ana knocked won: {HIGH}; Beto; Caro", None),
]


@pytest.mark.parametrize(("steps", "best"), BEST)
def test_the_best_hand_of_a_night(night: Night, steps: str, best: tuple[int, str] | None) -> None:
    played(night, steps)
    found = best_of(night.session)
    if best is None:
        assert found is None
    else:
        assert found is not None
        assert (found[0], found[1].best_line_id) == (int(night.ids[best[1]]), night.line(best[0]).id)
