"""The lines of a session in short, as its page lists them: what was played, who won with what, who gained how much."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.engine.messages import Message
from companion.games import all_games
from companion.store.models import Line, Revision
from companion.store.replay import is_round, settled

from ..text.labels import MOVEMENTS

_REMEMBERED = 2_000  # rounds, of a kilobyte each


@dataclass(frozen=True, slots=True)
class Gist:
    """What a round came to, players by their ids: who won, what the first of them showed, the nets, highest first."""

    winners: tuple[str, ...]
    hand: Message | None
    nets: tuple[tuple[str, int], ...]


_MOVES_NOTHING = Gist((), None, ())


@lru_cache(maxsize=_REMEMBERED)
def _gist(written: str) -> Gist:
    """Settle a stored round, given as JSON; the same round always comes to the same, and is listed again and again."""
    settlement = settled(json.loads(written)).settlement
    shown = {hand.player: hand.reading.description for hand in settlement.hands}
    nets = sorted(settlement.net.items(), key=lambda net: -net[1])
    return Gist(settlement.winners, shown.get(settlement.winners[0]) if settlement.winners else None, tuple(nets))


def in_short(line: Line, names: Mapping[str, str]) -> dict[str, Any]:
    """Tell of a line what stands in the list; `names` are those of the accounts by their key."""
    revision = line.current
    assert revision is not None
    document = revision.document
    is_settled = is_round(document) and not revision.voided
    gist = _gist(json.dumps(document)) if is_settled else _MOVES_NOTHING
    return {
        "number": line.number,
        "voided": revision.voided,
        "corrected": revision.number > 1,
        "game": all_games()[document["game"]].name if is_round(document) else MOVEMENTS[document["movement"]],
        "winners": [names[player] for player in gist.winners],
        "hand": gist.hand,
        "nets": [(names[player], net) for player, net in gist.nets if net],
        "moves": [(names[giver], names[taker], amount) for giver, taker, amount in _moves(revision)],
        "is_owed": "from" in document,
        "note": line.remark or document.get("note", ""),
    }


def _moves(revision: Revision) -> Iterator[tuple[str, str, int]]:
    """Yield what another movement moved, from whom to whom; only that of a split is in its transfers alone."""
    document = revision.document
    if is_round(document) or revision.voided:
        return
    if "from" in document:
        yield document["from"], document["to"], document["amount"]
    else:
        yield from ((transfer.giver.key, transfer.taker.key, transfer.amount) for transfer in revision.transfers)
