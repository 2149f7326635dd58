"""What a night came to: who won it, its best hand, biggest pot and turning point, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.messages import Message
from companion.engine.payments import Payment
from companion.engine.settlement import POT
from companion.games import all_games
from companion.store import history, ledger, play, settle_up
from companion.store.models import PlannedPayment, PlaySession, SettleUp
from companion.store.night import Night, night_of, rounds_played

from ..access.lookup import account_names
from ..text.language import dated, say
from ..text.money import signed, units
from .best_hands import BestHand, best_hands
from .payments import payment_words

_MINUTES, _LONGEST_HOURS = 60, 24


@dataclass(frozen=True)
class Moment:
    """Something to tell of a night: whose it was, the line it happened in, and the round's number (None: no round)."""

    players: tuple[str, ...]
    line: int
    number: int | None


@dataclass(frozen=True)
class BestMoment(Moment):
    """The rarest hand."""

    hand: BestHand


@dataclass(frozen=True)
class BiggestPot(Moment):
    """The round in which the pot paid most, and what it was."""

    amount: int
    game: Message | str


@dataclass(frozen=True)
class Ending:
    """What a night came to, accounts by their key; `ranked` has who is ahead first."""

    ranked: list[tuple[str, int]]
    best: BestMoment | None
    pot: BiggestPot | None
    turn: Moment | None
    plan: SettleUp | None
    owed: list[Payment]

    @property
    def winners(self) -> list[str]:
        """Who came out highest; nobody where nobody gained."""
        highest = self.ranked[0][1] if self.ranked else 0
        return [key for key, gained in self.ranked if gained == highest > 0]

    @property
    def payments(self) -> Sequence[PlannedPayment | Payment]:
        """Who pays whom: as planned, or as it would be."""
        return self.plan.payments if self.plan else self.owed

    def headline(self, names: Mapping[str, str]) -> str:
        """Say in a line who won the night."""
        winners = tuple(names[key] for key in self.winners)
        if not winners:
            return say(Message("A night without a winner"))
        return say(
            Message("{players} takes the night", "{players} share the night", n=len(winners), players=winners),
        )


def ending_of(session: PlaySession) -> Ending:
    """Work out what a night came to."""
    balances, night = ledger.balances(session), night_of(session)
    plan = settle_up.plan_for(session)
    return Ending(
        ranked=sorted(((key, balances[key]) for key in night.players), key=lambda one: -one[1]),
        best=_best(session),
        pot=_biggest_pot(session, night),
        turn=_turning_point(session, night),
        plan=settle_up.find_plan(plan.public_id) if plan else None,
        owed=[] if plan else settle_up.planned(settle_up.owed_in_session(session)),
    )


def _best(session: PlaySession) -> BestMoment | None:
    best = history.best_of(session)
    if best is None:
        return None
    hand = best_hands([best])[best[0], best[1].best_line_id]
    return BestMoment((str(best[0]),), hand.number, rounds_played(session, hand.number), hand)


def _biggest_pot(session: PlaySession, night: Night) -> BiggestPot | None:
    line = night.biggest_pot
    stored = play.find_line(session, line.number) if line else None
    if line is None or stored is None or stored.game is None:
        return None
    takers = tuple(dict.fromkeys(taker for giver, taker, _ in line.moves if giver == POT))
    game = all_games()[stored.game].name
    return BiggestPot(takers, line.number, rounds_played(session, line.number), line.paid_out, game)


def _turning_point(session: PlaySession, night: Night) -> Moment | None:
    turn = night.turning_point if night.lines and len(night.players) > 1 else None
    if turn is None:
        return None
    line, player = turn
    return Moment((player,), line.number, rounds_played(session, line.number) if line.is_round else None)


def lasted(session: PlaySession) -> str:
    """Say how long a closed night was; nothing where it was closed long after everybody had gone home."""
    assert session.closed_at is not None
    minutes = int((session.closed_at - session.opened_at).total_seconds()) // _MINUTES
    hours, rest = divmod(minutes, _MINUTES)
    if not minutes or hours >= _LONGEST_HOURS:
        return ""
    return say(Message("{hours} h {minutes} min", hours=hours, minutes=rest) if hours else Message("{n} min", n=rest))


def as_text(session: PlaySession, ended: Ending) -> str:
    """Write the end of a night as a message to send."""
    names = account_names(session)
    told = [
        f"{session.group.name}, {dated(session.opened_at, say(Message('d MMMM y')))}",
        ended.headline(names),
        " · ".join(f"{names[key]} {signed(gained)}" for key, gained in ended.ranked),
    ]
    if ended.best:
        owner, hand = names[ended.best.players[0]], ended.best.hand
        text = "Best hand: {player}, {hand} ({odds})"
        told.append(say(Message(text, player=owner, hand=hand.words, odds=hand.odds)))
    if ended.pot:
        takers = tuple(names[key] for key in ended.pot.players)
        told.append(say(Message("Biggest pot: {amount} to {players}", amount=units(ended.pot.amount), players=takers)))
    return "\n".join([*told, *(payment_words(payment, names) for payment in ended.payments)])
