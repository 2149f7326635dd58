"""Takes in the file of a group that is here already: it continues the group in place, or is refused.

A group's links, the phones at its tables and its addresses stay. All of it is one transaction, so that nobody sees
half of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Executable, String, cast, delete, literal, select, update
from sqlalchemy.exc import IntegrityError

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..groups.links import free_join_code
from ..groups.turns import Place, lock_all_of, take_turn
from ..history import recording
from ..models import Draft, Group, Night, Player, db
from ..refusals import Conflict
from .exporting import document_of, load_group
from .format import tables
from .format.kinds import Scope
from .format.table import Stored, Table
from .group_file import FileLimits, GroupFile, in_batches
from .histories import Compared, compare, rest_of
from .importing import import_group, refusal_of
from .writing import Job, Writer, columns_of

_OF_NIGHT = (tables.SEATS, tables.ACCOUNTS, tables.LINES)
_MAY_CHANGE = (tables.GROUP, tables.PLAYERS, tables.NIGHTS, *_OF_NIGHT)  # rows of others stay as they were written
_STAYS = ("version", "is_complete", "utc_offset", "month", *tables.TURN_KEYS)
_REPLACED = (tables.HANDLES, tables.RULE_SETS, tables.SEASONS, tables.COMING, tables.NEXT_NIGHT)


@dataclass(frozen=True, slots=True)
class Taken:
    """A group whose file was taken in, and what came of it; `steps` were added if it "continued".

    `place` is where it is written from now on, if that has changed.
    """

    group: Group
    outcome: Literal["new", "same", "continued", "older"]
    steps: int = 0
    place: Place | None = None


def take_in(
    content: bytes,
    secret: str,
    limits: FileLimits | None = None,
    *,
    may_continue: Callable[[Group], bool],
    is_copy: bool = False,
) -> Taken:
    """Import a group, or continue the same one here if the file goes on where it ends.

    What is here is only continued if `may_continue`. Raises Refused and Conflict like `import_group`, also if both
    went on.
    """
    continued: list[Taken] = []

    def differs(group: Group, file: GroupFile) -> None:
        if not may_continue(group):
            text = (
                "The group {name} already exists here with different content. Nothing was changed. Open its "
                "scorekeeper link on this phone, then import the file again; or import it as a copy"
            )
            raise Conflict(Message(text, name=group.name))
        try:
            continued.append(_continue(group, file))
        except IntegrityError as error:
            raise refusal_of(error) from error

    group, is_new = import_group(content, secret, limits, differs=differs, is_copy=is_copy)
    return continued[0] if continued else Taken(group, "new" if is_new else "same")


@retry_transaction
def _continue(group: Group, file: GroupFile) -> Taken:
    with transaction():
        lock_all_of(group)
        stored, texts = load_group(group.public_id)
        here, there = document_of(stored, texts)["group"], file.document["group"]
        compared = compare(here, there)
        has_handles = any(player.get(tables.HANDLES_KEY) for player in there["players"])
        if compared.relation == "parted":
            raise Conflict(_parted(group, compared))
        turn = file.group["turn"] or 0
        # after handing over, nobody could change a name or the next night here
        follows = group.handed_over_at is not None and turn > group.turn
        ours, theirs = (rest_of(side, has_handles=has_handles, has_next_night=follows) for side in (here, there))
        is_other = compared.relation == "same" and ours != theirs
        if is_other and not follows:
            text = (
                "The group {name} has the same rounds here as in the file, but other names, house rules, chips or "
                "seasons. Nothing was changed. To see the file's version beside this one, import it as a copy"
            )
            raise Conflict(Message(text, name=group.name))
        goes_on = compared.relation == "ahead" or is_other
        if goes_on:
            _Continuation(file, stored, texts, has_handles=has_handles).put()
            db.session.expire_all()
        place = take_turn(group, turn, is_handed_over=file.group["handed_over_at"] is not None)
    if goes_on:
        return Taken(group, "continued", compared.more, place)
    return Taken(group, "older" if compared.relation == "behind" else "same", 0, place)


def _parted(group: Group, compared: Compared) -> Message:
    common = Message("Both have nothing in common")
    if compared.common is not None:
        common = Message("The last step that both have: {step}", step=compared.common)
    text = (
        "The group {name} went on in both places. {common}. Then here: {here}. In the file: {there}. Nothing was "
        "changed. To see the file's version beside this one, import it as a copy"
    )
    return Message(text, name=group.name, common=common, here=compared.here, there=compared.there)


def _at_once(statement: Executable, rows: Iterable[Any]) -> list[Any]:
    """Execute a statement for many rows within the caller's transaction; returns what it returns."""
    returned: list[Any] = []
    for some in in_batches(rows):
        done = execute(statement, some)
        returned += done.all() if done.returns_rows else ()
    return returned


class _Continuation(Writer):
    """Adds what a file has more, and changes the rows that this has led to; the caller's transaction commits it."""

    def __init__(self, file: GroupFile, stored: Stored, texts: Scope, *, has_handles: bool) -> None:
        super().__init__(file, _at_once)
        self._stored, self._has_handles = stored, has_handles
        self._texts |= {text: int(id_) for id_, text in texts.ids["typed"].items()}
        self._changed: set[int] = set()  # nights

    def put(self) -> int:
        """Write what is new, and the results of the rounds it changes; returns the group's id."""
        self._put_rows()
        written: dict[int, set[int]] = {}
        for job in self._jobs["revisions"]:
            if job.is_new and job.owner and job.owner.owner:
                written.setdefault(job.owner.owner.id, set()).add(job.owner.id)
        self._changed |= {job.owner.id for job in self._jobs["changes"] if job.is_new and job.owner}
        db.session.expire_all()
        nights = select(Night).where(Night.group_id == self._group_id).order_by(Night.id)
        for night in db.session.scalars(nights).all():
            if night.id in self._changed:
                night.version += 1
                execute(delete(Draft).where(Draft.group_id == night.group_id, Draft.night_id == night.id))
            if night.closed_at is None and night.join_code is None:
                night.join_code = free_join_code()
            db.session.flush()
            if night.id in written:
                recording.record_again(night, written[night.id])
        return self._group_id

    def _new(self, key: str, table: Table, jobs: list[Job]) -> list[Job]:
        """Find the rows that are here, and bring them up to date; returns the others."""
        if table in _REPLACED:
            if table is tables.HANDLES and not self._has_handles:
                return []
            execute(delete(table.model).where(table.model.group_id == self._group_id))
            return jobs
        if table is tables.PLAYERS:  # two of them may have swapped their names
            apart = {"folded": literal(" ") + cast(Player.id, String)}
            execute(update(Player).where(Player.group_id == self._group_id).values(apart))
        new = []
        for job in jobs:
            known = self._known(key, table, job)
            if known is None:
                new.append(job)
            else:
                job.is_new = False
                job.id = getattr(known, "id", 0)
                if table in _MAY_CHANGE:
                    self._update(table, job, known)
        return new

    def _update(self, table: Table, job: Job, known: Any) -> None:
        """Give a stored row the values of the file."""
        columns, row = table.model.__table__.c, columns_of(table, job, self._group_id)
        values = {
            key: value
            for key, value in row.items()
            if key not in _STAYS and (getattr(known, key) != value or key == "folded")
        }
        if values:
            its = [column == getattr(known, column.name) for column in columns if column.primary_key]
            execute(update(table.model).where(*its).values(values))
        if values and table is not tables.PLAYERS:
            night = job if table is tables.NIGHTS else job.owner
            self._changed |= {night.id} if night else set()

    def _known(self, key: str, table: Table, job: Job) -> Any:
        """Return the row that is stored for one of the file."""
        rows = self._stored[key].get(job.owner.id if job.owner else 0, [])
        if table is tables.SEATS:  # their order may have changed
            player = int(job.ids["players"][job.row["player"]])
            return next((row for row in rows if row.player_id == player), None)
        return rows[job.at] if job.at < len(rows) else None
