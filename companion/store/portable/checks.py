"""Checks across the values of a file: settles every round again and adds up every balance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from companion.contract import read_round
from companion.contract.names import folded
from companion.engine.messages import quoted
from companion.engine.settlement import POT

from ..groups.groups import MIN_PLAYERS
from ..groups.rule_sets import rule_problems
from ..history.tallies import parts_of
from ..judge import Log, Logged, Version, judge
from ..log.replay import Document, Move, Settled, is_round
from .fields import Row, scope
from .game_fields import must_name
from .misfits import NOUNS, Misfit

# the contents that a change of each kind must have, because pages and the audit read them
_BROUGHT = {
    "round": ("number", "document"),
    "movement": ("number", "document"),
    "correction": ("number", "document"),
    "void": ("number",),
    "undo": ("number",),
    "remark": ("number",),
    "seats": ("seats",),
    "rules": ("game", "rules"),
    "seat-taken": ("player",),
    "seat-given-up": ("player",),
    "buy-in": ("buy_in",),
    "rebuy": ("document",),
    "count": ("counted",),
    "dealer": ("player", "by_lot"),
    "stakes": ("stakes", "was"),
}


def check_change(change: Row) -> None:
    """Refuse a change that lacks contents required for its kind, or sets house rules that its game doesn't know."""
    for key in _BROUGHT.get(change["kind"], ()):
        if key not in change["content"]:
            raise Misfit("{key} is missing", "content", key=key)
    if change["kind"] == "rules":
        problems = rule_problems(change["content"]["game"], change["content"]["rules"])
        if problems:
            raise Misfit.by(problems[0], "content")


def check_group(group: Row) -> None:
    """Refuse a plan not replaced by a later one, a tick twice, invalid house rules, and two sets with one name."""
    ticked: set[str] = set()
    for at, plan in enumerate(group["plans"]):
        for number, payment in enumerate(plan["payments"]):
            for tick, key in enumerate(paid["key"] for paid in payment["paid"]):
                if key in ticked:
                    text, place = "{key} {given} is used twice", ("plans", at, "payments", number, "paid", tick)
                    raise Misfit(text, *place, key="key", given=quoted(key))
                ticked.add(key)
        later, where = plan["replaced_by"], ("plans", at)
        known = scope().ids["plans"].get(later) if isinstance(later, str) else None
        if later is not None and known is None:
            values = {"of": NOUNS["plans"], "given": quoted(later)}
            raise Misfit("there is no {of} {given} here", *where, "replaced_by", **values)
        if known is not None and known <= at:
            raise Misfit("it cannot be replaced by {plan}", *where, plan=later)
    seen: set[tuple[str, str]] = set()
    for at, saved in enumerate(group.get("rule_sets", ())):
        name, problems = (saved["game"], folded(saved["name"])), rule_problems(saved["game"], saved["rules"])
        if problems:
            raise Misfit.by(problems[0], "rule_sets", at)
        if name in seen:
            text = "{key} {given} is used twice"
            raise Misfit(text, "rule_sets", at, key="name", given=quoted(saved["name"]))
        seen.add(name)


def check_night(night: Row) -> None:
    """Refuse a night that the judge finds something wrong with."""
    if len(night["seats"]) < MIN_PLAYERS:
        raise Misfit("it needs {least} players or more", least=MIN_PLAYERS)
    for at, line in enumerate(night["lines"]):
        _check_versions(line, "lines", at)
    log, results = _log(night), scope().results

    def counts(number: int, settled: Settled) -> None:
        results[night["id"], number] = parts_of(settled, _number)

    for where, why, _ in judge(log, counts):
        raise Misfit(why.template, *where, **why.values)
    for at, line in enumerate(night["lines"]):
        for number, revision in enumerate(line["revisions"]):
            if is_round(revision["document"]):
                must_name(revision["document"], scope().ids["seats"], "lines", at, "revisions", number)
    missing = [key for key in (*log.players, POT) if key not in log.balances]
    if missing:
        raise Misfit("{account} has no account", account=missing[0])
    _check_sent(night)


def _log(night: Row) -> Log:
    return Log(
        players=[seat["player"] for seat in night["seats"]],
        stakes=[night["stake"], *(night.get("stakes") or {}).values()],
        buy_in=night.get("buy_in"),
        balances={row["account"]: row["balance"] for row in night["accounts"]},
        changes=[(change["kind"], change["content"]) for change in night["changes"]],
        lines=[Logged(line["number"], [_version(row) for row in line["revisions"]]) for line in night["lines"]],
    )


def _version(row: Row) -> Version:
    moves = [Move(*(one[key] for key in ("from", "to", "amount", "reason", "rule"))) for one in row["transfers"]]
    return Version(row["document"], row["voided"], moves)


def _number(player: str) -> int:
    return int(player.removeprefix("p"))


def _check_sent(night: Row) -> None:
    """Refuse a change of a line that isn't there, or that contains an invalid round.

    Rounds that are also in the lines have been checked there.
    """
    settled = {_comparable(revision["document"]) for line in night["lines"] for revision in line["revisions"]}
    for at, change in enumerate(night["changes"]):
        sent, number = change["content"].get("document"), change["content"].get("number", 0)
        if number > len(night["lines"]) + (change["kind"] == "count"):  # chips were counted before the next line
            text = "there is no {of} {given} here"
            raise Misfit(text, "changes", at, "content", "number", of=NOUNS["lines"], given=number)
        if sent is None or not is_round(sent) or _comparable(sent) in settled:
            continue
        where = ("changes", at, "content", "document")
        problems = read_round({**sent, "pot": 0}).problems
        if problems:
            raise Misfit.by(problems[0], *where)
        must_name(sent, scope().ids["players"], *where)


def _comparable(document: Document) -> str:
    """Return a round's document as comparable text, without its pot: it is booked with the night's pot anyway."""
    return json.dumps({"rules": {}, "stake": 1, **document, "pot": 0}, sort_keys=True)


def _check_versions(line: Row, *at: str | int) -> None:
    """Refuse a line without revisions, or whose revisions aren't in order or of its kind."""
    revisions = line["revisions"]
    if not revisions:
        raise Misfit("it has no revision", *at)
    if any(one["change"] >= other["change"] for one, other in pairwise(revisions)):
        raise Misfit("its revisions are not in the order of their changes", *at)
    for number, revision in enumerate(revisions):
        document, where = revision["document"], (*at, "revisions", number)
        if is_round(document) != (line["game"] is not None):
            raise Misfit("a line is a round of a game, or a movement without one", *where)


def check_plan(plan: Row) -> None:
    """Refuse a plan with more paid than planned."""
    for at, payment in enumerate(plan["payments"]):
        where = ("payments", at)
        if payment["from"] == payment["to"]:
            raise Misfit("nobody pays themselves", *where)
        if any(not 0 <= paid <= payment["amount"] for paid in _running(payment["paid"])):
            raise Misfit("more is ticked than planned, or taken back than was ticked", *where)
        if any(tick["amount"] == 0 for tick in payment["paid"]):
            raise Misfit("0 is ticked off", *where)


def _running(ticks: list[Row]) -> Iterator[int]:
    paid = 0
    for tick in ticks:
        paid += tick["amount"]
        yield paid
