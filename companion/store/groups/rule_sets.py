"""A group's saved house rules: named sets, each for one game, which are added, changed and deleted here.

Every night has its own copy of its rules, so changing or deleting a set affects no night.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from companion.contract.reading.names import folded, rules_name_problem
from companion.contract.reading.round_document import parts_problems
from companion.engine.messages import Message
from companion.engine.names import name_key
from companion.engine.options import differing
from companion.engine.problems import Problem
from companion.games import all_games

from ..db.database import retry_transaction, transaction
from ..models import Group, RuleSet, db
from ..refusals import Refused
from .deleting import must_stand
from .turns import must_be_written_here

MAX_RULE_SETS = 12  # per game, because people choose from the list
Rules = Mapping[str, Any]


def sets_of(group: Group, game: str | None = None) -> list[RuleSet]:
    """List a group's sets by game, then by name; with `game`, only that game's."""
    query = select(RuleSet).where(RuleSet.group_id == group.id, *([RuleSet.game == game] if game else []))
    games = list(all_games())  # sets of a game that isn't installed here stay, but nobody is asked about them
    sets = [rule_set for rule_set in db.session.scalars(query) if rule_set.game in games]
    return sorted(sets, key=lambda rule_set: (games.index(rule_set.game), rule_set.folded))


def find_set(group: Group, number: int) -> RuleSet | None:
    """Return a group's set by its id, or None."""
    query = select(RuleSet).where(RuleSet.group_id == group.id, RuleSet.id == number)
    return db.session.scalar(query.execution_options(populate_existing=True))


def set_in_force(sets: Sequence[RuleSet], game: str, rules: Rules) -> RuleSet | None:
    """Return the set that has the same effect as these rules of a game, or None; rules left out are the usual ones."""
    played = differing(all_games()[game].options, rules)
    return next((s for s in sets if s.game == game and differing(all_games()[game].options, s.rules) == played), None)


@retry_transaction
def add_set(group: Group, game: str, name: str, rules: Rules) -> RuleSet:
    """Save rules as a set with this name. If there is one with the same name and rules, return that.

    Raises Refused if the name or the rules are invalid, or the game has too many sets already.
    """
    with transaction():
        must_stand(group)
        whole, earlier = _whole(game, rules), sets_of(group, game)
        same = next((rule_set for rule_set in earlier if name_key(rule_set.name) == name_key(name)), None)
        if same is not None and same.rules == whole:
            return same
        must_be_written_here(group)
        _must_be_named(name, earlier)
        if len(earlier) >= MAX_RULE_SETS:
            text = "There are already {most} sets of house rules for {game}; delete or change one"
            raise Refused(Message(text, most=MAX_RULE_SETS, game=Message(all_games()[game].name)))
        made = RuleSet(group_id=group.id, game=game, name=name.strip(), folded=folded(name.strip()), rules=whole)
        db.session.add(made)
    return made


@retry_transaction
def change_set(group: Group, number: int, name: str, rules: Rules) -> RuleSet:
    """Rename a set and replace its rules.

    Raises Refused if the set was deleted meanwhile, or the name or the rules are invalid.
    """
    with transaction():
        must_stand(group)
        must_be_written_here(group)
        rule_set = find_set(group, number)
        if rule_set is None:
            raise Refused(Message("These house rules were deleted meanwhile; make new ones"))
        _must_be_named(name, [other for other in sets_of(group, rule_set.game) if other is not rule_set])
        rule_set.name, rule_set.folded = name.strip(), folded(name.strip())
        rule_set.rules = _whole(rule_set.game, rules)
    return rule_set


@retry_transaction
def delete_set(group: Group, number: int) -> None:
    """Delete a set; does nothing if it has already been deleted."""
    with transaction():
        must_stand(group)
        rule_set = find_set(group, number)
        if rule_set is not None:
            must_be_written_here(group)
            db.session.delete(rule_set)


def _must_be_named(name: str, earlier: Sequence[RuleSet]) -> None:
    problem = rules_name_problem(name, [rule_set.name for rule_set in earlier])
    if problem is not None:
        raise Refused(problem.message, problems=[problem])


def _whole(game: str, rules: Rules) -> dict[str, Any]:
    """Add the defaults to a game's rules, so that a set stays the same if a later version changes a default."""
    problems = rule_problems(game, rules)
    if problems or game not in all_games():  # a set of a game that isn't installed stays as it is
        raise Refused(Message("These house rules contradict each other"), problems=problems)
    return {option.key: rules.get(option.key, option.default) for option in all_games()[game].house_rules}


def rule_problems(game: str, rules: object) -> list[Problem]:
    """Return the problems with a game's house rules, or its key; those of a game that isn't installed may be any."""
    problems = parts_problems({"game": game, "rules": rules})
    return [problem for problem in problems if problem.field == "game" or problem.field.startswith("rules")]
