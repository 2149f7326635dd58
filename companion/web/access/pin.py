"""A group's PIN, which protects closing a night, making new links and deleting; and who may create groups."""

from __future__ import annotations

import hmac

from flask import Flask, current_app
from werkzeug.security import check_password_hash, generate_password_hash
from wtforms import HiddenField, StringField

from companion.config import EVERYBODY, NOBODY
from companion.engine.messages import Message
from companion.engine.problems import Problem
from companion.store.groups.groups import set_pin
from companion.store.groups.links import new_secret
from companion.store.models import Group
from companion.store.refusals import Refused

from ..http.requests.rate_limits import Limit
from .forms import ActForm

# players at one table share an address; a thousand wrong tries an hour must come from many addresses
_WRONG_PASSPHRASES = Limit("passphrase", minute=10, hour=60, altogether=1000)
_PINS = Limit("PIN", hour=10)  # of each group
_MIN_LENGTH, _MAX_LENGTH = 4, 32
_UNFIT = Message("A PIN has {least} to {most} digits or letters", least=_MIN_LENGTH, most=_MAX_LENGTH)
_NONE = Message("Enter the group's PIN for this")
_WRONG = Message("That isn't the group's PIN; try again")
_TOO_OFTEN = Message("Too many wrong PINs; wait an hour")


def init_app(app: Flask) -> None:
    """Add template tests for whether a problem is about the PIN."""
    app.jinja_env.tests["about_a_new_pin"] = lambda problem: problem == _UNFIT
    app.jinja_env.tests["about_the_pin"] = lambda problem: problem in (_NONE, _WRONG, _TOO_OFTEN)


def change_pin(group: Group, pin: str) -> None:
    """Set a group's PIN; an empty one removes it. Raises Refused if it is unsuitable."""
    if pin and not (_MIN_LENGTH <= len(pin) <= _MAX_LENGTH and pin.isprintable()):
        raise Refused(_UNFIT)
    set_pin(group, generate_password_hash(pin, current_app.config["PIN_HASHING"]) if pin else None)


class PinForm(ActForm):
    """A form for what the group's PIN protects."""

    pin = StringField(default="")


class NewGroupForm(ActForm):
    """A form that makes a group. The secret of its link is made with the form: sent twice, it makes one group."""

    secret = HiddenField(default=new_secret)
    passphrase = StringField(default="")


def must_know_pin(group: Group, typed: str | None) -> None:
    """Raise Refused unless `given` is the group's PIN; without a PIN, every scorekeeper may proceed."""
    if group.pin_hash is None:
        return
    if not typed:
        raise Refused(_NONE)
    if _PINS.count(str(group.id)):
        raise Refused(_TOO_OFTEN)
    if not check_password_hash(group.pin_hash, typed[:_MAX_LENGTH]):
        raise Refused(_WRONG)
    _PINS.forget(str(group.id))


def may_make_groups() -> bool:
    """Return whether groups may be created here at all, even if only with the passphrase."""
    return str(current_app.config["MAY_MAKE_GROUPS"]) != NOBODY


def asks_passphrase() -> bool:
    """Return whether creating a group needs the passphrase."""
    return str(current_app.config["MAY_MAKE_GROUPS"]) not in (EVERYBODY, NOBODY)


def must_know_passphrase(typed: str | None) -> None:
    """Raise Refused unless `given` is the passphrase, if one is needed. Wrong attempts are limited."""
    wanted = str(current_app.config["MAY_MAKE_GROUPS"])
    if not asks_passphrase():
        return
    _WRONG_PASSPHRASES.take()
    if not hmac.compare_digest((typed or "").encode(errors="replace"), wanted.encode()):
        message = Message("Creating a group here needs the passphrase; ask the person who runs this app")
        raise Refused(message, problems=[Problem("passphrase", "bad-value", message)])
    _WRONG_PASSPHRASES.give_back()
