"""Writes settlements and problems as JSON documents, with their sentences in English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.engine.hands.strength import ShownHand
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import Kept, Settlement
from companion.engine.pieces.sets import Piece
from companion.engine.problems import Problem

Document = dict[str, object]


def settlement_document(settlement: Settlement) -> Document:
    """Write a settlement, amounts in units. The contract fixes the order of every list."""
    opening, put_in, paid_out = settlement.pot_opening, settlement.pot_in, settlement.pot_out
    return {
        "winners": list(settlement.winners),
        "hands": [_hand(hand) for hand in settlement.hands],
        "decided_by": str(settlement.decided_by),
        "pot": {"opening": opening, "in": put_in, "out": paid_out, "closing": opening + put_in - paid_out},
        "transfers": [
            {
                "from": transfer.giver,
                "to": transfer.taker,
                "amount": transfer.amount,
                "reason": transfer.reason.key,
                "rule": transfer.rule,
                "because": str(transfer.because),
            }
            for transfer in settlement.transfers
        ],
        "net": dict(settlement.net),
        "payments": _payments(settlement.payments),
        "handovers": _payments(settlement.handovers),
        **({} if settlement.kept is None else {"kept": _kept(settlement.kept)}),
    }


def _kept(kept: Kept) -> Document:
    closing = dict(kept.closing)
    return {"total": kept.total, "opening": dict(kept.opening), "scored": dict(kept.scored), "closing": closing}


def _payments(payments: Iterable[Payment]) -> list[Document]:
    return [{"from": p.payer, "to": p.payee, "amount": p.amount} for p in payments]


def _hand(hand: ShownHand) -> Document:
    reading = hand.reading
    return {
        "player": hand.player,
        "place": hand.place,
        "cards": None if hand.cards is None else _texts(hand.cards),
        "category": reading.strength.category,
        "description": str(reading.description),
        "points": reading.points,
        "melds": None if reading.melds is None else [_texts(meld) for meld in reading.melds],
        "unmatched": None if reading.unmatched is None else _texts(reading.unmatched),
        "wild_as": None if reading.wild_as is None else _texts(reading.wild_as),
    }


def _texts(pieces: Sequence[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


def problems_document(
    problems: Iterable[Problem], status: int = 422, title: str = "The round can't be settled as entered"
) -> Document:
    """Write problems as an RFC 9457 problem document."""
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "errors": [{"field": _unicode(p.field), "code": p.code, "message": str(p.message)} for p in problems],
    }


def _unicode(path: str) -> str:
    """Replace lone surrogates, which a rejected name may contain, so that the response is valid UTF-8."""
    return path.encode(errors="replace").decode()
