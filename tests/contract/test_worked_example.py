"""The contract's worked example, exactly as printed there."""

from __future__ import annotations

import json

from companion.contract import settle

ROUND = """
{
  "game": "knock-poker",
  "rules": {"bonuses": true},
  "stake": 25,
  "players": ["Ana", "Beto", "Caro", "Dani"],
  "dealer": "Dani",
  "pot": 0,
  "round": {
    "knocker": "Ana",
    "dropped": ["Caro"],
    "knocked_before_drawing": false,
    "draws": {},
    "hands": {"Ana": "9s 9h 9d 4c 4d", "Beto": ["Ah", "Kh", "8h", "5h", "3h"], "Dani": "8c 8d Js 7d 4h"}
  }
}
"""

HAND = """
{"player": "Ana", "place": 1, "cards": ["9s", "9h", "9d", "4c", "4d"], "category": "full-house",
 "description": "full house, nines over fours", "points": null, "melds": null, "unmatched": null, "wild_as": null}
"""
ANTE = '{"from": "Ana", "to": "pot", "amount": 25, "reason": "ante", "rule": "KP-1", "because": "ante"}'
STAYED = """
{"from": "Beto", "to": "Ana", "amount": 50, "reason": "stayed-in", "rule": "KP-4",
 "because": "Beto stayed in and Ana, who knocked, won"}
"""
WHOLE = """
{
  "winners": ["Ana"],
  "decided_by": "Ana's full house beats Beto's flush",
  "pot": {"opening": 0, "in": 100, "out": 100, "closing": 0},
  "net": {"Ana": 200, "Beto": -75, "Caro": -50, "Dani": -75},
  "payments": [{"from": "Beto", "to": "Ana", "amount": 75}, {"from": "Caro", "to": "Ana", "amount": 50},
   {"from": "Dani", "to": "Ana", "amount": 75}],
  "handovers": [{"from": "Beto", "to": "Ana", "amount": 50}, {"from": "Dani", "to": "Ana", "amount": 50},
   {"from": "pot", "to": "Ana", "amount": 100}]
}
"""
KEYS = ["winners", "hands", "decided_by", "pot", "transfers", "net", "payments", "handovers"]
PROBLEM = """
{"type": "about:blank", "title": "The round can't be settled as entered", "status": 422,
 "errors": [{"field": "round.hands.Beto", "code": "duplicate-card", "message": "9h is in Beto's hand and in Ana's"}]}
"""


def written(value: object) -> str:
    """Serialize a document, so that comparisons include the order of keys."""
    return json.dumps(value)


def test_what_the_contract_prints_whole() -> None:
    status, settlement = settle(json.loads(ROUND))
    assert status == 200
    assert list(settlement) == KEYS
    whole = json.loads(WHOLE)
    assert written({key: settlement[key] for key in whole}) == written(whole)


def test_what_the_contract_prints_of_hands_and_transfers() -> None:
    _, settlement = settle(json.loads(ROUND))
    hands, transfers = settlement["hands"], settlement["transfers"]
    assert isinstance(hands, list)
    assert isinstance(transfers, list)
    assert written(hands[0]) == written(json.loads(HAND))
    assert written(transfers[0]) == written(json.loads(ANTE))
    assert written(json.loads(STAYED)) in map(written, transfers)
    assert [hand["player"] for hand in hands] == ["Ana", "Beto", "Dani"]
    assert [transfer["amount"] for transfer in transfers] == [25, 25, 25, 25, 25, 50, 50, 100]


def test_what_the_contract_prints_of_a_problem() -> None:
    document = json.loads(ROUND)
    document["round"]["hands"]["Beto"][0] = "9h"
    status, answer = settle(document)
    assert status == 422
    assert written(answer) == written(json.loads(PROBLEM))
