"""What a player's own phone shows: their balance tonight, and whom they pay, or who pays them, after each round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT, Settlement
from companion.engine.players import PlayerKey
from companion.store.models import Night, Revision
from companion.store.money import settle_up
from companion.store.night.before_round import BeforeRound
from companion.store.night.reading import rounds_of, rounds_played

from ..access.lookup import revision_settled
from ..text.money import PAGES, signed, units
from .result import PaymentKind, paid_during_play, shown_first
from .told import News, left_sentences, news_for

_MAX_ROUNDS = 5  # after a phone was asleep; the list of rounds has the others

_Way = PaymentKind | Literal["paid", "costs"]
# in this order: I pay a player, I pay the pot, the pot pays me, a player pays me
_SENTENCES: dict[_Way, tuple[str, str, str, str]] = {
    "chips": (
        "You give {player} {amount}",
        "You put {amount} into the pot",
        "You take {amount} from the pot",
        "{player} gives you {amount}",
    ),
    "score": (
        "You pay {player} {amount}",
        "You pay the pot {amount}",
        "You get {amount} from the pot",
        "{player} pays you {amount}",
    ),
    "paid": (
        "You gave {player} {amount}",
        "You have put {amount} into the pot",
        "You took {amount} from the pot",
        "{player} gave you {amount}",
    ),
    "costs": (
        "You pay {player} {amount} for shared costs",
        "You pay the pot {amount}",
        "You get {amount} from the pot",
        "{player} pays you {amount} for shared costs",
    ),
}


class Told(NamedTuple):
    """A payment that a player makes or gets: the other account, a sentence, and how much of it was due during play.

    `costs` is the currency if it is for costs that are settled apart from the games.
    """

    other: str
    sentence: Message
    during_play: Message | None = None
    costs: str | None = None


@dataclass(frozen=True)
class OwnResult:
    """A player's part in a round: the net, and what is paid.

    `number` is the round's as players count them. `paid` is what was handed over while it was played, where `moves` are
    only the rest. Rule: C-12.
    """

    number: int
    net: str
    moves: tuple[Told, ...]
    paid: tuple[Told, ...] = ()

    @property
    def spoken(self) -> tuple[Message, ...]:
        """The sentences, for reading aloud."""
        return tuple(move.sentence for move in self.moves)


@dataclass(frozen=True)
class Mine:
    """A player's summary of the night: the player, what they won in units, and the newest rounds, newest first.

    `has_more`: costs, loans and the like are in the balance too. `leaders` says who is ahead, and with how much; None
    if this player is among them. `closing` are the payments left after the night was closed. `left` says that the
    player left the table, with what is still owed, and `news` that a round was corrected. `short` says how many chips a
    player lacks who lost more than their stack.
    """

    player: PlayerKey
    net: int
    has_more: bool
    leaders: Message | None
    rounds: tuple[OwnResult, ...]
    closing: tuple[Told, ...]
    left: tuple[Message, ...] = ()
    news: News | None = None
    short: Message | None = None


def my_part(me: PlayerKey | None, now: BeforeRound, since: int | None = None, until: int | None = None) -> Mine | None:
    """Return the summary for a player; None without one, on a phone that no player has taken.

    `now` knows the night as it stands. The summary has the rounds after line `since` up to line `until`; by default the
    newest one, or none once the night is closed.
    """
    if me is None:
        return None
    night = now.night
    if night.closed_at is not None and until is None:
        lines = []  # what is left to pay counts, not the last round
    else:
        lines = rounds_of(night, None if until is None else until + 1, 1 if since is None else _MAX_ROUNDS)
    parts = []
    for line in lines:
        saved = revision_settled(line.current) if line.number > (since or 0) else None
        if saved is not None and me in saved.settlement.players:
            number = rounds_played(night, line.number)
            parts.append(_part(number, saved.settlement, me, night))
    won = now.won.get(me, 0)
    return Mine(
        me,
        won,
        now.balances.get(me, 0) != won,
        _leaders(now.won, me, night),
        tuple(parts),
        _closing(night, me) if night.closed_at else (),
        left_sentences(night, me),
        _news(night, me) if until in (None, now.number - 1) else None,
        _short(me, now),
    )


def _short(me: PlayerKey, now: BeforeRound) -> Message | None:
    """Tell a player at the table who lost more than their stack how much is missing; the others nothing."""
    stacks = None if now.night.closed_at is not None else now.stacks
    if stacks is None or me not in stacks.out or stacks.held[me] >= 0:
        return None
    return Message("You are {amount} short: buy chips, then hand over the rest.", amount=units(-stacks.held[me]))


def _news(night: Night, me: PlayerKey) -> News | None:
    """Return what is announced, with what the player now pays and gets in the changed round."""
    news = news_for(night, me)
    if news is None:
        return None
    before, now = (_between(revision, me, night) for revision in news.revisions)
    pays = []
    for other, (amount, sentence) in now.items():
        was, told = before.get(other, (0, sentence))
        if amount != was:
            # the amount alone, unless it was paid the other way round
            said = told if amount * was < 0 else units(abs(was))
            pays.append(Message("{now} (before: {was})", now=sentence, was=said))
    return replace(news, pays=pays)


def _between(revision: Revision, me: PlayerKey, night: Night) -> dict[str, tuple[int, Message]]:
    """Return what a player gets from each other account in a revision, less than 0 if it is paid, with the sentence."""
    told = revision_settled(revision)
    if told is None:
        return {}
    by_chips = shown_first(night) == "chips"
    moves = [
        move
        for move in (told.settlement.handovers if by_chips else told.settlement.payments)
        if me in (move.payer, move.payee)
    ]
    said = _payments_of(me, moves, "chips" if by_chips else "score")
    amounts = (move.amount if move.payee == me else -move.amount for move in moves)
    return {one.other: (amount, one.sentence) for one, amount in zip(said, amounts, strict=True)}


def _leaders(won: Mapping[str, int], me: PlayerKey, night: Night) -> Message | None:
    won = {player: won[player] for player in night.player_keys() if player in won}
    best = max(won.values(), default=0)
    if won.get(me, 0) >= best:
        return None
    ahead = tuple(player for player, net in won.items() if net == best)
    net = signed(best)
    if night.closed_at is not None:
        if len(ahead) > 1:
            return Message("{players} won the night, with {net}.", players=ahead, net=net)
        return Message("{player} won the night, with {net}.", player=ahead[0], net=net)
    if len(ahead) > 1:
        return Message("{players} lead with {net}.", players=ahead, net=net)
    return Message("{player} leads with {net}.", player=ahead[0], net=net)


def _part(number: int, settlement: Settlement, me: PlayerKey, night: Night) -> OwnResult:
    net = signed(settlement.net[me])
    if shown_first(night) == "chips":
        paid = _payments_of(me, settlement.paid_while_playing, "paid")
        return OwnResult(number, net, tuple(_payments_of(me, settlement.handovers, "chips")), tuple(paid))
    own = [(payment, part) for payment, part in settlement.payments_and_paid if me in (payment.payer, payment.payee)]
    moves = tuple(
        move._replace(during_play=paid_during_play(payment.amount, part))
        for move, (payment, part) in zip(_payments_of(me, (payment for payment, _ in own), "score"), own, strict=True)
    )
    return OwnResult(number, net, moves)


def _payments_of(me: PlayerKey, moves: Iterable[Payment], way: _Way, costs: str | None = None) -> Iterator[Told]:
    """Yield every payment a player makes or gets; with `costs` those for costs in that currency."""
    give, put, take, get = _SENTENCES[way]
    for move in moves:
        if me not in (move.payer, move.payee):
            continue
        other = move.payee if move.payer == me else move.payer
        if other == POT:
            yield Told(POT, Message(put if move.payer == me else take, amount=units(move.amount)))
        else:
            said, amount = give if move.payer == me else get, units(move.amount, costs or PAGES)
            yield Told(other, Message(said, player=PlayerKey(other), amount=amount), costs=costs)


def _closing(night: Night, me: PlayerKey) -> tuple[Told, ...]:
    """Return the payments a player still has to make or get after the night; by its plans, if there are some."""
    plan, rests = settle_up.plan_or_owed(night)
    if plan is not None:
        # a plan of the whole group has its own page
        rests = settle_up.rests_of(plan) if plan.night_id is not None else []
    due = [*_payments_of(me, rests, "score")]
    for costs in settle_up.apart_plans(night):
        rests = settle_up.rests_of(costs.plan) if costs.plan else costs.owed
        due += _payments_of(me, rests, "costs", costs.currency)
    return tuple(due)
