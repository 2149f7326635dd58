"""Shared costs of a night, such as a pizza: who paid how much, for what, and for whom."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import BooleanField, HiddenField, SelectField, StringField, ValidationError

from companion.engine.messages import Message
from companion.store.log.replay import COST, MAX_WEIGHT
from companion.store.log.typed import with_texts
from companion.store.models import Line, Night
from companion.store.night import play, revising
from companion.store.night.reading import newest_cost

from ...access.forms import ActForm, redraws, refusals_shown, sent
from ...access.lookup import line_or_404, my_player, night_or_404
from ...http.requests.parsing import whole
from ...text.fields import AmountField, ListField, Rows
from ...text.language import say
from ...text.money import currency_here, is_currency, set_page_currency, usual_currencies
from ...text.money import typed as as_typed
from ..frame import MAX_REMARK_LENGTH, blueprint, without_controls

_KINDS = (Message("Pizza"), Message("Drinks"), Message("Ride"))
_OTHER = "other"


class CostForm(ActForm):
    """A shared cost. `what` is one of the usual kinds, or "other" with `note`; `sharers` are those who take part.

    `line` and `seen` are the line that is corrected and the revision of it that the page showed.
    """

    what = StringField(default="")
    note = StringField(filters=[without_controls])
    payer = StringField(default="")
    sharers = ListField(name="for", default=())
    amount = AmountField(least=1, example=36)
    apart = BooleanField()
    currency = SelectField(validate_choice=False)
    line = HiddenField(default="")
    seen = HiddenField(default="")

    names: dict[str, str]
    weights: Rows

    def offer(self, night: Night, cost: dict[str, Any] | None) -> CostForm:
        """Fill in the choices, and on a page that wasn't sent what a cost says, or else what is usual."""
        self.names = night.names
        shares = dict(cost["shares"]) if cost else dict.fromkeys(self.names, 1)
        unsent = {key: str(shares.get(key, 1)) for key in self.names}
        self.weights = Rows("share", self.names, StringField(), unsent)
        last = cost or newest_cost(night.group_id) or {}
        is_sent = request.method == "POST"
        played = self.currency.data if is_sent and night.currency is None else last.get("currency")
        self.currency.choices = usual_currencies(played or currency_here())
        if not is_sent:
            self.apart.data = bool(last.get("currency"))
            self.currency.data = played or currency_here()
            self.sharers.data = [key for key in self.names if key in shares]
            self.payer.data = my_player(night)
        elif night.currency is None and not is_currency(self.currency.data or ""):
            self.currency.data = currency_here()
        set_page_currency(night.currency or self.currency.data)
        if cost and not is_sent:
            self.payer.data, self.what.data, self.note.data = cost["by"], _OTHER, cost["note"]
            self.amount.data = as_typed(cost["amount"])
        return self

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """The kinds of costs to choose from, as (value, text)."""
        return [*((said, said) for said in map(say, _KINDS)), (_OTHER, say("Other"))]

    def validate_payer(self, field: StringField) -> None:
        if field.data not in self.names:
            raise ValidationError(say("Tap who paid"))

    def validate_sharers(self, field: ListField) -> None:
        """Accept one or more players of this night, one of them somebody else than the payer."""
        if not set(field.data) <= set(self.names) or not set(field.data) - {self.payer.data}:
            raise ValidationError(say("Somebody else must share it"))
        for key in field.data:
            weight = self.weights[key].data or ""
            if not (weight.isascii() and weight.isdigit() and 1 <= int(weight[:4]) <= MAX_WEIGHT):
                text = "A share is a whole number from 1 to {most}"
                raise ValidationError(say(text, most=MAX_WEIGHT))

    def document(self, night: Night) -> dict[str, Any]:
        """Return the entry to book."""
        what = self.what.data or ""
        note = (self.note.data or "") if what == _OTHER else what
        shares = [[key, int(self.weights[key].data)] for key in self.names if key in self.sharers.data]
        entry = {"movement": COST, "by": self.payer.data, "amount": self.amount.units, "shares": shares}
        document = {**entry, "note": without_controls(note)[:MAX_REMARK_LENGTH]}
        if night.currency is None or self.apart.data:
            document["currency"] = night.currency or self.currency.data
        return document


@blueprint.route("/cost", methods=["GET", "POST"])
@redraws
def cost(public_id: str) -> str | Response:
    """Enter a shared cost, or correct the one of `line`."""
    night = night_or_404(public_id)
    form = CostForm() if request.method == "POST" else CostForm(formdata=None)
    asked = form.line.data if request.method == "POST" else request.args.get("line")
    line = _line(night, asked) if asked else None
    known = with_texts(night.group_id, [line.current.document])[0] if line else None
    form.offer(night, known)
    if request.method == "GET":
        return _page(night, form, line)

    def page() -> str:
        return _page(night_or_404(public_id), form.offer(night, known), line)

    with refusals_shown(form, page):
        _book(night, form, line)
    if line is not None:
        return redirect(url_for("night.line", public_id=public_id, number=line.number, saved="yes"), 303)
    return redirect(url_for("night.money", public_id=public_id, _anchor="movements"), 303)


def _book(night: Night, form: CostForm, line: Line | None) -> None:
    document, made = form.document(night), sent(form)
    if line is None:
        play.move(night.public_id, play.next_number(night), document, made)
        return
    seen = whole(form.seen.data)
    revising.correct(night.public_id, line.number, document, seen if isinstance(seen, int) else abort(400), made)


def _line(night: Night, asked: str) -> Line:
    """Return the cost with this number; 404 if there is none."""
    number = whole(asked)
    line = line_or_404(night, number if isinstance(number, int) else 0)
    return line if line.current.document.get("movement") == COST else abort(404)


def _page(night: Night, form: CostForm, line: Line | None) -> str:
    return render_template("night/cost.html", night=night, form=form, line=line, people=night.group.names)
