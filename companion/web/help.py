"""The help pages, which are made from each game's docstring and declarations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from flask import Blueprint, abort, render_template, request

from companion.contract.reading.names import rules_name_problem
from companion.engine.deal import LastTurns
from companion.engine.game import EXAMPLE_PLAYERS, AnyGame, seated
from companion.engine.hands.strength import ShownHand
from companion.engine.messages import Message
from companion.games import common_text

from .access.lookup import game_or_404
from .entering.photos.reading import can_photograph
from .http.network.hosts import public_url
from .text.house_rules import as_query, read_query
from .text.pieces import face

blueprint = Blueprint("help", __name__, url_prefix="/help")
_RULE = re.compile(r"([A-Z]{1,2}-\d+)\s+(.*)")
_TITLE = re.compile(r"\n(A turn|Who pays whom|Sources)\n")
_PLACEHOLDER = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Row:
    """A line of a section; texts may have the keys of house rules as placeholders.

    It holds if each house rule of `needs` has its value, as Python writes it.
    """

    texts: tuple[str, ...]
    needs: Mapping[str, str] = field(default_factory=dict)

    def under(self, rules: Mapping[str, Any]) -> tuple[Message, ...]:
        """Return the texts under these house rules; none if it doesn't hold, or an amount in it is 0."""
        amounts = {key: rules[key] for text in self.texts for key in _PLACEHOLDER.findall(text)}
        if any(str(rules[key]) != value for key, value in self.needs.items()) or 0 in amounts.values():
            return ()
        return tuple(Message(text, **amounts) for text in self.texts)


@dataclass
class HelpText:
    """A parsed docstring: the lead, the other paragraphs, the rules by id, and the sources as (id, where, how).

    `turn` is a turn in a few pictures, as (picture, what, more); `payments` says who pays whom, as (when, what).
    """

    lead: str = ""
    paragraphs: list[str] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)
    turn: list[Row] = field(default_factory=list)
    payments: list[Row] = field(default_factory=list)
    sources: list[tuple[str, ...]] = field(default_factory=list)


def read_text(text: str) -> HelpText:
    """Parse a game's docstring.

    Indented lines continue the line before. A line that begins with an id is a rule. Sections with a title follow, all
    optional, with lines of cells; the last cell may be house rules, as key=value, under which alone the line holds:

    - "A turn": picture | what one does | more about it
    - "Who pays whom": when | who pays whom
    - "Sources": id | where the source says it | as in the source, or how and why not
    """
    parsed = HelpText()
    rules, *sections = _TITLE.split(text)
    for paragraph in re.sub(r"\n +", " ", rules.strip()).split("\n\n"):
        matched = [_RULE.fullmatch(line) for line in paragraph.split("\n")]
        if all(matched):
            parsed.rules.update((match[1], match[2]) for match in matched if match)
        else:
            parsed.paragraphs.append(paragraph.replace("\n", " "))
    parsed.lead = parsed.paragraphs.pop(0)
    lines = {title: _cells(section) for title, section in zip(sections[::2], sections[1::2], strict=True)}
    parsed.turn = [_row(cells, 3) for cells in lines.get("A turn", ())]
    parsed.payments = [_row(cells, 2) for cells in lines.get("Who pays whom", ())]
    parsed.sources = lines.get("Sources", [])
    return parsed


def _cells(section: str) -> list[tuple[str, ...]]:
    lines = re.sub(r"\n +", " ", section).strip().split("\n")
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines]


def _row(cells: tuple[str, ...], texts: int) -> Row:
    needs = (pair.partition("=") for pair in "".join(cells[texts:]).split())
    return Row(cells[:texts], {key: value for key, _, value in needs})


def _in_force(rows: Sequence[Row], options: Any) -> list[tuple[Message, ...]]:
    """Return the lines that hold under these house rules."""
    return [texts for row in rows if (texts := row.under(asdict(options)))]


@blueprint.get("/")
def common() -> str:
    """Show the rules that all games share."""
    return render_template("help/rules.html", text=read_text(common_text()))


@blueprint.get("/photo")
def photo() -> str:
    """Show how to photograph a hand, and what can't be read."""
    return render_template("help/photo.html", installed=can_photograph())


@blueprint.get("/<key>")
def game(key: str) -> str:
    """Show a game's rules, and its deal and hands under the house rules in the query string."""
    game, options, problems = _game_and_rules(key)
    players = EXAMPLE_PLAYERS[: game.seats[1]]
    text = read_text(game.text)
    return render_template(
        "help/game.html",
        game=game,
        text=text,
        turn=_in_force(text.turn, options),
        payments=_in_force(text.payments, options),
        players=players,
        deal=game.deal(seated(game, options, players, players[-1])),
        last_turns=_last_turns(game, options, players),
        values=_values(game),
        **_hands(game, options),
        problems=problems,
        rules=options,
    )


@blueprint.get("/<key>/card")
def card(key: str) -> str:
    """Show a game's hands from high to low under the house rules in the query string, and how these differ from usual.

    The page belongs to no group, so its URL can be shared with anybody; `name` is the table's name for these rules.
    """
    game, options, problems = _game_and_rules(key)
    if not game.has_hands:
        abort(404)
    query = as_query(game, options)
    name = request.args.get("name", "")
    title = "" if rules_name_problem(name, ()) else name.strip()
    return render_template(
        "help/hands.html",
        game=game,
        rules=options,
        problems=problems,
        title=title,
        values=_values(game),
        address=public_url("help.card", key=key, **query, **({"name": title} if title else {})),
        **_hands(game, options),
    )


def _game_and_rules(key: str) -> tuple[AnyGame, Any, list[Message]]:
    """Return the game, its house rules from the query string, and what is wrong with them; 404 for an unknown game."""
    game = game_or_404(key)
    return (game, *read_query(game, request.args))


def _last_turns(game: AnyGame, options: Any, players: tuple[str, ...]) -> LastTurns | None:
    """Return who still has a turn after the second player knocked or called; None in a game without a knock."""
    for question in game.questions:
        if question.meaning == "knocked":
            return game.last_turns(seated(game, options, players, players[-1], **{question.key: players[1]}))
    return None


def _hands(game: AnyGame, options: Any) -> dict[str, Any]:
    """Return the ladder of hands and, in a game of points, its example as a shown hand."""
    ladder = game.ladder(options)
    counted: ShownHand | None = None
    if ladder.points_example is not None:
        hands = {"1": ladder.points_example}
        (counted,) = game.place(replace(seated(game, options, ("1",), "1"), hands=hands))
    return {"ladder": ladder, "counted": counted}


def _values(game: AnyGame) -> dict[Message | str, list[str]]:
    """Return the ranks by the points they count, in the order of the suit; empty if cards don't count points."""
    ranks_of: dict[Message | str, list[str]] = {}
    for piece in next(iter(game.pieces(game.options()).groups), ()):
        points, rank = game.points(piece), face(piece).rank
        if points is not None:
            ranks_of.setdefault(Message("their number") if points == rank else points, []).append(rank)
    return ranks_of
