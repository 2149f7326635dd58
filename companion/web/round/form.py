"""The form of a round, built from the game's declarations of options and questions.

It is filled in with what is known about the next round, with a stored round, or with what a page sends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from flask import request
from wtforms import (
    BooleanField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)

from companion.contract.naming import renamed
from companion.engine.entry import Question
from companion.engine.game import AnyGame
from companion.engine.options import Option
from companion.engine.pieces import PieceSet
from companion.games import all_games
from companion.store.identities import names_of, seat_number_of
from companion.store.models import PlaySession

from ..http.csrf import TokenForm
from ..http.parsing import posted
from ..text.fields import ButtonField, ListField
from ..text.house_rules import as_typed
from ..text.money import typed
from .bet_line import line_of
from .next_round import NextRound
from .round_fields import BETS_ENTERED, RoundFields

USUAL_PLAYERS = 4
NOBODY = "nobody"
_SENT_WITH = "companion.sent_with"


class SentWith(Form):
    """What a round's page sends besides the round: the button, and what the page knew when it was rendered.

    `key`, `number`, `seen` and `way` are those of `SessionPart`. `fingerprint` is that of the round whose result
    the page showed. `replace` has the seats whose full hand a photo may replace. `laid` are the hands found in a photo
    of the table, and `hands` the seats the script wants read.
    """

    do = ButtonField(default="")
    way = HiddenField()
    key = HiddenField()
    number = HiddenField()
    seen = HiddenField()
    fingerprint = HiddenField()
    replace = ListField(default=())
    laid = ListField(default=())
    hands = ListField(default=())


def sent_with() -> SentWith:
    """Read what the page of a round sent besides the round, once per request; after a GET, nothing."""
    if _SENT_WITH not in request.environ:
        request.environ[_SENT_WITH] = SentWith(request.form)
    found: SentWith = request.environ[_SENT_WITH]
    return found


class RoundForm(RoundFields, TokenForm):
    """The fields common to all games' forms; `form_class` adds `game`, `rules`, `asked`, `everyone` and `players`."""

    dealer = RadioField("deals", validate_choice=False)
    stake = StringField("Units per stake", default="1")
    pot = StringField("In the pot before the round", default="0")
    betting = StringField("The bets are entered one by one")
    bets = StringField("The bets")
    bet_amount = StringField("Another amount")

    game: AnyGame
    rules: FormField[Form]
    asked: FormField[Form]
    everyone: FormField[Form]
    players: FieldList[Any]

    @property
    def seats(self) -> list[Any]:
        """The players' subforms, in seat order."""
        return [entry.form for entry in self.players]

    def field(self, name: str) -> Field | None:
        """Return one of the form's own fields by name."""
        return self._fields.get(name)  # type: ignore[no-any-return]


@cache
def form_class(key: str) -> type[RoundForm]:
    """Build a game's form class."""
    game = all_games()[key]
    questions = game.questions
    rules = type("RulesForm", (Form,), {option.key: _option_field(option) for option in game.house_rules})
    asked = type("AskedForm", (Form,), {q.key: _asked_field(q) for q in questions if q.kind in ("player", "flag")})
    amounts = {q.key: StringField(q.label) for q in questions if q.kind == "amounts"}
    everyone = type("EveryoneForm", (Form,), amounts)
    seat = type("SeatForm", (Form,), {**_seat_fields(), **{q.key: _seat_field(q) for q in by_seat(questions)}})
    return type(
        "GameForm",
        (RoundForm,),
        {
            "game": game,
            "rules": FormField(rules),
            "asked": FormField(asked),
            "everyone": FormField(everyone),
            "players": FieldList(FormField(seat), max_entries=game.seats[1]),
        },
    )


def new_form(round: NextRound) -> RoundForm:
    """Make the form of the next round, with seats, dealer and house rules filled in."""
    seats = len(round.players)
    form: RoundForm = form_class(round.game.key)(formdata=None, data={"players": [{}] * seats})
    form.prefill(round)
    return form


def filled_form(session: PlaySession, game: AnyGame, stored: Mapping[str, Any]) -> RoundForm:
    """Put a stored round back into its form."""
    written = renamed(stored, names_of(session))
    players, entry = written["players"], written["round"]
    questions = game.questions
    seats = []
    for player in players:
        seat: dict[str, Any] = {"name": player, "hand": _line_of(entry.get("hands", {}).get(player, ""))}
        for question in by_seat(questions):
            given = entry.get(question.key, ())
            seat[question.key] = _typed_answer(question, given, player)
        seats.append(seat)
    asked = {}
    for question in questions:
        if question.kind == "player":
            named = entry.get(question.key)
            asked[question.key] = seat_number_of(named, players) if named else NOBODY
        elif question.kind == "flag":
            asked[question.key] = entry.get(question.key, False)
    dealer = seat_number_of(written["dealer"], players)
    line = line_of(entry, game, players)
    data = {
        "players": seats,
        "dealer": dealer,
        "rules": as_typed(written["rules"]),
        "asked": asked,
        "bets": line,
        "betting": BETS_ENTERED if line else "",
    }
    form: RoundForm = form_class(game.key)(formdata=None, data=data)
    form.set_money(written.get("stake", 1), written["pot"])
    return form


def _typed_answer(question: Question, given: Any, player: str) -> object:
    """Return a player's part of an answer as the form holds it."""
    if question.kind in ("players", "winners"):
        return player in (given or ())
    number = dict(given).get(player)
    if number is None:
        return ""
    return typed(number) if question.kind == "amounts" else str(number)


def _line_of(hand: str | list[str]) -> str:
    return hand if isinstance(hand, str) else " ".join(hand)


def sent_seats(game: AnyGame) -> int:
    """Return how many seats the posted form has."""
    return len(form_class(game.key)(formdata=posted()).seats)


def by_seat(questions: Sequence[Question]) -> list[Question]:
    """Return the questions that belong in each player's block."""
    return [q for q in questions if q.kind in ("players", "amounts", "counts") or q.replaces_hands]


def _option_field(option: Option) -> Field:
    if option.kind == "choice":
        return SelectField(option.label, choices=dict(option.choices), default=option.default, validate_choice=False)
    if option.kind == "toggle":
        return BooleanField(option.label, default=bool(option.default))
    return StringField(option.label, default=str(option.default))


def _asked_field(question: Question) -> Field:
    if question.kind == "flag":
        return BooleanField(question.label)
    return RadioField(question.label, validate_choice=False)


def _seat_field(question: Question) -> Field:
    is_tick = question.kind in ("players", "winners")
    return BooleanField(question.label) if is_tick else StringField(question.label)


def _seat_fields() -> dict[str, Field]:
    return {
        "name": StringField("Name"),
        "hand": StringField("Hand"),
        "cards": SelectMultipleField("Tapped", validate_choice=False),
    }


def fit_choices(form: RoundForm, pieces: PieceSet[Any]) -> None:
    """Give the radio buttons a choice per seat, and each hand the keys of the deck in use."""
    seats = {str(number): seat.name.data for number, seat in enumerate(form.seats)}
    form.dealer.choices = seats
    for field in form.asked.form:
        if isinstance(field, RadioField):
            field.choices = {**seats, NOBODY: NOBODY}
    for seat in form.seats:
        # tapped cards that aren't in this deck remain visible, in the typed line
        foreign = [text for text in seat.cards.data or () if pieces.find(text) is None]
        seat.hand.data = " ".join([seat.hand.data or "", *foreign]).strip()
        seat.cards.data = [text for text in seat.cards.data or () if pieces.find(text) is not None]
        seat.cards.choices = {piece.text: piece.text for piece in pieces.pieces}


def clear_hand(seat: Any) -> None:
    """Take all cards out of a hand."""
    seat.hand.data = ""
    seat.cards.data = []
