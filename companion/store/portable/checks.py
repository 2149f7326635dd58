"""Checks across the values of a file: settles every round again and adds up every balance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from companion.contract import read_round
from companion.contract.names import folded
from companion.engine.messages import quoted
from companion.engine.settlement import POT

from ..groups import FEWEST_PLAYERS
from ..replay import Document, LineEntry, Outcome, Unsettled, is_round, nets, work_out
from ..rule_sets import rule_problems
from ..tallies import Part, parts_of
from .fields import IdMaps
from .game_fields import EntryField
from .misfits import Unfit

Row = dict[str, Any]
# the rounds' results for their players, by (session's id in the file, line number); players as numbers in the file
Results = dict[tuple[str, int], tuple[Part, ...]]
RESULTS = "result"  # the key of the id maps under which the results are collected
# the contents that a change of each kind must have, because the list of changes shows them
_BROUGHT = {
    "round": ("number", "document"),
    "movement": ("number", "document"),
    "seats": ("seats",),
    "rules": ("game", "rules"),
    "seat-taken": ("player",),
    "seat-given-up": ("player",),
    "buy-in": ("buy_in",),
    "rebuy": ("document",),
    "count": ("counted",),
    "dealer": ("player",),
}


def check_change(change: Row, place: str, _ids: IdMaps) -> None:
    """Refuse a change that lacks contents required for its kind."""
    for key in _BROUGHT.get(change["kind"], ()):
        if key not in change["content"]:
            raise Unfit(f"{place}, content", "{key} is missing", key=key)


def check_rule_sets(group: Row, place: str, _ids: IdMaps) -> None:
    """Refuse house rules that their game doesn't allow, and two sets of one game with the same name."""
    seen: set[tuple[str, str]] = set()
    for at, kept in enumerate(group.get("rule_sets", ())):
        where, name = f"{place}, house rules {at + 1}", (kept["game"], folded(kept["name"]))
        problems = rule_problems(kept["game"], kept["rules"])
        if problems:
            raise Unfit.by(problems[0], where)
        if name in seen:
            raise Unfit(where, "{key} {given} is used twice", key="name", given=quoted(kept["name"]))
        seen.add(name)


def check_session(session: Row, place: str, ids: IdMaps) -> None:
    """Refuse a session whose transfers don't follow from its lines, or its balances from its transfers."""
    if len(session["seats"]) < FEWEST_PLAYERS:
        raise Unfit(place, "it needs {least} players or more", least=FEWEST_PLAYERS)
    sums: Counter[str] = Counter()
    for line in session["lines"]:
        where = f"{place}, line {line['number']}"
        outcome = _last_of(line, where, sums[POT], ids)
        if outcome.settled is not None:
            ids[RESULTS][session["id"], line["number"]] = parts_of(outcome.settled, _number)
        sums.update(nets(move[:3] for move in outcome.moves))
        if outcome.pot_after < 0:
            raise Unfit(where, "it takes more out of the pot than is in it")
    balances = {row["account"]: row["balance"] for row in session["accounts"]}
    missing = [key for key in (*(seat["player"] for seat in session["seats"]), POT) if key not in balances]
    if missing:
        raise Unfit(place, "{account} has no account", account=missing[0])
    for key, balance in balances.items():
        if balance != sums[key]:
            values = {"account": key, "balance": balance, "sum": sums[key]}
            raise Unfit(place, "the balance of {account} is {balance}, its transfers sum to {sum}", **values)
    _check_sent(session, place, ids)


def _number(player: str) -> int:
    return int(player.removeprefix("p"))


def _check_sent(session: Row, place: str, ids: IdMaps) -> None:
    """Refuse a change that contains an invalid round. Rounds that are also in the lines have been checked there."""
    settled = {_comparable(revision["document"]) for line in session["lines"] for revision in line["revisions"]}
    for change in session["changes"]:
        sent = change["content"].get("document")
        if sent is None or not is_round(sent) or _comparable(sent) in settled:
            continue
        where = f"{place}, change {change['change']}, content, document"
        _must_be_read({**sent, "pot": 0}, where)
        EntryField("document", of="player").must_name(sent, where, ids)


def _must_be_read(document: Document, place: str) -> None:
    problems = read_round(document).problems
    if problems:
        raise Unfit.by(problems[0], place)


def _comparable(document: Document) -> str:
    """Return a round's document as comparable text, without its pot: it is booked with the session's pot anyway."""
    return json.dumps({"rules": {}, "stake": 1, **document, "pot": 0}, sort_keys=True)


def _last_of(line: Row, place: str, pot: int, ids: IdMaps) -> Outcome:
    """Settle all of a line's revisions and compare; returns the outcome of the current one, given the pot before it."""
    revisions = line["revisions"]
    if not revisions:
        raise Unfit(place, "it has no revision")
    if any(one["change"] >= other["change"] for one, other in pairwise(revisions)):
        raise Unfit(place, "its revisions are not in the order of their changes")
    for revision in revisions:
        where = f"{place}, revision {revision['number']}"
        if is_round(revision["document"]) != (line["game"] is not None):
            raise Unfit(where, "a line is a round of a game, or a movement without one")
        outcome = _settled(revision, where, pot if revision is revisions[-1] else _own_pot(revision), ids)
    return outcome


def _own_pot(revision: Row) -> int:
    """Return the pot before a superseded revision: the one in its document, or for a split all that it paid out."""
    document: Document = revision["document"]
    pot: int = document["pot"] if is_round(document) else sum(t["amount"] for t in revision["transfers"])
    return pot


def _settled(revision: Row, place: str, pot: int, ids: IdMaps) -> Outcome:
    """Settle a revision again, and refuse it if its transfers differ from the result."""
    document, voided = revision["document"], revision["voided"]
    if voided and is_round(document):
        _must_be_read(document, place)
    try:
        outcome = work_out(LineEntry(0, document, voided), pot)
    except Unsettled as unsettled:
        raise Unfit.by(unsettled.problems[0], place) from None
    if is_round(document):
        EntryField("document", of="seat").must_name(document, place, ids)
    if is_round(document) and (type(document["pot"]) is not int or document["pot"] != pot):
        values = {"pot": quoted(document["pot"]), "left": pot}
        raise Unfit(place, "its pot is {pot}, but the lines before it leave {left}", **values)
    told = [(t["from"], t["to"], t["amount"], t["reason"], t["rule"]) for t in revision["transfers"]]
    if list(outcome.moves) != told:
        raise Unfit(place, "its transfers don't follow from the rules")
    return outcome


def check_plan(plan: Row, place: str, ids: IdMaps) -> None:
    """Refuse a plan replaced by itself or an older one, or with more paid than planned."""
    later, plans = plan["replaced_by"], ids["plan"]
    if later is not None and plans[later] <= plans[plan["id"]]:
        raise Unfit(place, "it cannot be replaced by {plan}", plan=later)
    for at, payment in enumerate(plan["payments"]):
        where = f"{place}, payment {at + 1}"
        if payment["from"] == payment["to"]:
            raise Unfit(where, "nobody pays themselves")
        if any(not 0 <= paid <= payment["amount"] for paid in _running(payment["paid"])):
            raise Unfit(where, "more is ticked than planned, or taken back than was ticked")
        if any(tick["amount"] == 0 for tick in payment["paid"]):
            raise Unfit(where, "0 is ticked off")


def _running(ticks: list[Row]) -> Iterator[int]:
    paid = 0
    for tick in ticks:
        paid += tick["amount"]
        yield paid
