"""Rounds with betting: checks what was paid, and decides who wins which part of the pot.

The table enters either what each player paid, or the actions, from which `actions` computes it. The games supply the
rule ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..allowed import Action
from ..game import AnyRound
from ..hands.strength import ShownHand, best, describe_decision
from ..messages import Message
from ..money.odd_chips import odd_units
from ..money.pots import Layer, layers
from ..money.settlement import POT, RETURNED, Book, Settlement
from ..problems import Problem
from ..questions.entry import players_who
from ..questions.unshown import check_somebody_wins, field_of_lost, nobody_else_shows, without_lost
from .actions import Betting, Limits, first_round, play


class BetOptions(Protocol):
    """The house rules that a game with betting declares."""

    @property
    def ante(self) -> int: ...
    @property
    def all_in(self) -> bool: ...
    @property
    def minimum_bet(self) -> int: ...
    @property
    def maximum_bet(self) -> int: ...
    @property
    def minimum_raise(self) -> int: ...
    @property
    def maximum_raise(self) -> int: ...
    @property
    def most_raises(self) -> int: ...


class BetEntry(Protocol):
    """The answers that a game with betting asks for."""

    @property
    def paid(self) -> Mapping[str, int]: ...
    @property
    def folded(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class BetRules:
    """The rule ids that a game gives its transfers."""

    bets: str
    pot: str
    tied_pot: str
    side_pot: str


def check_limits(options: BetOptions) -> Iterator[Problem]:
    """Yield a problem if the smallest bet or raise is above the largest. Rule: DP-8, DP-9.

    A raise limit of 0 falls back to the bet's limit. If neither raise limit is set, a conflict is reported only once,
    for the bet.
    """
    least, most = options.minimum_bet, options.maximum_bet
    if 0 < most < least:
        text = "The largest bet of {most} is below the smallest of {least}; change one of them, or set it to 0 for none"
        yield Problem("rules.maximum_bet", "bad-value", Message(text, least=least, most=most))
    if not options.minimum_raise and not options.maximum_raise:
        return
    least, most = options.minimum_raise or least, options.maximum_raise or most
    if 0 < most < least:
        field = "rules.maximum_raise" if options.maximum_raise else "rules.minimum_raise"
        text = (
            "The largest raise of {most} is below the smallest of {least}; change one of them. "
            "A limit of 0 is the same as for a bet"
        )
        yield Problem(field, "bad-value", Message(text, least=least, most=most))


def play_bets(round: AnyRound, actions_by_key: Mapping[str, Sequence[Action]], *, caller_may_raise: bool) -> Betting:
    """Play a deal's betting rounds, in the order of `actions_by_key` (by key of the question). Rule: DP-8, DP-9, DR-7.

    Every player starts by paying the full ante. If someone couldn't, the table enters totals instead of actions.
    """
    options: BetOptions = round.options
    limits = Limits(
        minimum=round.units(options.minimum_bet),
        maximum=round.units(options.maximum_bet),
        all_in=options.all_in,
        caller_may_raise=caller_may_raise,
        minimum_raise=round.units(options.minimum_raise),
        maximum_raise=round.units(options.maximum_raise),
        most_raises=options.most_raises,
        raise_as_last=getattr(options, "raise_as_last", False),
        short_all_in_reopens=getattr(options, "short_all_in_reopens", True),
    )
    return play(actions_by_key, first_round(round.turn_order, round.units(options.ante), limits))


def stayed(round: AnyRound) -> tuple[str, ...]:
    """Return those who didn't fold, in turn order."""
    return round.others(*round.entry.folded)


def who_may_win(round: AnyRound) -> tuple[str, ...]:
    """Return those who stayed in without a foul hand or a muck, in turn order. Rule: C-15."""
    return without_lost(round, stayed(round))


def who_must_show(round: AnyRound) -> tuple[str, ...]:
    """Return everyone who may win, or nobody if only one player may. Rule: C-5, C-15."""
    players = who_may_win(round)
    return players if len(players) > 1 else ()


def who_must_show_anyway(round: AnyRound) -> tuple[str, ...]:
    """Return who could win a part of the pot that none of the named winners paid into. Rule: C-13, DP-7."""
    paid: Mapping[str, int] = round.entry.paid
    if not round.options.all_in or len(who_may_win(round)) < 2 or any(player not in paid for player in round.players):
        return ()
    cut = _layers(round)
    open_parts = [layer.players for layer in cut if len(layer.players) > 1 and not {*layer.players} & {*round.won_by}]
    return tuple(player for player in round.turn_order if any(player in players for players in open_parts))


def _layers(round: AnyRound) -> tuple[Layer, ...]:
    """Split the pot; `players` of each part are those who may win it. Rule: DP-7, C-15.

    Who is alone in a part needn't show for it. Of several, a foul hand or a muck has lost it.
    """
    cut = layers({player: round.entry.paid[player] for player in round.turn_order}, round.entry.folded, round.pot_units)
    lost = players_who(round.entry, "lost")
    return tuple(_without(lost, layer) if len(layer.players) > 1 else layer for layer in cut) if lost else cut


def _without(lost: Collection[str], layer: Layer) -> Layer:
    left = tuple(player for player in layer.players if player not in lost)
    return replace(layer, players=left, is_unshown=len(left) < len(layer.players))


def _check_parts_are_won(round: AnyRound) -> Iterator[Problem]:
    """Yield a problem for each part of the pot that nobody is left to win. Rule: DP-7, C-15."""
    if not who_may_win(round) or any(player not in round.entry.paid for player in round.players):
        return
    if any(not layer.players for layer in _layers(round)):
        text = "Nobody shows for a part of the pot that several paid into; untick one of them"
        yield Problem(field_of_lost(round), "bad-value", Message(text))


def check_paid(round: AnyRound) -> Iterator[Problem]:
    """Yield problems with who paid what, and who may win it. Rule: DP-1, DP-7."""
    options: BetOptions = round.options
    entry: BetEntry = round.entry
    paid, ante = entry.paid, round.units(options.ante)
    left = stayed(round)
    if not left:
        yield Problem(
            "round.folded", "bad-value", Message("Not everybody can fold; the last one left takes the pot, untick one")
        )
    else:
        yield from check_somebody_wins(round, left)
        yield from _check_parts_are_won(round)
    most = max((paid[player] for player in left if player in paid), default=None)
    for player in (p for p in round.players if p in paid):
        field, units = f"round.paid.{player}", paid[player]
        has_folded = player in entry.folded
        if units < ante and not (options.all_in and not has_folded):
            yield Problem(
                field,
                "bad-value",
                Message("{player} paid {units}, less than the ante of {ante}", player=player, units=units, ante=ante),
            )
        if most is None or units == most:
            continue
        values = {"player": player, "units": units, "most": most}
        if has_folded and units > most:
            template = "{player} folded but paid {units}, more than the {most} of those who stayed; fix one of them"
            yield Problem(field, "unequal-bets", Message(template, **values))
        if not has_folded and not options.all_in:
            template = "{player} stayed in for {units}, others for {most}; fix it, mark a fold, or turn all-in on"
            yield Problem(field, "unequal-bets", Message(template, **values))


def settle_antes(round: AnyRound, rule: str, decided: Message) -> Settlement:
    """Settle a round nobody won: everything paid (the antes, if no totals are given) stays in the pot. Rule: DR-8."""
    book = Book(round.pot_units)
    ante = round.units(round.options.ante)
    book.antes_and_bets(round.turn_order, round.entry.paid or dict.fromkeys(round.players, ante), ante, rule)
    return book.settlement(round, (), (), decided)


def settle_bets(round: AnyRound, hands: Sequence[ShownHand], rules: BetRules) -> Settlement:
    """Settle a round with betting. Each part of the pot goes to the last player left, or to the best hand.

    Rule: DP-1, DP-7.
    """
    entry: BetEntry = round.entry
    book = Book(round.pot_units)
    ante = round.units(round.options.ante)
    book.antes_and_bets(round.turn_order, entry.paid, ante, rules.bets)
    left = stayed(round)
    if len(left) == 1:
        (winner,) = left
        why = Message("everyone else folded")
        book.pay_out(book.pot, left, rules.pot, why)
        decided = Message("Everyone else folded, so {player} takes the pot", player=winner)
        return book.settlement(round, left, tuple(hands), decided)
    return _settle_layers(round, hands, rules, book)


def _settle_layers(round: AnyRound, hands: Sequence[ShownHand], rules: BetRules, book: Book) -> Settlement:
    cut, eligible = _layers(round), who_may_win(round)
    winners: set[str] = set()
    for layer in cut:
        if layer.goes_back:
            (player,) = layer.players
            why = Message("nobody else paid into this part of the pot")
            book.move(POT, player, layer.units, RETURNED, rules.side_pot, why)
            continue
        takers = _takers(layer, hands, round)
        winners.update(takers)
        # a better hand may be shown by somebody who paid nothing, and so has no share of the only part
        is_part = len(cut) > 1 or len(layer.players) < len(eligible)
        rule = rules.side_pot if round.options.all_in else rules.tied_pot if len(takers) > 1 else rules.pot
        odd = odd_units(round, takers)
        book.pay_out(layer.units, takers, rule, _why(layer, takers, hands, is_part), odd=odd)
    # a player who only gets an unmatched bet back didn't win anything
    may_win = {player for layer in cut if not layer.goes_back for player in layer.players}
    contending = [hand for hand in hands if hand.player in may_win]
    in_order = tuple(player for player in round.turn_order if player in winners)
    if len(eligible) > 1:
        decided, first = describe_decision(contending, round.won_by), round.won_by or best(contending)
    else:
        first = tuple(player for player in in_order if player in eligible) or in_order
        decided = nobody_else_shows(first)
    others = tuple(player for player in in_order if player not in first)
    if others:
        one, many = "{decided}; {players} wins a side pot", "{decided}; {players} win side pots"
        decided = Message(one, many, n=len(others), decided=decided, players=others)
    return book.settlement(round, in_order, tuple(hands), decided)


def _takers(layer: Layer, hands: Sequence[ShownHand], round: AnyRound) -> tuple[str, ...]:
    """Return who takes a part of the pot, in turn order.

    If the table named winners who can win it, it's those; else the only player who can, or the best hands.
    """
    named = tuple(player for player in round.won_by if player in layer.players)
    if named or len(layer.players) == 1:
        return named or layer.players
    places = {hand.player: hand.place for hand in hands if hand.player in layer.players}
    first = min(places.values())
    return tuple(player for player in round.turn_order if places.get(player) == first)


def _why(layer: Layer, takers: Sequence[str], hands: Sequence[ShownHand], is_part: bool) -> Message:
    """Return why they take a layer; `is_part` unless everybody who stayed in can win it, and nothing else is won."""
    description = next((hand.reading.description for hand in hands if hand.player in takers), None)
    if len(layer.players) == 1:
        if layer.is_unshown:
            return Message("nobody else shows a hand for this part of the pot")
        return Message("nobody else who stayed in paid into this part of the pot")
    if description is None:
        return Message("best hand of {players}, as the table decided", players=layer.players)
    if is_part:
        return Message("{hand} is best of {players} in this part of the pot", hand=description, players=layer.players)
    return Message("best hand: {hand}", hand=description)
