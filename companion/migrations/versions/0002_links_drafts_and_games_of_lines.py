"""Links with three rights, join codes, drafts of rounds, and the game of each line.

Revision ID: 0002
Follows: 0001
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_GROUP = sa.table("player_group", sa.column("id"), sa.column("secret_hash"), sa.column("submission_key"))
_LINK = sa.table("link", sa.column("group_id"), sa.column("access"), sa.column("number"), sa.column("secret_hash"))
_SESSION = sa.table("play_session", sa.column("id"), sa.column("closed_at"), sa.column("join_code"))
_LINE = sa.table("line", sa.column("id"), sa.column("current_id"), sa.column("game"))
_REVISION = sa.table("revision", sa.column("id"), sa.column("document", sa.JSON))


def upgrade() -> None:
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("access", sa.String(length=4), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("access IN ('keep', 'play', 'look')", name=op.f("ck_link_access")),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_link_group_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link")),
        sa.UniqueConstraint("group_id", "access", name=op.f("uq_link_group_id_access")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_link_secret_hash")),
    )
    op.create_table(
        "draft",
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_draft_session_id")),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_draft")),
    )
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempt")),
    )
    with op.batch_alter_table("play_session") as table:
        table.add_column(sa.Column("join_code", sa.String(length=6), nullable=True))
        table.create_unique_constraint(op.f("uq_play_session_join_code"), ["join_code"])
    op.add_column("line", sa.Column("game", sa.String(length=40), nullable=True))
    _keep_what_there_is()
    with op.batch_alter_table("player_group") as table:
        table.drop_constraint(op.f("uq_player_group_secret_hash"), type_="unique")
        table.drop_constraint(op.f("uq_player_group_submission_key"), type_="unique")
        table.drop_column("secret_hash")
        table.drop_column("submission_key")


def _keep_what_there_is() -> None:
    """Move the links' hashes to their table, and write each round's game beside its line."""
    connection = op.get_bind()
    columns = sa.select(_GROUP.c.id, sa.literal("keep"), sa.literal(1), _GROUP.c.secret_hash)
    connection.execute(_LINK.insert().from_select(["group_id", "access", "number", "secret_hash"], columns))
    current = sa.select(_LINE.c.id, _REVISION.c.document).join(_REVISION, _REVISION.c.id == _LINE.c.current_id)
    for line, document in connection.execute(current).all():
        connection.execute(_LINE.update().where(_LINE.c.id == line).values(game=document.get("game")))
    for (session,) in connection.execute(sa.select(_SESSION.c.id).where(_SESSION.c.closed_at.is_(None))).all():
        code = "".join(secrets.choice("CDFHJKMNPRTWXY3479") for _ in range(6))
        connection.execute(_SESSION.update().where(_SESSION.c.id == session).values(join_code=code))


def downgrade() -> None:
    with op.batch_alter_table("player_group") as table:
        table.add_column(sa.Column("secret_hash", sa.String(length=64), nullable=True))
        table.add_column(sa.Column("submission_key", sa.String(length=64), nullable=True))
    connection = op.get_bind()
    keep = sa.select(_LINK.c.secret_hash).where(_LINK.c.group_id == _GROUP.c.id, _LINK.c.access == "keep")
    found = keep.scalar_subquery()
    connection.execute(_GROUP.update().values(secret_hash=found, submission_key=found))
    with op.batch_alter_table("player_group") as table:
        table.alter_column("secret_hash", existing_type=sa.String(length=64), nullable=False)
        table.alter_column("submission_key", existing_type=sa.String(length=64), nullable=False)
        table.create_unique_constraint(op.f("uq_player_group_secret_hash"), ["secret_hash"])
        table.create_unique_constraint(op.f("uq_player_group_submission_key"), ["submission_key"])
    op.drop_column("line", "game")
    with op.batch_alter_table("play_session") as table:
        table.drop_constraint(op.f("uq_play_session_join_code"), type_="unique")
        table.drop_column("join_code")
    op.drop_table("attempt")
    op.drop_table("draft")
    op.drop_table("link")
