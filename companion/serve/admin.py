"""Commands for administrators: list the groups, close a night that was left open, delete a group."""

from __future__ import annotations

from collections.abc import Callable

from companion import create_app
from companion.store import deleting, night_changes
from companion.store.groups import all_groups, last_session
from companion.store.models import Group, new_public_id
from companion.store.refusals import Gone, Sent
from companion.store.startup import Unusable


def group_called(name: str) -> Group:
    """Return the group with this name or id; raises Unusable if there is none, or more than one."""
    found = [group for group in all_groups() if name in (group.public_id, group.name)]
    if len(found) != 1:
        what = "Several groups are" if found else "No group is"
        raise Unusable(f"{what} called {name}; use the id that `companion groups` shows.")
    return found[0]


def groups() -> int:
    """Print each group's id, name, number of players and last night."""
    with create_app().app_context():
        for group in all_groups():
            players = sum(not player.retired for player in group.players)
            print(f"{group.public_id}  {group.name}  ({players} players, {_last_night(group)})")
    return 0


def _last_night(group: Group) -> str:
    session = last_session(group)
    if session is None:
        return "no night yet"
    return f"last night {session.opened_at:%Y-%m-%d}, {'open' if session.closed_at is None else 'closed'}"


def close_night(name: str, split: bool) -> int:
    """Close the group's last night. Its pot is carried over, or with `split` goes to the players of the last round."""
    with create_app().app_context():
        group = group_called(name)
        session = last_session(group)
        if session is None or session.closed_at is not None:
            print(f"The group {group.name} has no open night; nothing was changed.")
            return 0
        title = f"{session.opened_at:%Y-%m-%d}"
        night_changes.close(session.public_id, split, Sent(new_public_id(), "companion close-night"))
        print(f"The night of {title} is closed. Its pot {'is split' if split else 'is carried over'}.")
    return 0


def delete_group(name: str, confirm: Callable[[str], object]) -> int:
    """Delete a group permanently. `confirm` gets the question, and must abort the command if the answer is no."""
    with create_app().app_context():
        group = group_called(name)
        found = group.name
        nobody = "Nobody will find it again, and its names will be gone. A backup still has it"
        confirm(f"Delete the group {found} ({len(group.players)} players)? {nobody}.")
        try:
            deleting.delete_group(group, new_public_id())
        except Gone:
            raise Unusable(f"The group {found} has just been deleted by somebody else.") from None
        print(f"The group {found} has been deleted.")
    return 0
