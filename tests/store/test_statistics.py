"""Every statistic of a night and of the history: a table of nights with the values worked out by hand.

- won and lost in a night: rounds, side bets, chip counts and a split pot; not what is only owed back.
- the biggest pot: the most that one round's pot gave to its winners, without chips that nobody else matched.
- the turning point: the line from which on the night's only winner had won more than anybody else.
- the best hand: the rarest one shown; the first, of several as rare.
- a player's rounds, wins, knocks, folds: of the rounds that aren't void, those whose settlement or entry says so.
- most won, most lost: the highest and lowest net of one round.
- wins in a row: the longest run of wins among the rounds the player was in.
- head to head: of the rounds both were in, how often one's net was higher or lower, and the sum of the differences.

`test_history` works out the sums of generated years once more, from settlements alone.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from games.rounds import document as written
from nights import PlayedNight

from companion.store.audit import audit
from companion.store.history.results import DUELS, TALLIES, best_of, stored_sums
from companion.store.history.tallies import ALL_GAMES, Versus
from companion.store.night.reading import round_counts, sums_of
from companion.store.night.won import won_in

RETURNED_BET = """
domino-poker all_in=true: Ana paid=50: 1-6 2-5 3-4 1-5 1-2; Beto paid=1: 5-6 1-3 1-4 2-3 2-4; \
Caro paid=1: 6-6 5-5 4-6 3-5 2-2
domino-poker all_in=true: Ana paid=3: 6-6 5-5 4-4 3-3 2-2; Beto paid=3: 5-6 1-3 1-4 2-3 2-4; \
Caro paid=3: 1-6 2-5 3-4 1-5 1-2
"""
# without all-in the 49 come back with the pot; they are nobody's winnings
UNCALLED_BET = """
domino-poker: Ana paid=50; Beto folded paid=1; Caro folded paid=1
domino-poker: Ana paid=2: 1-6 2-5 3-4 1-5 1-2; Beto paid=2: 6-6 5-5 4-4 3-3 2-2; Caro paid=1 folded
"""
HIGH, LOW, LOWER = "As Ad Ah 9c 2c", "Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c"
KNOCKED = f"Ana knocked: {HIGH}; Beto: {LOW}; Caro: {LOWER}"
# of Ana's 50 only 20 were matched, by Beto, who folded
FOLDED_BET = f"draw-poker all_in=true: Ana paid=50: {LOW}; Beto folded paid=20; Caro paid=10: {HIGH}"
# nobody opened, so the antes stay for the next round
NOT_OPENED = "draw-poker openers=pair-of-jacks: Ana passed; Beto; Caro"
CARRIED = f"""
{NOT_OPENED}
draw-poker openers=pair-of-jacks: Ana paid=1: {HIGH}; Beto paid=1: {LOW}; Caro paid=1: {LOWER}
"""
# Ana and Beto tie; Caro's 2 are shared with the pot of 3, but don't belong to it
THROUGH_THE_POT = f"""
knock-poker: Ana knocked: {HIGH}; Beto: Ac 9s 2h Kc Qh; Caro: {LOWER}
knock-poker: Ana knocked: 9s 9d 5h 4c 3c; Beto: 9h 9c 5s 4d 3d; Caro: Qc Td 8d 7h 6s
"""
TIE = f"""
draw-poker: Ana paid=1: {HIGH}; Beto paid=1: Ac 9s 2h Kc Qh; Caro paid=1: {LOWER}
draw-poker: Ana paid=2: 9s 9d 5h 4c 3c; Beto paid=2: 9h 9c 5s 4d 3d; Caro paid=2: 8c 8s 2h 4s 6d
"""
# Ana sat out and has lost least, but nobody won anything
SAT_OUT = "seats Ana=out Beto Caro\ndraw-poker openers=pair-of-jacks: Beto passed; Caro"
BY_WORD = "draw-poker: Ana paid=4 won; Beto paid=4; Caro paid=1 folded"  # no hand is known
CAME_AND_WENT = "seats Ana Beto Caro=out; won Ana; seats Ana Beto Caro; won Caro; seats Ana=left Beto Caro; won Caro"


class Told(NamedTuple):
    """A night, and its statistics in text."""

    id: str
    steps: str
    won: str
    pot: str
    turn: str
    rounds: str  # of Ana: rounds/wins, streak, knocks/good, folds, most won, most lost
    against: str  # Ana against Beto: rounds, better, worse, difference


NIGHTS = [Told(*row) for row in (
    ("returned-chips", RETURNED_BET, "Ana 5, Beto -4, Caro -1", "9 Ana 2", "2 Ana", "2/1 1 0/0 0 6 -1", "2 1 0 9"),
    ("uncalled-bet", UNCALLED_BET, "Ana 0, Beto 2, Caro -2", "5 Beto 2", "2 Beto", "2/1 1 0/0 0 2 -2", "2 1 1 -2"),
    ("side-pot-with-a-folded-bet", FOLDED_BET,
     "Ana 0, Beto -20, Caro 20", "50 Ana+Caro 1", "1 Caro", "1/1 1 0/0 0 0 0", "1 1 0 20"),
    ("nobody-matched-anything", "domino-poker ante=0: Ana paid=7; Beto folded paid=0; Caro folded paid=0",
     "Ana 0, Beto 0, Caro 0", "none", "none", "1/1 1 0/0 0 0 0", "1 0 0 0"),
    ("carried-pot", CARRIED, "Ana 4, Beto -2, Caro -2", "6 Ana 2", "2 Ana", "2/1 1 0/0 0 5 -1", "2 1 0 6"),
    ("matched-pot", "lost Ana Beto; won Caro",
     "Ana -5, Beto 1, Caro 4", "6 Caro 2", "2 Caro", "2/0 0 1/0 0 0 -4", "2 0 1 -6"),
    ("matched-pot-that-stays", "lost Ana Beto",
     "Ana -4, Beto 2, Caro -1", "3 Beto 1", "1 Beto", "1/0 0 1/0 0 0 -4", "1 0 1 -6"),
    ("payments-through-the-pot", THROUGH_THE_POT,
     "Ana 8, Beto -2, Caro -6", "3 Ana 1", "1 Ana", "2/2 2 2/2 0 6 0", "2 2 0 10"),
    ("voided", "won Ana; won Beto; void 1",
     "Ana -1, Beto 2, Caro -1", "3 Beto 2", "2 Beto", "1/0 0 0/0 0 0 -1", "1 0 1 -3"),
    ("undone", "won Ana; won Beto; void 1; undo 1",
     "Ana 1, Beto 1, Caro -2", "3 Ana 1", "none", "2/1 1 1/1 0 2 -1", "2 1 1 0"),
    ("corrected-with-a-pot-that-changes", "lost Ana Beto; won Caro; fix 1 won Ana",
     "Ana 1, Beto -2, Caro 1", "3 Ana 1", "none", "2/1 1 1/1 0 2 -1", "2 1 0 3"),
    ("loan", "won Beto; loan Caro Ana 50",
     "Ana -1, Beto 2, Caro -1", "3 Beto 1", "1 Beto", "1/0 0 0/0 0 0 -1", "1 0 1 -3"),
    ("buy-in", "buys Ana 20\nwon Ana", "Ana 2, Beto -1, Caro -1", "3 Ana 2", "2 Ana", "1/1 1 1/1 0 2 0", "1 1 0 3"),
    ("side-bet", "won Beto; side-bet Beto Ana 9",
     "Ana 8, Beto -7, Caro -1", "3 Beto 1", "2 Ana", "1/0 0 0/0 0 0 -1", "1 0 1 -3"),
    ("loan-alone", "loan Beto Ana 5", "Ana 0, Beto 0, Caro 0", "none", "none", "none", ""),
    ("rebuy", "buy-in 20; won Ana; rebuy Beto 20; won Ana",
     "Ana 4, Beto -2, Caro -2", "3 Ana 1", "1 Ana", "2/2 2 2/2 0 2 0", "2 2 0 6"),
    ("pot-split-at-the-end", "lost Ana Beto; close split",
     "Ana -3, Beto 3, Caro 0", "3 Beto 1", "1 Beto", "1/0 0 1/0 0 0 -4", "1 0 1 -6"),
    ("pot-left", "lost Ana Beto; lost Beto Caro",
     "Ana -5, Beto -5, Caro 4", "6 Caro 2", "2 Caro", "2/0 0 1/0 0 0 -4", "2 1 1 0"),
    ("nobody-won", NOT_OPENED, "Ana -1, Beto -1, Caro -1", "none", "none", "1/0 0 0/0 0 0 -1", "1 0 0 0"),
    ("least-lost-is-not-won", SAT_OUT, "Ana 0, Beto -1, Caro -1", "none", "none", "none", ""),
    ("tie", TIE, "Ana 3, Beto 0, Caro -3", "6 Ana+Beto 2", "1 Ana", "2/2 2 0/0 0 2 0", "2 1 0 3"),
    ("by-word", BY_WORD, "Ana 5, Beto -4, Caro -1", "9 Ana 1", "1 Ana", "1/1 1 0/0 0 5 0", "1 1 0 9"),
    ("joined-later-and-left", CAME_AND_WENT,
     "Ana 0, Beto -3, Caro 3", "3 Caro 2", "2 Caro", "2/1 1 1/1 0 1 -1", "2 1 0 2"),
    ("no-pot", "rummy", "Ana 29, Beto -8, Caro -21", "none", "1 Ana", "1/1 1 1/1 0 29 0", "1 1 0 37"),
    ("wins-in-a-row", "won Ana; won Ana; won Beto; won Ana; void 3",
     "Ana 6, Beto -3, Caro -3", "3 Ana 1", "1 Ana", "3/3 3 3/3 0 2 0", "3 3 0 9"),
    ("drops", f"knock-poker: {KNOCKED.rsplit(';', 1)[0]}; Caro dropped",
     "Ana 5, Beto -3, Caro -2", "3 Ana 1", "1 Ana", "1/1 1 1/1 0 5 0", "1 1 0 8"),
)]  # fmt: skip


def played(night: PlayedNight, steps: str) -> None:
    """Play a night: lines of the driver's steps, or a round as "game option=value: seats"."""
    for line in filter(None, (line.strip() for line in steps.splitlines())):
        head, _, seats = line.partition(":")
        game, *rules = head.split()
        if seats and game.endswith(("poker", "dompe", "knock", "rummy")):
            night.save(night.named(written(game, seats, " ".join(rules))))
        elif game == "buys":
            night.save(night.movement("buy-in", rules[0], "bank", int(rules[1])))
        else:
            night.do(line)


def stored(night: PlayedNight) -> tuple[str, str, str, str, str]:
    """Read the statistics as the app stores and shows them, in the table's words."""
    story, sums, names = sums_of(night.night), stored_sums(TALLIES, DUELS), night.names
    line, turn, against = story.biggest_pot, story.turning_point, Versus()
    ana, beto = (int(night.ids[name]) for name in ("Ana", "Beto"))
    tally = next((one for key, one in sums.tallies.items() if key[1:3] == (ana, ALL_GAMES)), None)
    for key, versus in sums.duels.items():
        against += versus if key[1:3] == (ana, beto) else Versus()
    rounds = tally and f"{tally.rounds}/{tally.wins} {tally.streak_best} {tally.knocks}/{tally.good_knocks}"
    return (
        ", ".join(f"{names[player]} {each[-1]}" for player, each in story.results.items()),
        f"{line.pot.units} {'+'.join(sorted(map(names.get, line.pot.winners)))} {line.number}" if line else "none",
        f"{turn[0].number} {names[turn[1]]}" if turn else "none",
        f"{rounds} {tally.folds} {tally.biggest_win} {tally.biggest_loss}" if tally else "none",
        f"{against.rounds} {against.better} {against.worse} {against.difference}" if against.rounds else "",
    )


@pytest.mark.parametrize("told", NIGHTS, ids=[row.id for row in NIGHTS])
def test_every_statistic_of_a_night(night: PlayedNight, told: Told) -> None:
    played(night, told.steps)
    session, story = night.night, sums_of(night.night)
    assert stored(night) == told[2:]
    listed = won_in({session.id: night.group_id})[session.id]
    assert {player: listed[player] for player in story.players} == {
        key: each[-1] for key, each in story.results.items()
    }
    assert round_counts(session)[1] == sum(line.is_round for line in story.lines)
    assert list(audit()) == []


# steps, the lines and the players with the best hand: the rarest shown, in a round that counts and has cards
BEST = [
    (f"knock-poker: {KNOCKED}", [(1, "Ana")]),
    (f"knock-poker: Ana knocked: {LOWER}; Beto: {HIGH}; Caro: {LOW}", [(1, "Beto")]),
    (f"knock-poker: Ana knocked: {LOW}; Beto: {HIGH}; Caro: {LOWER}\nknock-poker: {KNOCKED}",
     [(1, "Beto"), (2, "Ana")]),
    (f"knock-poker: {KNOCKED}\nknock-poker: Ana knocked: 9s 9h 9d 4c 4d; Beto: {LOW[:5]} 8h 3h 2c; Caro dropped",
     [(2, "Ana")]),
    (f"knock-poker: Ana knocked: {LOWER}; Beto: {HIGH}; Caro: {LOW}\nvoid 1", []),
    (f"knock-poker: Ana knocked won: {HIGH}; Beto; Caro", []),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "best"), BEST)
def test_the_best_hand_of_a_night(night: PlayedNight, steps: str, best: list[tuple[int, str]]) -> None:
    played(night, steps)
    found = best_of(night.night)
    assert [(player, sums.best_line_id) for player, sums in found] == [
        (int(night.ids[name]), night.line(number).id) for number, name in best
    ]
