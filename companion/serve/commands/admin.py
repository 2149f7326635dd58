"""Commands for administrators: list the groups, close a night that was left open, delete a group."""

from __future__ import annotations

import json

import click

from companion.folders import command
from companion.store.db.startup import Unusable
from companion.store.groups import deleting
from companion.store.groups.groups import all_groups, last_night
from companion.store.models import Group, new_public_id
from companion.store.night import settings as night_changes
from companion.store.refusals import Gone, Sent

from ..existing import existing_database

MAY_BEGIN_WITH_A_DASH = {"ignore_unknown_options": True}  # ids are random: 1 in 64 begins with "-"


def group_called(name: str) -> Group:
    """Return the group with this name or id; raises Unusable if there is none, or more than one."""
    matching = [group for group in all_groups() if name in (group.public_id, group.name)]
    if len(matching) != 1:
        what = "Several groups are" if matching else "No group is"
        raise Unusable(f"{what} called {name}; use the id that `{command('groups')}` shows.")
    return matching[0]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per line and group.")
def groups(as_json: bool) -> int:
    """List the groups: id, name, players, last night."""
    with existing_database():
        for group in all_groups():
            if as_json:
                print(json.dumps(as_object(group), ensure_ascii=False))
                continue
            players = sum(not player.retired for player in group.players)
            print(f"{group.public_id}  {group.name}  ({players} players, {_last_night(group)})")
    return 0


def as_object(group: Group) -> dict[str, object]:
    """Return what scripts get of a group: id, name, players, the last night."""
    night = last_night(group)
    return {
        "id": group.public_id,
        "name": group.name,
        "players": [player.name for player in group.players if not player.retired],
        "last_night": None if night is None else f"{night.began:%Y-%m-%d}",
        "is_open": night is not None and night.closed_at is None,
    }


def _last_night(group: Group) -> str:
    night = last_night(group)
    if night is None:
        return "no night yet"
    return f"last night {night.began:%Y-%m-%d}, {'open' if night.closed_at is None else 'closed'}"


@click.command(name="close-night", context_settings=MAY_BEGIN_WITH_A_DASH)
@click.argument("group")
@click.option("--split", is_flag=True, help="First split the pot among the players of the last round.")
def close_night(group: str, split: bool) -> int:
    """Close a group's last night, if it was left open."""
    with existing_database():
        named_group = group_called(group)
        night = last_night(named_group)
        if night is None or night.closed_at is not None:
            print(f"The group {named_group.name} has no open night; nothing was changed.")
            return 0
        title = f"{night.began:%Y-%m-%d}"
        night_changes.close(night.public_id, split, Sent(new_public_id(), "companion close-night"))
        print(f"The night of {title} is closed. Its pot {'is split' if split else 'is carried over'}.")
    return 0


@click.command(name="delete-group", context_settings=MAY_BEGIN_WITH_A_DASH)
@click.argument("group")
@click.option("--yes", is_flag=True, help="Don't ask for confirmation.")
def delete_group(group: str, yes: bool) -> int:
    """Delete a group permanently."""
    with existing_database():
        named_group = group_called(group)
        name = named_group.name
        if not yes:
            nobody = "Nobody will find it again, and its names will be gone. A backup still has it"
            if not click.confirm(f"Delete the group {name} ({len(named_group.players)} players)? {nobody}."):
                print(f"The group {name} wasn't deleted.")
                return 1
        try:
            deleting.delete_group(named_group, new_public_id())
        except Gone:
            raise Unusable(f"The group {name} has just been deleted by somebody else.") from None
        print(f"The group {name} has been deleted.")
    return 0
