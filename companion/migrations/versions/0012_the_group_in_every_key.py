"""The group's id in every key of its rows, so that groups can be spread over several servers.

What finds a group's rows by an address or a form's key alone stays unique over all groups. Two indexes of transfers by
account go: nothing asks for them.

Revision ID: 0012
Follows: 0011
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# the tables without the group's id, each with a column that refers to a row which has it
_OWNERS = {
    "seat": ("session_id", "play_session"),
    "draft": ("session_id", "play_session"),
    "account": ("session_id", "play_session"),
    "change": ("session_id", "play_session"),
    "line": ("session_id", "play_session"),
    "revision": ("line_id", "line"),
    "transfer": ("revision_id", "revision"),
    "planned_payment": ("settle_up_id", "settle_up"),
    "paid": ("payment_id", "planned_payment"),
}
_SUMS = ("tally", "duel")  # have had the group's id in their key before
_ASKED_FOR_BY_GROUP = ("play_session", "settle_up")  # it comes first in their keys, elsewhere last: see models/base.py
_TABLES = ("player", "link", "rule_set", "play_session", "settle_up", *_OWNERS, "result", *_SUMS)
_REFERRED = ("player", "play_session", "settle_up", "account", "change", "line", "revision", "planned_payment")
_INDEXES = {  # that go: the first two are replaced by keys, and nothing asks for the others
    "ix_play_session_group_id": ("play_session", "group_id"),
    "ix_settle_up_group_id": ("settle_up", "group_id"),
    "ix_transfer_giver_id": ("transfer", "giver_id"),
    "ix_transfer_taker_id": ("transfer", "taker_id"),
}
Columns = tuple[str, ...]
_WITH_ID = {"id", "group_id"}


class _Keys(NamedTuple):
    """A table's keys; `foreign` are (columns, the table they refer to)."""

    primary: Columns
    unique: tuple[Columns, ...]
    foreign: tuple[tuple[Columns, str], ...]

    @classmethod
    def of(cls, table: str) -> _Keys:
        found = sa.inspect(op.get_bind())
        unique = [tuple(one["column_names"]) for one in found.get_unique_constraints(table)]
        foreign = [(tuple(one["constrained_columns"]), one["referred_table"]) for one in found.get_foreign_keys(table)]
        primary = tuple(found.get_pk_constraint(table)["constrained_columns"])
        return cls(primary, tuple(one for one in unique if {*one} != _WITH_ID), tuple(foreign))

    def with_group(self, table: str) -> _Keys:
        unique = tuple(_add(one) if table in _OWNERS and len(one) > 1 else one for one in self.unique)
        primary = ("group_id", *self.primary) if table in _ASKED_FOR_BY_GROUP else _add(self.primary)
        return _Keys(primary, unique, tuple((_add(one), other) for one, other in self.foreign))

    def without_group(self, table: str) -> _Keys:
        primary = self.primary if table in _SUMS else _drop(self.primary)
        unique = tuple(_drop(one) if table in _OWNERS else one for one in self.unique)
        return _Keys(primary, unique, tuple((_drop(one), other) for one, other in self.foreign))


def _add(columns: Columns) -> Columns:
    return columns if "group_id" in columns else (*columns, "group_id")


def _drop(columns: Columns) -> Columns:
    return tuple(column for column in columns if column != "group_id") or columns


def upgrade() -> None:
    for name, (table, _) in _INDEXES.items():
        op.drop_index(name, table)
    was = {table: _Keys.of(table) for table in _TABLES}
    _change(was, {table: keys.with_group(table) for table, keys in was.items()})


def downgrade() -> None:
    was = {table: _Keys.of(table) for table in _TABLES}
    _change(was, {table: keys.without_group(table) for table, keys in was.items()})
    for name, (table, column) in _INDEXES.items():
        op.create_index(name, table, [column])


def _change(was: dict[str, _Keys], keys: dict[str, _Keys]) -> None:
    """Replace keys. The tables in `_OWNERS` have the group's id afterwards if it is in their keys."""
    if op.get_bind().dialect.name == "sqlite":
        for table in _TABLES:
            _rebuild(table, keys[table])
    else:
        _alter(was, keys)


def _rebuild(table: str, keys: _Keys) -> None:
    """Write a table of SQLite anew, with other keys; its indexes and triggers stay."""
    bind = op.get_bind()
    found = sa.inspect(bind)
    triggers = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :name")
    stays = list(bind.scalars(triggers, {"name": table}))
    indexes = found.get_indexes(table)
    there = [_column(column) for column in found.get_columns(table)]
    checks = [
        sa.CheckConstraint(one["sqltext"], name=op.f(str(one["name"]))) for one in found.get_check_constraints(table)
    ]
    is_of_group = any("group_id" in columns for columns, _ in keys.foreign)
    columns = [column for column in there if is_of_group or column.name != "group_id"]
    source, copied = f'"{table}"', [f'"{table}"."{column.name}"' for column in columns]
    if is_of_group and "group_id" not in (column.name for column in there):
        refers, owner = _OWNERS[table]
        columns.append(sa.Column("group_id", sa.Integer(), nullable=False))
        copied.append(f'"{owner}".group_id')
        source += f' JOIN "{owner}" ON "{owner}".id = "{table}"."{refers}"'
    if {*keys.primary} == _WITH_ID:  # SQLite makes ids only where they alone are the primary key
        referred = (keys.primary,) if table in _REFERRED else ()
        keys = keys._replace(primary=("id",), unique=(*keys.unique, *referred))
    op.create_table(f"new_{table}", *columns, *checks, *_constraints(table, keys))
    into = ", ".join(f'"{column.name}"' for column in columns)
    op.execute(f'INSERT INTO "new_{table}" ({into}) SELECT {", ".join(copied)} FROM {source}')
    op.drop_table(table)
    op.rename_table(f"new_{table}", table)
    for index in indexes:
        op.create_index(str(index["name"]), table, [str(column) for column in index["column_names"]])
    for trigger in stays:
        op.execute(trigger)


def _column(found: Any) -> sa.Column[Any]:
    default = None if found["default"] is None else sa.text(found["default"])
    return sa.Column(found["name"], found["type"], nullable=found["nullable"], server_default=default)


def _constraints(table: str, keys: _Keys) -> list[Any]:
    return [
        sa.PrimaryKeyConstraint(*keys.primary, name=op.f(f"pk_{table}")),
        *(sa.UniqueConstraint(*one, name=op.f(f"uq_{table}_{'_'.join(one)}")) for one in keys.unique),
        *(
            sa.ForeignKeyConstraint(
                columns,
                [f"{other}.{name}" for name in _referred(columns, other)],
                name=op.f(f"fk_{table}_{'_'.join(columns)}"),
            )
            for columns, other in keys.foreign
        ),
    ]


def _referred(columns: Columns, other: str) -> list[str]:
    return ["id"] if len(columns) == 1 else ["id", "group_id"]


def _alter(was: dict[str, _Keys], keys: dict[str, _Keys]) -> None:
    """Give the tables of PostgreSQL other keys."""
    for table, before in was.items():
        for columns, other in before.foreign:
            if other != "player_group":
                op.drop_constraint(f"fk_{table}_{'_'.join(columns)}", table)
    for table, before in was.items():
        for one in set(before.unique) - set(keys[table].unique):
            op.drop_constraint(f"uq_{table}_{'_'.join(one)}", table)
        if before.primary != keys[table].primary:
            op.drop_constraint(f"pk_{table}", table)
    for table, (column, owner) in _OWNERS.items():
        if "group_id" in keys[table].primary:
            op.add_column(table, sa.Column("group_id", sa.Integer(), nullable=True))
            op.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')  # the ledger's, which refuse every change
            op.execute(
                f'UPDATE "{table}" SET group_id = "{owner}".group_id FROM "{owner}" '
                f'WHERE "{owner}".id = "{table}"."{column}"'
            )
            op.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
            op.alter_column(table, "group_id", nullable=False)
        else:
            op.drop_column(table, "group_id")
    for table, after in keys.items():
        if was[table].primary != after.primary:
            op.create_primary_key(f"pk_{table}", table, list(after.primary))
        for one in set(after.unique) - set(was[table].unique):
            op.create_unique_constraint(f"uq_{table}_{'_'.join(one)}", table, list(one))
    for table, after in keys.items():
        for columns, other in after.foreign:
            if other != "player_group":
                name = f"fk_{table}_{'_'.join(columns)}"
                op.create_foreign_key(name, table, other, list(columns), _referred(columns, other))
