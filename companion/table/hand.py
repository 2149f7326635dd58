"""The public state of the hand in play: who deals, whose turn it is, what has been bet, who knocked.

It contains no cards, so it can be shown on every phone and on a screen that everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from companion.engine.deal import Deal, LastTurn
from companion.engine.game import AnyGame, seated, turn_order
from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from .bets import Offer, PlayedBets
from .cells import (
    ASKED_BACK,
    BETS_ORDER,
    DEALT,
    GAME,
    HAND,
    KEEPER_SEAT,
    KIND,
    LOT,
    ORDER,
    SENT,
    STAKE,
    TABLE,
    TURN,
    TURNED,
    each,
    hash_of,
)
from .counting import PlayerCounts, counters_of
from .decisions import out_at_once
from .last_turns import Knock, TurnAfterKnock, knock_of
from .moved_seats import moved_since, with_advice
from .next_round import Before, NextRound

# what the table said that no action depends on
_NO_STATE = (GAME, ORDER, BETS_ORDER, LOT, DEALT, SENT, STAKE, KEEPER_SEAT, TURNED)


class HandInPlay:
    """The state of the hand in a night's next round; amounts are in units. Each part is worked out when it is used.

    Nothing is known but the players until as many sit there as the game needs.
    """

    def __init__(self, round: NextRound[Before]) -> None:
        self.round = round
        self.game: AnyGame = round.game
        self.number = round.before.number  # the line that the round will become
        self.players = tuple(round.players)
        self.dealer = round.dealer
        self.is_shown = round.is_shown
        self.is_first_deal = round.before.dealer is None  # nobody has dealt tonight, so the dealer may be drawn by lot
        self._is_played = round.dealer is not None and len(round.players) >= round.game.seats[0]

    @property
    def chooser(self) -> PlayerKey | None:
        """Whose phone may choose this hand's game beside the scorekeeper's: the dealer's, until the hand begins.

        The first game of a night is chosen where the night is started.
        """
        return None if self.is_first_deal or self.round.is_dealt else self.dealer

    @property
    def waits_for_game(self) -> bool:
        """Whether the dealer hasn't chosen the game yet, in a night in which the dealers do; nothing has to wait."""
        is_asked = self.round.before.dealer_chooses and self.chooser is not None
        return is_asked and not self.round.entered(TABLE, GAME)

    @property
    def may_change_players(self) -> bool:
        """Whether more are present than the game allows, so that the table chooses who plays, until the hand begins."""
        return len(self.round.before.present) > self.game.seats[1] and not self.round.is_dealt

    @property
    def keeper(self) -> PlayerKey | None:
        """The player who keeps score, as far as that phone has entered something; None if nobody at the table does."""
        seat = self.round.entered(TABLE, KEEPER_SEAT)
        return next((player for player in self.players if player == seat), None)

    @property
    def by_lot(self) -> bool:
        """Whether the dealer was drawn by lot."""
        lot = self.round.entered(TABLE, LOT)
        return bool(lot) and lot == self.dealer

    @cached_property
    def mark(self) -> str:
        """A hash of this state, sent with each action to detect that the hand has moved on."""
        return hash_of(self._state())

    @cached_property
    def shown_mark(self) -> str:
        """A hash of everything that a phone shows of the hand, by which a page notices that it is out of date.

        That is its state, whether the hands are shown, the counts, the stacks, the stakes, and the line it will become,
        which moves on with a rebuy or a loan.
        """
        of_players = (
            cell for cell in each(self.round.cells) if cell[0] in self.players and cell[1] not in (HAND, KIND)
        )
        stakes = self.round.stake, self.round.before.stake(self.game.key)
        about = {
            "number": self.number,
            "in front": self.round.before.in_front,
            "stakes": stakes,
            "dealt and shown": (self.round.entered(TABLE, DEALT), self.is_shown),
            "waits": (self.waits_for_game, self.round.undecided),
        }
        return hash_of([*self._state(), *of_players, ("", "", about)])

    def _state(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the cells that actions depend on, which excludes cards and counts."""
        for owner, question, value in each(self.round.cells):
            of_player = question == TURN or value is True
            if of_player if owner != TABLE else question not in _NO_STATE:
                yield owner, question, value

    @cached_property
    def _deal(self) -> Deal | None:
        if not self._is_played or self.dealer is None:
            return None
        begun = seated(self.game, self.round.options, self.players, self.dealer)
        return self.game.deal(replace(begun, pot_units=self.round.before.pot))

    @property
    def deal(self) -> tuple[Message, ...]:
        """The sentences of the deal guide."""
        return self._deal.sentences(self.round.stake) if self._deal else ()

    @property
    def ante(self) -> int:
        """The units that everybody puts in before the deal."""
        return self._deal.ante * self.round.stake if self._deal else 0

    @cached_property
    def order(self) -> tuple[PlayerKey, ...]:
        """The turn order, with the dealer last."""
        return turn_order(self.players, self.dealer, self.game.direction) if self._is_played and self.dealer else ()

    # the bets

    @cached_property
    def played(self) -> PlayedBets | None:
        """The bets, if they are entered one by one."""
        return self.round.bets if self._is_played else None

    @property
    def has_bets(self) -> bool:
        return self.played is not None

    @property
    def bets(self) -> tuple[Message, ...]:
        """The actions so far, in words."""
        return tuple(self.played.sentences) if self.played else ()

    def _of_bets(self, key: str, default: Any) -> Any:
        return self.played.state[key] if self.played and self.played.state else default

    @property
    def paid(self) -> Mapping[str, int]:
        """Each player's total, including the ante; without bets that is all."""
        paid: Mapping[str, int] = self._of_bets("paid", {}) if self.has_bets else dict.fromkeys(self.players, self.ante)
        return paid

    @property
    def pot(self) -> int:
        """The pot with what was carried into the round, the antes and the bets."""
        return int(self._of_bets("pot", self.round.before.pot + self.ante * len(self.players) if self._deal else 0))

    @property
    def to_call(self) -> int:
        """What the player in turn needs to call."""
        return self.played.to_call if self.played else 0

    def offer(self, action: str) -> Offer | None:
        """Return the offer of an action such as "raise" to the player in turn; None if it isn't allowed now."""
        return self.played.offer(action) if self.played and not self.moved else None

    @property
    def is_exchange(self) -> bool:
        """Whether it is time to exchange cards, before the second betting round."""
        return self.played is not None and self.played.is_exchange

    @property
    def is_after_exchange(self) -> bool:
        """Whether the second round of betting is on, the exchange before it included."""
        return self.played is not None and self._of_bets("round", None) in list(self.played.actions)[1:]

    @property
    def asked_back(self) -> PlayerKey | None:
        """The player who asks to undo the last action."""
        return self.round.player(self.round.entered(TABLE, ASKED_BACK)) if self.bets else None

    @property
    def all_in(self) -> tuple[PlayerKey, ...]:
        return tuple(self._of_bets("all_in", ()))

    # the knock

    @cached_property
    def knock(self) -> Knock:
        return knock_of(self.round, self.dealer) if self._is_played and self.dealer else Knock()

    @property
    def outright(self) -> PlayerKey | None:
        return self.knock.outright

    @property
    def knock_word(self) -> str:
        return self.knock.word

    @property
    def knocked(self) -> PlayerKey | None:
        return self.knock.by

    @property
    def knock_sentence(self) -> Message | None:
        return self.knock.sentence

    @property
    def last_turns(self) -> tuple[TurnAfterKnock, ...]:
        return self.knock.turns

    @property
    def last_turn(self) -> LastTurn | None:
        """What may be done in the turns after a knock."""
        return self.knock.may

    # both

    @property
    def out(self) -> tuple[PlayerKey, ...]:
        """The players who folded, dropped, or decided to be out."""
        return self.knock.dropped if self.knock.word else tuple(self._of_bets("folded", out_at_once(self.round)))

    @property
    def turn(self) -> PlayerKey | None:
        """The player whose turn it is, in the betting or after a knock; None if unknown."""
        if self.moved:
            return None
        return self.knock.next or (self.played.turn if self.played else None)

    @property
    def is_on_phones(self) -> bool:
        """Whether bets or the knock were entered at the table, not on the round's own page."""
        return self._is_played and bool(self.round.entered(TABLE, ORDER))

    @property
    def is_begun(self) -> bool:
        """Whether somebody has bet or knocked."""
        return self.is_on_phones or bool(self.bets or self.knocked or self.outright)

    @property
    def is_dealt(self) -> bool:
        """Whether the cards are dealt, as somebody said, or as bets and a knock say too."""
        return self.is_begun or bool(self.round.entered(TABLE, DEALT))

    @property
    def is_over(self) -> bool:
        """Whether play has ended, so that hands are entered."""
        if self.knocked or self.outright:
            return self.knock.next is None
        return bool(self._of_bets("over", False))

    @cached_property
    def counters(self) -> tuple[PlayerCounts, ...]:
        """What is counted of each player under the hand's house rules."""
        if not self._is_played:
            return ()
        return counters_of(self.round)

    @property
    def counted(self) -> tuple[PlayerKey, ...]:
        """The players of whom something is counted, in turn order; who has folded exchanges nothing."""
        return tuple(player for player in self.order if not (self.has_bets and player in self.out))

    @cached_property
    def moved(self) -> Message | None:
        """Who left or joined the table since the hand began; None if nobody did."""
        return moved_since(self.round) if self._is_played else None

    @cached_property
    def problem(self) -> Message | None:
        """Why no action is possible now; None if one is."""
        if self.moved:
            return with_advice(self.moved)
        if self.played is not None and self.played.state is None:
            return Message("The bets as entered don't add up; the scorekeeper can fix them")
        return None
