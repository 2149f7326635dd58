"""The layout of a settled round's result: a row per player, and whether chips or scores come first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from flask import request, url_for

from companion.engine.game import AnyGame, AnyRound
from companion.engine.hands.strength import ShownHand
from companion.engine.messages import Message, Units
from companion.engine.money.settlement import Settlement
from companion.engine.questions.entry import questions_of
from companion.store.models import Night

from ..access.lookup import may

PaymentKind = Literal["chips", "score"]  # a settlement's `handovers` of chips, or its `payments`
_COOKIE = "moves"  # has this phone's choice for all single rounds
_CHOICES: Mapping[str, PaymentKind] = {"chips": "chips", "score": "score"}


@dataclass(frozen=True)
class ResultRow:
    """A player's row; `answers` are those that name the player ("dropped") or count something ("exchanged: 2")."""

    player: str
    shown: ShownHand | None
    answers: tuple[str | Message, ...]
    net: int


@dataclass(frozen=True)
class ResultView:
    """The layout of a settled round's result: `rows` from the best hand down, and which payments are `shown_first`.

    Another choice of those is sent to `chosen_at` in a night, for all its phones; the script of a single round's page
    remembers it in `cookie`. Where both are empty, this phone may only look. `during_play` says of each payment how
    much of it was due while the round was played. `in_rows` are the players whose hand is in their row; a sole
    winner's hand is at the top instead.
    """

    rows: tuple[ResultRow, ...]
    in_rows: frozenset[str]
    shown_first: PaymentKind
    cookie: str
    chosen_at: str
    during_play: tuple[Message | None, ...]

    @property
    def turned(self) -> tuple[str, ...]:
        """The players whose hands are revealed, in that order, the best one last."""
        return tuple(row.player for row in reversed(self.rows) if row.shown is not None)


def result_view(settlement: Settlement, round: AnyRound, night: Night | None = None) -> ResultView:
    """Lay out the result of a night's round, or of a single one."""
    rows = sorted(_rows(settlement, round), key=lambda row: _rank(row, settlement))
    alone = settlement.ahead if len(settlement.ahead) == 1 else ()
    shown = frozenset(hand.player for hand in settlement.hands)
    parts = tuple(paid_during_play(payment.amount, paid) for payment, paid in settlement.payments_and_paid)
    return ResultView(tuple(rows), shown - set(alone), shown_first(night), *_remembered(night), parts)


def paid_during_play(amount: int, paid: int | None) -> Message | None:
    """Say how much of a payment was due while the round was played; nothing if none of it was, or it can't be told."""
    if not paid:
        return None
    return (
        Message("already paid if you use chips")
        if paid == amount
        else Message("{n} of it already paid if you use chips", n=Units(paid))
    )


def rarities(game: AnyGame | None, options: Any, settlement: Settlement | None) -> dict[str, Message]:
    """Say how rare each shown hand is, by player; nothing of the lowest, nor if the game doesn't count hands."""
    if game is None or settlement is None:
        return {}
    by_player = game.rarities(options, settlement)
    return {player: rarity.sentence for player, rarity in by_player.items() if rarity.at_least < rarity.of}


def _remembered(night: Night | None) -> tuple[str, str]:
    """Return the cookie that remembers this phone's choice, and the address that takes the night's."""
    if night is None:
        return _COOKIE, ""
    is_open = night.closed_at is None and may("play")
    return "", url_for("night.payments_by", public_id=night.public_id) if is_open else ""


def shown_first(night: Night | None) -> PaymentKind:
    """Return which payments are shown first on all phones of a night, or in a single round on this one. Rule: C-12."""
    chosen = request.cookies.get(_COOKIE, "") if night is None else night.payments_shown
    return _CHOICES.get(chosen, "score")


def _rows(settlement: Settlement, round: AnyRound) -> Iterator[ResultRow]:
    shown = {hand.player: hand for hand in settlement.hands}
    said = {
        question.label: answer if isinstance(answer, tuple) else (answer,)
        for question in questions_of(type(round.entry))
        if question.kind in ("player", "players") and (answer := getattr(round.entry, question.key))
    }
    counted = [(q.label, getattr(round.entry, q.key)) for q in questions_of(type(round.entry)) if q.kind == "counts"]
    net = settlement.net
    for player in settlement.players:
        named = (label for label, players in said.items() if player in players)
        numbers = (Message("{label}: {n}", label=Message(what), n=of[player]) for what, of in counted if player in of)
        yield ResultRow(player, shown.get(player), (*named, *numbers), net[player])


def _rank(row: ResultRow, settlement: Settlement) -> tuple[Any, ...]:
    """Sort rows: winners first, then by place, then players without a hand; ties in turn order."""
    place = row.shown.place if row.shown else len(settlement.players) + 1
    return row.player not in settlement.winners, place, settlement.turn_order.index(row.player)
