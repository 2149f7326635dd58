"""House rules. An option is declared once, as a dataclass field; forms, documents and help are derived from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .declared import read_once
from .messages import Message, quoted

MAX_STAKES = 1_000  # Rule: C-1
MAX_RAISES = 100  # Rule: DP-9
BET_LIMITS = "Limits of bets and raises"


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule. `choices` maps a choice's values to their labels; the bounds apply to an integer.

    `group` is the heading under which pages fold it away with others; empty if it always shows.
    """

    key: str
    kind: Literal["choice", "toggle", "integer"]
    default: str | bool | int
    label: str
    help: str
    rule: str
    choices: Mapping[str, str]
    minimum: int | None
    maximum: int | None
    group: str = ""

    def accepts(self, value: object) -> bool:
        """Return whether a value has exactly the option's type (a bool isn't an integer) and is within its bounds."""
        if type(value) is not type(self.default):
            return False
        if isinstance(value, str):
            return value in self.choices
        return self.minimum is None or self.maximum is None or self.minimum <= value <= self.maximum

    def in_words(self, value: Any) -> Message:
        """Say what a house rule is set to: "Spanish, 40 cards", "on", "2"."""
        if self.kind == "choice":
            return Message(self.choices[value])
        if self.kind == "toggle":
            return Message("on") if value else Message("off")
        return Message("{n}", n=f"{value:,}")

    def refusal(self, value: object) -> Message:
        """Explain which values the option takes."""
        label = Message(self.label)
        if self.kind == "choice":
            text = "{value} isn't a choice for {label}; choose one of {choices}"
            return Message(text, value=quoted(value), label=label, choices=tuple(self.choices))
        if self.kind == "toggle":
            return Message("{label} is true or false, not {value}", label=label, value=quoted(value))
        text = "{label} must be a whole number from {least} to {most}, not “{value}”"
        least, most = f"{self.minimum:,}", f"{self.maximum:,}"
        return Message(text, label=label, least=least, most=most, value=quoted(value))


def _declared(kind: str, default: object, label: str, help: str, rule: str, **more: object) -> Any:
    about = {"choices": {}, "minimum": None, "maximum": None, "group": "", **more}
    return dataclasses.field(
        default=default,
        metadata={"option": {"kind": kind, "default": default, "label": label, "help": help, "rule": rule, **about}},
    )


def choice(default: str, label: str, *, choices: Mapping[str, str], help: str, rule: str, group: str = "") -> Any:
    """Declare an option with a few named values."""
    assert default in choices
    return _declared("choice", default, label, help, rule, choices=dict(choices), group=group)


def toggle(default: bool, label: str, *, help: str, rule: str, group: str = "") -> Any:
    """Declare an option that is on or off."""
    return _declared("toggle", default, label, help, rule, group=group)


def integer(
    default: int, label: str, *, help: str, rule: str, minimum: int = 0, maximum: int = MAX_STAKES, group: str = ""
) -> Any:
    """Declare an option that is a whole number, usually of stakes. Rule: C-1."""
    return _declared("integer", default, label, help, rule, minimum=minimum, maximum=maximum, group=group)


@read_once
def options_of(declaration: type[Any]) -> tuple[Option, ...]:
    """List a game's options in the order they are declared."""
    return tuple(Option(key=field.name, **field.metadata["option"]) for field in dataclasses.fields(declaration))


def defaults(declaration: type[Any]) -> dict[str, Any]:
    """Return the default of every option, by key."""
    return {option.key: option.default for option in options_of(declaration)}


def differing(declaration: type[Any], rules: Mapping[str, Any]) -> tuple[tuple[Option, Any], ...]:
    """Return the house rules that differ from the defaults, each with its value; `rules` may leave some out."""
    chosen = ((option, rules.get(option.key, option.default)) for option in options_of(declaration))
    return tuple((option, value) for option, value in chosen if value != option.default)


# Options that several games share are worded once, here. The game says which of its rules they come from.


def ante(rule: str) -> Any:
    """Declare the ante; by default 1 stake."""
    return integer(1, "Ante", help="Stakes that each player puts into the pot before the deal.", rule=rule)


def minimum_bet(rule: str) -> Any:
    """Declare the smallest bet, or raise on top of the call. Rule: DP-8."""
    text = (
        "The least that a bet, or a raise on top of the call, may be, in stakes; 0: no limit. "
        "It applies when bets are entered one by one."
    )
    return integer(0, "Smallest bet or raise", help=text, rule=rule, group=BET_LIMITS)


def minimum_raise(rule: str) -> Any:
    """Declare the smallest raise on top of the call, where it differs from a bet. Rule: DP-9."""
    text = (
        "The least that a raise may be on top of the call, in stakes; 0: the same as for a bet. "
        "It applies when bets are entered one by one."
    )
    return integer(0, "Smallest raise", help=text, rule=rule, group=BET_LIMITS)


def maximum_raise(rule: str) -> Any:
    """Declare the largest raise on top of the call, where it differs from a bet. Rule: DP-9."""
    text = (
        "The most that a raise may be on top of the call, in stakes; 0: the same as for a bet. "
        "It applies when bets are entered one by one."
    )
    return integer(0, "Largest raise", help=text, rule=rule, group=BET_LIMITS)


def most_raises(rule: str) -> Any:
    """Declare how many raises a betting round may have. Rule: DP-9."""
    text = (
        "How many raises one round of betting may have; 0: any number. The first bet isn't a raise. "
        "It applies when bets are entered one by one."
    )
    return integer(0, "Most raises", help=text, rule=rule, maximum=MAX_RAISES, group=BET_LIMITS)


def raise_as_last(rule: str) -> Any:
    """Declare whether a raise must be as large as the last bet or raise. Rule: DP-10."""
    text = (
        "A raise puts in at least as much above the call as the last bet or raise did; an all-in may be less. "
        "It applies when bets are entered one by one."
    )
    return toggle(False, "A raise is at least the last one", help=text, rule=rule, group=BET_LIMITS)


def short_all_in_reopens(rule: str) -> Any:
    """Declare whether an all-in below a full raise lets those raise again who have acted. Rule: DP-10."""
    text = (
        "Whether somebody who has already acted may raise after an all-in that is less than a full raise. "
        "It applies when bets are entered one by one."
    )
    return toggle(True, "A short all-in opens the betting again", help=text, rule=rule, group=BET_LIMITS)


def maximum_bet(rule: str) -> Any:
    """Declare the largest bet, or raise on top of the call. Rule: DP-8."""
    text = (
        "The most that a bet, or a raise on top of the call, may be, in stakes; 0: no limit. "
        "It applies when bets are entered one by one."
    )
    return integer(0, "Largest bet or raise", help=text, rule=rule, group=BET_LIMITS)


# who gets the odd units by the cards held. Rule: C-3
ODD_BY_CARDS = {"highest-card": "to the highest card", "suit": "to the highest suit"}


def odd_chips(*, by_cards: bool = False) -> Any:
    """Declare who gets the units left over by an uneven split; `by_cards` in games with cards. Rule: C-3."""
    return choice(
        "turn-order",
        "Odd chips in a split pot",
        choices={
            "turn-order": "one each, in turn order",
            "stay-in-pot": "stay in the pot",
            **(ODD_BY_CARDS if by_cards else {}),
        },
        help="What happens to the chips left over when a pot cannot be shared evenly.",
        rule="C-3",
    )


def all_in(rule: str) -> Any:
    """Declare whether players may stay in with less than the others paid, which makes side pots. Rule: DP-7."""
    return toggle(
        False,
        "All-in and side pots",
        help="Whoever runs out of chips stays in for what was paid so far; the rest of the bets makes a side pot.",
        rule=rule,
    )
