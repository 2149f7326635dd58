"""Compares the histories of a group in two places: which one goes on where the other ends, or where they parted.

A history is made of logs, to which rows are only ever added: the nights, each night's changes with the revisions they
made, the plans, and each planned payment's ticks. All else (names, house rules, seats, balances) is what they led to,
or is changed without a log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from companion.engine.messages import Message

from ..models import by_clock
from .format.kinds import Row
from .format.tables import HANDLES_KEY, TURN_KEYS

_NIGHT = ("id", "key", "opened_at")
_PLAN = ("id", "key", "night", "currency", "apart", "device", "at")
_LOGS = ("changes", "lines")  # of a night; the rest of its row follows from these
_MAY_BE_MISSING = ("utc_offset", "month")  # in files of older versions


class LogRow(NamedTuple):
    """A row of a log: what makes it the same in both places, and how it is told."""

    what: Row
    said: Message
    at: str


Logs = Mapping[tuple[Any, ...], Sequence[LogRow]]


@dataclass(frozen=True, slots=True)
class Compared:
    """What two histories are to each other. `more` is how many steps the longer one has.

    If they parted: the last common step, if any, and the first that only each of them has.
    """

    relation: Literal["same", "ahead", "behind", "parted"]
    more: int = 0
    common: Message | None = None
    here: Message | None = None
    there: Message | None = None


def compare(here: Row, there: Row) -> Compared:
    """Compare the group of a file (`there`) with the same group here; "ahead" means that the file goes on."""
    ours, theirs = _logs(here), _logs(there)
    alone: dict[str, list[LogRow]] = {"here": [], "there": []}
    common: list[LogRow] = []
    for log in {**ours, **theirs}:
        our_log, their_log = ours.get(log, ()), theirs.get(log, ())
        same = next((at for at, (a, b) in enumerate(zip(our_log, their_log, strict=False)) if a.what != b.what), None)
        same = min(len(our_log), len(their_log)) if same is None else same
        common += our_log[:same]
        alone["here"] += our_log[same:]
        alone["there"] += their_log[same:]
    if alone["here"] and alone["there"]:
        last = max(common, key=lambda step: step.at, default=None)
        first = (min(steps, key=lambda step: step.at).said for steps in alone.values())
        return Compared("parted", 0, last and last.said, *first)
    if alone["there"]:
        return Compared("ahead", len(alone["there"]))
    if alone["here"]:
        return Compared("behind", len(alone["here"]))
    return Compared("same")


def _logs(group: Row) -> Logs:
    logs: dict[tuple[Any, ...], list[LogRow]] = defaultdict(list)
    for at, night in enumerate(group["nights"], 1):
        opened = Message("night {night} was opened at {time}", night=at, time=_time(night, night["opened_at"]))
        logs["nights",].append(LogRow(_some(night, _NIGHT), opened, night["opened_at"]))
        logs["changes", at] = list(_changes(at, night))
    for at, plan in enumerate(group["plans"], 1):
        payments = [[payment[key] for key in ("from", "to", "amount")] for payment in plan["payments"]]
        said = Message("plan {plan} was made at {time} by {device}", plan=at, **_when(plan))
        logs["plans",].append(LogRow({**_some(plan, _PLAN), "payments": payments}, said, plan["at"]))
        for number, payment in enumerate(plan["payments"]):
            for tick in payment["paid"]:
                said = Message("a payment of plan {plan} was ticked at {time} by {device}", plan=at, **_when(tick))
                logs["ticks", at, number].append(LogRow(_some(tick, tuple(tick)), said, tick["at"]))
    return logs


def _changes(number: int, night: Row) -> Iterator[LogRow]:
    """Yield a night's changes, each with the revisions that it made."""
    made: dict[int, list[Any]] = defaultdict(list)
    for line in night["lines"]:
        for revision in line["revisions"]:
            made[revision["change"]].append([line["number"], line["game"], revision])
    for change in night["changes"]:
        when = _when({**change, "utc_offset": night.get("utc_offset")})
        said = Message(
            "change {n} of night {night} was made at {time} by {device}", n=change["change"], night=number, **when
        )
        if "number" in change["content"]:
            line = change["content"]["number"]
            said = Message("line {n} of night {night} was written at {time} by {device}", n=line, night=number, **when)
        yield LogRow({"change": change, "made": made[change["change"]]}, said, change["at"])


def _when(row: Row) -> dict[str, Any]:
    return {"time": _time(row, row["at"]), "device": row["device"] or Message("an unnamed phone")}


def _time(row: Row, moment: str) -> str:
    """Return a moment by its night's clock, or in UTC."""
    offset = row.get("utc_offset")
    clock = by_clock(datetime.fromisoformat(moment), offset or 0)
    return f"{clock:%Y-%m-%d %H:%M}{'' if offset is not None else ' UTC'}"


def _some(row: Row, keys: tuple[str, ...]) -> Row:
    """Return some of a row's values; what may be left out if it is empty is."""
    return {key: row[key] for key in keys if row.get(key)}


def rest_of(group: Row, *, has_handles: bool, has_next_night: bool) -> Any:
    """Return what of a group is in no log, in a form to compare; the next night only if asked for."""
    left_out = {"plans", *TURN_KEYS}
    left_out |= set() if has_handles else {HANDLES_KEY}
    left_out |= set() if has_next_night else {"next_night", "coming"}
    nights = [
        {key: value for key, value in night.items() if key not in (*_LOGS, *_MAY_BE_MISSING)}
        | {"remarks": [line["remark"] for line in night["lines"]]}
        for night in group["nights"]
    ]
    players = [{key: value for key, value in player.items() if key not in left_out} for player in group["players"]]
    parts = {key: value for key, value in group.items() if key not in left_out}
    return _without_empty({**parts, "players": players, "nights": nights})


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, "", [], {}, False)}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value
