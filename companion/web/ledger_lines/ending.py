"""The summary of a night: its winner, best hand, biggest pot and turning point, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.games import game_of
from companion.store.history.results import players_of, rank_players
from companion.store.log import ledger
from companion.store.log.typed import with_texts
from companion.store.models import Night, PlannedPayment, SettleUp
from companion.store.money import settle_up
from companion.store.money.paid import paid_before
from companion.store.money.settle_up import ApartPlan
from companion.store.night.reading import NightSums, costs_of, rounds_played, sums_of

from ..access.lookup import account_names
from ..text.language import dated, isolated, say
from ..text.money import signed, units
from .best_hands import BestHand, best_hands_of
from .costs import cost_words
from .payments import paid_words, payment_words

_MINUTES, _MAX_HOURS = 60, 24


@dataclass(frozen=True)
class Highlight:
    """A highlight of a night: whose it was, in which line, and that round's number (None if it isn't a round)."""

    players: tuple[str, ...]
    line: int
    number: int | None

    def named(self, names: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(names[key] for key in self.players)


@dataclass(frozen=True)
class BestHighlight(Highlight):
    """The rarest hand of the night, as its `owner` showed it first; `players` are all who showed the same."""

    hand: BestHand
    owner: str


@dataclass(frozen=True)
class BiggestPot(Highlight):
    """The round whose pot was worth most to its winners, `players`; `amount` is in units. See `won_pot`."""

    amount: int
    game: Message | str


@dataclass(frozen=True)
class Highlights:
    """The best hand, the biggest pot and the turning point of a night; None for those it doesn't have."""

    best: BestHighlight | None
    pot: BiggestPot | None
    turn: Highlight | None


@dataclass(frozen=True)
class Ending(Highlights):
    """The summary of a night, with account keys. `ranked` has what each player who played won or lost in units, highest
    first.

    If `is_more_owed`, the payments are also for loans or buy-ins, by which nobody wins.
    `owed` are the payments that would settle the night; empty if there is a plan. `paid` are those of
    earlier plans, `costs` the plans for costs apart from the games.
    """

    ranked: list[tuple[str, int]]
    is_more_owed: bool
    plan: SettleUp | None
    owed: list[Payment]
    paid: list[Payment]
    costs: list[ApartPlan]

    @property
    def winners(self) -> list[str]:
        """The players who won most; empty if nobody won anything."""
        highest = self.ranked[0][1] if self.ranked else 0
        return [key for key, gained in self.ranked if gained == highest > 0]

    @property
    def payments(self) -> Sequence[PlannedPayment | Payment]:
        """The payments of the plan, or if there is none, those it would have."""
        return self.plan.payments if self.plan else self.owed

    def headline(self, names: Mapping[str, str]) -> str:
        """Return a headline with who won the night."""
        winners = tuple(names[key] for key in self.winners)
        if not winners:
            return say("A night without a winner")
        return say(
            Message("{players} takes the night", "{players} share the night", n=len(winners), players=winners),
        )


def ending_of(night: Night) -> Ending:
    """Summarize a night."""
    balances, sums = ledger.balances(night), sums_of(night)
    won = {key: results[-1] for key, results in sums.results.items()}
    plan, owed = settle_up.plan_or_owed(night)
    paid = paid_before(night, plan)
    is_more_owed = any(balances[key] != units for key, units in won.items())
    return Ending(
        **vars(highlights_of(night, sums)),
        ranked=rank_players(won, players_of(night)),
        is_more_owed=is_more_owed,
        plan=plan,
        owed=owed,
        paid=paid,
        costs=settle_up.apart_plans(night),
    )


def highlights_of(night: Night, sums: NightSums) -> Highlights:
    """Return the highlights of a night, which may still be open."""
    return Highlights(_best(night), _biggest_pot(night, sums), _turning_point(night, sums))


def _best(night: Night) -> BestHighlight | None:
    best = best_hands_of(night)
    if not best:
        return None
    owner, hand = next(iter(best.items()))
    players = tuple(key for key in night.player_keys() if key in best)
    return BestHighlight(players, hand.number, rounds_played(night, hand.number), hand, owner)


def _biggest_pot(night: Night, sums: NightSums) -> BiggestPot | None:
    line = sums.biggest_pot
    if line is None or line.game is None:
        return None
    pot, game = line.pot, game_of(line.game).name
    return BiggestPot(pot.winners, line.number, rounds_played(night, line.number), pot.units, game)


def _turning_point(night: Night, sums: NightSums) -> Highlight | None:
    turn = sums.turning_point if sums.lines and len(sums.players) > 1 else None
    if turn is None:
        return None
    line, player = turn
    return Highlight((player,), line.number, rounds_played(night, line.number) if line.is_round else None)


def lasted(night: Night) -> str:
    """Return how long a closed night lasted; "" if it was closed a day or more later, or the clock was set back."""
    assert night.closed_at is not None
    minutes = int((night.closed_at - night.opened_at).total_seconds()) // _MINUTES
    hours, rest = divmod(minutes, _MINUTES)
    if minutes < 1 or hours >= _MAX_HOURS:
        return ""
    return say("{hours} h {minutes} min", hours=hours, minutes=rest) if hours else say("{n} min", n=rest)


def as_text(night: Night, ended: Ending) -> str:
    """Return the summary of a night as a text message to share."""
    names = account_names(night.group)
    lines = [
        f"{night.group.name}, {dated(night.began, say('d MMMM y'))}",
        ended.headline(names),
        " · ".join(f"{isolated(names[key])} {signed(gained)}" for key, gained in ended.ranked),
    ]
    if ended.best:
        owners, hand = ended.best.named(names), ended.best.hand
        text = "Best hand: {players}, {hand} ({odds})"
        lines.append(say(text, players=owners, hand=hand.words, odds=hand.odds))
    if ended.pot:
        values = {"amount": units(ended.pot.amount), "players": ended.pot.named(names)}
        lines.append(say("Biggest pot: {amount} to {players}", **values))
    if ended.is_more_owed:
        lines.append(say("The payments also cover loans, buy-ins and shared costs, which nobody wins or loses by."))
    lines += [cost_words(cost, names) for cost in with_texts(night.group_id, costs_of(night))]
    lines += [paid_words(payment, names) for payment in ended.paid]
    lines += (payment_words(payment, names) for payment in ended.payments)
    for costs in ended.costs if any(costs.is_open for costs in ended.costs) else ():
        due = costs.plan.payments if costs.plan else costs.owed
        lines += [say("Shared costs"), *(payment_words(payment, names, costs.currency) for payment in due)]
    return "\n".join(lines)
