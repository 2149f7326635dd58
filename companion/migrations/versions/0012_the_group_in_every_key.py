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
_TABLES = ("player", "link", "rule_set", "play_session", "settle_up", *_OWNERS, "result", *_SUMS)
_REFERRED = ("player", "play_session", "settle_up", "account", "change", "line", "revision", "planned_payment")
_OLD_INDEXES = {
    "ix_play_session_group_id": ("play_session", ["group_id"]),
    "ix_settle_up_group_id": ("settle_up", ["group_id"]),
    "ix_settle_up_session_id": ("settle_up", ["session_id"]),
    "ix_paid_payment_id": ("paid", ["payment_id"]),
    "ix_transfer_giver_id": ("transfer", ["giver_id"]),
    "ix_transfer_taker_id": ("transfer", ["taker_id"]),
    "ix_change_in_order": ("change", ["session_id", "id"]),
}
_NEW_INDEXES = {
    "ix_settle_up_of_session": ("settle_up", ["group_id", "session_id"]),
    "ix_paid_of_payment": ("paid", ["group_id", "payment_id"]),
    "ix_change_in_order": ("change", ["group_id", "session_id", "id"]),
}
Columns = tuple[str, ...]


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
        return cls(primary, tuple(one for one in unique if one != ("group_id", "id")), tuple(foreign))

    def with_group(self, table: str) -> _Keys:
        unique = tuple(_add(one) if table in _OWNERS and len(one) > 1 else one for one in self.unique)
        return _Keys(_add(self.primary), unique, tuple((_add(one), other) for one, other in self.foreign))

    def without_group(self, table: str) -> _Keys:
        primary = self.primary if table in _SUMS else _drop(self.primary)
        unique = tuple(_drop(one) if table in _OWNERS else one for one in self.unique)
        return _Keys(primary, unique, tuple((_drop(one), other) for one, other in self.foreign))


def _add(columns: Columns) -> Columns:
    return columns if "group_id" in columns else ("group_id", *columns)


def _drop(columns: Columns) -> Columns:
    return tuple(column for column in columns if column != "group_id") or columns


def upgrade() -> None:
    was = {table: _Keys.of(table) for table in _TABLES}
    _change(was, {table: keys.with_group(table) for table, keys in was.items()}, _OLD_INDEXES, _NEW_INDEXES)


def downgrade() -> None:
    was = {table: _Keys.of(table) for table in _TABLES}
    _change(was, {table: keys.without_group(table) for table, keys in was.items()}, _NEW_INDEXES, _OLD_INDEXES)


def _change(was: dict[str, _Keys], keys: dict[str, _Keys], old: dict[str, Any], new: dict[str, Any]) -> None:
    """Replace keys and indexes. The tables in `_OWNERS` have the group's id afterwards if it is in their keys."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    if on_sqlite:
        for table in _TABLES:
            _rebuild(table, keys[table])
    else:
        for name, (table, _) in old.items():
            op.drop_index(name, table)
        _alter(was, keys)
    for name, (table, columns) in new.items():
        op.create_index(name, table, columns)


def _rebuild(table: str, keys: _Keys) -> None:
    """Write a table of SQLite anew, with other keys; its triggers stay."""
    bind = op.get_bind()
    found = sa.inspect(bind)
    triggers = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :name")
    stays = list(bind.scalars(triggers, {"name": table}))
    indexes = [one for one in found.get_indexes(table) if one["name"] == "ix_result_in_order"]
    there = {str(one["name"]): one for one in found.get_columns(table)}
    names = [name for name in there if name != "group_id"]
    has_group = any("group_id" in columns for columns, _ in keys.foreign)
    columns = [
        sa.Column(n, there[n]["type"], nullable=there[n]["nullable"], server_default=_default(there[n])) for n in names
    ]
    if has_group:
        columns = [sa.Column("group_id", sa.Integer(), nullable=False), *columns]
    if keys.primary == ("group_id", "id"):  # SQLite makes ids only where they alone are the primary key
        referred = (keys.primary,) if table in _REFERRED else ()
        keys = keys._replace(primary=("id",), unique=(*keys.unique, *referred))
    checks = [
        sa.CheckConstraint(one["sqltext"], name=op.f(str(one["name"]))) for one in found.get_check_constraints(table)
    ]
    op.create_table(f"new_{table}", *columns, *checks, *_constraints(table, keys))
    copied = ", ".join(f'"{table}"."{name}"' for name in names)
    source = f'"{table}"'
    if has_group:
        owner = table
        if "group_id" not in there:
            column, owner = _OWNERS[table]
            source += f' JOIN "{owner}" ON "{owner}".id = "{table}"."{column}"'
        copied = f'"{owner}".group_id, {copied}'
    into = ", ".join(f'"{column.name}"' for column in columns)
    op.execute(f'INSERT INTO "new_{table}" ({into}) SELECT {copied} FROM {source}')
    op.drop_table(table)
    op.rename_table(f"new_{table}", table)
    for index in indexes:
        op.create_index(str(index["name"]), table, [str(column) for column in index["column_names"]])
    for trigger in stays:
        op.execute(trigger)


def _default(column: Any) -> Any:
    return None if column["default"] is None else sa.text(column["default"])


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
    return ["id"] if other == "player_group" or len(columns) == 1 else ["group_id", "id"]


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
