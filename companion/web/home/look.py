"""A page with every component in every state, in both themes, for developers; only with COMPANION_DEBUG."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.engine.pieces.cards import FRENCH_WITH_JOKER, SPANISH_40
from companion.engine.pieces.dominoes import DOMINOES

from ..text import charts

blueprint = Blueprint("look", __name__)
_NAMES = ("Ana", "Alma", "Beto", "Caro", "Dani", "Eva", "Fer", "Gabi", "Hugo", "Player 10")
_CURVES = {"Ana": [0, 3, 1, 8, 12], "Beto": [0, -1, -4, -2, -7], "Caro": [0, -2, 3, -6, -5]}


@blueprint.get("/look")
def look() -> str:
    """Show the components, with a column for each theme."""
    return render_template(
        "look.html",
        people={str(number): name for number, name in enumerate(_NAMES)},
        hand=FRENCH_WITH_JOKER.hand("9s 9h Td Ac Jk"),
        spanish_hand=SPANISH_40.hand("1o 10c 11e 12b"),
        tiles=DOMINOES.pieces[:5],
        curves=_CURVES,
        chart=charts.line_chart(_CURVES, ("start", "round 4"), _CURVES),
    )
