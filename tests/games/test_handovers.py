"""What chips are still to be handed over, in rounds of the games. Rule: C-12."""

from __future__ import annotations

from typing import NamedTuple

from games.rounds import document, handovers, listed, settled
from tables import each_row


class Handed(NamedTuple):
    """A round and its handovers; the dealer is the last, so turn order is the order of the seats."""

    id: str
    game: str
    seats: str
    handovers: str
    rules: str = ""


ROUNDS = """
KP-4, a drop was paid while playing | knock-poker
    | Ana knocked: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro dropped; Dani: 8c 8d Js 7d 4h
    | Beto>Ana 2; Dani>Ana 2; pot>Ana 4
KP-5, the knocker pays first | knock-poker | Ana: 9s 9h 9d 4c 4d; Beto knocked: Ah Kh 8h 5h 3h; Caro: 8c 8d Js 7d 4h
    | Beto>Ana 2; Beto>Caro 2; pot>Ana 3
KP-6, into the pot for those who tie | knock-poker
    | Ana knocked: As Ks 9s 8s 7c; Beto: Ah Kh 9h 8h 7d; Caro: Qs Jd 9d 7h 2c | Caro>pot 2; pot>Ana 3; pot>Beto 2
KP-14, a shared bonus is one sum with what KP-6 asks | knock-poker
    | Ana knocked: As Ks Qs Js Ts; Beto: Ah Kh Qh Jh Th; Caro: Qc Jd 9d 7h 2c | Caro>pot 6; pot>Ana 5; pot>Beto 4
    | bonuses=true
DO-7, the winner takes the pot | dompe | Ana: Ks Kd 9h 9c 4s; Beto called: 7c 7d 7h 2s 3d; Caro: 8s 8h 8d Kc 3c
    | pot>Caro 3
DP-7, what nobody matched goes back | domino-poker | Ana paid=2: 2-2 3-3 4-4 5-5 6-6; Beto paid=5: 1-6 2-6 3-6 4-6 5-6
    | pot>Ana 4; pot>Beto 3 | all_in=true
DR-2, the tied share | draw-poker | Ana paid=2: As Ks 9s 8s 7c; Beto paid=2: Ah Kh 9h 8h 7d; Caro paid=1 folded
    | pot>Ana 3; pot>Beto 2
KN-3, the next pot comes last | knock | Ana knocked: Ks Kh 2d 3c 4s; Beto: 5s Qh 7d Ac 2s; Caro: 9h Qd 6c 5d 8s
    | pot>Beto 3; Ana>pot 3
GU-3, the next pot comes last | guts | Ana: Kd Qs 9c; Beto: 8h 8c Js; Caro out | pot>Beto 3; Ana>pot 3
TH-4, the highest takes the pot | thirty-one | Ana knocked: 9s Ts 2d; Beto: Kh Qh 9h; Caro: 8c 7h 5d | pot>Beto 3
TH-9, the last life goes through the pot | thirty-one | Ana last: 9s Ts 2d; Beto knocked: 8c 7h 5d
    | Beto>pot 2; pot>Ana 7 | played_for=lives pot=5
KR-3, no pot | knock-rummy | Ana knocked: 4s 4h 4d 6c 7c 8c 2d; Beto: As 2s 3s 9h 9d 9c Qh; Caro: Kh Ks Kd 5h 5s Jd 3c
    | Beto>Ana 8; Caro>Ana 21
"""


@each_row(ROUNDS, Handed)
def test_c_12_handovers(row: Handed) -> None:
    assert handovers(settled(document(row.game, row.seats, row.rules))) == listed(row.handovers)


def test_c_12_no_handovers_remain() -> None:
    tie = "Ana: Js Jd 7h 4c 2s; Beto: Jh Jc 7s 4d 2h"
    assert settled(document("knock-poker", tie, "ante=0"))["handovers"] == []
