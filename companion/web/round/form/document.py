"""Converts between form and contract: builds the form's document, settles it, and shows problems at its fields."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.contract import Entered, read_round
from companion.contract.reading.lookalikes import look_alike
from companion.contract.reading.names import name_problems
from companion.engine.game import AnyRound
from companion.engine.messages import Message
from companion.engine.money.settlement import Settlement
from companion.engine.players import PlayerKey
from companion.engine.problems import Problem
from companion.store.money.stacks import shortfall_message, shortfalls
from companion.table.bets import InFront
from companion.table.showing import lacks_knock

from ...text.language import say
from ...text.money import CHIPS, no_amount, read_amount, two_readings, units
from .answers import answer_to, hand_text, needless_seats
from .fields import RoundField, RoundForm
from .ways import in_place_of_hands

Placed = tuple[tuple[str, RoundField | None], ...]  # problems in words, each with its field (None: the whole form)


@dataclass(frozen=True)
class FormResult:
    """The result of a form: a settlement, or its problems.

    `document` is the round document built from the form; `round` is what was read from it, if it settles; `codes` are
    those of the problems.
    """

    settlement: Settlement | None
    document: dict[str, Any]
    problems: Placed = ()
    round: AnyRound | None = None
    codes: frozenset[str] = frozenset()

    @property
    def fingerprint(self) -> str:
        """A short hash of the entry, to detect changes since it was settled."""
        return hashlib.sha256(json.dumps(self.document).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class ReadForm:
    """A form after reading: the round document built from it, and what the contract made of that."""

    document: dict[str, Any]
    entered: Entered


def read_form(form: RoundForm) -> ReadForm:
    """Read the round as typed."""
    written = document(form)
    return ReadForm(written, read_round(written, are_keys=True))


def settle_form(form: RoundForm, read: ReadForm | None = None) -> FormResult:
    """Settle the round as typed, and show every problem at its field. Pass `read` if the form was already read."""
    read = read or read_form(form)
    round, wrong = read.entered.round, [*wrong_names(form), *missing_answers(form)]
    settlement = None if wrong else read.entered.settlement()
    if round is None or settlement is None:
        return _refused(form, read, wrong)
    short = uncovered(settlement, form)
    if short:
        return FormResult(None, read.document, show_problems(short, form), codes=_codes(short))
    return FormResult(settlement, read.document, (), round)


def _refused(form: RoundForm, read: ReadForm, problems: list[Problem]) -> FormResult:
    """Show everything wrong with a form at its fields: `problems`, and those found by reading it.

    What an answer would solve isn't told beside the question for it.
    """
    is_asked = any(problem.code == "missing-field" for problem in problems)
    for problem in in_place_of_hands(read.entered.problems, form.game):  # an unknown card may be reported twice
        if problem not in problems and not (is_asked and problem.is_open):
            problems.append(problem)
    placed = show_problems(problems, form)
    _mark_other_places(form, problems)
    return FormResult(None, read.document, placed, codes=_codes(problems))


def _codes(problems: Iterable[Problem]) -> frozenset[str]:
    return frozenset(problem.code for problem in problems)


def show_problems(problems: Iterable[Problem], form: RoundForm) -> Placed:
    """Show problems at their fields; returns each in words, with its field."""
    with_fields = ((problem, field_of_path(problem.field, form)) for problem in problems)
    placed = tuple((say(_as_amount(problem, field, form) or problem.message), field) for problem, field in with_fields)
    for text, field in placed:
        if field is not None:
            field.errors = [*field.errors, text]
    return placed


def _as_amount(problem: Problem, field: RoundField | None, form: RoundForm) -> Message | None:
    """Return what is wrong with an amount or another number that can't be read; None for all other problems."""
    if field is None or problem.code not in ("bad-value", "bad-rule-value") or field.kind != "text":
        return None
    common = form.everyone.get(problem.field.split(".")[1]) if problem.field.startswith("round.") else None
    if common is not None:
        text = field.data if field.data.strip() else common.data
        return no_amount(text) if read_amount(text) is None else None
    return two_readings(field.data, CHIPS)


def _mark_other_places(form: RoundForm, problems: list[Problem]) -> None:
    """Put a card that is in two hands at the other hand as well: nobody knows which of them is wrong."""
    for problem in problems:
        other = problem.message.values.get("other")
        if problem.code == "duplicate-card" and isinstance(other, PlayerKey):
            hand = form.seats[form.players.index(other)].hand
            hand.errors = [*hand.errors, say(problem.message)]


def read_rules(form: RoundForm) -> dict[str, object] | None:
    """Read the house rules; None if they have problems, which are shown at their fields."""
    rules = form.typed_rules
    entered = read_round({"game": form.game.key, "rules": rules})
    wrong = [problem for problem in entered.problems if problem.field.startswith("rules.")]
    for problem in wrong:
        field = form.rules[problem.field.removeprefix("rules.")]
        field.errors = [*field.errors, say(problem.message)]
    return None if wrong else rules


def names_by_key(form: RoundForm) -> dict[str, str]:
    """Return the names of a single round's players, for sentences about the rest of it; the usual ones for wrong names.

    A mark distinguishes a usual name from a player who really has that name.
    """
    wrong, names = {problem.field for problem in wrong_names(form)}, form.typed_names
    good = [name for at, name in enumerate(names) if f"players.{at}" not in wrong]
    named = {}
    for at, (player, name) in enumerate(zip(form.players, names, strict=True)):
        usual = usual_name(at + 1)
        mark = " *" if any(look_alike(usual, other) for other in good) else ""
        named[str(player)] = f"{usual}{mark}" if f"players.{at}" in wrong else name
    return named


def usual_name(number: int) -> str:
    """Return the default name of an unnamed player."""
    return say("Player {number}", number=number)


def wrong_names(form: RoundForm) -> list[Problem]:
    """Return what is wrong with the names of a single round's players; a night's were checked when they were added."""
    return [] if form.seated else list(name_problems(form.typed_names))


def missing_answers(form: RoundForm) -> list[Problem]:
    """Return a problem for each question that needs an explicit answer and has none.

    Who knocked needn't be said once another answer tells how play ended.
    """
    if not lacks_knock(form.game, lambda key: form.asked[key].data, form.seat_number):
        return []
    return [
        Problem(f"round.{question.key}", "missing-field", Message(question.help))
        for question in form.game.questions
        if question.explicit and not form.asked[question.key].data
    ]


def document(form: RoundForm) -> dict[str, Any]:
    """Build the form's round document; its players are keys."""
    pieces, needless = form.pieces, needless_seats(form)
    seats = enumerate(zip(form.players, form.seats, strict=True))
    hands = {player: hand_text(seat, pieces) for at, (player, seat) in seats if at not in needless}
    replaced = form.replaced
    questions = [q for q in form.game.questions if q.kind != "bets" and q.key not in replaced]
    asked = {question.key: answer_to(question, form) for question in questions}
    actions = form.played.actions if form.played else {}
    return {**form.before_the_round(), "round": {**asked, **actions, "hands": hands}}


def shown_in_front(form: RoundForm) -> InFront:
    """Return the chips that players have in front of them during a round: their stacks, less their bets so far.

    A player who owes chips has none in front of them.
    """
    played = form.played
    if form.in_front is None:
        return None
    paid = played.state["paid"] if played is not None and played.state is not None else {}
    return {player: max(held - paid.get(player, 0), 0) for player, held in form.in_front.items()}


def uncovered(settlement: Settlement, form: RoundForm) -> list[Problem]:
    """Return a problem for each player who puts in more than their stack, at the bets, the player's total or hand."""
    asked = next((question.key for question in form.game.questions if question.kind == "amounts"), "hands")
    part = form.game.betting_rounds[0].key if asked in form.replaced else asked
    return [
        Problem(
            f"round.{part}.{player}", "bad-value", shortfall_message(player, units(put_in), stack, units(max(stack, 0)))
        )
        for player, (put_in, stack) in shortfalls(settlement, form.in_front or {}).items()
    ]


def field_of_path(path: str, form: RoundForm) -> RoundField | None:
    """Return the field that a problem's path refers to; None for the whole form."""
    first, _, rest = path.partition(".")
    if first == "rules":
        return form.rules[rest]
    if first == "players":
        return form.seats[int(rest)].name if rest else None
    if first != "round":
        common = {"called": form.called, "dealer": form.dealer, "stake": form.stake, "pot": form.pot}
        return common.get(first)
    key, _, player = rest.partition(".")
    if key in (question.key for question in form.game.betting_rounds):
        return form.bets
    if player:
        seat = form.seats[[*map(str, form.players)].index(player)]
        return seat.hand if key == "hands" else seat.answers[key]
    if key in form.asked:
        return form.asked[key]
    ticked = (seat.answers[key] for seat in form.seats if key in seat.answers and seat.answers[key].data)
    return next(ticked, None)
