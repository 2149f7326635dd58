"""A group's tokens for programs: made, shown once, listed with their last use, and revoked."""

from __future__ import annotations

from flask import abort, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.store.groups import tokens as store
from companion.store.groups.links import keyed
from companion.store.models import Access, Group

from ...access.forms import redraws, refusals_shown
from ...access.lookup import group_or_404
from ...access.pin import PinForm, must_know_pin
from ..groups import blueprint

_RIGHTS: tuple[Access, ...] = ("look", "play", "keep")


class TokenOfGroupForm(PinForm):
    """A new token: what it is for, and its right."""

    label = StringField(default="")
    access = StringField(default="look")


@blueprint.get("/g/<public_id>/tokens")
def tokens(public_id: str) -> str:
    """Show a group's tokens."""
    return _page(group_or_404(public_id))


@blueprint.post("/g/<public_id>/tokens")
@redraws
def change_tokens(public_id: str) -> str | Response:
    """Make a token, and show it on the page that answers; or revoke one."""
    group = group_or_404(public_id)
    form = TokenOfGroupForm()
    access = next((right for right in _RIGHTS if right == form.access.data), None)
    if form.do.action not in ("make", "revoke") or access is None:
        abort(400)
    with refusals_shown(form, lambda: _page(group, form)):
        if form.do.action == "revoke":
            store.revoke_token(group, form.do.row_id)
            return redirect(url_for("groups.tokens", public_id=public_id), 303)
        must_know_pin(group, form.pin.data)
        secret = _secret(group, str(form.key.data))
        store.make_token(group, form.label.data or "", access, secret, str(form.key.data)[:64])
    return _page(group, secret=secret)


def _secret(group: Group, key: str) -> str:
    """Return the secret of the token that the form with this key makes: the same if it is sent again.

    Nobody can choose it, because it also depends on this app's own secret.
    """
    return f"tct_{keyed(f'token:{group.id}:{key}').hex()[:48]}"


def _page(group: Group, form: TokenOfGroupForm | None = None, secret: str = "") -> str:
    """Render the tokens; `secret` is that of one that was just made."""
    return render_template(
        "group/tokens.html",
        group=group,
        form=form or TokenOfGroupForm(formdata=None),
        tokens=[
            (token, token.made_at.astimezone(), token.used_at and token.used_at.astimezone())
            for token in store.tokens_of(group)
        ],
        secret=secret,
        most=store.MAX_LABEL_LENGTH,
    )
