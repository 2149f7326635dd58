"""Which bets are allowed, and what is told of those that aren't."""

from __future__ import annotations

import pytest

from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table.bets import PlayedBets, amounts_offered, must_be_allowed, play
from companion.table.refusals import Refused

DOCUMENT = {"game": "domino-poker", "players": [PlayerKey(key) for key in ("7", "8", "9")], "pot": 0}
LIMITS = {"minimum_bet": 2, "maximum_bet": 6, "all_in": True}


def played(line: str, in_front: int | None = None, **rules: object) -> PlayedBets:
    chips = None if in_front is None else dict.fromkeys(("7", "8", "9"), in_front)
    texts = [text for text in line.split("; ") if text]
    return play({**DOCUMENT, "rules": {**LIMITS, **rules}}, texts, all_games()["domino-poker"], chips)


# the bets so far, everybody's chips, the action, what it puts in, and why it isn't allowed
BETS: list[tuple[str, int | None, str, int | None, str]] = [
    ("", None, "check", None, ""),
    ("", None, "bet", 2, ""),
    ("", None, "bet", 1, "It must be 2 or more"),
    ("", None, "bet", 7, "It can be 6 at most"),
    ("", None, "call", None, "7 can't do that now; use one of the buttons shown"),
    ("bet 4", None, "call", None, ""),
    ("bet 4", None, "check", None, "8 can't do that now; use one of the buttons shown"),
    ("bet 4", None, "raise", 5, "It must be 2 or more"),
    ("bet 4", None, "raise", 11, "It can be 6 at most"),
    ("bet 4", 4, "call", None, "8 has 3 left: that is all-in; for more, record a rebuy first"),
    ("bet 4", 4, "all-in", 3, ""),
    ("bet 4; fold; fold", None, "check", None, "The betting is over"),
]


@pytest.mark.parametrize(("line", "chips", "kind", "units", "told"), BETS)
def test_a_bet_is_allowed_or_refused(line: str, chips: int | None, kind: str, units: int | None, told: str) -> None:
    if not told:
        must_be_allowed(played(line, chips), kind, units)
        return
    with pytest.raises(Refused) as refused:
        must_be_allowed(played(line, chips), kind, units)
    assert str(refused.value.message) == told


def test_without_all_in_who_has_no_chips_is_told_how_to_go_on() -> None:
    with pytest.raises(Refused, match="7 has no chips left: record a rebuy first, or enter the totals instead"):
        must_be_allowed(played("", 1, all_in=False), "bet", 2)


def test_amounts_offered_stay_within_the_limits() -> None:
    assert amounts_offered({"least": 2, "most": 6}, 0, 1) == [2, 4]
    assert amounts_offered({"least": 3, "most": 4}, 0, 1) == [3, 4]
    assert amounts_offered({"least": 7, "most": None}, 4, 2) == [7, 8, 12, 20]
    assert amounts_offered({"least": 5, "most": None}, 4, 1) == [5, 6, 8, 12]
    assert amounts_offered({"least": 100, "most": 200}, 0, 1) == [100]
