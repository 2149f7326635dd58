"""Writes the rows of a group's file to the database, table by table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Executable, bindparam, insert, update

from ..history.tallies import Played, Sums, counted_as
from ..log.ledger import MAKE_CURRENT
from ..log.typed import digest_of, texts_in
from ..models import Duel, Result, SettleUp, Tally, TypedText
from .format.kinds import Ids, Row, Scope
from .format.table import Table
from .format.tables import GROUP, clock_of_night
from .group_file import GroupFile

Execute = Callable[[Executable, Iterable[Row]], list[Any]]  # a statement for many rows; returns what it returns
_REPLACE = (
    update(SettleUp)
    .where(SettleUp.group_id == bindparam("group"), SettleUp.id == bindparam("plan"))
    .values(replaced_by_id=bindparam("later"))
)


@dataclass(slots=True)
class Job:
    """A row of the file with its index in its list; `id` is set once it is inserted, or found (then not `is_new`)."""

    row: Row
    at: int
    owner: Job | None
    ids: Ids
    id: int = 0
    is_new: bool = True


class Writer:
    """Writes the whole group of a file."""

    def __init__(self, file: GroupFile, execute: Execute) -> None:
        self._group, self._results, self._execute = file.group, file.results, execute
        self._jobs: dict[str, list[Job]] = {}
        self._texts: dict[Any, Any] = {}  # what people typed → its id

    def put(self) -> int:
        """Write the group, table by table, and its results; returns its id."""
        self._put_rows()
        sums = Sums()
        self._execute(insert(Result), self._result_rows(sums))
        self._execute(insert(Tally), sums.tally_rows())
        self._execute(insert(Duel), sums.duel_rows())
        return self._group_id

    @property
    def _group_id(self) -> int:
        return self._jobs["group"][0].id

    def _put_rows(self) -> None:
        """Write what was logged, and which revisions and plans count."""
        self._put("group", GROUP, [Job(self._group, 0, None, {"typed": self._texts})])
        newest = {job.owner.id: job.id for job in self._jobs["revisions"] if job.owner and job.is_new}
        of_group = {"group": self._group_id}
        self._execute(
            MAKE_CURRENT, [{**of_group, "line": line, "revision": revision} for line, revision in newest.items()]
        )
        replaced = [(job.id, job.ids["plans"].get(job.row["replaced_by"])) for job in self._jobs["plans"]]
        self._execute(_REPLACE, [{**of_group, "plan": plan, "later": int(later)} for plan, later in replaced if later])

    def _new(self, key: str, table: Table, jobs: list[Job]) -> list[Job]:
        """Return those of a table's rows that aren't in the database yet."""
        return jobs

    def _put(self, key: str, table: Table, jobs: list[Job]) -> None:
        """Insert the rows of a table, then those of the tables below it."""
        self._jobs[key] = jobs
        new = self._new(key, table, jobs)
        rows = (columns_of(table, job, self._group_id) for job in new)
        if not hasattr(table.model, "id"):
            self._execute(insert(table.model), rows)
            return
        added = insert(table.model).returning(table.model.id, sort_by_parameter_order=True)
        for job, (id_,) in zip(new, self._execute(added, rows), strict=True):
            job.id = id_
        if table is GROUP:
            self._put_texts()
        for job in jobs if table.names else ():
            job.ids[key][job.row[table.names[0]]] = str(job.id)
        inside = [{**job.ids, **{child: {} for child in table.tables}} for job in jobs]
        for child, below in table.tables.items():
            inserted_next: list[Job] = []
            for job, ids in zip(jobs, inside, strict=True):
                inserted_next += [Job(row, at, job, ids) for at, row in enumerate(job.row[child])]
            self._put(child, below, inserted_next)

    def _put_texts(self) -> None:
        """Insert what people typed, to which changes and revisions refer."""
        texts = [text for text in dict.fromkeys(_typed_in(self._group)) if text not in self._texts]
        rows = ({"group_id": self._group_id, "digest": digest_of(text), "text": text} for text in texts)
        added = insert(TypedText).returning(TypedText.id, sort_by_parameter_order=True)
        self._texts |= {text: id_ for text, (id_,) in zip(texts, self._execute(added, rows), strict=True)}

    def _result_rows(self, sums: Sums) -> Iterator[Row]:
        """Yield the rows of the rounds' results, and add them to the sums."""
        players = [job.id for job in self._jobs["players"]]
        for job in self._jobs["lines"]:
            night = job.owner
            assert night is not None and night.owner is not None
            parts = self._results.get((night.row["id"], job.row["number"]))
            if parts is not None:
                document = job.row["revisions"][-1]["document"]
                played = Played(
                    job.id,
                    night.owner.id,
                    night.id,
                    job.row["number"],
                    counted_as({**document, "called": self._texts.get(document.get("called", ""))}),
                    month=clock_of_night(night.row)[1],
                    currency=night.row["currency"] or "",
                    # the file's number of the player becomes the player's id
                    parts=tuple(replace(part, player_id=players[part.player_id - 1]) for part in parts),
                )
                sums.add(played)
                yield from played.rows()


def _typed_in(group: Row) -> Iterator[str]:
    for night in group["nights"]:
        for change in night["changes"]:
            yield from (text for text in (change["device"], *texts_in(change["content"])) if text)
        for revision in (revision for line in night["lines"] for revision in line["revisions"]):
            yield from texts_in(revision["document"])


def columns_of(table: Table, job: Job, group_id: int) -> Row:
    """Return a row as the database has it, apart from its id."""
    row, here = job.row, Scope(job.ids)
    put = {column: kind.put(row[key], here) for column, (key, kind) in table.columns.items()}
    owner = {"group_id": group_id, table.owner: job.owner.id} if job.owner else {}
    position = {"position": job.at} if table.order == "position" else {}
    return {**put, **owner, **position, **table.more(row)}
