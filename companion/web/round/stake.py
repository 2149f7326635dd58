"""For which stake a night's round was played, if that was changed while its page was open or waited on a phone."""

from __future__ import annotations

from companion.contract.reading.round_document import MAX_STAKE_UNITS
from companion.engine.messages import Message

from ..http.requests.parsing import row_number
from ..text.money import units
from .form.sent_with import sent_with
from .next_round import NightRound
from .night_part import NightPart


def played_for(round: NightRound) -> int:
    """Return the units of a stake for which this page's round was played, which its button may have chosen.

    A page opened before the stake was changed, perhaps one that waited on a phone, has the earlier one.
    """
    sent = sent_with()
    chosen = row_number(sent.do.row) if sent.do.action == "stake" else row_number(sent.played_for.data)
    return chosen if chosen and chosen <= MAX_STAKE_UNITS else round.stake


def other_stake(part: NightPart) -> Message | None:
    """Ask for which stake a round was played, if it was changed since the page was opened; None if it wasn't."""
    sent = sent_with()
    known = row_number(sent.stake_now.data) if sent.do.action != "stake" else part.stake_now
    if part.played_for == part.stake_now or known in (None, part.stake_now):
        return None
    text = "This round was entered for a stake of {units}, and the stake is {now} now. Which one was it played for?"
    return Message(text, units=units(part.played_for), now=units(part.stake_now))
