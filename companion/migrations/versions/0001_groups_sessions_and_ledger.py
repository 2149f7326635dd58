"""Groups, sessions and the ledger.

Revision ID: 0001
Follows:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "player_group",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("submission_key", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_group")),
        sa.UniqueConstraint("public_id", name=op.f("uq_player_group_public_id")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_player_group_secret_hash")),
        sa.UniqueConstraint("submission_key", name=op.f("uq_player_group_submission_key")),
    )
    op.create_table(
        "play_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("submission_key", sa.String(length=64), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("stake_units", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("stake_units > 0", name=op.f("ck_play_session_stake")),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_play_session_group_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_play_session")),
        sa.UniqueConstraint("public_id", name=op.f("uq_play_session_public_id")),
        sa.UniqueConstraint("submission_key", name=op.f("uq_play_session_submission_key")),
    )
    op.create_index(op.f("ix_play_session_group_id"), "play_session", ["group_id"])

    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_player_group_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("group_id", "folded", name=op.f("uq_player_group_id_folded")),
    )
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_account_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("session_id", "key", name=op.f("uq_account_session_id_key")),
    )
    op.create_table(
        "change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("submission_key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("device", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_change_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change")),
        sa.UniqueConstraint("session_id", "submission_key", name=op.f("uq_change_session_id_submission_key")),
    )
    op.create_table(
        "line",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("current_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_line_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_line")),
        sa.UniqueConstraint("session_id", "number", name=op.f("uq_line_session_id_number")),
    )
    op.create_table(
        "seat",
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=4), nullable=False),
        sa.CheckConstraint("state IN ('in', 'out', 'left')", name=op.f("ck_seat_state")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_seat_session_id")),
        sa.PrimaryKeyConstraint("session_id", "player_id", name=op.f("pk_seat")),
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("line_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("follows", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["change_id"], ["change.id"], name=op.f("fk_revision_change_id")),
        sa.ForeignKeyConstraint(["line_id"], ["line.id"], name=op.f("fk_revision_line_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revision")),
        sa.UniqueConstraint("line_id", "number", name=op.f("uq_revision_line_id_number")),
    )
    # a line and its current revision point at each other
    with op.batch_alter_table("line") as line:
        line.create_foreign_key(op.f("fk_line_current_id"), "revision", ["current_id"], ["id"])
    op.create_table(
        "transfer",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("giver_id", sa.Integer(), nullable=False),
        sa.Column("taker_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("rule", sa.String(length=10), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_transfer_amount")),
        sa.CheckConstraint("giver_id <> taker_id", name=op.f("ck_transfer_accounts")),
        sa.ForeignKeyConstraint(["giver_id"], ["account.id"], name=op.f("fk_transfer_giver_id")),
        sa.ForeignKeyConstraint(["revision_id"], ["revision.id"], name=op.f("fk_transfer_revision_id")),
        sa.ForeignKeyConstraint(["taker_id"], ["account.id"], name=op.f("fk_transfer_taker_id")),
        sa.PrimaryKeyConstraint("revision_id", "position", name=op.f("pk_transfer")),
    )
    op.create_index(op.f("ix_transfer_giver_id"), "transfer", ["giver_id"])
    op.create_index(op.f("ix_transfer_taker_id"), "transfer", ["taker_id"])


def downgrade() -> None:
    with op.batch_alter_table("line") as line:
        line.drop_constraint(op.f("fk_line_current_id"), type_="foreignkey")
    for table in (
        "transfer",
        "revision",
        "seat",
        "line",
        "change",
        "account",
        "player",
        "play_session",
        "player_group",
    ):
        op.drop_table(table)
