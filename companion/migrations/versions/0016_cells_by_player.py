"""The cells of drafts by the player or part they are about, instead of by the names of their fields.

Revision ID: 0016
Follows: 0015
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_DRAFTS = sa.table(
    "draft", sa.column("group_id", sa.Integer), sa.column("session_id", sa.Integer), sa.column("cells", sa.JSON)
)


_OF_TABLE = ("game", "dealer", "betting", "bets", "order", "bets-order", "asked-back", "lot", "done")


def upgrade() -> None:
    _convert(by_owner)


def downgrade() -> None:
    _convert(by_field)


def _convert(converted: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    connection = op.get_bind()
    for group, session, cells in connection.execute(sa.select(_DRAFTS)).all():
        is_draft = (_DRAFTS.c.group_id == group) & (_DRAFTS.c.session_id == session)
        connection.execute(sa.update(_DRAFTS).where(is_draft).values(cells=converted(cells)))


def by_owner(cells: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return cells by owner and question: players-17-hand is the hand of player 17, rules-ante the house rule."""
    found: dict[str, dict[str, Any]] = {}
    for name, cell in cells.items():
        part, _, rest = name.partition("-")
        owner, question = "table", name
        if part == "players":
            owner, _, question = rest.partition("-")
        elif part in ("kind", "turn"):
            owner, question = rest, part
        elif part in ("rules", "everyone"):
            owner, question = part, rest
        elif part == "asked" and rest != "back":
            question = rest
        found.setdefault(owner, {})[question] = cell
    return found


def by_field(cells: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return cells by the names that they had before."""
    found = {}
    for owner, asked in cells.items():
        for question, cell in asked.items():
            if owner == "table":
                name = question if question in _OF_TABLE else f"asked-{question}"
            elif owner in ("rules", "everyone"):
                name = f"{owner}-{question}"
            else:
                name = f"{question}-{owner}" if question in ("kind", "turn") else f"players-{owner}-{question}"
            found[name] = cell
    return found
