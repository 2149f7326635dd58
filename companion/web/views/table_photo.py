"""All hands of a round from one photograph: what is read for them, and dealing them on a page without script."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import request
from werkzeug.datastructures import FileStorage
from wtforms import StringField

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.pieces import PieceSet
from companion.store.refusals import Refused

from ..round.form import RoundForm, chosen_options, sent_with
from ..round.photo import FILE, Notice, Seen, held_elsewhere
from ..round.photo_of_table import (
    TableProposal,
    full_hands,
    given_twice,
    hands_to_read,
    posted_table,
    propose_table,
)
from ..text.fields import Rows
from ..text.language import say

ROWS = ("table", "deal")  # what the buttons of a picture of the table are called, after "photo-"


@dataclass(frozen=True)
class AskedTable:
    """A form with a picture of all its hands, but those that are face `down` here."""

    game: AnyGame
    form: RoundForm
    down: Collection[int]

    @cached_property
    def options(self) -> Any:
        """The house rules."""
        return chosen_options(self.form, self.game)

    @cached_property
    def pieces(self) -> PieceSet[Any]:
        """The set that is played with."""
        return self.game.pieces(self.options)

    @cached_property
    def sizes(self) -> dict[int, int]:
        """The seats whose hands are read, with their sizes; a script knows better who is still in."""
        sizes = hands_to_read(self.game, self.form, self.options, self.down)
        wanted = set(sent_with().hands.data)
        return {seat: size for seat, size in sizes.items() if str(seat) in wanted} if wanted else sizes

    def propose(self, picture_of: Callable[[FileStorage | None, Message], bytes]) -> TableProposal:
        """Read the picture; raises Refused with the reason if that can't be."""
        if not self.sizes:
            raise Refused(Message("No hand is left to read: all are face down or out of the round."))
        file = next((file for file in reversed(request.files.getlist(FILE)) if file), None)
        picture = picture_of(file, Message("Choose a photo of the table first"))
        held = held_elsewhere(self.form, self.sizes, self.pieces)
        return propose_table(picture, self.pieces, self.sizes, full_hands(self.form, self.pieces, self.sizes), held)

    def deal(self) -> Notice:
        """Fill in the hands as they were given to the players; or say why not, with the choice still there."""
        chosen = Rows("give", map(str, self.sizes), StringField(default=""))
        given = {seat: chosen[str(seat)].data for seat in self.sizes}
        proposal = posted_table(sent_with().laid.data, given, self.pieces)
        problem = self._problem(proposal)
        if problem is not None:
            return Notice(None, [problem], table=replace(proposal, told=[problem]))
        unsure: list[Seen] = []
        for seat, number in proposal.given.items():
            used = proposal.laid[number - 1].seen[: self.sizes[seat]]
            unsure += [seen for seen in used if not seen.is_sure]
            hand = self.form.seats[seat]
            hand.hand.data, hand.cards.data = " ".join(seen.piece.text for seen in used), []
        filled = Message("1 hand filled in. Check it.", "{n} hands filled in. Check them.", n=len(proposal.given))
        return Notice(None, [filled], [seen.piece for seen in unsure])

    def _problem(self, proposal: TableProposal) -> Message | None:
        """Say what has to be settled before the hands are dealt."""
        names = self.form.names
        if not proposal.given:
            return Message("Choose a hand for at least one player.")
        if twice := given_twice(proposal.given):
            text = "Hand {number} is given to {players}. Choose another one for the others."
            return Message(text, number=proposal.given[twice[0]], players=tuple(names[seat] for seat in twice))
        full = [seat for seat in full_hands(self.form, self.pieces, self.sizes) if seat in proposal.given]
        if full and "table" not in sent_with().replace.data:
            text = "{players}: the hand is full already. To replace it, tick “Replace full hands”."
            return Message(text, players=tuple(names[seat] for seat in full))
        return None


def told(proposal: TableProposal) -> dict[str, object]:
    """Write a proposal for the page's script."""
    return {
        "hands": [
            {
                "number": hand.number,
                "box": hand.box,
                "seen": [seen.told for seen in hand.seen],
                "doubtful": hand.doubtful,
            }
            for hand in proposal.laid
        ],
        "given": {str(seat): number for seat, number in proposal.given.items()},
        "told": " ".join(map(say, proposal.told)),
    }
