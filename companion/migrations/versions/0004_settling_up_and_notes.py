"""Plans of payments and what was paid of them; places, notes and remarks.

Revision ID: 0004
Follows: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NOTES = (
    ("play_session", "place", sa.String(length=100)),
    ("play_session", "note", sa.Text()),
    ("line", "remark", sa.String(length=200)),
)


def upgrade() -> None:
    op.create_table(
        "settle_up",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("submission_key", sa.String(length=64), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("replaced_by_id", sa.Integer(), nullable=True),
        sa.Column("device", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_settle_up_group_id")),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_settle_up_session_id")),
        sa.ForeignKeyConstraint(["replaced_by_id"], ["settle_up.id"], name=op.f("fk_settle_up_replaced_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settle_up")),
        sa.UniqueConstraint("public_id", name=op.f("uq_settle_up_public_id")),
        sa.UniqueConstraint("submission_key", name=op.f("uq_settle_up_submission_key")),
    )
    op.create_index(op.f("ix_settle_up_group_id"), "settle_up", ["group_id"])
    op.create_index(op.f("ix_settle_up_session_id"), "settle_up", ["session_id"])
    op.create_table(
        "planned_payment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("settle_up_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("payer", sa.String(length=20), nullable=False),
        sa.Column("payee", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_planned_payment_amount")),
        sa.CheckConstraint("payer <> payee", name=op.f("ck_planned_payment_accounts")),
        sa.ForeignKeyConstraint(["settle_up_id"], ["settle_up.id"], name=op.f("fk_planned_payment_settle_up_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_planned_payment")),
        sa.UniqueConstraint("settle_up_id", "position", name=op.f("uq_planned_payment_settle_up_id_position")),
    )
    op.create_table(
        "paid",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("payment_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("submission_key", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount <> 0", name=op.f("ck_paid_amount")),
        sa.ForeignKeyConstraint(["payment_id"], ["planned_payment.id"], name=op.f("fk_paid_payment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_paid")),
        sa.UniqueConstraint("submission_key", name=op.f("uq_paid_submission_key")),
    )
    op.create_index(op.f("ix_paid_payment_id"), "paid", ["payment_id"])
    op.add_column("player_group", sa.Column("pin_hash", sa.String(length=200), nullable=True))
    for table, column, kind in _NOTES:
        op.add_column(table, sa.Column(column, kind, nullable=False, server_default=""))


def downgrade() -> None:
    for table, column, _ in _NOTES:
        op.drop_column(table, column)
    op.drop_column("player_group", "pin_hash")
    for table in ("paid", "planned_payment", "settle_up"):
        op.drop_table(table)
