"""Checks across the values of a file; `judge` settles every round again and adds up every balance."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Any

from companion.contract.naming import renamed
from companion.contract.reading.names import folded
from companion.contract.reading.round_document import parts_problems
from companion.engine.messages import quoted
from companion.engine.money.settlement import POT

from ...groups.groups import MIN_PLAYERS
from ...groups.handles import tidied
from ...groups.rule_sets import rule_problems
from ...history.tallies import parts_of
from ...judge import Log, Logged, Version, judge
from ...log.replay import Document, Move, Settled, is_round
from ...refusals import Refused
from .kinds import MISSING, Row, Scope
from .misfits import NOUNS, Misfit, must_fit, must_follow

_REST = 0.0002  # seconds after each round, so that other threads can compute
# the kinds of changes, and what each must contain because pages or the audit read it
MUST_CONTAIN = {
    **dict.fromkeys(("round", "movement", "correction"), ("number", "document")),
    **dict.fromkeys(("void", "undo", "remark"), ("number",)),
    **dict.fromkeys(("seat-taken", "seat-given-up"), ("player",)),
    "scorekeeper": ("player", "keeps_score"),
    **dict.fromkeys(("note", "close", "reopen", "code"), ()),
    "seats": ("seats",),
    "rules": ("game", "rules"),
    "stakes": ("stakes", "was"),
    "dealers-choice": ("dealer_chooses",),
    "payments": ("payments_by",),
    "dealer": ("player", "by_lot"),
    "buy-in": ("buy_in",),
    "rebuy": ("document",),
    "count": ("counted",),
}


def check_change(change: Row, here: Scope) -> None:
    """Refuse a change that lacks contents required for its kind, or sets house rules that its game doesn't know."""
    content = change["content"]
    for key in MUST_CONTAIN[change["kind"]]:
        must_fit(key in content, "{key} is missing", "content", key=key)
    if change["kind"] == "rules":
        must_follow(rule_problems(content["game"], content["rules"]), "content")


def check_rule_set(saved: Row, here: Scope) -> None:
    """Refuse saved house rules that their game doesn't know."""
    must_follow(rule_problems(saved["game"], saved["rules"]))


def check_handle(handle: Row, here: Scope) -> None:
    """Refuse a way to be paid that couldn't be entered in the app."""
    try:
        is_right = tidied(handle["kind"], handle["text"]) == handle["text"]
    except Refused:
        is_right = False
    must_fit(is_right, "{given} isn't allowed", "text", given=quoted(handle["text"]))


def check_group(group: Row, here: Scope) -> None:
    """Refuse a plan not replaced by a later one, a tick twice, and two sets of a game's house rules with one name.

    Also a season that doesn't end after the one before it, a second planned night, two answers of a player, and a group
    handed over without a number of its turn.
    """
    must_fit(group["turn"] or not group["handed_over_at"], MISSING, key="turn")
    ticked: set[str] = set()
    for at, plan in enumerate(group["plans"]):
        for number, payment in enumerate(plan["payments"]):
            for tick, paid in enumerate(payment["paid"]):
                _must_differ("key", paid["key"], ticked, "plans", at, "payments", number, "paid", tick)
        later = plan["replaced_by"]
        if later is not None:
            known = here.ids["plans"].get(later) if isinstance(later, str) else None
            values = {"of": NOUNS["plans"], "given": quoted(later)}
            must_fit(known is not None, "there is no {of} {given} here", "plans", at, "replaced_by", **values)
            must_fit(known is None or known > at, "it cannot be replaced by {plan}", "plans", at, plan=later)
    names: dict[str, set[str]] = defaultdict(set)
    for at, saved in enumerate(group["rule_sets"]):
        _must_differ("name", saved["name"], names[saved["game"]], "rule_sets", at)
    for at, (earlier, season) in enumerate(pairwise(group["seasons"]), 1):
        is_later = season["until"] > earlier["until"]
        must_fit(
            is_later, "{given} isn't after the season before", "seasons", at, "until", given=quoted(season["until"])
        )

    must_fit(len(group["next_night"]) <= 1, "a group plans one night", "next_night", 1)
    for at, player in enumerate(group["players"]):
        answers = len(player["coming"])
        text = "a player answers once, for a planned night"
        must_fit(answers <= len(group["next_night"]), text, "players", at, "coming", answers - 1)


def _must_differ(key: str, value: str, seen: set[str], *at: str | int) -> None:
    known = folded(value) if key == "name" else value
    must_fit(known not in seen, "{key} {given} is used twice", *at, key=key, given=quoted(value))
    seen.add(known)


def check_night(night: Row, here: Scope) -> None:
    """Refuse a night that the judge finds something wrong with; note its rounds' results."""
    must_fit(len(night["seats"]) >= MIN_PLAYERS, "it needs {least} players or more", least=MIN_PLAYERS)
    for at, line in enumerate(night["lines"]):
        _check_versions(line, "lines", at)
    log = _log(night)

    def counts(number: int, settled: Settled) -> None:
        time.sleep(_REST)
        here.results[night["id"], number] = parts_of(settled, lambda player: int(player.removeprefix("p")))

    for where, why, _ in judge(log, counts):
        raise Misfit(why.template, *where, **why.values)
    for at, line in enumerate(night["lines"]):
        for number, revision in enumerate(line["revisions"]):
            _must_name(revision["document"], here.ids["seats"], "lines", at, "revisions", number)
    for key in (*log.players, POT):
        must_fit(key in log.balances, "{account} has no account", account=key)
    _check_sent(night, here)


def _log(night: Row) -> Log:
    return Log(
        players=[seat["player"] for seat in night["seats"]],
        stakes=[night["stake"], *(night["stakes"] or {}).values()],
        buy_in=night["buy_in"],
        balances={row["account"]: row["balance"] for row in night["accounts"]},
        changes=[(change["kind"], change["content"]) for change in night["changes"]],
        lines=[Logged(line["number"], [_version(row) for row in line["revisions"]]) for line in night["lines"]],
    )


def _version(row: Row) -> Version:
    moves = [
        Move(*(transfer[key] for key in ("from", "to", "amount", "reason", "rule"))) for transfer in row["transfers"]
    ]
    return Version(row["document"], row["voided"], moves)


def _check_sent(night: Row, here: Scope) -> None:
    """Refuse a change of a line that isn't there, or that contains an invalid round.

    Rounds that are also in the lines have been checked there.
    """
    settled = {_comparable(revision["document"]) for line in night["lines"] for revision in line["revisions"]}
    for at, change in enumerate(night["changes"]):
        where = ("changes", at, "content")
        sent, number = change["content"].get("document"), change["content"].get("number", 0)
        is_there = number <= len(night["lines"]) + (change["kind"] == "count")  # made before the line it leads to
        must_fit(is_there, "there is no {of} {given} here", *where, "number", of=NOUNS["lines"], given=number)
        if sent is not None and is_round(sent) and _comparable(sent) not in settled:
            must_follow(parts_problems({**sent, "pot": 0}), *where, "document")
            _must_name(sent, here.ids["players"], *where, "document")


def _comparable(document: Document) -> str:
    """Return a round's document as comparable text, without its pot: it is booked with the night's pot anyway."""
    return json.dumps({"rules": {}, "stake": 1, **document, "pot": 0}, sort_keys=True)


def _must_name(document: Document, names: Mapping[str, Any], *at: str | int) -> None:
    """Refuse a valid round that spells its players' names differently from the file."""
    try:
        if is_round(document):
            renamed(document, names)
    except KeyError as error:
        raise Misfit("there is no player {given} at this table", *at, given=quoted(error.args[0])) from None


def _check_versions(line: Row, *at: str | int) -> None:
    """Refuse a line without revisions, or whose revisions aren't in order or of its kind."""
    revisions = line["revisions"]
    must_fit(revisions, "it has no revision", *at)
    is_in_order = all(earlier["change"] < later["change"] for earlier, later in pairwise(revisions))
    must_fit(is_in_order, "its revisions are not in the order of their changes", *at)
    for number, revision in enumerate(revisions):
        is_of_its_kind = revision["document"].get("game") == line["game"]
        text = "a line is a round of a game, or a movement without one"
        must_fit(is_of_its_kind, text, *at, "revisions", number)


def check_plan(plan: Row, here: Scope) -> None:
    """Refuse a plan with more paid than planned."""
    for at, payment in enumerate(plan["payments"]):
        where, ticks = ("payments", at), [tick["amount"] for tick in payment["paid"]]
        must_fit(payment["from"] != payment["to"], "nobody pays themselves", *where)
        is_planned = all(0 <= paid <= payment["amount"] for paid in accumulate(ticks))
        must_fit(is_planned, "more is ticked than planned, or taken back than was ticked", *where)
        must_fit(all(ticks), "0 is ticked off", *where)
