"""The button that creates a demo group to try out the app."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from companion.store.groups.groups import last_night
from companion.store.groups.links import new_secret
from companion.store.night.demo import make_demo

from ..access.devices import device_name, opened_groups, remember
from ..access.forms import redraws, refusals_shown
from ..access.pin import NewGroupForm, may_make_groups, must_know_passphrase
from ..http.requests.rate_limits import Limit
from ..text.language import say
from .home import home_page

blueprint = Blueprint("demo", __name__)
_DEMOS = Limit("demos", hour=6, day=20)


@blueprint.post("/demo")
@redraws
def make() -> Response:
    """Create a demo and open its last night; a device that already has a demo gets that one."""
    with refusals_shown(None, home_page):
        _DEMOS.take()
    if not may_make_groups():
        abort(403)
    form = NewGroupForm()
    demos = [group for group in opened_groups() if group.is_demo]
    if not demos:
        with refusals_shown(form, home_page):
            must_know_passphrase(form.passphrase.data)
            secret = form.secret.data or new_secret()
            demos.append(make_demo(say("Demo table"), secret, device_name()))
            remember(demos[0], secret)
    last = last_night(demos[0])
    assert last is not None
    return redirect(url_for("night.table", public_id=last.public_id), 303)
