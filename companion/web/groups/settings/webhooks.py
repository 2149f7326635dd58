"""A group's webhooks: made, their secret shown once, paused, tried out, and revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast, get_args
from urllib.parse import urlsplit

from flask import abort, current_app, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import SelectMultipleField, StringField

from companion.engine.messages import Message
from companion.store.groups import webhooks as store
from companion.store.log import deliveries
from companion.store.models import Group, Webhook

from ...access.forms import redraws, refusals_shown
from ...access.lookup import group_or_404
from ...access.pin import PinForm, must_know_pin
from ...http.requests.rate_limits import Limit
from ..groups import blueprint

_TESTS = Limit("webhook tests", minute=10, hour=60)
EVENTS = {
    "night.opened": Message("A night is opened"),
    "round.saved": Message("A round is saved"),
    "round.corrected": Message("A round is corrected"),
    "round.voided": Message("A round is voided"),
    "payment.ticked": Message("A payment is ticked off"),
    "night.closed": Message("A night is closed"),
}
_WHY = {
    deliveries.NO_NAME: Message("its name leads nowhere"),
    deliveries.PRIVATE: Message("it leads to a private address, which isn't allowed"),
    deliveries.NO_CONNECTION: Message("no connection"),
    deliveries.NO_TLS: Message("its certificate isn't valid"),
    deliveries.SLOW: Message("no answer in time"),
    deliveries.NO_ANSWER: Message("it didn't answer like a web server"),
}


class WebhookForm(PinForm):
    """A new webhook: its address, and what it is told."""

    url = StringField(default="")
    events = SelectMultipleField(choices=dict.fromkeys(EVENTS, ""), default=list(EVENTS), validate_choice=False)


def _group(public_id: str) -> Group:
    platform = current_app.config["PLATFORM"]
    return group_or_404(public_id) if platform.phones and platform.threads else abort(404)


@blueprint.get("/g/<public_id>/webhooks")
def webhooks(public_id: str) -> str:
    """Show a group's webhooks."""
    return _page(_group(public_id))


@blueprint.post("/g/<public_id>/webhooks")
@redraws
def change_webhooks(public_id: str) -> str | Response:
    """Make a webhook, and show its secret on the page that answers; or pause, resume, test or revoke one."""
    group, form = _group(public_id), WebhookForm()
    if form.do.action not in ("make", *get_args(store.Step)):
        abort(400)
    with refusals_shown(form, lambda: _page(group, form)):
        if form.do.action != "make":
            if form.do.action == "test" and _TESTS.count():
                abort(429)
            store.change_webhook(group, form.do.row_id, cast(store.Step, form.do.action))
            return redirect(url_for("groups.webhooks", public_id=public_id), 303)
        must_know_pin(group, form.pin.data)
        salt = key = str(form.key.data)[:64]
        store.make_webhook(group, form.url.data or "", form.events.data or (), salt, key)
    return _page(group, secret=store.secret_of(group.id, salt))


def _page(group: Group, form: WebhookForm | None = None, secret: str = "") -> str:
    """Render the webhooks; `secret` is that of one that was just made."""
    waits = deliveries.waiting(group.id)
    return render_template(
        "group/webhooks.html",
        group=group,
        form=form or WebhookForm(formdata=None),
        webhooks=[_shown(webhook, waits.get(webhook.id, 0)) for webhook in store.webhooks_of(group)],
        secret=secret,
        most=store.MAX_URL_LENGTH,
        hours=deliveries.GIVEN_UP_AFTER // timedelta(hours=1),
        events=EVENTS,
    )


def _shown(webhook: Webhook, waits: int) -> dict[str, Any]:
    """Return what the page shows of a webhook; of its address only the host, because the rest may be a secret."""
    times = ("made_at", "delivered_at", "failed_at", "dropped_at")
    moments = {name: getattr(webhook, name) for name in times}
    return {
        **{name: moment and moment.astimezone() for name, moment in moments.items()},
        "id": webhook.id,
        "host": urlsplit(webhook.url).hostname,
        "events": [EVENTS[event] for event in webhook.events.split()],
        "is_paused": webhook.paused_at is not None,
        "is_revoked": webhook.revoked_at is not None,
        "why": _why(webhook.failure or ""),
        "dropped": webhook.dropped,
        "waits": waits,
    }


def _why(failure: str) -> Message:
    return _WHY.get(failure) or Message("it answered with status {status}", status=failure)
