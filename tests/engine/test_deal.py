"""The deal in words, where no game deals like that; the rest is in games/test_deals.py."""

from __future__ import annotations

from companion.engine.deal import Deal


def test_c_10_more_than_ten_are_a_number() -> None:
    deal = Deal(("Ana", "Beto", "Caro"), 12, ("tile", "tiles"), is_clockwise=False, ante=1)
    said = "Caro deals, anticlockwise. everyone antes 1. 12 tiles each, face down. Ana begins"
    assert ". ".join(map(str, deal.sentences())) == said
    assert deal.cutter is None
