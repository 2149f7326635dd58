"""How the pages look on this phone, and whether it reads results aloud; kept in its cookie."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Flask, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message

from ..access.devices import ActForm, device_name, name_device
from ..http.csrf import redraws
from ..text import language

blueprint = Blueprint("appearance", __name__)
THEMES = {"auto": Message("as the phone"), "light": Message("light"), "dark": Message("dark")}
SUITS = {"four": Message("four colours"), "two": Message("two colours")}
SPOKEN = {"": Message("No"), "yes": Message("Yes")}
_THEME, _SUITS, _SPOKEN = "theme", "suits", "spoken"


class PhoneForm(ActForm):
    """What this phone can be set to. Values that aren't offered are kept, and read as the usual ones."""

    theme = StringField()
    suits = StringField()
    spoken = StringField()
    language = StringField()
    device = StringField(default="")


@dataclass(frozen=True)
class Looks:
    """What was chosen on this phone: keys of `THEMES` and `SUITS`, and whether results are read aloud."""

    theme: str
    suits: str
    spoken: bool = False


def init_app(app: Flask) -> None:
    """Let every page know how it is to look."""
    app.context_processor(lambda: {"looks": chosen()})


def chosen() -> Looks:
    """Read the choice of this phone."""
    theme, suits = session.get(_THEME), session.get(_SUITS)
    return Looks(
        theme if theme in THEMES else "auto", suits if suits in SUITS else "four", session.get(_SPOKEN) == "yes"
    )


@blueprint.route("/phone", methods=["GET", "POST"])
@redraws
def phone() -> str | Response:
    """Choose how the pages look on this phone, and what it is called."""
    form = PhoneForm()
    if request.method == "POST" and form.validate():
        session[_THEME], session[_SUITS], session[_SPOKEN] = form.theme.data, form.suits.data, form.spoken.data
        language.choose(form.language.data)
        name_device(form.device.data or "")
        session.permanent = True
        return redirect(url_for("home.home"), 303)
    return render_template(
        "phone.html",
        act=form,
        languages=_languages(),
        chosen_language=language.chosen(),
        themes=THEMES,
        suits=SUITS,
        spoken=SPOKEN,
        device=device_name(),
    )


def _languages() -> dict[str, Message | str]:
    return {language.AS_THE_BROWSER: Message("same as the browser"), **language.own_names()}
