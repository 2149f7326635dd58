"""The page with a round's form and its result, for a single round or a night's."""

from __future__ import annotations

from typing import Any

from flask import render_template, request, url_for

from companion.engine.game import AnyGame
from companion.engine.pieces.sets import PieceSet
from companion.engine.players import PlayerKey
from companion.engine.variants import options_that_change_the_set
from companion.store.history.results import named_games
from companion.store.history.tallies import is_of_named
from companion.store.night.reading import rounds_played
from companion.table.bets import amounts_offered
from companion.table.guidance.betting import exchange_first

from ..access.forms import is_stale
from ..http.answers.headers import allow_camera
from ..http.monitoring import figures
from ..round.form.answers import out_seats
from ..round.form.document import FormResult, shown_in_front
from ..round.form.fields import RoundForm, by_seat
from ..round.form.live import first_step, spoken
from ..round.form.sent_with import sent_with
from ..round.night_part import NightPart
from ..round.result import ResultView, rarities, result_view
from ..text.fields import ButtonField
from ..text.house_rules import as_query
from ..text.money import typed
from ..text.names import name_of
from ..text.numbers import whole_typed
from .asked import asks, newly_asked, questions_asked
from .photos.reading import Camera, camera_for

_FIRST_SHOWN = 4  # index of the first piece in the example shown in an empty hand


def _most_cards(form: RoundForm) -> dict[str, int]:
    """Return how many cards a player's hand may have if an answer names that player, by the question's key."""
    keys = [question.key for question in form.game.questions if question.kind == "player"]
    return {key: max(form.hand_sizes(**{key: 0})) for key in keys}


def _cards(form: RoundForm, part: NightPart | None) -> int:
    """Return how many slots a hand has: on the phone of who shows a hand that wins outright, as many as it may have."""
    own = part.own if part else None
    if own and own.hand and own.hand.outright == own.player:
        return own.hand.knock.cards
    return min(form.hand_sizes())


def _stake(form: RoundForm) -> int:
    units = whole_typed(form.stake.data)
    return units if isinstance(units, int) else 1


def _open_seat(form: RoundForm, pressed: ButtonField) -> int | None:
    """Return the seat whose card keys are open: the one just cleared, or the first in an empty form."""
    if pressed.action == "clear":
        return form.seat_number(pressed.row)
    return None if any(seat.hand.data or seat.cards.data for seat in form.seats) else 0


def _photo_action(game: AnyGame, part: NightPart | None) -> str:
    """Return the URL that takes a photograph of a hand of this round."""
    if part is None:
        return url_for("photo.of_single_round", key=game.key)
    public_id = part.night.public_id
    if part.corrects is not None:
        return url_for("photo.of_correction", public_id=public_id, number=part.corrects)
    return url_for("photo.of_next_round", public_id=public_id)


def _view(result: FormResult | None, part: NightPart | None) -> ResultView | None:
    """Lay out the result for the round's group; None if the round didn't settle."""
    if result is None or result.settlement is None or result.round is None:
        return None
    return result_view(result.settlement, result.round, part.night if part else None)


def _type_foreign_cards(form: RoundForm, pieces: PieceSet[Any]) -> None:
    """Move tapped cards that aren't in the deck in use to the typed line, where they remain visible."""
    for seat in form.seats:
        foreign = [text for text in seat.cards.data if pieces.find(text) is None]
        seat.hand.data = " ".join([seat.hand.data, *foreign]).strip()
        seat.cards.data = [text for text in seat.cards.data if text not in foreign]


def _round_number(part: NightPart) -> int:
    """Return this round's number as players count them; loans and the like are lines, but not rounds."""
    if part.corrects is not None:
        return rounds_played(part.night, part.corrects)
    return rounds_played(part.night) + 1


def _betting(form: RoundForm) -> dict[str, Any]:
    """Return the template's values about the betting: whose turn it is, what that player may do, and the stacks."""
    played, step = form.played, _stake(form)
    nouns = form.game.pieces(form.options).noun[1]
    call = played.to_call if played else 0
    return {
        "has_bets": bool(form.game.betting_rounds),
        "bets": played,
        "call": call,
        "exchange": exchange_first(nouns, played.turn) if played and played.is_exchange and played.turn else None,
        "in_front": shown_in_front(form),
        "chips_left": played.chips_left if played else None,
        "offered": lambda allowed: amounts_offered(allowed, call, step),
        "replaced": form.replaced,
        "out": out_seats(form),
    }


def _camera(game: AnyGame, pieces: PieceSet[Any], result: FormResult | None) -> Camera | None:
    """Return the camera button of a page, and let the page use the camera if that button is shown and works."""
    camera = camera_for(pieces) if game.has_hands else None
    if camera and not camera.problem and not (result and result.settlement):
        allow_camera()
    return camera


def _standings(form: RoundForm, part: NightPart | None) -> list[tuple[PlayerKey, int]]:
    """Return each player with what they had won before the round, highest first; none before anything was booked."""
    if part is None or part.before is None or not any(part.before.won.values()):
        return []
    won = part.before.won
    return sorted(((player, won.get(player, 0)) for player in form.players), key=lambda row: -row[1])


def _problems(form: RoundForm, result: FormResult | None) -> list[tuple[str, str]]:
    """Return the problems of a result, or else of the settings, each with the id of its field ("": the whole form)."""
    if result:
        return [(text, field.id if field is not None else "") for text, field in result.problems]
    return [(text, field.id) for field in (form.stake, form.pot, *form.rules.values()) for text in field.errors]


def round_page(
    form: RoundForm,
    part: NightPart | None = None,
    result: FormResult | None = None,
) -> str:
    """Render the form with its result or problems; `part` is the night's part, if the round belongs to one."""
    if result:
        figures.problems_found(result.codes)
    game, options, sent = form.game, form.options, sent_with()
    saved_as = part.not_saved.saved_as if part and part.not_saved else None
    pieces = game.pieces(options)
    _type_foreign_cards(form, pieces)
    betting, stake = _betting(form), whole_typed(form.stake.data)
    if part and part.seen is not None and isinstance(stake, int):
        form.stake.data = typed(stake)  # where a correction shows it, as an amount
    size = _cards(form, part)
    questions = questions_asked(form)
    redraws = options_that_change_the_set(game) | {q.only_with for q in game.questions}
    return render_template(
        "round/entry.html",
        **betting,
        game=game,
        part=part,
        called_before=_called_before(part) if part and game.is_named else (),
        step=_stake(form),
        form=form,
        pieces=pieces,
        people=part.night.group.names if part else {str(player): name_of(player) for player in form.players},
        camera=_camera(game, pieces, result),
        photo_action=_photo_action(game, part),
        fresh=request.method == "GET",
        is_stale=request.method == "POST" and is_stale(),
        size=size,
        most=_most_cards(form),
        fingerprint=result.fingerprint if result and result.settlement else "",
        spellings={spelling.lower(): piece.text for spelling, piece in pieces.spellings.items()},
        notation=pieces.notation,
        open_seat=_open_seat(form, sent.do),
        action=sent.do.data,
        placeholder=" ".join(piece.text for piece in pieces.pieces[_FIRST_SHOWN : _FIRST_SHOWN + size]),
        options=game.house_rules,
        query=as_query(game, options),
        questions=questions,
        asks=asks(form, questions, is_of_night=part is not None),
        asks_more=bool(newly_asked(questions)),
        by_seat=[question for question in by_seat(questions) if not question.replaces_hands],
        word=[question for question in questions if question.replaces_hands],
        way=sent.way.data if sent.way.data is not None else part.way if part else "",
        redraws=redraws,
        standings=_standings(form, part),
        first_step="" if result else first_step(form),
        settlement=result.settlement if result else None,
        round_number=_round_number(part) if part else 0,
        saved_as=saved_as,
        saved_round=rounds_played(part.night, saved_as) if part and saved_as else 0,
        result=_view(result, part),
        spoken=spoken(result.settlement) if result and result.settlement and part is None else "",
        rarities=rarities(game, options, result.settlement if result else None),
        problems=_problems(form, result),
    )


def _called_before(part: NightPart) -> list[str]:
    """Return what the group's tables have called games without a name."""
    return [name for key, name in named_games(part.night.group).items() if is_of_named(key)]
