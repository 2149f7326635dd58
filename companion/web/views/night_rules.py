"""A night's house rules: choosing one of the group's sets, or setting each rule."""

from __future__ import annotations

from collections.abc import Mapping

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.options import defaults
from companion.store import night_changes, rule_sets
from companion.store.models import EVERY_GAME, PlaySession
from companion.store.night_changes import stakes_before
from companion.store.stacks import rules_in_force, without_forced_all_in

from ..access.actions import refusals_shown
from ..access.devices import sent, session_or_404
from ..access.lookup import game_or_404
from ..http.csrf import redraws
from ..round.document import read_rules
from ..round.form import RoundForm, posted_form, rules_form
from ..round.next_round import round_at_table
from .group_rules import RulesNameForm
from .night import blueprint


@blueprint.route("/rules", methods=["GET", "POST"])
@redraws
def rules(public_id: str) -> str | Response:
    """Set the house rules of a game for the rest of the night, and make it the next round's game.

    The buttons: "use-17" takes the saved set 17, "usual" the usual rules, "set" the typed ones; "save" also saves those
    as a set of the group.
    """
    session = session_or_404(public_id)
    game = game_or_404(request.values.get("game", session.game))
    if request.method != "POST":
        return rules_page(session, game)
    form, act = posted_form(game), RulesNameForm()
    action, number = act.do.action, act.do.row
    saved = next((s for s in rule_sets.sets_of(session.group, game.key) if str(s.id) == number), None)
    if action == "use" and saved is None:
        return rules_page(
            session,
            game,
            name=act.name.data,
            problem=Message("These house rules were deleted meanwhile; choose others"),
        )
    chosen = saved.rules if saved else defaults(game.options) if action == "usual" else read_rules(form)
    if chosen is None:
        return rules_page(session, game, form, name=act.name.data)
    typed = form if action in ("set", "save") else None
    with refusals_shown(act, lambda problem: rules_page(session, game, typed, act.name.data, problem)):
        if action == "save":
            rule_sets.add_set(session.group, game.key, act.name.data or "", chosen)
        if action == "set":
            chosen = without_forced_all_in(session, game.key, chosen)
        night_changes.set_rules(public_id, game.key, chosen, sent(act))
    if action == "set":
        return redirect(url_for("session.table", public_id=public_id), 303)
    return redirect(url_for("session.rules", public_id=public_id, game=game.key), 303)


def rules_page(
    session: PlaySession,
    game: AnyGame,
    form: RoundForm | None = None,
    name: str | None = "",
    problem: Message | None = None,
    *,
    stake: str = "",
    stake_problem: Message | None = None,
) -> str:
    """Render the rules: those in force, or those typed into `form`; and the stakes, with what was typed there."""
    before = stakes_before(session)
    in_force, at_table = rules_in_force(session, game.key), round_at_table(session)
    is_same = at_table.stake == session.stake_of(at_table.game.key)
    sets = rule_sets.sets_of(session.group, game.key)
    return render_template(
        "night/rules.html",
        session=session,
        game=game,
        rules=in_force,
        sets=sets,
        in_force=rule_sets.set_in_force(sets, game.key, session.rules.get(game.key, {})),
        form=form or rules_form(game, in_force),
        name=name,
        problem=problem,
        before=None if before is None else _listed(before),
        of_others=session.stake_of(EVERY_GAME),
        seen=_listed(session.stakes),
        stake=stake,
        stake_problem=stake_problem,
        hand_keeps=None if is_same else at_table.stake,
    )


def _listed(stakes: Mapping[str, int]) -> str:
    """Write stakes for the forms of the page: "all=2;knock=1"."""
    return ";".join(f"{game}={units}" for game, units in stakes.items())
