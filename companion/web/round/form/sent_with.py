"""What the page of a round sends besides the round."""

from __future__ import annotations

from flask import request
from wtforms import Form, HiddenField

from ...text.fields import ButtonField, ListField

_SENT_WITH = "companion.sent_with"


class SentWithTap(Form):
    """The button, and which round it is; `key`, `number`, `played_for` and `stake_now` are those of `NightPart`."""

    do = ButtonField(default="")
    key = HiddenField()
    number = HiddenField()
    played_for = HiddenField()
    stake_now = HiddenField()


class SentWith(SentWithTap):
    """The button, and what the page knew when it was rendered.

    `key`, `number`, `seen` and `way` are those of `NightPart`. `asks` names the page's questions that only some house
    rules ask. `fingerprint` is that of the round whose result the page showed. `hands` are the seats that the script
    wants read from a photo of the table, `before` is what it knows of a hand from the picture before; `frame` is set
    with a frame of the viewfinder.
    """

    way = HiddenField()
    seen = HiddenField()
    asks = HiddenField()
    fingerprint = HiddenField()
    hands = ListField(default=())
    before = HiddenField()
    frame = HiddenField()


def sent_with() -> SentWith:
    """Read what was sent, once per request; after a GET, nothing."""
    if _SENT_WITH not in request.environ:
        request.environ[_SENT_WITH] = SentWith(request.form)
    sent: SentWith = request.environ[_SENT_WITH]
    return sent
