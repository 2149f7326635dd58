"""Which games a group played last."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from ..db.database import execute
from ..models import Line, Night

_NIGHTS = 5  # so many are looked at
_LAST_NIGHTS = select(Night.id).where(Night.group_id == bindparam("group")).order_by(Night.id.desc()).limit(_NIGHTS)
_GAMES = select(Line.night_id, Line.number, Line.game).where(
    Line.group_id == bindparam("group"), Line.night_id.in_(_LAST_NIGHTS.scalar_subquery()), Line.game.is_not(None)
)


def last_games(group: int) -> list[str]:
    """List the keys of the games in a group's newest rounds, each once, newest first."""
    rounds = sorted(execute(_GAMES, {"group": group}).all(), reverse=True)
    return list(dict.fromkeys(game for _night, _number, game in rounds))
