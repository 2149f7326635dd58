"""The database itself refuses to change or delete what is in the ledger.

A migration that makes one of these tables anew on SQLite (batch mode) has to make its triggers anew as well.

Revision ID: 0003
Follows: 0002
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TABLES = ("change", "revision", "transfer")
_REFUSAL = "What is in the ledger stays: a correction adds a revision, nothing is changed or deleted"
# of a line only which revision is current may change
_TRIGGERS = [
    *((table, "update", "UPDATE") for table in _TABLES),
    *((table, "delete", "DELETE") for table in (*_TABLES, "line")),
    ("line", "update", "UPDATE OF id, session_id, number"),
]


def upgrade() -> None:
    on_postgresql = op.get_bind().dialect.name == "postgresql"
    if on_postgresql:
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
    on_postgresql = op.get_bind().dialect.name == "postgresql"
    for table, what, _ in _TRIGGERS:
        op.execute(f"DROP TRIGGER {table}_refuses_{what}" + (f" ON {table}" if on_postgresql else ""))
    if on_postgresql:
        op.execute("DROP FUNCTION refuse_ledger_change()")
