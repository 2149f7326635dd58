"""What the seats of a form answer: who is out, each question's answer, and the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from typing import Any

from companion.engine.pieces.sets import PieceSet
from companion.engine.players import PlayerKey
from companion.engine.questions.entry import Question
from companion.table.decisions import decision_question
from companion.table.last_turns import outright_question

from ...text.money import amount_typed
from ...text.numbers import read_number, whole_typed
from .fields import RoundForm, SeatFields


def out_seats(form: RoundForm) -> dict[int, str]:
    """Return the seats of those who show no hand, each with why: "folded", "dropped", "mucked" or "foul hand".

    Their own answers say so, or the bets.
    """
    replaced, played = form.replaced, form.played
    folded = played.state["folded"] if played and played.state else ()
    questions = [q for q in form.game.questions if q.kind == "players" and q.meaning in ("left", "lost")]
    out = {}
    for at, (player, seat) in enumerate(zip(form.players, form.seats, strict=True)):
        labels = [q.label for q in questions if q.key not in replaced and seat.answers[q.key].data]
        labels += [q.label for q in questions if q.meaning == "left" and player in folded]
        if labels:
            out[at] = labels[-1]
    return out


def needless_seats(form: RoundForm) -> Collection[int]:
    """Return the seats that show no hand because another player's wins outright. Rules: DO-6, TH-5."""
    question = outright_question(form.game)
    winner = None if question is None else form.seat_number(form.asked[question.key].data)
    return () if winner is None else [seat for seat in range(len(form.seats)) if seat != winner]


def unshown_seats(form: RoundForm) -> Collection[int]:
    """Return the seats whose hands the phones don't show: who is out, and who is left alone by bets or decisions.

    Rules: C-5, GU-4. That player may still show the cards at the table. If a hand wins outright, all others.
    """
    needless = needless_seats(form)
    if needless:
        return needless
    out = out_seats(form)
    wins_alone = form.played is not None or decision_question(form.game) is not None
    return list(range(len(form.seats))) if wins_alone and len(out) == len(form.seats) - 1 else out


def answer_to(question: Question, form: RoundForm) -> object:
    """Return the form's answer to a question, as the round document has it; players are keys."""
    if question.kind == "flag":
        return bool(form.asked[question.key].data)
    if question.kind == "player":
        seat = form.seat_number(form.asked[question.key].data)
        return None if seat is None else form.players[seat]
    answers = {player: seat.answers[question.key].data for player, seat in zip(form.players, form.seats, strict=True)}
    if question.kind in ("players", "winners"):
        return [player for player, ticked in answers.items() if ticked]
    if question.kind == "amounts":
        common, asked = form.everyone[question.key].data, asked_of(question, form)
        answers = {player: text if text.strip() else common for player, text in answers.items() if player in asked}
    read = _READERS.get(question.kind, whole_typed)
    return {player: read(text) for player, text in answers.items() if text.strip()}


def asked_of(question: Question, form: RoundForm) -> list[PlayerKey]:
    """Return the players who are asked a question: all, or those whom another answer names, or doesn't."""
    other = question.not_of or question.only_of
    seats = zip(form.players, form.seats, strict=True)
    return [player for player, seat in seats if not other or seat.answers[other].data == bool(question.only_of)]


def _points(text: str) -> str:
    """Write points with a decimal point, as the contract reads them: 7,5 → 7.5; a ½ stays."""
    points = read_number(text, 1)
    return f"{points:f}" if isinstance(points, Decimal) else text


_READERS: Mapping[str, Callable[[str], object]] = {"amounts": amount_typed, "halves": _points}  # others: whole_typed


def hand_text(seat: SeatFields, pieces: PieceSet[Any]) -> str:
    """Combine a hand's typed line and tapped keys; a card in both counts once."""
    typed = seat.hand.data
    held = Counter(piece.text for piece in map(pieces.find, pieces.tokens(typed)) if piece is not None)
    more = Counter(seat.cards.data) - held
    return " ".join([typed, *more.elements()]).strip()
