"""What other rule pages say of the variants, as rounds: each row names the page, what it says, and how it comes out."""

from __future__ import annotations

from typing import NamedTuple

from games.rounds import document, lines, problems, settled, transfers
from tables import each_row


class Published(NamedTuple):
    """What a page says, as a round."""

    id: str
    game: str
    seats: str
    transfers: str
    winners: str
    rules: str
    address: str


PUBLISHED = """
DR-8: if no one opens, everyone antes again into the same pot
    | draw-poker | Ana passed; Beto; Caro
    | Ana,Beto,Caro>pot 1 ante DR-1 |  | openers=pair-of-jacks
    | http://www.bicyclecards.com/card-games/rule/jackpots-poker
DR-8: the antes of a deal that nobody opened with aces are played for in the next one
    | draw-poker | Ana paid=3: As Ad 9h 7c 4s; Beto paid=3: Ks Kd 9d 7d 4c; Caro paid=1 folded
    | Ana,Beto,Caro>pot 1 ante DR-1; Ana,Beto>pot 2 bets DR-1; pot>Ana 10 pot DR-1 | Ana | openers=pair-of-aces pot=3
    | https://theranchatmorenovalley.com/draw-poker-games/
DR-4: with kings wild, five of a kind beats a royal flush
    | draw-poker | Ana paid=2: 9s 9h 9d 9c Kd; Beto paid=2: Ah Qh Jh Th Kh
    | Ana,Beto>pot 1 ante DR-1; Ana,Beto>pot 1 bets DR-1; pot>Ana 4 pot DR-1 | Ana | wild=K
    | https://theranchatmorenovalley.com/draw-poker-games/
DR-4: five aces, four and the joker, are the best hand
    | draw-poker | Ana paid=2: As Ah Ad Ac Jk; Beto paid=2: Kh Qh Jh Th 9h
    | Ana,Beto>pot 1 ante DR-1; Ana,Beto>pot 1 bets DR-1; pot>Ana 4 pot DR-1 | Ana | wild=jokers openers=pair-of-jacks
    | http://roulettestrategy.icu/online-poker/poker-jacks-or-better-draw-review/
KP-6: at a tie they divide all but the chips of those who left
    | knock-poker | Ana knocked: As Ks 9s 8s 7c; Beto: Ah Kh 9h 8h 7d; Caro: Qs Jd 9d 7h 2c; Dani dropped
    | Ana,Beto,Caro,Dani>pot 1 ante KP-1; Dani>Ana 1 drop KP-3; Caro>pot 2 stayed-in KP-6; pot>Ana,Beto 3 pot KP-6
    | Ana, Beto | | https://en.shram.kiev.ua/games/cards/2_poker_nok.shtml
KP-5: a beaten knocker keeps the chips of those who escaped
    | knock-poker | Ana knocked: 8c 8d Js 7d 4h; Beto: Ah Kh 8h 5h 3h; Caro dropped
    | Ana,Beto,Caro>pot 1 ante KP-1; Caro>Ana 1 drop KP-3; Ana>Beto 2 lost-knock KP-5; pot>Beto 3 pot KP-5 | Beto |
    | http://www.real-casinos.com/article40.html
KR-9: with 10 points of deadwood a player may knock
    | knock-rummy | Ana knocked: 4s 4h 4d 6c 7c 8c Kd; Beto: Ac Ad Ah Ks 9s Jd 2c
    | Beto>Ana 21 deadwood KR-3 | Ana | knock_limit="10" cards="7"
    | https://iphone.apkpure.com/rummy-fans/net.anstra.rummyfans
"""


@each_row(PUBLISHED, Published)
def test_published_rules(row: Published) -> None:
    settlement = settled(document(row.game, row.seats, row.rules))
    assert ", ".join(settlement["winners"]) == row.winners
    assert sorted(transfers(settlement)) == sorted(lines(row.transfers)), row.address


def test_kr_9_with_eleven_nobody_may_knock() -> None:
    # "only a player with 10 or fewer points of deadwood may knock", says the page of the row above
    seats = "Ana knocked: 4s 4h 4d 2c 2h As 6d; Beto: 3c 3d 3h Ks 9s Jd 2d"
    written = document("knock-rummy", seats, 'knock_limit="10" cards="7"')
    assert problems(written) == ["round.hands.Ana invalid-knock"]
