"""The help page of each game, made from its docstring and its declarations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from flask import Blueprint, abort, render_template

from companion.engine.deal import LastTurns
from companion.engine.entry import questions_of
from companion.engine.game import EXAMPLE_PLAYERS, AnyGame, Category, Round, seated
from companion.engine.messages import Message
from companion.engine.options import options_of
from companion.engine.pieces import Piece
from companion.engine.strength import ShownHand
from companion.engine.variants import read_example
from companion.games import all_games, common_text

from ..text.pieces import face

blueprint = Blueprint("help", __name__, url_prefix="/help")
_RULE = re.compile(r"([A-Z]{1,2}-\d+)\s+(.*)")


@dataclass
class Text:
    """A docstring taken apart: the lead, the other paragraphs, the rules by id, and where each comes from."""

    lead: str = ""
    paragraphs: list[str] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)
    sources: list[tuple[str, str, str]] = field(default_factory=list)


def read_text(text: str) -> Text:
    """Take a game's docstring apart.

    Lines that are indented go on with the one before. A rule is a line that begins with its id; after the line
    "Sources" each line is id | where the source says it | followed, or how and why not.
    """
    found = Text()
    rules, _, sources = text.partition("\nSources\n")
    for paragraph in re.sub(r"\n +", " ", rules.strip()).split("\n\n"):
        matched = [_RULE.fullmatch(line) for line in paragraph.split("\n")]
        if all(matched):
            found.rules.update((match[1], match[2]) for match in matched if match)
        else:
            found.paragraphs.append(paragraph.replace("\n", " "))
    found.lead = found.paragraphs.pop(0)
    for line in re.sub(r"\n +", " ", sources).strip().split("\n"):
        if line:
            rule, where, how = (part.strip() for part in line.split("|"))
            found.sources.append((rule, where, how))
    return found


@blueprint.get("/")
def common() -> str:
    """Show the rules that all games share."""
    return render_template("common.html", text=read_text(common_text()), games=all_games().values())


@blueprint.get("/<key>")
def game(key: str) -> str:
    """Show a game's rules, hands, house rules and sources."""
    found = all_games().get(key)
    if found is None:
        abort(404)
    return render_template(
        "help.html",
        game=found,
        text=read_text(found.text),
        players=_example_players(found),
        deal=found.deal(seated(found, found.options(), _example_players(found), _example_players(found)[-1])),
        last_turns=_last_turns(found),
        counted=_counted(found),
        hands=_ranked(found),
        options=options_of(found.options),
        questions=questions_of(found.entry),
    )


@blueprint.get("/<key>/card")
def card(key: str) -> str:
    """Show a game's hands from high to low at one glance, and what its cards count."""
    found = all_games().get(key)
    if found is None:
        abort(404)
    hands = {"counted": _counted(found), "hands": _ranked(found)}
    return render_template("card.html", game=found, values=_values(found), **hands)


def _example_players(game: AnyGame) -> tuple[str, ...]:
    return EXAMPLE_PLAYERS[: game.seats[1]]


def _last_turns(game: AnyGame) -> LastTurns | None:
    """Say who still has a turn when the second player has knocked or called; None in a game that ends otherwise."""
    players = _example_players(game)
    for question in questions_of(game.entry):
        if question.meaning == "knocked":
            return game.last_turns(seated(game, game.options(), players, players[-1], **{question.key: players[1]}))
    return None


def _counts(game: AnyGame) -> bool:
    """Tell whether it is points that decide: the first kind of hand is then none of those that beat each other."""
    return game.points(game.pieces(game.options()).pieces[0]) is not None


def _counted(game: AnyGame) -> ShownHand | None:
    """Give the example of a hand whose points are counted, as it would be shown."""
    if not _counts(game):
        return None
    cards = read_example(game, game.categories[0].example)
    (shown,) = game.place(Round(("1",), "1", ("1",), 1, 0, game.options(), game.entry(), {"1": cards}))
    return shown


def _ranked(game: AnyGame) -> list[tuple[Category, tuple[Piece, ...]]]:
    """Pair each kind of hand that others beat with its example, from high to low."""
    return [(category, read_example(game, category.example)) for category in game.categories[_counts(game) :]]


def _values(game: AnyGame) -> dict[Message | str, list[str]]:
    """Say what the ranks of a suit count: by the points the ranks that have them, in the order of the suit."""
    found: dict[Message | str, list[str]] = {}
    for piece in game.pieces(game.options()).groups[0]:
        points, rank = game.points(piece), face(piece).rank
        if points is not None:
            found.setdefault(Message("their number") if points == rank else points, []).append(rank)
    return found
