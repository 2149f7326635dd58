"""A group's saved house rules: listing, creating, changing and deleting them; each night chooses among them."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.game import AnyGame
from companion.games import all_games, game_of
from companion.store.groups import rule_sets
from companion.store.models import Group, RuleSet

from ...access.forms import ActForm, redraws, refusals_shown
from ...access.lookup import game_or_404, group_or_404
from ...http.requests.parsing import MAX_ROWS
from ...round.form.document import read_rules
from ...round.form.fields import RoundForm, posted_form, rules_form

blueprint = Blueprint("group_rules", __name__)


class RulesNameForm(ActForm):
    """The name of a set of house rules; the rules themselves are fields of the round's form."""

    name = StringField(default="")


@blueprint.get("/g/<public_id>/rules")
def listed(public_id: str) -> str:
    """Show a group's saved house rules by game, with what differs from the defaults."""
    group = group_or_404(public_id)
    return render_template("group/rule_sets.html", group=group, sets=rule_sets.sets_of(group))


@blueprint.route("/g/<public_id>/rules/new", methods=["GET", "POST"])
@redraws
def new(public_id: str) -> str | Response:
    """Create house rules for the game in the query string, by default the first one."""
    group, game = group_or_404(public_id), game_or_404(request.args.get("game", next(iter(all_games()))))
    return _edit(group, game, None)


@blueprint.route("/g/<public_id>/rules/<int:number>", methods=["GET", "POST"])
@redraws
def change(public_id: str, number: int) -> str | Response:
    """Rename, change or delete a set of house rules."""
    group = group_or_404(public_id)
    saved, act = rule_sets.find_set(group, number) if number < MAX_ROWS else None, RulesNameForm()
    if saved is None:  # perhaps deleted by this form, if it was sent before
        return _to_list(group) if act.do.data == "delete" else abort(404)
    if act.do.data == "delete":
        with refusals_shown(act, lambda: _page(group, game_of(saved.game), saved)):
            rule_sets.delete_set(group, number)
        return _to_list(group)
    return _edit(group, game_or_404(saved.game), saved)


def _edit(group: Group, game: AnyGame, saved: RuleSet | None) -> str | Response:
    """Save the posted form; after a GET, or if it is refused, show the form."""
    if request.method != "POST":
        return _page(group, game, saved)
    act = RulesNameForm()
    name = act.name.data or ""
    form = posted_form(game)
    rules = read_rules(form)
    if rules is None:
        return _page(group, game, saved, form=form, name=name)
    with refusals_shown(act, lambda: _page(group, game, saved, form=form, name=name)):
        if saved is None:
            rule_sets.add_set(group, game.key, name, rules)
        else:
            rule_sets.change_set(group, saved.id, name, rules)
    return _to_list(group)


def _to_list(group: Group) -> Response:
    return redirect(url_for("group_rules.listed", public_id=group.public_id), 303)


def _page(
    group: Group,
    game: AnyGame,
    saved: RuleSet | None,
    *,
    form: RoundForm | None = None,
    name: str | None = None,
) -> str:
    """Render the form of a set; a problem is shown at its top, and is about the name unless a rule has an error."""
    return render_template(
        "group/rule_set.html",
        group=group,
        game=game,
        saved=saved,
        form=form or rules_form(game, saved.rules if saved else {}),
        name=name if name is not None else saved.name if saved else "",
    )
