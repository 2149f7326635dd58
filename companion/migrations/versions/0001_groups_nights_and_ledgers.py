"""Groups, their nights and ledgers, and what is computed from them.

Revision ID: 0001
Follows:
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)
# other tables refer to their rows
_REFERRED = ("player", "night", "settle_up", "account", "change", "line", "revision", "planned_payment")
_LEDGER = ("change", "revision", "transfer")
_REFUSAL = "What is in the ledger stays: a correction adds a revision, nothing is changed or deleted"
# of a line only its remark and which revision is current may change
_TRIGGERS = [
    *((table, "update", "UPDATE") for table in _LEDGER),
    *((table, "delete", "DELETE") for table in (*_LEDGER, "line")),
    ("line", "update", "UPDATE OF id, night_id, number"),
]


def _is_postgresql() -> bool:
    return bool(op.get_bind().dialect.name == "postgresql")


def _key(table: str, *columns: str) -> list[Any]:
    """Return the primary key; on SQLite only the id, if it has one, or SQLite wouldn't generate it."""
    if _is_postgresql() or {*columns} != {"id", "group_id"}:
        return [sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")]
    referred = [_unique(table, *columns)] if table in _REFERRED else []
    return [sa.PrimaryKeyConstraint("id", name=f"pk_{table}"), *referred]


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _check(table: str, name: str, condition: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def _of_group(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=f"fk_{table}_group_id")


def _refers(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    """Return the foreign key for a column with the id of another row of the same group."""
    return sa.ForeignKeyConstraint(
        [column, "group_id"], [f"{other}.id", f"{other}.group_id"], name=f"fk_{table}_{column}_group_id"
    )


def upgrade() -> None:
    _people()
    _nights()
    _ledger()
    _plans()
    _sums()
    _protect_ledger()


def _people() -> None:
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        *_key("attempt", "key"),
    )
    op.create_index("ix_attempt_expires_at", "attempt", ["expires_at"])
    op.create_table(
        "player_group",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(16), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("pin_hash", sa.String(200), nullable=True),
        sa.Column("made_at", _TIME, nullable=False),
        sa.Column("is_complete", sa.Boolean(), nullable=False),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("deleted_at", _TIME, nullable=True),
        sa.Column("deletion_key", sa.String(64), nullable=True),
        *_key("player_group", "id"),
        _unique("player_group", "public_id"),
    )
    op.create_index("ix_player_group_deletion_key", "player_group", ["deletion_key"], unique=True)
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("access", sa.String(4), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("link", "id", "group_id"),
        _check("link", "access", "access IN ('keep', 'play', 'look')"),
        _of_group("link"),
        _unique("link", "group_id", "access"),
        _unique("link", "secret_hash"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("player", "id", "group_id"),
        _of_group("player"),
        _unique("player", "group_id", "folded"),
    )
    op.create_table(
        "rule_set",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("rule_set", "id", "group_id"),
        _of_group("rule_set"),
        _unique("rule_set", "group_id", "game", "folded"),
    )
    op.create_table(
        "typed",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("typed", "id", "group_id"),
        _of_group("typed"),
        _unique("typed", "group_id", "digest"),
    )
    op.create_table(
        "sent_form",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        *_key("sent_form", "group_id", "key"),
        _of_group("sent_form"),
    )


def _nights() -> None:
    op.create_table(
        "night",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(16), nullable=False),
        sa.Column("submission_key", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("stake_units", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(3), nullable=True),
        sa.Column("buy_in_units", sa.BigInteger(), nullable=True),
        sa.Column("place", sa.String(100), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("opened_at", _TIME, nullable=False),
        sa.Column("utc_offset", sa.Integer(), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("closed_at", _TIME, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("join_code", sa.String(6), nullable=True),
        *_key("night", "group_id", "id"),
        _check("night", "buy_in", "buy_in_units > 0"),
        _check("night", "stake", "stake_units > 0"),
        _of_group("night"),
        _unique("night", "join_code"),
        _unique("night", "public_id"),
        _unique("night", "submission_key"),
    )
    op.create_table(
        "seat",
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(4), nullable=False),
        sa.Column("phone", sa.String(16), nullable=True),
        sa.Column("phone_name", sa.String(100), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("seat", "night_id", "player_id", "group_id"),
        _check("seat", "state", "state IN ('in', 'out', 'left')"),
        _refers("seat", "player_id", "player"),
        _refers("seat", "night_id", "night"),
    )
    op.create_table(
        "draft",
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("late", sa.JSON(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("draft", "night_id", "group_id"),
        _refers("draft", "night_id", "night"),
    )


def _ledger() -> None:
    op.create_table(
        "change",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("submission_key", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("device_id", sa.Integer(), nullable=True),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("change", "id", "group_id"),
        _refers("change", "night_id", "night"),
        _unique("change", "night_id", "submission_key", "group_id"),
    )
    op.create_index("ix_change_in_order", "change", ["night_id", "id"])
    op.create_table(
        "line",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=True),
        sa.Column("remark", sa.String(200), nullable=False),
        sa.Column("current_id", sa.Integer(), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("line", "id", "group_id"),
        # a line and its current revision refer to each other; PostgreSQL wants the other table first
        *([] if _is_postgresql() else [_refers("line", "current_id", "revision")]),
        _refers("line", "night_id", "night"),
        _unique("line", "night_id", "number", "group_id"),
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("line_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("follows", sa.Boolean(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("revision", "id", "group_id"),
        _refers("revision", "change_id", "change"),
        _refers("revision", "line_id", "line"),
        _unique("revision", "line_id", "number", "group_id"),
    )
    if _is_postgresql():
        op.create_foreign_key(
            "fk_line_current_id_group_id", "line", "revision", ["current_id", "group_id"], ["id", "group_id"]
        )
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(20), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("account", "id", "group_id"),
        _refers("account", "night_id", "night"),
        _unique("account", "night_id", "key", "group_id"),
    )
    op.create_table(
        "transfer",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("giver_id", sa.Integer(), nullable=False),
        sa.Column("taker_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("rule", sa.String(10), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("transfer", "revision_id", "position", "group_id"),
        _check("transfer", "accounts", "giver_id <> taker_id"),
        _check("transfer", "amount", "amount > 0"),
        _refers("transfer", "giver_id", "account"),
        _refers("transfer", "revision_id", "revision"),
        _refers("transfer", "taker_id", "account"),
    )


def _plans() -> None:
    op.create_table(
        "settle_up",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(16), nullable=False),
        sa.Column("submission_key", sa.String(64), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.Column("currency", sa.String(3), nullable=True),
        sa.Column("replaced_by_id", sa.Integer(), nullable=True),
        sa.Column("device", sa.String(100), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        *_key("settle_up", "group_id", "id"),
        _of_group("settle_up"),
        _refers("settle_up", "replaced_by_id", "settle_up"),
        _refers("settle_up", "night_id", "night"),
        _unique("settle_up", "public_id"),
        _unique("settle_up", "submission_key"),
    )
    op.create_index("ix_settle_up_night_id", "settle_up", ["night_id"])
    op.create_table(
        "planned_payment",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("settle_up_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("payer", sa.String(20), nullable=False),
        sa.Column("payee", sa.String(20), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("planned_payment", "id", "group_id"),
        _check("planned_payment", "accounts", "payer <> payee"),
        _check("planned_payment", "amount", "amount > 0"),
        _refers("planned_payment", "settle_up_id", "settle_up"),
        _unique("planned_payment", "settle_up_id", "position", "group_id"),
    )
    op.create_table(
        "paid",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("payment_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("submission_key", sa.String(64), nullable=False),
        sa.Column("device", sa.String(100), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("paid", "id", "group_id"),
        _check("paid", "amount", "amount <> 0"),
        _refers("paid", "payment_id", "planned_payment"),
        _unique("paid", "submission_key"),
    )
    op.create_index("ix_paid_payment_id", "paid", ["payment_id"])


def _sums() -> None:
    op.create_table(
        "result",
        sa.Column("line_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("knocked", sa.Boolean(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("hand_at_least", sa.BigInteger(), nullable=True),
        sa.Column("hand_of", sa.BigInteger(), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        *_key("result", "line_id", "player_id", "group_id"),
        _of_group("result"),
        _refers("result", "line_id", "line"),
        _refers("result", "player_id", "player"),
        _refers("result", "night_id", "night"),
    )
    op.create_index("ix_result_in_order", "result", ["group_id", "month", "currency", "night_id", "number"])
    op.create_table(
        "tally",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("knocks", sa.Integer(), nullable=False),
        sa.Column("good_knocks", sa.Integer(), nullable=False),
        sa.Column("folds", sa.Integer(), nullable=False),
        sa.Column("biggest_win", sa.BigInteger(), nullable=False),
        sa.Column("biggest_loss", sa.BigInteger(), nullable=False),
        sa.Column("streak_first", sa.Integer(), nullable=False),
        sa.Column("streak_last", sa.Integer(), nullable=False),
        sa.Column("streak_best", sa.Integer(), nullable=False),
        sa.Column("best_at_least", sa.BigInteger(), nullable=True),
        sa.Column("best_of", sa.BigInteger(), nullable=True),
        sa.Column("best_line_id", sa.Integer(), nullable=True),
        *_key("tally", "group_id", "player_id", "game", "month", "currency"),
        _refers("tally", "best_line_id", "line"),
        _of_group("tally"),
        _refers("tally", "player_id", "player"),
    )
    op.create_table(
        "duel",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("better", sa.Integer(), nullable=False),
        sa.Column("worse", sa.Integer(), nullable=False),
        sa.Column("difference", sa.BigInteger(), nullable=False),
        *_key("duel", "group_id", "first_id", "second_id", "game", "month", "currency"),
        _refers("duel", "first_id", "player"),
        _of_group("duel"),
        _refers("duel", "second_id", "player"),
    )


def _protect_ledger() -> None:
    """Let the database itself refuse to change or delete what is in the ledger.

    A migration that makes one of these tables anew on SQLite (batch mode) must make its triggers anew as well.
    """
    if _is_postgresql():
        op.execute(
            "CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$"
        )
        refusal = "FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()"
    else:
        refusal = f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    for table, what, event in _TRIGGERS:
        op.execute(f"CREATE TRIGGER {table}_refuses_{what} BEFORE {event} ON {table} {refusal}")


def downgrade() -> None:
    if _is_postgresql():
        op.drop_constraint("fk_line_current_id_group_id", "line")
    for table in (
        *("duel", "tally", "result", "paid", "planned_payment", "settle_up", "transfer", "account", "revision"),
        *("line", "change", "draft", "seat", "night", "sent_form", "typed", "rule_set", "player", "link"),
        *("player_group", "attempt"),
    ):
        op.drop_table(table)
    if _is_postgresql():
        op.execute("DROP FUNCTION refuse_ledger_change()")
