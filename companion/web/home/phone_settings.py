"""The settings of one phone, kept in its cookie: theme, suit colours, language, name, reading results aloud."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Flask, redirect, render_template, request, url_for
from flask import session as cookie
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message

from ..access.devices import device_name, name_device
from ..access.forms import ActForm, redraws
from ..text import language

blueprint = Blueprint("phone_settings", __name__)
THEMES = {"auto": Message("same as this phone"), "light": Message("light"), "dark": Message("dark")}
SUITS = {"four": Message("four"), "two": Message("two")}
SPOKEN = {"": Message("No"), "yes": Message("Yes")}
_THEME, _SUITS, _SPOKEN = "theme", "suits", "spoken"


class PhoneForm(ActForm):
    """The form of the settings. Unknown values are stored too; `looks` and `language` read them as the defaults."""

    theme = StringField()
    suits = StringField()
    spoken = StringField()
    language = StringField()
    device = StringField(default="")


@dataclass(frozen=True)
class Looks:
    """A phone's appearance: keys of `THEMES` and `SUITS`, and whether results are read aloud."""

    theme: str
    suits: str
    spoken: bool = False


def init_app(app: Flask) -> None:
    """Make the appearance available to all templates."""
    app.context_processor(lambda: {"looks": looks()})


def looks() -> Looks:
    """Return this phone's appearance, with defaults for what isn't set."""
    theme, suits = cookie.get(_THEME), cookie.get(_SUITS)
    return Looks(
        theme if theme in THEMES else "auto", suits if suits in SUITS else "four", cookie.get(_SPOKEN) == "yes"
    )


def mark() -> str:
    """Return a text that changes with the phone's language and appearance, so that stored copies of pages expire."""
    now = looks()
    return f"{language.locale()}-{now.theme}-{now.suits}-{now.spoken:d}"


@blueprint.route("/phone", methods=["GET", "POST"])
@redraws
def phone() -> str | Response:
    """Show and save this phone's settings."""
    form = PhoneForm()
    if request.method == "POST" and form.validate():
        cookie[_THEME], cookie[_SUITS], cookie[_SPOKEN] = form.theme.data, form.suits.data, form.spoken.data
        language.choose(form.language.data)
        name_device(form.device.data or "")
        cookie.permanent = True
        return redirect(url_for("home.home"), 303)
    return render_template(
        "phone.html",
        form=form,
        languages={language.AS_THE_BROWSER: Message("same as the browser"), **language.own_names()},
        chosen_language=language.chosen_code(),
        themes=THEMES,
        suits=SUITS,
        spoken=SPOKEN,
        device=device_name(),
    )
