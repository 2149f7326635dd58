"""The start page: a round by itself, this phone's groups, a demo."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from wtforms import HiddenField

from companion.engine.messages import Message
from companion.games import all_games
from companion.store.links import new_secret

from ..access.devices import ActForm, opened_groups
from ..access.pin import asks_passphrase, may_make_groups

blueprint = Blueprint("home", __name__)


class DemoForm(ActForm):
    """A button that makes a demo. The secret of its link is made with the form: pressed twice it makes one."""

    secret = HiddenField(default=new_secret)


@blueprint.get("/")
def home() -> str:
    """Choose a game, go on with a group, or look around in a demo."""
    return home_page(DemoForm(formdata=None))


def home_page(demo: DemoForm, problem: Message | None = None) -> str:
    """Draw the start page; `problem` is why the demo was not made."""
    groups = opened_groups()
    return render_template(
        "home.html",
        games=all_games().values(),
        groups=groups,
        demo=demo if may_make_groups() and not any(group.is_demo for group in groups) else None,
        asks_passphrase=asks_passphrase(),
        problem=problem,
        is_deleted="deleted" in request.args,
    )
