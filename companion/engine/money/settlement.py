"""The result of a round: transfers with the rule for each, and the nets and payments derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ..hands.strength import ShownHand
from ..messages import Message
from .odd_units import OddUnits
from .payments import Payment, fewest_payments
from .pots import share

POT = "pot"

When = Literal["while-playing", "after-round", "for-next-pot"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why units move: the key in documents, and when a table playing with chips hands them over (C-12).

    A game declares its own reasons; those that several games share are below.
    """

    key: str
    when: When = "after-round"


ANTE = Reason("ante", "while-playing")
BETS = Reason("bets", "while-playing")
POT_SHARE = Reason("pot")
RETURNED = Reason("returned")  # the part of a bet that nobody else matched
HAND_BONUS = Reason("hand-bonus")
MATCH_POT = Reason("match-pot", "for-next-pot")


@dataclass(frozen=True, slots=True)
class Transfer:
    """Units that move from one account to another; an account is a player or the pot. The amount is always positive."""

    giver: str
    taker: str
    amount: int
    reason: Reason
    rule: str
    because: Message


@dataclass(frozen=True, slots=True)
class Kept:
    """A round's points, where they are kept until somebody has the `total`: before it, and after it.

    `scores` are what the round added, in points: who gave whom how many, and why. Rule: KR-14.
    """

    total: int
    opening: Mapping[str, int]
    scores: tuple[Transfer, ...]
    closing: Mapping[str, int]

    @property
    def scored(self) -> Mapping[str, int]:
        """What the round added, by player."""
        added = dict.fromkeys(self.opening, 0)
        for transfer in self.scores:
            added[transfer.taker] += transfer.amount
        return added

    @property
    def is_over(self) -> bool:
        """Whether somebody had the total, so that all begin again with none."""
        return not any(self.closing.values()) and any({**self.opening, **self.scored}.values())


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled round. `players` are in seat order, `winners` in turn order, `hands` best first.

    `is_by_word`: the table stated the result instead of showing hands (C-13). `kept` are points that the players keep
    instead of paying, None where each round is paid. All other amounts follow from the
    transfers and the pot at the start.
    """

    players: tuple[str, ...]
    turn_order: tuple[str, ...]
    winners: tuple[str, ...]
    hands: tuple[ShownHand, ...]
    decided_by: Message
    pot_opening: int
    transfers: tuple[Transfer, ...]
    is_by_word: bool = False
    kept: Kept | None = None

    @property
    def ahead(self) -> tuple[str, ...]:
        """The winners for the round's headline: those who gained or tie for the best hand shown; all if none did.

        A part of a side pot may be less than what its winner has put in. Whoever won the main pot comes first.
        """
        net, places = self.net, {shown.player: shown.place for shown in self.hands if shown.player in self.winners}
        best = {player for player, place in places.items() if place == min(places.values())}
        ahead = [player for player in self.winners if net[player] > 0 or player in best] or self.winners
        paid = [*dict.fromkeys(t.taker for t in self.transfers if t.giver == POT), *ahead]  # the main pot first
        return tuple(sorted(ahead, key=paid.index))

    @property
    def pot_in(self) -> int:
        return sum([t.amount for t in self.transfers if t.taker == POT])

    @property
    def pot_out(self) -> int:
        return sum([t.amount for t in self.transfers if t.giver == POT])

    @property
    def pot_closing(self) -> int:
        return self.pot_opening + self.pot_in - self.pot_out

    @property
    def net(self) -> Mapping[str, int]:
        """Each player's gain or loss in units, in seat order. Together with the change in the pot they sum to 0."""
        moved = dict.fromkeys([*self.players, POT], 0)
        for transfer in self.transfers:
            moved[transfer.giver] -= transfer.amount
            moved[transfer.taker] += transfer.amount
        del moved[POT]
        return moved

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The fewest payments that give everyone their net; the pot is one of the accounts if it changed."""
        net = self.net
        return fewest_payments({**net, POT: -sum(net.values())})

    @property
    def paid_while_playing(self) -> tuple[Payment, ...]:
        """What players paid during play, such as antes, bets and fees: into the pot, then to each other, in turn order.

        Rule: C-12.
        """
        sums: dict[tuple[str, str], int] = {}
        for transfer in self.transfers:
            if transfer.reason.when == "while-playing":
                sums[transfer.giver, transfer.taker] = sums.get((transfer.giver, transfer.taker), 0) + transfer.amount
        position = {account: at for at, account in enumerate((POT, *self.turn_order))}
        pairs = sorted(sums, key=lambda pair: (pair[1] != POT, position[pair[0]], position[pair[1]]))
        return tuple(Payment(giver, taker, sums[giver, taker]) for giver, taker in pairs)

    @property
    def handovers(self) -> tuple[Payment, ...]:
        """The chips still to be handed over after the round: all transfers that weren't made during play, combined.

        Ordered: what players pay each other or into this round's pot, what the pot pays out, what goes into the next
        pot. Within each, opposite amounts between two accounts are offset. Rule: C-12.
        """
        sums: dict[tuple[int, str, str], int] = {}
        for transfer in self.transfers:
            if transfer.reason.when != "while-playing":
                stage = 2 if transfer.reason.when == "for-next-pot" else 1 if transfer.giver == POT else 0
                key = stage, transfer.giver, transfer.taker
                sums[key] = sums.get(key, 0) + transfer.amount
        position = {account: at for at, account in enumerate((*self.turn_order, POT))}
        handovers = []
        for key in sorted(sums, key=lambda k: (k[0], position[k[1]], position[k[2]])) if len(sums) > 1 else sums:
            stage, giver, taker = key
            amount = sums[key] - sums.get((stage, taker, giver), 0)
            if amount > 0:
                handovers.append(Payment(giver, taker, amount))
        return tuple(handovers)

    @property
    def payments_and_paid(self) -> tuple[tuple[Payment, int | None], ...]:
        """The `payments`, each with how much of it was due while the round was played; the rest is due at its end.

        None for all where a player hands chips to somebody whom the payments don't name: who handed over the rest of
        some would still not be even. None for what a carried pot pays. Rule: C-12.
        """
        payments = self.payments
        amounts = {(payment.payer, payment.payee): payment.amount for payment in payments}
        rests = {(move.payer, move.payee): move.amount for move in self.handovers}
        others = {payer for payer, payee in rests if rests[payer, payee] > amounts.get((payer, payee), 0)}
        untold = others if others <= {POT} else {POT, *self.players}
        paid = ((one, one.amount - rests.get((one.payer, one.payee), 0)) for one in payments)
        return tuple((one, None if one.payer in untold else part) for one, part in paid)


@dataclass(frozen=True, slots=True)
class WonPot:
    """What a round's pot paid to those who won it: the units, and the winners in the order they were paid."""

    units: int
    winners: tuple[str, ...]


def won_pot(moves: Iterable[tuple[str, str, int, Reason]]) -> WonPot:
    """Return what was won from a round's pot, given its transfers as (giver, taker, units, reason).

    That is what the pot paid out, a carried part included, but not: the part of a bet that nobody else matched,
    whether a rule returned it (DP-7) or it came back with the pot after everybody else folded; and what others paid
    for the winners to share (KP-6, KP-14), which only passes through the pot.
    """
    staked, paid = Counter[str](), Counter[str]()
    passing = 0
    for giver, taker, units, reason in moves:
        if giver == POT:
            paid[taker] += units
        elif taker == POT and reason in (ANTE, BETS):
            staked[giver] += units
        elif taker == POT and reason.when == "after-round":
            passing += units
    (highest, most), (_, matched) = [*staked.most_common(2), ("", 0), ("", 0)][:2]
    paid[highest] -= most - matched
    won = {player: units for player, units in paid.items() if units > 0}
    return WonPot(max(sum(won.values()) - passing, 0), tuple(won))


class RoundToSettle(Protocol):
    """The parts of a round that its settlement needs."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def turn_order(self) -> tuple[str, ...]: ...
    @property
    def pot_units(self) -> int: ...
    @property
    def won_by(self) -> tuple[str, ...]: ...
    @property
    def points(self) -> Collection[str]: ...


@dataclass
class Book:
    """The transfers of a round while it is being settled, booked in the order in which they are explained."""

    pot: int
    transfers: list[Transfer] = field(default_factory=list)

    def move(self, giver: str, taker: str, amount: int, reason: Reason, rule: str, because: Message) -> None:
        """Book a transfer; an amount of 0 is ignored."""
        assert amount >= 0 and giver != taker
        if amount == 0:
            return
        self.pot += amount * ((taker == POT) - (giver == POT))
        assert self.pot >= 0
        self.transfers.append(Transfer(giver, taker, amount, reason, rule, because))

    def antes(self, players: Iterable[str], amount: int, rule: str) -> None:
        """Have each player, given in turn order, pay the ante into the pot."""
        for player in players:
            self.move(player, POT, amount, ANTE, rule, Message("ante"))

    def antes_and_bets(self, players: Sequence[str], paid: Mapping[str, int], ante: int, rule: str) -> None:
        """Have the players, given in turn order, pay into the pot: first everyone's ante, then everyone's bets."""
        for player in players:
            self.move(player, POT, min(paid[player], ante), ANTE, rule, Message("ante"))
        for player in players:
            self.move(player, POT, max(paid[player] - ante, 0), BETS, rule, Message("bets"))

    def pay_out(
        self,
        amount: int,
        winners: Sequence[str],
        rule: str,
        because: Message,
        *,
        odd_stays: bool = False,
        odd: OddUnits | None = None,
        reason: Reason = POT_SHARE,
    ) -> None:
        """Pay units from the pot to the winners in equal shares; winners are in turn order. Rule: C-3.

        The odd units go as `odd` says; without it to the first in turn order, or to nobody with `odd_stays`.
        """
        order = odd.order if odd else winners
        parts = share(amount, order or winners, odd_stays=odd_stays or not order)
        least = min(parts.values())
        for player in winners:
            why = because
            if odd and odd.why and parts[player] > least:
                why = Message("{why}; the odd chip for {what}", why=because, what=odd.why)
            self.move(POT, player, parts[player], reason, rule, why)

    def settlement(
        self, round: RoundToSettle, winners: tuple[str, ...], hands: tuple[ShownHand, ...], decided_by: Message
    ) -> Settlement:
        """Return the settlement with all transfers booked."""
        return Settlement(
            round.players,
            round.turn_order,
            winners,
            hands,
            decided_by,
            round.pot_units,
            tuple(self.transfers),
            is_by_word=bool(round.won_by or round.points),
        )
