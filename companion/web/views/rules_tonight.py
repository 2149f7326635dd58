"""Choosing the house rules that a night begins with, for each game that has saved sets in the group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.options import defaults, differing
from companion.games import all_games
from companion.store import rule_sets
from companion.store.models import Group, PlaySession, RuleSet

from ..text.language import say

AS_LAST_TIME, USUAL = "last", "usual"


@dataclass
class RuleChoice:
    """The choices for one game, by key: a set's id, AS_LAST_TIME or USUAL; `chosen` is one of these keys."""

    game: AnyGame
    sets: list[RuleSet]
    choices: dict[str, Message | str]
    chosen: str
    problem: Message | None = None

    @property
    def name(self) -> str:
        """The name of the form's field."""
        return f"rules-of-{self.game.key}"

    def rules(self) -> Mapping[str, Any] | None:
        """Return the chosen set's rules; None if no set is chosen, or if it was deleted."""
        return next((kept.rules for kept in self.sets if str(kept.id) == self.chosen), None)


def rule_choices(group: Group, last: PlaySession | None, posted: Mapping[str, str] | None = None) -> list[RuleChoice]:
    """List the choices; selected are those in `posted` (by the game's key), otherwise the same rules as last time."""
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
    """Return the house rules that a night begins with, by game: the chosen ones, otherwise those of last time."""
    return {**(last.rules if last else {}), **dict(_changes(choices))}


def _changes(choices: list[RuleChoice]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for choice in choices:
        rules = choice.rules()
        if choice.chosen == USUAL:
            yield choice.game.key, defaults(choice.game.options)
        elif rules is not None:
            yield choice.game.key, rules


def told_problems(choices: list[RuleChoice]) -> list[str]:
    """Return what is wrong with the choices."""
    return [say(choice.problem) for choice in choices if choice.problem]
