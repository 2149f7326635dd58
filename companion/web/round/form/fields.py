"""The form of a round: its fields, which follow from the game's declarations, and what follows from them alone.

It is filled in with what is known about the next round, with a stored round, or with what a page sends. The contract
checks it. There are no WTForms fields in it, because every tap and every poll reads a whole round.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from companion.engine.game import AnyGame, seated
from companion.engine.options import Option
from companion.engine.pieces.sets import PieceSet
from companion.engine.players import PlayerKey
from companion.engine.questions.entry import Question
from companion.engine.variants import usable_options
from companion.table import bets
from companion.table.bets import BETS_ENTERED, InFront, PlayedBets
from companion.table.sight import FaceDown

from ...http.requests.parsing import is_ticked, posted
from ...text.house_rules import as_typed, from_typed
from ...text.money import typed
from ...text.names import name_of
from ...text.numbers import whole_typed
from ..next_round import NightRound, name_of_game
from .kept import set_kept

_NOBODY = "nobody"
_SEAT = re.compile(r"players-([0-9]{1,9})(?:-|$)")  # how the names of a seat's fields begin

FieldKind = Literal["text", "tick", "seat", "cards"]


class RoundField:
    """A field of the form: its name, which is also its id on the page, what it contains, and what is wrong with that.

    `kind` is "text", "tick" for a box to tick, "seat" for a choice of one seat, or "cards" for a hand's tapped cards.
    """

    __slots__ = ("data", "errors", "kind", "name")

    def __init__(self, name: str, kind: FieldKind = "text", data: Any = "") -> None:
        self.name, self.kind, self.data = name, kind, data
        self.errors: Sequence[str] = ()

    @property
    def id(self) -> str:
        return self.name

    def read(self, sent: Sequence[str]) -> None:
        """Take what was sent for this field. A browser sends nothing for an unticked box."""
        if self.kind == "tick":
            self.data = bool(sent) and is_ticked(sent[0])
        elif self.kind == "cards":
            self.data = list(sent)
        elif sent:
            self.data = sent[0]


class SeatFields:
    """A player's fields; `answers` are those to the questions about each player, by the questions' keys."""

    __slots__ = ("answers", "cards", "hand", "name")

    def __init__(self, number: int, questions: Sequence[Question]) -> None:
        start = f"players-{number}-"
        self.name = RoundField(f"{start}name")
        self.hand = RoundField(f"{start}hand")
        self.cards = RoundField(f"{start}cards", "cards", [])
        self.answers = {q.key: _answer_field(f"{start}{q.key}", q) for q in questions}

    def __iter__(self) -> Iterator[RoundField]:
        return iter((self.name, self.hand, self.cards, *self.answers.values()))

    def copy(self, other: SeatFields) -> None:
        """Take over what another seat of the same game contains."""
        for field, theirs in zip(self, other, strict=True):
            field.data = theirs.data

    def clear_hand(self) -> None:
        """Take all cards out of the hand."""
        self.hand.data, self.cards.data = "", []


def _answer_field(name: str, question: Question) -> RoundField:
    if question.kind in ("flag", "players", "winners"):
        return RoundField(name, "tick", False)
    return RoundField(name, "seat", None) if question.kind == "player" else RoundField(name)


def _rule_field(option: Option) -> RoundField:
    is_toggle = option.kind == "toggle"
    return RoundField(
        f"rules-{option.key}", *(("tick", option.default) if is_toggle else ("text", str(option.default)))
    )


def by_seat(questions: Sequence[Question]) -> list[Question]:
    """Return the questions that belong in each player's block."""
    return [q for q in questions if q.kind in ("players", "amounts", "counts", "kept") or q.replaces_hands]


class RoundForm:
    """The form of a game with this many seats; empty, but for the usual house rules, a stake of 1 and a pot of 0.

    By their keys, `rules` are the fields of the house rules, `asked` those of the questions to the table, and
    `everyone` those of amounts, for players whose own field is blank. `face_down` are the hands, by seat, that aren't
    in the form because they lie face down on the phone that it is for.

    `seated` are the night's players by seat; without them the form is of a single round, whose players are typed.
    """

    face_down: Mapping[int, FaceDown] = MappingProxyType({})
    in_front: InFront = None  # everybody's chips before the round, which limit the bets

    def __init__(self, game: AnyGame, seats: int = 0, seated: Sequence[PlayerKey] = ()) -> None:
        self.game = game
        self.seated = seated
        self.called = RoundField("called")
        self.dealer = RoundField("dealer", "seat", None)
        self.stake = RoundField("stake", data="1")
        self.pot = RoundField("pot", data="0")
        self.betting = RoundField("betting")
        self.bets = RoundField("bets")
        self.bet_amount = RoundField("bet_amount")
        questions = game.questions
        self.rules = {option.key: _rule_field(option) for option in game.house_rules}
        self.asked = {q.key: _answer_field(f"asked-{q.key}", q) for q in questions if q.kind in ("player", "flag")}
        self.everyone = {q.key: RoundField(f"everyone-{q.key}") for q in questions if q.kind == "amounts"}
        self.seats = [SeatFields(number, by_seat(questions)) for number in range(seats or len(seated))]
        for player, seat in zip(seated, self.seats, strict=bool(seated)):
            seat.name.data = name_of(player)

    def add_seat(self, name: str = "") -> None:
        """Add an empty seat."""
        seat = SeatFields(len(self.seats), by_seat(self.game.questions))
        seat.name.data = name
        self.seats.append(seat)

    def common(self) -> Iterator[RoundField]:
        """Yield the fields that don't belong to a seat."""
        yield from (self.called, self.dealer, self.stake, self.pot, self.betting, self.bets, self.bet_amount)
        for part in (self.rules, self.asked, self.everyone):
            yield from part.values()

    @property
    def players(self) -> Sequence[PlayerKey]:
        """The players in seat order. Those of a single round have their seat's number as key: two may have one name."""
        return self.seated or [PlayerKey(seat) for seat in range(len(self.seats))]

    @property
    def typed_names(self) -> list[str]:
        """The names of a single round's players; a phone's keyboard may have added a space."""
        return [seat.name.data.strip() for seat in self.seats]

    @property
    def replaced(self) -> tuple[str, ...]:
        """The keys of the questions that the bets answer; none if the table enters totals."""
        rounds = self.game.betting_rounds
        return rounds[0].instead_of if rounds and self.betting.data == BETS_ENTERED else ()

    @property
    def typed_rules(self) -> dict[str, object]:
        """The house rules for the document; invalid ones stay as typed, for the contract to report."""
        return {option.key: from_typed(option, self.rules[option.key].data) for option in self.game.house_rules}

    @property
    def options(self) -> Any:
        """The house rules for drawing the form; invalid values are replaced by defaults."""
        return usable_options(self.game, self.typed_rules)

    @cached_property
    def pieces(self) -> PieceSet[Any]:
        """The deck or set of tiles in use; asked for once the house rules are filled in."""
        return self.game.pieces(self.options)

    @cached_property
    def played(self) -> PlayedBets | None:
        """The bets, played; None if they aren't entered one by one. Asked for once the form is filled in."""
        if not self.replaced:
            return None
        return bets.play(self.before_the_round(), bets.split(self.bets.data), self.game, self.in_front)

    def change_bets(self, line: Sequence[str]) -> None:
        """Replace the line of bets, which are then played anew."""
        self.bets.data, self.bet_amount.data = bets.join(line), ""
        self.__dict__.pop("played", None)

    def before_the_round(self) -> dict[str, object]:
        """Build the part of a round document about the table: everything except "round"."""
        players, seat = list(self.players), self.seat_number(self.dealer.data)
        return {
            "game": self.game.key,
            **({"called": self.called.data.strip()} if self.game.is_named else {}),
            "rules": self.typed_rules,
            "stake": whole_typed(self.stake.data),
            "players": players,
            "pot": whole_typed(self.pot.data),
            **({} if seat is None else {"dealer": players[seat]}),
        }

    def seat_number(self, text: str | None) -> int | None:
        """Parse a seat number from a button or a choice of seats; None if there is no such seat."""
        numbers = [str(number) for number in range(len(self.seats))]
        return numbers.index(text) if text in numbers else None

    def hand_sizes(self, **named: int) -> Collection[int]:
        """Return how many pieces a hand may have; `named` has the seats that answers name, by their questions' keys.

        If there are fewer players than the game needs, count as many as it needs.
        """
        game, options = self.game, self.options
        seats = [PlayerKey(number) for number in range(max(len(self.seats), game.seats[0]))]
        return game.hand_sizes(seated(game, options, seats, seats[-1], **{key: seats[at] for key, at in named.items()}))

    def set_rules(self, rules: Mapping[str, Any]) -> None:
        """Fill in house rules; the game may not have all of them any more."""
        for key, value in as_typed(rules).items():
            if key in self.rules:
                self.rules[key].data = value

    def set_money(self, stake: int, pot: int) -> None:
        """Fill in the stake and the pot, in units, which the night knows."""
        self.stake.data, self.pot.data = str(stake), str(pot)


def new_form(round: NightRound) -> RoundForm:
    """Make the form of a night's next round, with what is known of it: players, dealer, house rules, pot, chips."""
    form = RoundForm(round.game, seated=round.players)
    form.dealer.data = str(round.players.index(round.dealer)) if round.dealer is not None else None
    form.set_rules(round.rules)
    form.called.data = name_of_game(round)
    form.betting.data = BETS_ENTERED if round.has_bets else ""
    form.set_money(round.stake, round.before.pot)
    set_kept(form, round.kept)
    # played from the draft's cells, which `drafted_form` also fills in
    form.in_front, form.played = round.before.in_front, round.bets
    return form


def posted_form(game: AnyGame, seated: Sequence[PlayerKey] = ()) -> RoundForm:
    """Read the posted form of a game, with no more seats than the game allows; `seated` are the night's players in it.

    Without them, the names are read as well.
    """
    sent = posted()
    numbers = sorted({int(match[1]) for match in map(_SEAT.match, sent) if match})[: game.seats[1]]
    numbers = [*range(len(seated))] or numbers
    form = RoundForm(game, len(numbers), seated)
    for field in form.common():
        field.read(sent.getlist(field.name))
    for seat, number in zip(form.seats, numbers, strict=True):
        for field in seat:
            if field is not seat.name or not seated:
                field.read(sent.getlist(f"players-{number}-{field.name.rpartition('-')[2]}"))
    return form


def filled_form(game: AnyGame, stored: Mapping[str, Any]) -> RoundForm:
    """Put a stored round back into its form."""
    players, entry = [PlayerKey(player) for player in stored["players"]], stored["round"]
    form = RoundForm(game, seated=players)
    for player, seat in zip(players, form.seats, strict=True):
        hand = entry.get("hands", {}).get(player, "")
        seat.hand.data = hand if isinstance(hand, str) else " ".join(hand)
        for question in by_seat(game.questions):
            seat.answers[question.key].data = _typed_answer(question, entry.get(question.key, ()), player)
    for question in game.questions:
        if question.kind == "player":
            named = entry.get(question.key)
            form.asked[question.key].data = str(stored["players"].index(named)) if named else _NOBODY
        elif question.kind == "flag":
            form.asked[question.key].data = entry.get(question.key, False)
    form.called.data = stored.get("called", "")
    form.dealer.data = str(stored["players"].index(stored["dealer"]))
    form.set_rules(stored["rules"])
    form.bets.data = bets.line_of(entry, game, players)
    form.betting.data = BETS_ENTERED if form.bets.data else ""
    form.set_money(stored.get("stake", 1), stored["pot"])
    return form


def _typed_answer(question: Question, answer: Any, player: str) -> object:
    """Return a player's part of an answer as the form holds it."""
    if question.kind in ("players", "winners"):
        return player in (answer or ())
    number = dict(answer).get(player)
    return "" if number is None else typed(number) if question.kind == "amounts" else str(number)


def rules_form(game: AnyGame, rules: Mapping[str, Any]) -> RoundForm:
    """Make a form without seats, for a page with the house rules alone."""
    form = RoundForm(game)
    form.set_rules(rules)
    return form
