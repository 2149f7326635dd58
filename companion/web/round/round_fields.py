"""The fields in which a round is entered, and what follows from them alone.

There are two kinds: those of a page's form (`form.RoundForm`), and plain values where no page is rendered
(`plain.PlainRound`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from companion.engine.game import AnyGame, seated
from companion.engine.options import Option
from companion.engine.pieces import PieceSet

from ..http.parsing import whole
from ..text.house_rules import usable_options
from .next_round import NextRound

InFront = Mapping[str, int] | None  # the players' stacks in units by name; None in a night without stacks
BETS_ENTERED = "yes"  # the value of `betting` while bets are entered one by one


def option_value(option: Option, given: Any) -> object:
    """Convert a field's value for the document; invalid input stays as typed, for the contract to report."""
    return whole(given) if option.kind == "integer" else given


class RoundFields:
    """A round's fields; each has at least a `name`, an `id`, a `type` and its `data`.

    `rules`, `asked` and `everyone` have a `form` with the fields of the house rules, of the questions to the table, and
    of the amounts for players whose own field is blank.
    """

    in_front: InFront = None  # everybody's chips before the round, which limit the bets
    names_are_stored = False  # stored names were checked when the players were added

    game: AnyGame
    dealer: Any
    stake: Any
    pot: Any
    betting: Any
    bets: Any
    rules: Any
    asked: Any
    everyone: Any

    @property
    @abstractmethod
    def seats(self) -> list[Any]:
        """The players' fields, in seat order."""

    @abstractmethod
    def field(self, name: str) -> Any:
        """Return one of the round's own fields by name; None if there is none."""

    @property
    def names(self) -> list[str]:
        """The players' names as typed, in seat order."""
        return [seat.name.data or "" for seat in self.seats]

    @property
    def replaced(self) -> tuple[str, ...]:
        """The keys of the questions that the bets answer; none if the table enters totals."""
        rounds = self.game.betting_rounds
        return rounds[0].instead_of if rounds and self.betting.data == BETS_ENTERED else ()

    @property
    def typed_rules(self) -> dict[str, object]:
        """The house rules for the document; invalid ones stay as typed, for the contract to report."""
        fields = self.rules.form
        return {option.key: option_value(option, fields[option.key].data) for option in self.game.house_rules}

    @property
    def options(self) -> Any:
        """The house rules for drawing the form; invalid values are replaced by defaults."""
        return usable_options(self.game, self.typed_rules)

    @property
    def pieces(self) -> PieceSet[Any]:
        """The deck or set of tiles in use."""
        return self.game.pieces(self.options)

    def seat_number(self, given: str | None) -> int | None:
        """Parse a seat number from a button or radio group; None if there is no such seat."""
        numbers = [str(number) for number in range(len(self.seats))]
        return numbers.index(given) if given in numbers else None

    def hand_sizes(self, **named: int) -> Collection[int]:
        """Return how many pieces a hand may have; `named` has the seats that answers name, by their questions' keys.

        If there are fewer players than the game needs, count as many as it needs.
        """
        game, options = self.game, self.options
        seats = [str(number) for number in range(max(len(self.seats), game.seats[0]))]
        return game.hand_sizes(seated(game, options, seats, seats[-1], **{key: seats[at] for key, at in named.items()}))

    def prefill(self, round: NextRound) -> None:
        """Fill in what is known of a session's next round: players, dealer, house rules, pot, chips."""
        before, players = round.before, round.players
        for player, seat in zip(players, self.seats, strict=True):
            seat.name.data = round.names[player]
        self.dealer.data = str(players.index(before.dealer) if before.dealer in players else len(players) - 1)
        for key, value in round.rules.items():
            if key in self.rules.form:
                self.rules.form[key].data = value
        self.betting.data = BETS_ENTERED if round.enters_bets else ""
        self.set_money(round.session.stake_units, before.pot)
        self.in_front = before.in_front

    def set_money(self, stake: int, pot: int) -> None:
        """Fill in the stake and the pot, in units, which the session knows."""
        self.stake.data, self.pot.data = str(stake), str(pot)
