"""Starting a night: with the players, settings and house rules of last time, or as chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from wtforms import BooleanField, SelectField, StringField

from companion.contract.reading.round_document import MAX_STAKE_UNITS
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.options import differing
from companion.games import all_games, installed
from companion.store.groups import groups as store
from companion.store.groups import rule_sets
from companion.store.groups.next_night import next_night, who_comes
from companion.store.models import Group, NextNight, Night, RuleSet, now
from companion.store.money.stacks import MAX_BUY_IN

from ..access.forms import ActForm
from ..entering.single_round import game_before
from ..text.fields import ListField, Rows, order_of, with_row_moved
from ..text.language import say
from ..text.money import (
    CHIPS,
    buy_in_message,
    currencies,
    currency_here,
    is_currency,
    read_amount,
    two_readings,
    typed,
    usual_currencies,
)

AS_LAST_TIME, USUAL = "last", "usual"


@dataclass(frozen=True)
class RuleChoice:
    """The house rules to choose from for a game; `field` has a set's id, AS_LAST_TIME or USUAL."""

    game: AnyGame
    sets: list[RuleSet]
    field: SelectField

    @property
    def rules(self) -> Mapping[str, Any] | None:
        """The chosen rules; None for those of last time."""
        if self.field.data == USUAL:
            return self.game.usual_rules
        return next((saved.rules for saved in self.sets if str(saved.id) == self.field.data), None)


def rule_choices(group: Group, last: Night | None) -> list[RuleChoice]:
    """List the choices; selected are those that were sent, otherwise the same rules as last time."""
    fields = Rows("rules-of", all_games(), SelectField(validate_choice=False))
    saved = groupby(rule_sets.sets_of(group), key=lambda rule_set: rule_set.game)
    return [_choice(all_games()[key], list(sets), last, fields[key]) for key, sets in saved if key in all_games()]


def _choice(game: AnyGame, sets: list[RuleSet], last: Night | None, field: SelectField) -> RuleChoice:
    before = last.rules.get(game.key, {}) if last else {}
    in_force = rule_sets.set_in_force(sets, game.key, before)
    choices: dict[str, Message | str] = {str(saved.id): saved.name for saved in sets}
    if in_force is None and differing(game.options, before):
        choices = {AS_LAST_TIME: Message("Same as last time"), **choices}
    field.choices = choices | {USUAL: Message("the usual rules")}
    if not field.raw_data:
        field.data = str(in_force.id) if in_force else AS_LAST_TIME if AS_LAST_TIME in choices else USUAL
    if field.data not in field.choices:
        field.errors = [say("These house rules were deleted meanwhile; choose others")]
    return RuleChoice(game, sets, field)


class TonightForm(ActForm):
    """The settings of a new night; `order` are the group's active players in seat order, `present` those who play."""

    game = SelectField(validate_choice=False)
    currency = SelectField(validate_choice=False)
    other_currency = StringField(name="other-currency")
    stake = StringField()
    buy_in = StringField(name="buy-in")
    dealer_chooses = BooleanField(name="dealer-chooses")
    rows = ListField(name="order", default=())
    players = ListField(name="player", default=())

    order: list[int]
    present: set[int]
    rule_choices: list[RuleChoice]

    @property
    def currencies(self) -> dict[str, str]:
        """The names of those that may be typed as another currency, by code."""
        return currencies()


def blank_form(group: Group, last: Night | None, planned: NextNight | None) -> TonightForm:
    """Return the form, filled in like the last night; before the first one, with the game of this phone's last round.

    Nobody would see another one chosen: it stands below the button that starts the night. If the planned night is due,
    those who come to it are ticked.
    """
    before = game_before()
    game = before if before in all_games() else ""
    data: dict[str, Any] = {"game": game, "currency": CHIPS, "stake": "", "buy_in": ""}
    if last is not None:
        data |= {"game": installed(last.game), "dealer_chooses": last.dealer_chooses}
    if last is not None and last.currency:
        data |= {"currency": last.currency, "stake": typed(last.stake_units, last.currency)}
    if last is not None and last.buy_in_units:
        data["buy_in"] = typed(last.buy_in_units, last.currency)
    form = TonightForm(formdata=None, data=data)
    sat = [seat.player_id for seat in last.seats] if last else []
    active = [player.id for player in group.players if not player.retired]
    form.order = [*(player for player in sat if player in active), *(player for player in active if player not in sat)]
    come = who_comes(group, planned, now())
    form.present = {player for player in form.order if player in (come or sat) or not (come or sat)}
    form.rule_choices = rule_choices(group, last)
    return _with_choices(form)


def posted_tonight(group: Group) -> TonightForm:
    """Read the posted form, and move a row if its arrow was pressed."""
    form = TonightForm()
    active = [player.id for player in group.players if not player.retired]
    form.order = order_of(form.rows.data, active)
    form.present = {player for player in active if str(player) in form.players.data}
    form.rule_choices = rule_choices(group, store.last_night(group))
    if form.do.action in ("up", "down"):
        form.order = with_row_moved(form.order, form.do.row, -1 if form.do.action == "up" else 1)
    return _with_choices(form)


def _with_choices(form: TonightForm) -> TonightForm:
    form.game.choices = {key: game.name for key, game in all_games().items()}
    played = form.currency.data if is_currency(form.currency.data or "") else currency_here()
    form.currency.choices = {CHIPS: say("chips"), **usual_currencies(played)}
    return form


def start(group: Group, form: TonightForm) -> Night | None:
    """Start the night; returns None if a field is wrong, which has an error then, and raises Refused."""
    last = store.last_night(group)
    key = str(form.key.data)[:64]
    if form.do.data == "again" and last is not None:
        seats = seats_again(group, last, next_night(group))
        money, buy_in = (last.stake_units, last.currency), last.buy_in_units
        more: dict[str, Any] = {"buy_in": buy_in, "said": "again", "stakes": last.own_stakes}
        more["dealer_chooses"] = last.dealer_chooses
        return store.start_night(group, seats, installed(last.game), last.rules, key, *money, **more)
    return _start_as_chosen(group, form, last, key)


def seats_again(group: Group, last: Night, planned: NextNight | None) -> list[int]:
    """Return who sat in the last night, or who comes to the one that was planned for now, in seat order.

    Who left before its end plays again too: they went home early that once. Who is to come no more is taken off the
    list of players.
    """
    sat = [seat.player_id for seat in last.seats if not seat.player.retired]
    come = who_comes(group, planned, now())
    if len(come) < store.MIN_PLAYERS:
        return sat
    before = [seat.player_id for seat in last.seats]
    return [*(player for player in before if player in come), *(new for new in come if new not in before)]


def _start_as_chosen(group: Group, form: TonightForm, last: Night | None, key: str) -> Night | None:
    game = all_games().get(form.game.data or "")
    if game is None:
        form.game.errors = [say("Choose the first game")]
    _take_other_currency(form)
    currency = form.currency.data or None
    units, buy_in = _stake_units(form), _buy_in(form)
    is_wrong = form.other_currency.errors or form.buy_in.errors
    if game is None or units is None or is_wrong or any(choice.field.errors for choice in form.rule_choices):
        return None
    seats = [player for player in form.order if player in form.present]
    # the chosen ones, otherwise those of last time
    chosen = {choice.game.key: choice.rules for choice in form.rule_choices if choice.rules is not None}
    rules = {game.key: game.usual_rules, **(last.rules if last else {}), **chosen}
    rules_said = {choice.game.key: choice.field.data for choice in form.rule_choices}
    dealer_chooses = bool(form.dealer_chooses.data)
    said = [seats, game.key, currency, units, buy_in, rules_said, dealer_chooses]
    more: dict[str, Any] = {"buy_in": buy_in, "said": said, "stakes": store.stakes_again(last, units, currency)}
    return store.start_night(group, seats, game.key, rules, key, units, currency, dealer_chooses=dealer_chooses, **more)


def _take_other_currency(form: TonightForm) -> None:
    """Replace the chosen currency by the one that was typed, if any: its code, or its line from the list."""
    text = (form.other_currency.data or "").strip()
    code = text[:3].upper()
    if text and is_currency(code) and not text[3:4].isalnum():
        form.currency.data = code
    elif text:
        form.other_currency.errors = [say("Choose a currency from the list, such as ARS")]


def _buy_in(form: TonightForm) -> int | None:
    """Return the buy-in in units; None without stacks, or with an error at the field."""
    currency, text = form.currency.data or "", (form.buy_in.data or "").strip()
    if not text or (currency and not is_currency(currency)):
        return None
    units = read_amount(text, currency)
    if units is not None and 1 <= units <= MAX_BUY_IN:
        return units
    form.buy_in.errors = [say(buy_in_message(text, MAX_BUY_IN, currency))]
    return None


def _stake_units(form: TonightForm) -> int | None:
    """Return the value of a stake in units, which is 1 for chips; None with an error at a field."""
    currency = form.currency.data or ""
    if not currency:
        return 1
    if not is_currency(currency):
        form.currency.errors = [say("Choose a currency from the list, or chips")]
        return None
    units = read_amount(form.stake.data or "", currency)
    if units is None or not 1 <= units <= MAX_STAKE_UNITS:
        values = {"least": typed(1, currency), "most": typed(MAX_STAKE_UNITS, currency), "currency": currency}
        text = "Say what one stake is worth in {currency}: from {least} to {most}, in steps of {least}"
        form.stake.errors = [say(two_readings(form.stake.data or "", currency) or Message(text, **values))]
        return None
    return units
