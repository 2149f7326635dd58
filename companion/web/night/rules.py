"""A night's house rules: choosing one of the group's sets, or setting each rule."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.store.groups import rule_sets
from companion.store.models import EVERY_GAME, Night
from companion.store.money.stacks import rules_in_force, without_forced_all_in
from companion.store.night import settings as night_changes
from companion.store.night.settings import stakes_before

from ..access.forms import redraws, refusals_shown, sent, show_problem
from ..access.lookup import game_asked, night_or_404
from ..groups.settings.rules import RulesNameForm
from ..round.form.document import read_rules
from ..round.form.fields import RoundForm, posted_form, rules_form
from ..round.told import listed_stakes, stake_kept
from .frame import blueprint


@blueprint.route("/rules", methods=["GET", "POST"])
@redraws
def rules(public_id: str) -> str | Response:
    """Set the house rules of a game for the rest of the night, and make it the next round's game.

    The buttons: "use-17" takes the saved set 17, "usual" the usual rules, "set" the typed ones; "save" also saves those
    as a set of the group.
    """
    night = night_or_404(public_id)
    game = game_asked(night)
    if request.method != "POST":
        return rules_page(night, game)
    form, act = posted_form(game), RulesNameForm()
    action, number = act.do.action, act.do.row
    saved = next((s for s in rule_sets.sets_of(night.group, game.key) if str(s.id) == number), None)
    if action == "use" and saved is None:
        show_problem(Message("These house rules were deleted meanwhile; choose others"))
        return rules_page(night, game, name=act.name.data)
    chosen = saved.rules if saved else game.usual_rules if action == "usual" else read_rules(form)
    if chosen is None:
        return rules_page(night, game, form, name=act.name.data)
    typed = form if action in ("set", "save") else None
    with refusals_shown(act, lambda: rules_page(night, game, typed, act.name.data)):
        if action == "save":
            rule_sets.add_set(night.group, game.key, act.name.data or "", chosen)
        if action == "set":
            chosen = without_forced_all_in(night, game.key, chosen)
        night_changes.set_rules(public_id, game.key, chosen, sent(act))
    if action == "set":
        return redirect(url_for("night.table", public_id=public_id), 303)
    return redirect(url_for("night.rules", public_id=public_id, game=game.key), 303)


def rules_page(
    night: Night,
    game: AnyGame,
    form: RoundForm | None = None,
    name: str | None = "",
    *,
    stake: str | None = None,
) -> str:
    """Render the rules: those in force, or those typed into `form`; and the stakes, with what was typed there.

    A problem is one of the stakes if a `stake` was typed.
    """
    before = stakes_before(night)
    in_force = rules_in_force(night, game.key)
    sets = rule_sets.sets_of(night.group, game.key)
    return render_template(
        "night/rules.html",
        night=night,
        game=game,
        rules=in_force,
        sets=sets,
        in_force=rule_sets.set_in_force(sets, game.key, night.rules.get(game.key, {})),
        form=form or rules_form(game, in_force),
        name=name,
        before=None if before is None else listed_stakes(before),
        of_others=night.stake_of(EVERY_GAME),
        seen=listed_stakes(night.stakes),
        stake=stake,
        hand_keeps=stake_kept(night),
    )
