"""A group's players, and its settings: links, PIN, exports, this phone's name, and deleting the group."""

from __future__ import annotations

from flask import abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.store.groups import groups as store
from companion.store.groups import links
from companion.store.models import Access, Group

from ..access.devices import device_name, name_device, remember, secret_for
from ..access.forms import redraws, refusals_shown, sent
from ..access.lookup import group_or_404
from ..access.pin import PinForm, change_pin, must_know_pin
from ..http.network.hosts import qr_link
from ..text.fields import ButtonField, Rows
from .groups import blueprint

_SETTINGS = ("device", "pin")  # actions posted to the players' URL, but shown on the settings page


class PlayersForm(PinForm):
    """The players' names and a new player; on the settings page, this phone's name or a new PIN."""

    name = StringField(default="")
    device = StringField(default="")
    new_pin = StringField(name="new-pin", default="")

    names: Rows

    def offer(self, group: Group) -> PlayersForm:
        """Add a field for each player's name."""
        names = group.names
        self.names = Rows("name", names, StringField(), unsent=names)
        return self


@blueprint.get("/g/<public_id>/people")
def people(public_id: str) -> str:
    """Show a group's players."""
    return _people_page(group_or_404(public_id))


def _people_page(group: Group, form: PlayersForm | None = None, wrong: str = "") -> str:
    """Render the players; a problem is shown at the field named `wrong`, or at the top of the form."""
    form = form or PlayersForm(formdata=None).offer(group)
    return render_template("group/people.html", group=group, form=form, wrong=wrong)


@blueprint.get("/g/<public_id>/settings")
def settings(public_id: str) -> str:
    """Show a group's settings."""
    return _settings_page(group_or_404(public_id))


def _settings_page(group: Group, place: str = "", device: str | None = "") -> str:
    """Render the settings; a problem is shown in the form named `place`."""
    return render_template(
        "group/settings.html",
        group=group,
        links=_links(group),
        device=device or device_name(),
        place=place,
        renewed=request.args.get("renewed", ""),
    )


def _links(group: Group) -> dict[Access, tuple[str, Markup]]:
    """Return the URL and QR code of each link; this device has the scorekeeper link, which the others derive from."""
    secret = secret_for(group.public_id)
    secrets: dict[Access, str] = {"keep": secret, **links.lesser_secrets(group, secret)}
    return {access: qr_link("groups.open_link", secret=link_secret) for access, link_secret in secrets.items()}


@blueprint.post("/g/<public_id>/links")
@redraws
def renew(public_id: str) -> Response:
    """Replace a link; the old one stops working at once."""
    group = group_or_404(public_id)
    form = PinForm()
    access = next((right for right in ("keep", *links.LESSER) if form.do.data == f"renew-{right}"), None)
    if access is None:
        abort(400)
    with refusals_shown(form, lambda: _settings_page(group, "links")):
        must_know_pin(group, form.pin.data)
    remember(group, links.renew(group, access, secret_for(group.public_id)))
    return redirect(url_for("groups.settings", public_id=public_id, renewed=access, _anchor=f"link-{access}"), 303)


@blueprint.post("/g/<public_id>/players")
@redraws
def players(public_id: str) -> Response:
    """Add, rename, retire or bring back a player; or set this phone's name or the PIN."""
    group = group_or_404(public_id)
    form = PlayersForm().offer(group)
    action = form.do.action

    def page() -> str:
        if action in _SETTINGS:
            return _settings_page(group, action, form.device.data)
        return _people_page(group, form, "" if form.errors else _field(form.do))

    with refusals_shown(form, page):
        _change_players(group, form)
    if action in _SETTINGS:
        return redirect(url_for("groups.settings", public_id=public_id, _anchor=action), 303)
    return redirect(url_for("groups.people", public_id=public_id), 303)


def _field(pressed: ButtonField) -> str:
    """Return the field that a pressed button is about; "" if there is none."""
    return {"add": "name", "rename": f"name-{pressed.row}"}.get(pressed.action, "")


def _change_players(group: Group, form: PlayersForm) -> None:
    action = form.do.action
    player = next((player for player in group.players if str(player.id) == form.do.row), None)
    if action == "add":
        store.add_player(group, form.name.data or "", sent(form).key)
    elif action == "device":
        name_device(form.device.data or "")
    elif action == "pin":
        must_know_pin(group, form.pin.data)
        change_pin(group, form.new_pin.data or "")
    elif action not in ("rename", "retire", "return"):
        abort(400)
    elif player is None:
        abort(404)
    elif action == "rename":
        store.rename_player(player, form.names[form.do.row].data)
    else:
        store.retire_player(player, action == "retire")
