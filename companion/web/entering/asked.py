"""The questions that a round's page asks, which depend on the house rules, and those that it had not asked yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.questions.entry import Question

from ..round.form.fields import RoundForm
from ..round.form.sent_with import sent_with


def questions_asked(form: RoundForm) -> list[Question]:
    """Return the questions of a page: those that matter under its rules, or have a value or an error."""
    options = form.options
    return [question for question in form.game.questions if _is_asked(question, form, options)]


def asks(form: RoundForm, questions: Iterable[Question], *, is_of_night: bool) -> str:
    """Name the page's questions that only some rules ask, as it sends them back.

    Points kept from earlier rounds are among them in a night, which knows them without asking.
    """
    known = {question.key for question in form.game.questions if is_of_night and question.kind == "kept"}
    return " ".join(sorted(known | _only_with_a_rule(questions)))


def newly_asked(questions: Iterable[Question]) -> set[str]:
    """Return the keys of questions that matter under the rules as sent, but that the page sent had not asked.

    Without JavaScript a rule can be changed and the round settled at once; the questions would count as answered "no".
    Empty if the form says nothing of its questions.
    """
    before = sent_with().asks.data
    return set() if before is None else _only_with_a_rule(questions) - set(before.split())


def _only_with_a_rule(questions: Iterable[Question]) -> set[str]:
    return {question.key for question in questions if question.only_with}


def _is_asked(question: Question, form: RoundForm, options: Any) -> bool:
    if not question.only_with or getattr(options, question.only_with) != getattr(type(options), question.only_with):
        return True
    fields = [
        part[question.key] for part in (form.asked, *(seat.answers for seat in form.seats)) if question.key in part
    ]
    return any(field.data or field.errors for field in fields)
