"""The menu of games: those that the table played last, then each family, and at the end what a table names itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import Flask

from companion.engine.game import AnyGame, Family
from companion.games import all_games
from companion.store.history.last_games import last_games

_LAST = 3


class GameMenu(NamedTuple):
    """The games in the order of the menu, each once; families without games are left out."""

    last: list[AnyGame]
    families: list[tuple[str, list[AnyGame]]]  # with the heading
    named: list[AnyGame]

    @property
    def others(self) -> list[AnyGame]:
        """All but those played last."""
        return [*(game for _, games in self.families for game in games), *self.named]


def init_app(app: Flask) -> None:
    app.jinja_env.globals.update(game_menu=game_menu, last_games=last_games)


def game_menu(played: Iterable[str] = ()) -> GameMenu:
    """Return the menu for a table that played these games last, newest first."""
    games = all_games()
    last = [games[key] for key in played if key in games][:_LAST]
    others = [game for game in games.values() if game not in last and not game.is_named]
    families = [(family.value, [game for game in others if game.family is family]) for family in Family]
    named = [game for game in games.values() if game.is_named and game not in last]
    return GameMenu(last, [(heading, members) for heading, members in families if members], named)
