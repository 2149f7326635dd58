"""What is missing where a page asks for the result instead of the hands: who won, or everyone's points."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.problems import Problem
from companion.engine.questions.entry import Question


def asked_instead(game: AnyGame) -> Question | None:
    """Return the question whose answers the page asks for instead of hands; None where it asks for hands."""
    way = request.values.get("way", "")  # also of a poll, which sends no form
    return next((question for question in game.questions if question.replaces_hands and question.key == way), None)


def in_place_of_hands(problems: Sequence[Problem], game: AnyGame) -> list[Problem]:
    """Ask for what the page asks for, where a hand is missing: nobody can enter one there."""
    word, missing = asked_instead(game), [problem for problem in problems if problem.code == "missing-hand"]
    # where who won was entered and doesn't settle the round, it is the hands that are missing
    if word is None or not missing or any("winners" in problem.message.values for problem in missing):
        return list(problems)
    if word.kind == "winners":
        asked = [Problem(f"round.{word.key}", "missing-field", Message("Tap who won"))]
    else:
        asked = [_missing(word, problem.message.values["player"]) for problem in missing]
    return [*asked, *(problem for problem in problems if problem not in missing)]


def _missing(word: Question, player: object) -> Problem:
    text = Message("Missing: {player}'s {nouns}", player=player, nouns=Message(word.label))
    return Problem(f"round.{word.key}.{player}", "missing-field", text)
