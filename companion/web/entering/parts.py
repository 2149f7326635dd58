"""The night's part of a round's page, for its next round and for a correction, and the form that was posted there."""

from __future__ import annotations

from functools import partial

from flask import abort, request, url_for

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.store.log.replay import is_round, keeps
from companion.store.log.typed import with_texts
from companion.store.models import Night
from companion.table.next_round import word_in

from ..access.forms import new_key
from ..access.lookup import game_or_404, is_own_hand, line_or_404, own_of
from ..http.requests.parsing import posted
from ..round.draft.draft_cells import posted_seats
from ..round.draft.showdown import late_sentences
from ..round.form.fields import RoundForm, filled_form, posted_form
from ..round.form.kept import set_kept
from ..round.form.sent_with import sent_with
from ..round.next_round import NightRound
from ..round.night_part import NightPart
from ..round.stake import played_for
from ..round.told import note_beside_hand
from ..text.money import amount_typed


def next_part(round: NightRound) -> NightPart:
    """Return the night's part of the next round's page, with what is wrong if the game needs more players.

    All phones use the draft's key, so they save one round.
    """
    night, sent, game = round.before.night, sent_with(), round.game
    part = NightPart(
        night,
        url_for("night_round.new", public_id=night.public_id, game=game.key, own=own_of(night)),
        number=sent.number.data or str(round.before.number),
        key=sent.key.data or round.key or new_key(),
        pot=round.before.pot,
        played_for=played_for(round),
        stake_now=round.stake,
        draft=url_for("draft.enter", public_id=night.public_id),
        before=round.before,
        in_front=round.before.in_front,
        late=late_sentences(night),
        kept=round.kept,
        way=round.way if sent.way.data is None else sent.way.data,
        note=partial(note_beside_hand, round, is_own=is_own_hand(night)),
    )
    # a form that was opened before somebody sat out still has enough seats
    if max(len(round.players), len(posted_seats())) >= game.seats[0]:
        return part
    text = "{game} needs at least {least} players; let more play under “People”"
    return part.unsaved(Message(text, game=Message(game.name), least=game.seats[0]))


def correction(night: Night, number: int) -> tuple[RoundForm, NightPart]:
    """Return the form that corrects a round, as it is stored or was posted, and the night's part of its page.

    404 if the line isn't a round, or of a game that isn't installed here.
    """
    stored = line_or_404(night, number).current
    if not is_round(stored.document):
        abort(404)
    game, sent = game_or_404(stored.document["game"]), sent_with()
    part = NightPart(
        night,
        url_for("correction.correct", public_id=night.public_id, number=number),
        str(number),
        sent.key.data or new_key(),
        stored.document["pot"],
        *(stored.document.get("stake", 1),) * 2,
        seen=str(stored.number) if sent.seen.data is None else sent.seen.data,
        counts_again=stored.voided,
        way=word_in(stored.document["round"], game),
        kept=stored.document["round"].get(keeps(stored.document), {}),
    )
    if request.method == "GET":
        return filled_form(game, with_texts(night.group_id, [stored.document])[0]), part
    return posted_night_round(game, part), part


def posted_night_round(game: AnyGame, part: NightPart) -> RoundForm:
    """Read the form of a round of this night; 400 if its seats aren't those of as many players as the game needs."""
    seated, players = posted_seats()[: game.seats[1]], part.night.player_keys()
    if len(set(seated)) < max(len(seated), game.seats[0]) or not set(seated) <= set(players):
        abort(400)
    form = posted_form(game, seated)
    typed = form.stake.data if part.corrects is not None and "stake" in posted() else None
    form.set_money(part.played_for, part.pot)
    set_kept(form, part.kept)
    if typed is not None:  # only a correction may say another stake
        form.stake.data = str(amount_typed(typed))
    form.in_front = part.in_front
    return form
