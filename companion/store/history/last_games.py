"""Which games a group played last."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from ..db.database import execute
from ..models import Line
from ..night_key import in_newest_nights

_NIGHTS = 5  # so many are looked at
_GAMES = (
    select(Line.night_id, func.max(Line.number), Line.game)
    .where(*in_newest_nights(Line, bindparam("group"), _NIGHTS), Line.game.is_not(None))
    .group_by(Line.night_id, Line.game)
)


def last_games(group: int) -> list[str]:
    """List the keys of the games in a group's newest rounds, each once, newest first."""
    rounds = sorted(execute(_GAMES, {"group": group}).all(), reverse=True)
    return list(dict.fromkeys(game for _night, _number, game in rounds))
