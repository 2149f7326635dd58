"""Makes a file's group another one, so that it can stand beside the group that it was."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.names import MAX_NAME_LENGTH

from ..models import new_public_id
from .format.kinds import Row
from .group_file import GroupFile


def copied(file: GroupFile) -> GroupFile:
    """Return a file's group as a copy, with addresses and keys of its own."""
    group = file.group
    nights = _renamed(group["nights"])
    plans = _renamed(group["plans"])
    for plan in group["plans"]:
        plan["night"], plan["replaced_by"] = nights.get(plan["night"]), plans.get(plan["replaced_by"])
        for payment in plan["payments"]:
            for tick in payment["paid"]:
                tick["key"] = new_public_id()
    for planned in group["next_night"]:
        planned["id"] = new_public_id()  # a calendar may have the other one
    mark = " (2)"
    name = group["name"][: MAX_NAME_LENGTH - len(mark)].rstrip() + mark
    results = {(nights[night], number): parts for (night, number), parts in file.results.items()}
    return GroupFile(file.document, {**group, "id": new_public_id(), "name": name, "turn": None}, results)


def _renamed(rows: Iterable[Row]) -> dict[str | None, str]:
    """Give rows new ids and keys; returns the new ids by the old ones."""
    new: dict[str | None, str] = {}
    for row in rows:
        new[row["id"]] = id_ = new_public_id()
        row["id"], row["key"] = id_, new_public_id()
    return new
