"""Invalid round documents: a table of bad rounds, with every (field, code) that is reported."""

import json
from typing import Any

import pytest
from games.rounds import actions
from sample_rounds import GONE, ROUNDS, changed

from companion.contract import read_round, settle

KP, DO, DP, DR, KN, KR = "knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"
ANA, BETO, CARO = "round.hands.Ana", "round.hands.Beto", "round.hands.Caro"
TEN = [f"P{n}" for n in range(10)]
HUGE = 10**400

# the codes in CONTRACT.md, except bad-request, which isn't about rounds
CODES = {
    "unknown-game",
    "unknown-rule",
    "bad-rule-value",
    "unknown-player",
    "duplicate-player",
    "too-few-players",
    "too-many-players",
    "bad-card",
    "duplicate-card",
    "wrong-hand-size",
    "missing-hand",
    "unexpected-hand",
    "missing-field",
    "bad-value",
    "unknown-field",
    "unequal-bets",
    "illegal-bet",
    "invalid-knock",
    "not-an-outright-win",
    "contradiction",
}

# game | changes to its sample round | "field code" of every error, separated by ; |
# phrases that stand in the messages of the first one's field, separated by |
Row = tuple[str, dict[str, Any], str] | tuple[str, dict[str, Any], str, str]


def each(game: str, path: str, code: str, *values: object) -> list[Row]:
    """Write a row for each value that is wrong in a place of a document."""
    return [(game, {path: value}, f"{path} {code}") for value in values]


DOCUMENT: list[Row] = [
    *each(KP, "game", "unknown-game", "Knock-Poker", None, [KP]),
    (KP, {"game": "whist"}, "game unknown-game", "whist|knock-poker|dompe|domino-poker|draw-poker|knock|knock-rummy"),
    *each(KP, "game", "missing-field", GONE),
    *each(KP, "stakes", "unknown-field", 25),
    *each(KP, "round.stake", "unknown-field", 25),
    *each(KP, "round.caller", "unknown-field", "Ana"),
    *each(KP, "round", "missing-field", GONE),
    *each(KP, "round", "bad-value", [], None),
    *each(KP, "stake", "bad-value", -25, 1_000_001, HUGE, 1.0, True, "25", None),
    (KP, {"stake": 0}, "stake bad-value", "The stake|from 1 to 1,000,000|not “0”"),
    *each(KP, "pot", "bad-value", -1, 10**12 + 1, 0.0, False),
]
RULES: list[Row] = [
    *each(KP, "rules", "bad-value", [], None),
    *each(KP, "rules.deck", "unknown-rule", "plain"),
    (KP, {"rules.colour": 1}, "rules.colour unknown-rule", "Knock Poker|colour"),
    *each(KP, "rules.ante", "bad-rule-value", 1.0, "1", None, -1, 1001, HUGE),
    (KP, {"rules.ante": True}, "rules.ante bad-rule-value", "Ante|0|1,000|true"),
    *each(KP, "rules.bonuses", "bad-rule-value", "true", None),
    (KP, {"rules.bonuses": 1}, "rules.bonuses bad-rule-value", "true or false|1"),
    *each(KP, "rules.settlement", "bad-rule-value", "Simple", ["simple"], False),
    (KP, {"rules.settlement": "half"}, "rules.settlement bad-rule-value", "half|full|simple"),
    # the deck is not known, so nothing is said of the cards; the caller is still checked
    (DO, {"rules.deck": "tarot", "round.caller": "Zoe"}, "rules.deck bad-rule-value; round.caller unknown-player"),
    *each(DO, "rules.yuca", "bad-rule-value", True),
    (DO, {"rules.yuca": True, "rules.deck": "plain"}, "rules.yuca bad-rule-value"),
    *each(DR, "rules.wild", "bad-rule-value", "10"),
]
PLAYERS: list[Row] = [
    *each(KP, "players", "missing-field", GONE),
    *each(KP, "players", "bad-value", "Ana, Beto", {"Ana": 1}),
    *each(KP, "players", "too-few-players", []),
    (KP, {"players": ["Ana"]}, "players too-few-players", "Knock Poker|2 players or more|1 given"),
    (KP, {"players": [*TEN, "Ana"]}, "players too-many-players", "Knock Poker|10 players at most|11 given"),
    *each(KP, "players", "too-many-players", [f"P{n}" for n in range(2000)]),
    *each(DO, "players", "too-many-players", TEN[:6]),
    *each(DP, "players", "too-many-players", TEN[:5]),
    *each(DR, "players", "too-many-players", TEN[:7]),
    *each(KN, "players", "too-many-players", [*TEN, "Ana"]),
    *each(KR, "players", "too-many-players", TEN[:6]),
    *each(KP, "players.2", "bad-value", "", " \t", 3, None, "Pot", " POT ", "Ca\x00ro", "Ca\nro", "Ca\x9bro"),
    *each(KP, "players.2", "bad-value", "Caro\ud800", "Caro\u202e", "C" * 101),
    *each(KP, "players.2", "duplicate-player", "Ana", " aNA "),
    (KP, {"players.2": "ana"}, "players.2 duplicate-player", "ana"),
    (KP, {"players.2": "POT"}, "players.2 bad-value", "POT|choose another name"),
    (KP, {"players": ["", "", 7, "Ana", "ANA"]},
        "players.0 bad-value; players.1 bad-value; players.2 bad-value; players.4 duplicate-player"),
    (KP, {"dealer": "Zoe"}, "dealer unknown-player", "Zoe"),
    *each(KP, "dealer", "bad-value", 2, ["Ana"]),
]  # fmt: skip
# one of each kind of answer; what else can be wrong with it stands in engine/test_entry.py, and in the games' tests
ANSWERS: list[Row] = [
    *each(KP, "round.knocker", "unknown-player", "Zoe"),
    *each(KP, "round.knocker", "bad-value", ["Ana"]),
    *each(KP, "round.dropped", "bad-value", "Caro", None),
    (KP, {"round.dropped": ["Caro", "Zoe"]}, "round.dropped.1 unknown-player"),
    (KP, {"round.dropped": ["Caro", " Caro"]}, "round.dropped.1 duplicate-player"),
    *each(KP, "round.knocked_before_drawing", "bad-value", 1),
    *each(KP, "round.draws", "bad-value", []),
    (KP, {"round.draws": {"Zoe": 1}}, "round.draws.Zoe unknown-player"),
    (KP, {"round.draws": {"Ana": HUGE}}, "round.draws.Ana bad-value"),
    # KP-3, KP-8
    (KP, {"round.knocker": None}, "round.dropped bad-value"),
    (KP, {"round.knocker": GONE}, "round.dropped bad-value"),
    # KP-14
    (KP, {"round.knocked_before_drawing": True, "round.knocker": None, "round.dropped": [], CARO: "Qs Qc 2s 3s 5c"},
        "round.knocked_before_drawing bad-value"),
    # C-13: what the table says by itself; more rows stand in games/test_stated_results.py
    (KP, {"round.won_by": ["Beto"]}, f"{ANA} contradiction",
        "Ana is not named|full house|as good as Beto's flush|fix a hand or who won"),
    (KP, {"round.won_by": ["Ana", "Beto"]}, f"{BETO} contradiction",
        "Beto and Ana are named|flush|below Ana's full house"),
    (KP, {"round.won_by": ["Caro"]}, "round.won_by bad-value",
        "Caro was out before the end|fix one of the two"),
    (KP, {"round.won_by": ["Zoe", "Beto"]}, "round.won_by unknown-player"),
    *each(KP, "round.won_by", "bad-value", {"Ana": 1}, [None], False),
    (KP, {"players.2": "", "round.won_by": ["Caro"]}, "players.2 bad-value"),
    (DO, {"round.won_by": ["Ana"]}, f"{ANA} contradiction; {BETO} contradiction; {CARO} contradiction",
        "Ana is named the winner without a qualifying hand|three of a kind"),
    (DO, {"round.won_by": ["Ana", "Caro"]}, f"round.won_by bad-value; {ANA} contradiction", "never tie|one winner"),
    (KN, {"round.points.Ana": 1}, "round.points.Ana bad-value",
        "Ana's cards count: |The table said 1.|the points or the cards"),
    (KN, {"round.points.Ana": "7.5"}, "round.points.Ana bad-value", "The table said 7.5."),
    (KR, {"round.points.Beto": 25}, "round.points.Beto bad-value",
        "Beto's cards count: | deadwood. The table said 25."),
    (KN, {"round.points.Ana": 1, ANA: "Qx"}, f"round.points.Ana bad-value; {ANA} bad-card; {ANA} wrong-hand-size",
        "Ana has both points and a hand; clear one of them"),
    (KN, {"round.points": {"Ana": "7.25"}, ANA: GONE}, "round.points.Ana bad-value",
        "7.25|from 0 to 125|in steps of ½|Ana's points"),
    (KN, {"round.points": {"Ana": 1}, ANA: GONE, "rules.hand": "poker"}, "round.points bad-value",
        "best poker hand wins|enter the hands"),
    (KN, {"round.points": {"Ana": 1}, ANA: GONE, "round.won_by": ["Ana"]}, "round.won_by bad-value",
        "not both; remove one of them"),
    (KR, {"round.points": {"Ana": 71}, ANA: GONE}, "round.points.Ana bad-value",
        "Ana can't have 71 deadwood in 7 cards"),
    *each(KN, "round.points", "bad-value", None, [1]),
    (KN, {"round.points": {"Zoe": 1}}, "round.points.Zoe unknown-player"),
    (KN, {"round.points": {"Ana": 1, " Ana": 2}, ANA: GONE}, "round.points.Ana bad-value"),
    (KN, {"round.points": {"Ana": "1.25"}, ANA: GONE, BETO: GONE},
        "round.points.Ana bad-value; round.hands.Beto missing-hand"),
    # DO-6, DO-7
    *each(DO, "round.caller", "missing-field", GONE, None),
    (DO, {"round.shown_by": "Ana"}, f"{ANA} not-an-outright-win; {BETO} unexpected-hand; {CARO} unexpected-hand"),
    # DR-8
    (DR, {"round": {"passed_in": True, "paid": 5}, "rules.openers": "two-pairs"}, "round.paid bad-value"),
    (DR, {"round.paid": GONE, "round.passed_in": False, "rules.openers": "two-pairs"}, "round.paid missing-field"),
    *each(DR, "rules.openers", "bad-rule-value", "jacks"),
    *each(DP, "round.passed_in", "unknown-field", True),
    # DP-1
    *each(DP, "round.paid", "missing-field", GONE),
    *each(DP, "round.paid", "bad-value", 5),
    *each(DP, "round.paid.Caro", "missing-field", GONE),
    *each(DP, "round.paid.Caro", "bad-value", 10**12 + 1, True, "2"),
    (DP, {"round.paid.Caro": 0}, "round.paid.Caro bad-value", "Caro|0|ante of 1"),
    (DP, {"stake": 3}, "round.paid.Caro bad-value"),
    (DP, {"round.paid.Caro": 6}, "round.paid.Caro unequal-bets", "Caro|6|5"),
    (DP, {"round.paid.Beto": 4}, "round.paid.Beto unequal-bets", "Beto|4|5|all-in"),
    *each(DR, "round.paid.Ana", "unequal-bets", 3),
]  # fmt: skip


def told(text: str) -> dict[str, Any]:
    """Write actions instead of totals: "Ana check, Beto bet 4"; those after the exchange follow a slash."""
    parts = zip(("round.bets", "round.bets_after_exchange"), text.split("/"), strict=False)
    return {"round.paid": GONE, "round.folded": GONE} | {key: actions(part) for key, part in parts}


BETS: list[Row] = [
    # both, and neither
    (DP, {"round.bets": actions("Ana check")}, "round.bets bad-value", "not both; remove one of them"),
    (DP, told("Ana check") | {"round.folded": ["Caro"]}, "round.bets bad-value"),
    (DP, {"round.paid": GONE, "round.bets": actions("Ana bet")},
        "round.bets bad-value; round.bets.0.amount missing-field"),
    (DP, told("Ana check") | {"round.paid": 0}, "round.bets bad-value; round.paid bad-value"),
    (DP, told("Ana check") | {"round.paid": None}, "round.bets bad-value; round.paid bad-value"),
    (DR, {"round.bets_after_exchange": actions("Ana check")}, "round.bets_after_exchange bad-value"),
    (DP, {"round.paid": GONE, "round.folded": GONE}, f"round.paid missing-field; {CARO} missing-hand"),
    # input that isn't a list of actions
    *((DP, told("") | {"round.bets": value}, "round.bets bad-value") for value in ("Ana check", None, 5, {})),
    (DP, told("") | {"round.paid": {}, "round.folded": {}, "round.bets": []},
        "round.folded bad-value; round.bets missing-field"),
    (DP, told("") | {"round.bets": [["Ana", "check"]]}, "round.bets.0 bad-value"),
    (DP, told(f"Ana bet {HUGE}"), "round.bets.0.amount bad-value"),
    (DR, told("Ana check / Zoe pass"),
        "round.bets_after_exchange.0.player unknown-player; round.bets_after_exchange.0.action bad-value"),
    # DP-8, DR-7: the first that is not allowed; nothing is said of what follows from the bets, so not of hands either
    (DP, told("Ana check, Caro bet 2, Caro bet 2"), "round.bets.1 illegal-bet",
        "It is Beto's turn, not Caro's; Beto may check, bet 1 or more"),
    (DP, told("Ana check, Caro bet 2") | {BETO: GONE, ANA: "1-1 3-3 4-4 5-5 6-6"},
        f"round.bets.1 illegal-bet; {ANA} bad-card"),
    (DP, told("Ana bet 4"), "round.bets missing-field", "not over|it is Beto's turn|call 4|fold|add what is missing"),
    (DP, told(""), "round.bets missing-field"),
    (DR, told("Ana bet 4, Beto call, Caro fold"), "round.bets_after_exchange missing-field"),
    (DR, told("Ana bet 4, Beto call, Caro fold / Ana check"), "round.bets_after_exchange missing-field"),
    (DR, told("Ana bet 4, Beto call / Caro check"), "round.bets missing-field"),
    (DR, {"round.paid": GONE, "round.folded": GONE, "round.bets_after_exchange": []}, "round.bets missing-field"),
    (DR, told("Ana bet 4, Beto fold, Caro fold / Ana check"), "round.bets_after_exchange.0 illegal-bet"),
    # who folded follows: who must show, and who may not
    (DP, told("Ana bet 4, Beto call, Caro fold") | {BETO: GONE}, f"{BETO} missing-hand"),
    (DP, told("Ana bet 4, Beto call, Caro fold") | {CARO: "1-2 1-3 1-4 1-5 2-5"}, f"{CARO} unexpected-hand"),
    (DP, told("Ana bet 4, Beto call, Caro call"), f"{CARO} missing-hand"),
    # what bets depend on is wrong: they are not judged
    (DP, {"rules.minimum_bet": 3, "rules.maximum_bet": 2}, "rules.maximum_bet bad-value",
        "largest bet of 2|smallest of 3|0"),
    (DP, told("Beto check") | {"stake": 0}, "stake bad-value"),
    (DP, told("Beto check") | {"dealer": "Zoe"}, "dealer unknown-player"),
    (DP, told("Beto check") | {"rules.ante": -1}, "rules.ante bad-rule-value"),
    (DP, told("Beto check") | {"rules": []}, "rules bad-value"),
    (DP, told("Beto check") | {"rules.minimum_bet": 3, "rules.maximum_bet": 2}, "rules.maximum_bet bad-value"),
    (DP, told("Beto check") | {"players.2": ""}, "players.2 bad-value"),
    (DP, told("Beto check") | {"rules.low_straights": 3},
        "rules.low_straights bad-rule-value; round.bets.0 illegal-bet"),
    (DP, {"rules.minimum_bet": 1001, "rules.maximum_bet": -1},
        "rules.minimum_bet bad-rule-value; rules.maximum_bet bad-rule-value"),
    # DP-9
    (DR, {"rules.minimum_raise": 3, "rules.maximum_bet": 2}, "rules.minimum_raise bad-value"),
    (DR, {"rules.minimum_bet": 3, "rules.maximum_bet": 2, "rules.maximum_raise": 1},
        "rules.maximum_bet bad-value; rules.maximum_raise bad-value"),
    (DP, {"rules.most_raises": 101, "rules.minimum_raise": 1001},
        "rules.most_raises bad-rule-value; rules.minimum_raise bad-rule-value"),
]  # fmt: skip
CARDS: list[Row] = [
    *each(KP, ANA, "bad-card", "9s 9h 9d 4c 11d", "9s 9h 9d 4c Jk", "9s 9h 9d 4c 12o", "9s 9h 9d 4c \x00"),
    *each(KP, ANA, "bad-card", *(["9s", "9h", "9d", "4c", card] for card in (4, None, ["4d"], "\ud800"))),
    *each(KP, ANA, "bad-card", "9s9h9d4cZd 4d", "10s/9h/9d/4c/4d"),
    (KP, {ANA: "9s 9h 9d 4c Zs"}, f"{ANA} bad-card", "Zs|Ana's hand|five of spades is written 5s"),
    (KP, {ANA: "9s9h9d4cZd"}, f"{ANA} bad-card",
        "9s9h9d4cZd in Ana's hand can't be read; put spaces between the cards, for example 5s 6s"),
    (KP, {ANA: "xx 9h yy 4c 4d"}, f"{ANA} bad-card; {ANA} bad-card"),
    (KP, {ANA: ["9s9h", "9d", "4c", "4d"]}, f"{ANA} bad-card; {ANA} wrong-hand-size"),
    *each(KP, ANA, "bad-value", 5, {"cards": []}),
    *each(DP, ANA, "bad-card", "0-6 3-3 4-4 5-5 6-6", "2-7 3-3 4-4 5-5 6-6"),
    (DP, {ANA: "1-1 3-3 4-4 5-5 6-6"}, f"{ANA} bad-card", "1-1|Ana's hand|tile"),
    (DP, {ANA: "1-12-23-34-45-5"}, f"{ANA} bad-card", "1-1 in Ana's hand isn't a tile of this set"),
    (DP, {ANA: "2-6-3-3 4-4 5-5 6-6"}, f"{ANA} bad-card",
        "2-6-3-3|put spaces between the tiles, for example 1-6 2-2"),
    (DO, {ANA: "Jk 9h 9c 4s 4d", "rules.deck": "plain"}, f"{ANA} bad-card"),
    *each(DR, ANA, "bad-card", "2c 2d 2h 2s Jk"),
    # C-4: one error, at the later of the two hands in the order of the players
    *each(KP, ANA, "duplicate-card", "9s 10d Td 4c 4d"),
    (KP, {ANA: "9s 9s 9d 4c 4d"}, f"{ANA} duplicate-card", "9s|twice|Ana"),
    (KP, {ANA: "9s 9s 9s 4c 4d"}, f"{ANA} duplicate-card", "9s|3 times|Ana"),
    (KP, {BETO: "9h Kh 8h 5h 3h"}, f"{BETO} duplicate-card", "9h is in Beto's hand and in Ana's"),
    *each(KP, BETO, "duplicate-card", "9♥ Kh 8h 5h 3h"),
    (KP, {"players": ["Beto", "Ana", "Caro"], BETO: "9h Kh 8h 5h 3h"}, f"{ANA} duplicate-card"),
    (KP, {BETO: "9h 9s 9d 4c 4d"}, "; ".join([f"{BETO} duplicate-card"] * 5)),
    *each(DP, BETO, "duplicate-card", "1-6 6-2 3-6 4-6 6-6"),
    (DO, {ANA: "Jk Kd 9h 9c 4s", CARO: "8s 8h 8d joker 3c"}, f"{CARO} duplicate-card"),
    (DR, {"rules.wild": "jokers", ANA: "Jk Jk 2h 2s 3c", BETO: "As Ks Qs Js *"}, f"{BETO} duplicate-card",
        "Jk is in Beto's hand and in Ana's more often than the 2 that there are"),
    (DR, {"rules.wild": "jokers", ANA: "Jk Jk Jk 2s 3c"}, f"{ANA} duplicate-card", "Jk is in Ana's hand 3 times"),
    # sizes
    (KP, {BETO: "Ah Kh 8h 5h"}, f"{BETO} wrong-hand-size", "Beto has 4 of 5 cards"),
    *each(KP, BETO, "wrong-hand-size", "Ah Kh 8h 5h 3h 2h"),
    *each(KP, ANA, "wrong-hand-size", ["9s"] * 2000),
    (KP, {BETO: "Ah Kh 8h 5h 3h Zh"}, f"{BETO} bad-card; {BETO} wrong-hand-size"),
    (KP, {BETO: "Ah Kh 8h 5h 5h 3h"}, f"{BETO} duplicate-card; {BETO} wrong-hand-size"),
    *each(DO, ANA, "wrong-hand-size", "Ks Kd 9h 9c 4s 4d"),
    (DO, {"round": {"shown_by": "Ana", "hands": {"Ana": "Ks Kd 9h 9c"}}}, f"{ANA} wrong-hand-size"),
    *each(KR, ANA, "wrong-hand-size", "4s 4h 4d 6c 7c 8c 2d Jc Qc Kc"),
    (KR, {"players": ["Ana", "Beto"], "dealer": "Ana", CARO: GONE}, f"{ANA} wrong-hand-size; {BETO} wrong-hand-size"),
]  # fmt: skip
OUTRIGHT = {"round": {"shown_by": "Ana", "hands": {"Ana": ""}}}
SHOWING: list[Row] = [
    (KP, {BETO: GONE}, f"{BETO} missing-hand", "Beto must show a hand; enter it"),
    *each(KP, BETO, "missing-hand", [], "  "),
    (KP, {"round.hands": GONE}, f"{ANA} missing-hand; {BETO} missing-hand"),
    *each(KP, "round.hands", "bad-value", []),
    *each(KP, "round.hands.Zoe", "unknown-player", "2s 3s 4s 5s 6c"),
    *each(KP, "round.hands. Ana", "bad-value", "2s 3s 4s 5s 6c"),
    (KP, {CARO: "2s 3s 4s 5s 6c"}, f"{CARO} unexpected-hand", "Caro shows no hand in this round; clear that hand"),
    *each(DP, CARO, "unexpected-hand", "1-2 1-3 1-4 1-5 2-5"),
    *each(DP, BETO, "missing-hand", GONE),
    (DO, {"round.caller": GONE, "round.shown_by": "Ana", ANA: "Ad Kd 9d 8d 5d 3d", CARO: GONE},
        f"{BETO} unexpected-hand"),
    *each(KN, CARO, "missing-hand", GONE),
    *each(KR, CARO, "missing-hand", GONE),
    # KP-13
    (KP, {"rules.minimum_knock": "pair-of-aces", ANA: "Ks Kc Qs Js Tc"}, f"{ANA} invalid-knock",
        "Ana|pair|kings|a pair of aces|void"),
    # DO-4, DO-6: what the best five make, and which card to discard
    (DO, {BETO: "7c 7d 6h 6s 3d"}, f"{BETO} invalid-knock", "Beto|three of a kind"),
    *(
        (DO, {**OUTRIGHT, ANA: hand}, f"{ANA} not-an-outright-win", words)
        for hand, words in {
            "9s 9h 9d 9c 4s 4h": "four of a kind|nines|discard 4",
            "Ks Kh Kd 4c 4s 2h": "full house|kings|fours|discard 2h",
            "Jd 9d 6d 4d 2d Kc": "flush|discard Kc",
            "4s 5h 6d 7c 8s Kh": "straight|discard Kh",
            "9s 9h 9d 9c Jk 4h": "quintilla|discard 4h|show the five",
            "9s 9h 4d 5c Jd Kh": "discard",
            "9s 9h 9d 4s 4h": "full house|nines|fours",
        }.items()
    ),
]  # fmt: skip
AT_ONCE: list[Row] = [
    (KP, {"game": GONE, "players": GONE, "round": GONE, "dealer": GONE},
        "game missing-field; players missing-field; round missing-field"),
    (KP, {"game": "whist", "stake": 0, "pot": "x", "players": ["Ana", "ana"], "extra": 1},
        "game unknown-game; stake bad-value; pot bad-value; players.1 duplicate-player; extra unknown-field"),
    (KP, {"stake": 0, "rules.ante": True, "rules.colour": 1, "dealer": "Zoe", "round.colour": 1, ANA: "9s 9h 9d 4c Zs",
          BETO: "9h Kh 8h 5h", CARO: "2s 3s 4s 5s 6c"},
        "stake bad-value; rules.ante bad-rule-value; rules.colour unknown-rule; dealer unknown-player; "
        f"round.colour unknown-field; {ANA} bad-card; {BETO} duplicate-card; {BETO} wrong-hand-size; "
        f"{CARO} unexpected-hand"),
    (DP, {"rules.low_straights": 3, "round.paid": {"Ana": 5, "Beto": 4}, ANA: "1-1 3-3 4-4 5-5 6-6", BETO: GONE},
        "rules.low_straights bad-rule-value; round.paid.Caro missing-field; round.paid.Beto unequal-bets; "
        f"{ANA} bad-card; {BETO} missing-hand"),
]  # fmt: skip
ROWS = [*DOCUMENT, *RULES, *PLAYERS, *ANSWERS, *BETS, *CARDS, *SHOWING, *AT_ONCE]


def _id(row: Row) -> str:
    shown = ",".join(f"{path}={'GONE' if value is GONE else ascii(value)}" for path, value in row[1].items())
    return f"{row[0]}:{shown}"[:90]


def _spoilt(game: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Change values in a round; `players.2` changes one name of the list."""
    document = changed(game, {path: value for path, value in changes.items() if not path.startswith("players.")})
    for path, value in changes.items():
        if path.startswith("players."):
            document["players"][int(path.partition(".")[2])] = value
    return document


@pytest.mark.parametrize("row", ROWS, ids=map(_id, ROWS))
def test_bad_round_reports_every_field_and_code(row: Row) -> None:
    game, changes, expected, *words = row
    status, answer = settle(_spoilt(game, changes))
    assert (status, answer["status"]) == (422, 422)
    errors: Any = answer["errors"]
    assert sorted(f"{error['field']} {error['code']}" for error in errors) == sorted(expected.split("; "))
    for error in errors:
        message = error["message"]
        assert (
            message[0] == message[0].upper()
            or not message[0].isalpha()
            or message.split()[0] in json.dumps(changes, default=repr)
        )
        assert " " in message
        assert "{" not in message.replace("{…}", "")
        assert len(message) < 250
        message.encode()  # no half of a surrogate pair
    if words:
        said = " ".join(error["message"] for error in errors if error["field"] == expected.split(" ")[0])
        assert not [phrase for phrase in words[0].split("|") if phrase not in said], said


def test_every_code_of_the_contract_is_in_the_tables() -> None:
    assert {problem.rpartition(" ")[2] for row in ROWS for problem in row[2].split("; ")} == CODES


@pytest.mark.parametrize("game", ROUNDS)
def test_unchanged_round_settles(game: str) -> None:
    assert settle(changed(game, {}))[0] == 200


@pytest.mark.parametrize("document", [None, [], "round", 5, 1.5, True], ids=repr)
def test_a_body_that_is_not_an_object_is_a_bad_request(document: object) -> None:
    entered = read_round(document)
    assert (entered.game, entered.round) == (None, None)
    assert [(problem.field, problem.code) for problem in entered.problems] == [("", "bad-request")]
    assert settle(document)[0] == 422


GOOD: list[tuple[str, dict[str, Any]]] = [
    (KP, {"dealer": GONE}),
    (KP, {"stake": 1_000_000, "pot": 10**12}),
    (KP, {"rules.ante": 0}),
    (KP, {"rules.ante": 1000}),
    (KP, {"players": [*TEN[1:8], "Ana", "Beto", "Caro"], "round.dropped": ["Caro", *TEN[1:8]]}),
    (KP, {"rules.minimum_knock": "pair-of-jacks", ANA: "Js Jc 2s 3s 4s"}),
    (KP, {"rules.minimum_knock": "pair-of-aces", ANA: "As Ac 2s 3s 4s"}),
    (KP, {"round.knocker": None, "round.dropped": [], CARO: "Qs Qc 2s 3s 5c"}),
    (KP, {"round.dropped": ["Beto", "Caro"], BETO: GONE}),
    (KP, {"round.dropped": ["Beto", "Caro"], BETO: GONE, ANA: GONE}),
    (KP, {CARO: ""}),
    (KP, {CARO: []}),
    (DO, {"round.shown_by": None}),
    (DO, {"rules.deck": "spanish-40", "rules.yuca": True, ANA: "1o 1c 2o 3o 4o", BETO: "5o 5c 5e 6o 6c",
          CARO: "7o 7c 7e Sb Cb"}),
    (DP, {"rules.all_in": True, "round.paid.Beto": 4}),
    (DP, {"round.folded": ["Beto", "Caro"], BETO: GONE, ANA: GONE}),
    (DP, told("Ana bet 4, Beto call, Caro fold")),
    (DP, told("Ana bet 4, Beto call, Caro fold") | {"round.paid": {}, "round.folded": []}),
    (DP, told("Ana check, Beto fold, Caro fold") | {BETO: GONE, ANA: GONE}),
    (DP, told("Ana bet 4, Beto all-in 3, Caro fold") | {"rules.all_in": True}),
    (DP, told("Ana bet 2, Beto call, Caro fold") | {"rules.minimum_bet": 2, "rules.maximum_bet": 2}),
    (DP, {"round.bets": []}),
    (DR, {"round.bets": [], "round.bets_after_exchange": []}),
    (DR, told("Ana bet 4, Beto call, Caro fold / Ana check, Beto check")),
    (DR, told("Ana fold, Beto fold") | {ANA: GONE, BETO: GONE}),
    (DR, told("Ana fold, Beto fold /") | {ANA: GONE, BETO: GONE}),
    (DR, told("Ana all-in 2, Beto call, Caro fold") | {"rules.all_in": True}),
    (DR, {"rules.wild": "jokers", ANA: "Jk Jk 2h 2s 3c"}),
    (DR, {"rules.wild": "jokers", ANA: "Jk 2d 2h 2s 3c", BETO: "As Ks Qs Js *"}),
    (DR, {"round.exchanged": {"Beto": 4, "Caro": 3}}),
    (KN, {"round.knocker": GONE}),
    (KP, {"round.won_by": [" Ana "], BETO: GONE}),
    (KP, {"round.won_by": ["Ana"]}),
    (KP, {"round.won_by": None}),
    (KP, {"round.won_by": []}),
    (KN, {"round.won_by": [], "round.points": {}}),
    (KN, {"round.won_by": None, "round.points": {" Ana ": "50"}, ANA: GONE}),
    (KR, {"round.points": {"Ana": 70}, ANA: GONE}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "changes"), GOOD, ids=[_id((*row, "")) for row in GOOD])
def test_round_at_the_limits_settles(game: str, changes: dict[str, Any]) -> None:
    status, answer = settle(changed(game, changes))
    assert status == 200, answer


@pytest.mark.parametrize("path", ["game", "dealer", "stake", "rules.settlement", "rules.colour", ANA, "round.knocker"])
def test_long_text_is_shortened_in_the_message(path: str) -> None:
    errors: Any = settle(changed(KP, {path: "x" * 5000}))[1]["errors"]
    assert all(len(error["message"]) < 250 for error in errors)


UNSHOWABLE = {"half of a pair": "\ud800", "NUL": "a\x00b", "line turned around": "\u202ebad"}


@pytest.mark.parametrize("text", UNSHOWABLE.values(), ids=UNSHOWABLE)
@pytest.mark.parametrize("path", ["game", "dealer", "rules.settlement", "round.knocker", "round.dropped", ANA])
def test_unprintable_text_is_refused_and_not_quoted(path: str, text: str) -> None:
    status, answer = settle(changed(KP, {path: [text] if path == "round.dropped" else text}))
    assert status == 422
    errors: Any = answer["errors"]
    assert errors
    unshowable = [mark for error in errors for mark in error["message"] if mark in "\ud800\x00\u202e"]
    assert not unshowable


@pytest.mark.parametrize("place", ["", "rules", "round", "round.hands", "round.draws"])
def test_unprintable_key_is_refused_in_valid_unicode(place: str) -> None:
    document = changed(KP, {"rules": {}, "round.draws": {}})
    found = document
    for key in filter(None, place.split(".")):
        found = found[key]
    found["\ud800"] = 1
    status, answer = settle(document)
    assert status == 422
    json.dumps(answer, ensure_ascii=False).encode()
