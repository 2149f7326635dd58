"""The table's word: a result stated without hands, as who won or how many points each hand has. Rule: C-13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..game import AnyGame, AnyRound
from ..hands.strength import ShownHand
from ..messages import Message
from ..problems import Problem
from .entry import players_who

WON_BY = "round.won_by"


def who_must_still_show(game: AnyGame, round: AnyRound, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players whose hands are still needed; `asked` are whose would be without the statement."""
    if round.won_by:
        return game.who_must_show_anyway(round)
    points = round.points
    return tuple(player for player in asked if player not in points) if points else asked


def check_word(game: AnyGame, round: AnyRound) -> Iterator[Problem]:
    """Yield problems with the winners the table named, before hands are considered."""
    if not round.won_by:
        return
    if round.points:
        text = "Say who won, or what the hands count, but not both; remove one of them"
        yield Problem(WON_BY, "bad-value", Message(text))
    may_win = {*game.who_must_show(round), *game.who_may_show(round)} if game.has_hands else {*round.players}
    left = players_who(round.entry, "left")
    for player in (player for player in round.won_by if player not in may_win):
        text = "{player} shows no hand in this round, so can't have won it; fix one of the two"
        if player in left:
            text = "{player} was out before the end, so can't have won; fix one of the two"
        yield Problem(WON_BY, "bad-value", Message(text, player=player))


def contradictions(hands: Sequence[ShownHand], winners: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each hand that contradicts the named winners; `hands` are best first."""
    named = [hand for hand in hands if hand.player in winners]
    if not named:
        return
    best, lowest = named[0], named[-1]
    for hand in hands:
        text, against = "", lowest
        if hand.player not in winners and hand.reading.strength >= lowest.reading.strength:
            text = (
                "{player} is not named as a winner, but {player}'s {hand} is as good as {other}'s {against} or better; "
                "fix a hand or who won"
            )
        elif hand.player in winners and hand.reading.strength < best.reading.strength:
            against = best
            text = (
                "{player} and {other} are named as winners, but {player}'s {hand} is below {other}'s {against}; "
                "fix a hand or who won"
            )
        if text:
            values = {"hand": hand.reading.description, "other": against.player, "against": against.reading.description}
            message = Message(text, player=hand.player, **values)
            yield Problem(f"round.hands.{hand.player}", "contradiction", message)
