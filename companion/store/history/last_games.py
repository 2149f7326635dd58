"""The games that a group played last."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from ..db.database import execute
from ..models import Line

_ROUNDS = 30  # so many are looked at
_GAMES = (
    select(Line.game)
    .where(Line.group_id == bindparam("group"), Line.game.is_not(None))
    .order_by(Line.night_id.desc(), Line.number.desc())
    .limit(_ROUNDS)
)


def last_games(group: int) -> list[str]:
    """List the keys of the games in a group's newest rounds, each once, newest first."""
    return list(dict.fromkeys(execute(_GAMES, {"group": group}).scalars()))
