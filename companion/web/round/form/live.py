"""The live reading of a form, as JSON for the page's script: what each hand is worth, and what is missing.

The sentences come from the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flask import Response, jsonify, request

from companion.contract import Progress, progress
from companion.engine.game import seated, turn_order
from companion.engine.messages import Message
from companion.engine.money.settlement import Settlement
from companion.table.last_turns import knock_question
from companion.table.sight import FaceDown

from ...access.forms import is_stale, stale_json
from ...text.language import capital, say
from ...text.money import signed, units
from ...text.names import name_of
from .answers import out_seats
from .document import document, field_of_path, missing_answers, uncovered, wrong_names
from .fields import RoundForm
from .ways import asked_instead


def sizes_of(form: RoundForm, hands: Mapping[int, FaceDown]) -> dict[str, int]:
    """Return the sizes of hands given by seat, by player."""
    return {form.players[seat]: hand.size for seat, hand in hands.items()}


def progress_of(form: RoundForm) -> Progress:
    """Return the state of a form's round."""
    return progress(document(form), are_keys=True, face_down=sizes_of(form, form.face_down))


def live_answer(form: RoundForm) -> Response | tuple[Response, int]:
    """Answer a page's script with the live reading of its posted form, unless the form is stale."""
    if is_stale():
        return stale_json()
    reading = live(form)
    return jsonify({"live": {**reading, "missing": first_step(form) or reading["missing"]}})


def first_step(form: RoundForm) -> str:
    """Say who begins a single round, or who still plays after a knock, before other hands are entered; else "".

    In a night the state line says so, see `table.guidance.next_step`.
    """
    dealer, game, players = form.seat_number(form.dealer.data), form.game, form.players
    is_by_hands = not (form.seated or form.bets.data or request.values.get("way"))
    if not is_by_hands or dealer is None or len(players) < game.seats[0]:
        return ""
    parts = ((seat.hand, seat.cards, *seat.answers.values()) for seat in form.seats)
    begun = {at for at, fields in enumerate(parts) if any(field.data for field in fields)}
    knock = knock_question(game)
    by = None if knock is None else form.seat_number(form.asked[knock.key].data)
    if knock is None or by is None:
        is_open = not begun and not any(field.data for field in form.asked.values())
        first = turn_order(players, players[dealer], game.direction)[0]
        return say("{dealer} deals, {player} begins", dealer=players[dealer], player=first) if is_open else ""
    turns = game.last_turns(seated(game, form.options, players, players[dealer], **{knock.key: players[by]}))
    return say(turns.sentence()) if turns and turns.players and begun <= {by} else ""


def live(form: RoundForm, progress: Progress | None = None) -> dict[str, Any]:
    """Describe each seat's hand, then what is missing or wrong, or how the round settles.

    {"seats": {number: {"size", "complete", "reading", "brief"}}, "out": {seat of who shows no hand: why}, "missing":
    sentence, "wrong": [{"id", "text"}], "settled": null or {"headline", "decided", "nets": [[name, amount]]}}

    Pass `progress` if the form's progress is known.
    """
    players, progress = [*map(str, form.players)], progress or progress_of(form)
    short = uncovered(progress.settlement, form) if progress.settlement else []
    questions, names = [problem.message for problem in missing_answers(form)], wrong_names(form)
    missing = [*progress.missing, *(message for message in questions if message not in progress.missing)]
    placed = [(field_of_path(p.field, form), say(p.message)) for p in (*names, *progress.wrong, *short)]
    readings: dict[str, Any] = {
        str(players.index(player)): {
            "size": hand.size,
            "complete": hand.is_complete,
            "reading": ", ".join(say(part) for part in (hand.reading, hand.standing) if part is not None),
            "brief": say(hand.brief) if hand.brief is not None else "",
        }
        for player, hand in progress.hands.items()
    }
    if progress.settlement and not form.game.has_hands:
        nets = progress.settlement.net.items()
        of_nets = {str(players.index(p)): signed(net) for p, net in nets}
        readings = {p: {"size": 0, "complete": True, "reading": net, "brief": net} for p, net in of_nets.items()}
    return {
        "seats": readings,
        "out": {str(seat): say(why) for seat, why in out_seats(form).items()},
        "missing": _sentence(missing, form),
        "wrong": [{"id": field.id if field is not None else "", "text": text} for field, text in placed],
        "settled": _settled(progress.settlement) if progress.settlement and not (questions or short or names) else None,
    }


def _sentence(missing: list[Message], form: RoundForm) -> str:
    """Say what is missing: all hands that lack cards in one list, or if there are none, the first open question.

    If the phone enters the result instead of cards, ask for that; once who won is named, for the hands that could win
    other parts of the pot.
    """
    of_players = [message.values for message in missing if "player" in message.values and "n" in message.values]
    game, word = form.game, asked_instead(form.game)
    if of_players and word is not None:
        if word.kind == "winners":
            if any(seat.answers[word.key].data for seat in form.seats):
                names = tuple(of["player"] for of in of_players if "may" not in of)
                return say("Hands missing for the side pots: {players}", players=names) if names else say(missing[0])
            # of what can be missing, only a bet says what may be done
            turn = next((message.values["player"] for message in missing if "may" in message.values), None)
            text = "Missing: the bets ({player}'s turn) and who won" if turn else "Tap who won"
            return say(text, player=turn)
        names = tuple(of["player"] for of in of_players)
        return capital(say("{nouns} missing: {cards}", nouns=Message(word.label), cards=names))
    nouns = game.pieces(game.options()).noun[1]
    if of_players:
        cards = tuple(Message("{player}\u00a0({n})", player=of["player"], n=of["n"]) for of in of_players)
        return capital(say("{nouns} missing: {cards}", nouns=Message(nouns), cards=cards))
    return say(missing[0]) if missing else ""


def headline(settlement: Settlement) -> Message:
    """Say in a few words who won and how much."""
    if not settlement.winners:
        return Message("Nobody wins")
    if len(settlement.ahead) != 1:
        return Message("{players} win", players=settlement.ahead)
    return _wins(settlement, signed)


def _wins(settlement: Settlement, written: Callable[[int], str]) -> Message:
    """Say how much the only one ahead wins; where rounds are played for lives, that may be nothing."""
    (winner,) = settlement.ahead
    net = settlement.net[winner]
    if not net:
        return Message("{player} wins", player=winner)
    return Message("{player} wins {net}", player=winner, net=written(net))


def spoken(settlement: Settlement, own: Iterable[Message] = ()) -> str:
    """Return a round's result for reading aloud; `own` are sentences for the player whose phone this is."""
    first = _wins(settlement, units) if len(settlement.ahead) == 1 else headline(settlement)
    return " ".join(f"{say(message)}." for message in (first, settlement.decided_by, *own))


def _settled(settlement: Settlement) -> dict[str, Any]:
    ahead = settlement.ahead
    return {
        "headline": say(headline(settlement)),
        "decided": say(settlement.decided_by),
        # a sole winner is already in the headline
        "nets": [
            [name_of(player), signed(net)] for player, net in settlement.net.items() if net and (player,) != ahead
        ],
    }
