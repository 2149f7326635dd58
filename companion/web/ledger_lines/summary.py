"""Summaries of a night's lines for its list: what was played, who won with what, who gained how much."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import Settlement
from companion.engine.pieces.sets import Piece
from companion.store.log.ledger import revision_settled
from companion.store.log.replay import (
    COST,
    REBUY,
    Document,
    Unsettled,
    is_absent,
    is_round,
    moves_chips,
    parts_of_account,
    settled,
)
from companion.store.log.typed import with_texts
from companion.store.models import Line, Revision

from ..text.labels import MOVEMENTS, game_played

_REMEMBERED = 2_000  # rounds, about a kilobyte each


@dataclass(frozen=True, slots=True)
class Gist:
    """The result of a round: winners, hands (best first), nets (highest first) and handovers; players are ids."""

    winners: tuple[str, ...]
    hands: tuple[tuple[str, Message, tuple[Piece, ...]], ...]
    nets: tuple[tuple[str, int], ...]
    handovers: tuple[Payment, ...]


_MOVES_NOTHING = Gist((), (), (), ())


@dataclass(frozen=True, slots=True)
class ShortLine:
    """A line as a list shows it. Players and accounts are given by key.

    `hand` and `cards` are what the first winner showed. A voided round has the `hands` of all players instead, and
    moves nothing. `moves` are the (giver, taker, units) of a movement that isn't a round; those of a rebuy (`is_rebuy`)
    are chips that change no balance, and a `cost` (its entry) may be in a currency of
    its own. `handovers` are a round's (C-12), and `stake` the units of its stake.
    `note` is the line's remark, or else the `entered_note`, which came with a movement.
    """

    number: int
    voided: bool
    corrected: bool
    game: Message | str
    winners: tuple[str, ...]
    hand: Message | None
    cards: tuple[Piece, ...]
    hands: tuple[tuple[str, tuple[Piece, ...]], ...]
    nets: tuple[tuple[str, int], ...]
    moves: tuple[tuple[str, str, int], ...]
    handovers: tuple[Payment, ...]
    stake: int | None
    is_owed: bool
    is_rebuy: bool
    note: str
    entered_note: str
    cost: Document | None

    @property
    def apart(self) -> str | None:
        """The currency of a cost that is settled apart from the games; None for everything else."""
        return self.cost.get("currency") if self.cost else None

    @property
    def won(self) -> int:
        """What the first winner gained."""
        return dict(self.nets).get(self.winners[0], 0) if self.winners else 0


@lru_cache(maxsize=_REMEMBERED)
def _gist(written: str) -> Gist:
    """Settle a stored round, given as JSON; cached, because the same rounds are listed again and again."""
    try:
        return _told(settled(json.loads(written)).settlement)
    except Unsettled:  # a voided round needn't settle with today's pot
        return _MOVES_NOTHING


def _told(settlement: Settlement) -> Gist:
    hands = tuple((hand.player, hand.reading.description, tuple(hand.cards or ())) for hand in settlement.hands)
    nets = sorted(settlement.net.items(), key=lambda net: -net[1])
    return Gist(settlement.ahead, hands, tuple(nets), tuple(settlement.handovers))


def summarize(line: Line) -> ShortLine:
    """Summarize a line's current revision; a round is settled again for this, see `_gist`."""
    return summarize_all([line])[0]


def summarize_all(lines: Sequence[Line]) -> list[ShortLine]:
    """Summarize lines of a night."""
    documents = with_texts(lines[0].group_id, [line.current.document for line in lines]) if lines else []
    return [_summary(line, document) for line, document in zip(lines, documents, strict=True)]


def _summary(line: Line, document: Document) -> ShortLine:
    revision = line.current
    played = is_round(document)
    entered = _MOVES_NOTHING
    if is_absent(document):
        entered = _told(revision_settled(revision).settlement)
    elif played:
        entered = _gist(json.dumps(document))
    booked = _MOVES_NOTHING if revision.voided else entered
    shown = {player: (words, cards) for player, words, cards in booked.hands}
    hand, cards = shown.get(booked.winners[0], (None, ())) if booked.winners else (None, ())
    return ShortLine(
        number=line.number,
        voided=revision.voided,
        corrected=revision.number > 1 and revision.document != line.revisions[0].document,  # or it was taken back
        game=game_played(document) if played else MOVEMENTS[document["movement"]],
        winners=booked.winners,
        hand=hand,
        cards=cards,
        hands=tuple((player, cards) for player, _, cards in entered.hands) if revision.voided else (),
        nets=booked.nets,
        moves=tuple(_moves(revision)),
        is_owed=not played and not moves_chips(document),
        handovers=booked.handovers,
        stake=document.get("stake", 1) if played else None,
        is_rebuy=document.get("movement") == REBUY,
        note=line.remark or document.get("note", ""),
        entered_note=document.get("note", ""),
        cost=document if document.get("movement") == COST else None,
    )


def _moves(revision: Revision) -> Iterator[tuple[str, str, int]]:
    """Yield what a movement moved. The document of a pot split doesn't say it, so its transfers are read."""
    document = revision.document
    if is_round(document) or revision.voided:
        return
    if "from" in document:
        yield document["from"], document["to"], document["amount"]
    else:
        for transfer in revision.transfers:
            (giver, _), (taker, _) = parts_of_account(transfer.giver.key), parts_of_account(transfer.taker.key)
            yield giver, taker, transfer.amount
