"""Which of the group's house rules a night begins with: a choice for each game that has some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.options import differing, options_of
from companion.games import all_games
from companion.store import rule_sets
from companion.store.models import Group, PlaySession, RuleSet

from ..text.language import say

AS_LAST_TIME, USUAL = "last", "usual"


@dataclass
class RuleChoice:
    """The house rules of one game to choose from; `chosen` is the id of a set, or one of the words above."""

    game: AnyGame
    sets: list[RuleSet]
    choices: dict[str, Message | str]
    chosen: str
    problem: Message | None = None

    @property
    def name(self) -> str:
        """What the field is called."""
        return f"rules-of-{self.game.key}"

    def rules(self) -> Mapping[str, Any] | None:
        """Return the chosen rules; None for those of last time, or if the chosen set was deleted."""
        return next((kept.rules for kept in self.sets if str(kept.id) == self.chosen), None)


def rule_choices(group: Group, last: PlaySession | None, posted: Mapping[str, str] | None = None) -> list[RuleChoice]:
    """List the choices, like last time unless `posted`, by the key of the game, has something else."""
    kept = groupby(rule_sets.sets_of(group), key=lambda found: found.game)
    return [_choice(all_games()[key], list(sets), last, posted or {}) for key, sets in kept]


def _choice(game: AnyGame, sets: list[RuleSet], last: PlaySession | None, posted: Mapping[str, str]) -> RuleChoice:
    before = last.rules.get(game.key, {}) if last else {}
    in_force = rule_sets.set_in_force(sets, game.key, before)
    choices: dict[str, Message | str] = {str(kept.id): kept.name for kept in sets}
    if in_force is None and differing(game.options, before):
        choices = {AS_LAST_TIME: Message("Same as last time"), **choices}
    choices[USUAL] = Message("the usual rules")
    chosen = str(in_force.id) if in_force else next(iter(choices)) if AS_LAST_TIME in choices else USUAL
    found = RuleChoice(game, sets, choices, posted.get(game.key, chosen))
    if found.chosen not in choices:
        found.problem = Message("These house rules were deleted meanwhile; choose others")
    return found


def chosen_rules(choices: list[RuleChoice], last: PlaySession | None) -> dict[str, Mapping[str, Any]]:
    """Give the house rules that a night begins with, by game: those of last time but where something else is chosen."""
    return {**(last.rules if last else {}), **dict(_changes(choices))}


def _changes(choices: list[RuleChoice]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for choice in choices:
        rules = choice.rules()
        if choice.chosen == USUAL:
            yield choice.game.key, {option.key: option.default for option in options_of(choice.game.options)}
        elif rules is not None:
            yield choice.game.key, rules


def told_problems(choices: list[RuleChoice]) -> list[str]:
    """Say what is wrong with the choices."""
    return [say(choice.problem) for choice in choices if choice.problem]
