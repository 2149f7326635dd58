"""What the table view, a screen for the whole room, shows: the seats, whose turn it is, and hands once revealed.

Until hands are revealed it only shows whose hand has been entered, even for hands entered on the device itself, because
everybody in the room sees the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT, Settlement
from companion.games import game_of
from companion.store.models import Line, Night, Seat
from companion.store.money import settle_up
from companion.store.night import play
from companion.store.night.reading import rounds_played
from companion.table.guidance.after_knock import told_to_all
from companion.table.guidance.betting import exchanged
from companion.table.guidance.next_step import next_step
from companion.table.hand import HandInPlay

from ..access.lookup import revision_settled
from ..round.draft import draft_cells
from ..round.form.document import missing_answers
from ..round.form.fields import RoundForm
from ..round.form.live import headline, progress_of, spoken
from ..round.next_round import NightRound, round_at_table
from ..round.result import result_view
from ..text.language import say
from ..text.money import units
from .screen import BigScreen, Place

_TURN_STATES = {
    "waits": Message("waits"),
    "stay": Message("stays"),
    "drop": Message("drops"),
    "done": Message("played"),
}
_LAST_BETS = 6  # that fit beside the table
_MOST_BACKS = 5  # that are drawn of a hand; however many cards have been entered, they are as many


def screen_of(night: Night) -> BigScreen:
    """Return what the screen shows of a night now."""
    round, number = round_at_table(night), rounds_played(night)
    places, left = _places(night, round)
    screen = BigScreen("waiting", number + 1, round.game, places, round.stake, left, pot=round.before.pot)
    if night.closed_at is not None:
        return _ended(replace(screen, stage="closed", number=number, due=_due(night)))
    in_play = HandInPlay(round)
    if round.is_begun:
        return _played(round, screen, in_play)
    last = play.last_round(night)
    result = _result(night, last, replace(screen, number=number)) if last is not None else None
    screen = result or replace(screen, guide=_guide(in_play))
    if in_play.waits_for_game:
        screen = replace(screen, asked=_lead(in_play))
    places = tuple(replace(place, is_dealer=place.key == in_play.dealer) for place in screen.places)
    return replace(screen, places=places)


def _places(night: Night, round: NightRound) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return those who sit at the table, and those who left it."""
    stacks, won = round.before.stacks, round.before.won
    sitting: list[Place] = []
    left: list[Place] = []
    for seat in night.seats:
        key = seat.player_key
        stack = stacks.in_front.get(key) if stacks else None
        sits_out = key not in round.players and night.closed_at is None
        place = Place(key, seat.player.name, won.get(key, 0), sits_out=sits_out, stack=stack)
        (left if seat.state == "left" else sitting).append(place)
    return tuple(sitting), tuple(left)


def free_seats(night: Night) -> list[Seat]:
    """List the seats of this round that no phone has taken."""
    return [seat for seat in night.seats if seat.state == "in" and seat.phone is None]


def _ended(screen: BigScreen) -> BigScreen:
    """Name who won most."""
    everybody = screen.places + screen.left
    best = max((place.won for place in everybody), default=0)
    winners = tuple(place.name for place in everybody if place.won == best > 0)
    lead = say("{players} won the night", players=winners) if winners else say("Nobody won")
    places = tuple(replace(place, wins=place.name in winners) for place in screen.places)
    return replace(screen, places=places, lead=lead, speech=lead)


def _due(night: Night) -> tuple[tuple[Payment, str | None], ...]:
    """Return what is still to pay, as on the page of the night's end."""
    plan, owed = settle_up.plan_or_owed(night)
    due: list[tuple[Payment, str | None]] = [(one, None) for one in (settle_up.rests_of(plan) if plan else owed)]
    for costs in settle_up.apart_plans(night):
        due += [(one, costs.currency) for one in (settle_up.rests_of(costs.plan) if costs.plan else costs.owed)]
    return tuple(due)


def _played(round: NightRound, screen: BigScreen, in_play: HandInPlay) -> BigScreen:
    """Show the hand in play; whatever depends on the cards only once they are revealed."""
    players = round.players
    form = draft_cells.drafted_form(round)
    progress = progress_of(form)
    said = _answers_about(form, players)
    pieces = form.pieces
    by_key = {place.key: place for place in screen.places}
    backs = min(_MOST_BACKS, min(form.hand_sizes()))
    for seat, player in enumerate(players):
        hand = progress.hands.get(player)
        place, paid = by_key[player], in_play.paid.get(player, 0)
        place = replace(
            place,
            is_dealer=player == in_play.dealer,
            has_turn=player == in_play.turn and not round.is_shown,
            is_in=hand is not None and hand.is_complete,
            states=tuple(_states(player, said, in_play)),
            paid=paid if in_play.has_bets else 0,  # that everybody has put in the ante needn't be told
            stack=None if place.stack is None else place.stack - paid,
        )
        if round.is_shown:
            tokens = [pieces.find(token) for token in pieces.tokens(form.seats[seat].hand.data)]
            reading = say(hand.reading) if hand is not None and hand.reading is not None else ""
            place = replace(place, cards=tuple(piece for piece in tokens if piece is not None), reading=reading)
        elif player not in in_play.out:
            place = replace(place, backs=backs)
        by_key[player] = place
    screen = replace(
        screen,
        stage="shown" if round.is_shown else "down",
        places=tuple(by_key.values()),
        pot=0 if in_play.moved else in_play.pot,
        lead=_lead(in_play),
        why=say("The hand waits for the scorekeeper") if in_play.moved else "",
        guide=_guide(in_play),
    )
    if round.is_shown and in_play.moved is None and progress.settlement is not None and not missing_answers(form):
        return _settled(screen, progress.settlement)
    if round.is_shown and progress.wrong:
        return replace(screen, why=say(progress.wrong[0].message))
    return screen


def _guide(in_play: HandInPlay) -> tuple[Message, ...]:
    """Return what happens after a knock, the last bets, or how the hand is dealt; nothing until its game is chosen."""
    if in_play.knocked is not None:
        return tuple(told_to_all(in_play))
    if in_play.bets:
        return (*in_play.bets[-_LAST_BETS:], *filter(None, [exchanged(in_play)]))
    return () if in_play.waits_for_game else in_play.deal


def _lead(in_play: HandInPlay) -> str:
    """Say what comes next; once the hands are shown, the result says the rest."""
    return "" if in_play.is_shown else say(next_step(in_play, "screen").sentence)


def _answers_about(form: RoundForm, players: Sequence[str]) -> dict[str, list[str]]:
    """List the answers about each player, such as "knocked" or "dropped"."""
    said: dict[str, list[str]] = {player: [] for player in players}
    for question in form.game.questions:
        for seat, player in enumerate(players):
            if question.kind == "player":
                is_named = form.asked[question.key].data == str(seat)
            else:
                is_named = question.kind == "players" and bool(form.seats[seat].answers[question.key].data)
            if is_named:
                said[player].append(say(question.label))
    return said


def _states(player: str, said: Mapping[str, Sequence[str]], in_play: HandInPlay) -> Iterator[str]:
    yield from said[player]
    if player in in_play.all_in:
        yield say("all-in")
    elif player in in_play.out and not said[player]:
        yield say("folded")
    if in_play.round.undecided and player in in_play.round.decided:
        yield say("decided")
    turns: dict[str, str] = {turn.player: turn.state for turn in in_play.last_turns}
    state = turns.get(player)
    if state in _TURN_STATES and not said[player] and not in_play.is_shown:
        yield say(_TURN_STATES[state])


def _result(night: Night, last: Line, screen: BigScreen) -> BigScreen | None:
    """Show the last round's result; None if it was voided."""
    saved = revision_settled(last.current)
    if saved is None:
        return None
    view = result_view(saved.settlement, saved.round, night)
    said = {row.player: row.answers for row in view.rows}
    shown = {hand.player: hand for hand in saved.settlement.hands}
    places = []
    # who left the table after this round was in it
    played = tuple(place for place in screen.left if place.key in saved.settlement.players)
    seats: list[str] = [seat.player_key for seat in night.seats]
    for place in sorted(screen.places + played, key=lambda place: seats.index(place.key)):
        hand = shown.get(place.key)
        if hand is not None:
            place = replace(place, cards=tuple(hand.cards or ()), reading=say(hand.reading.description))
        words = tuple(say(text) for text in said.get(place.key, ()))
        places.append(replace(place, states=words))
    game = game_of(str(last.game))
    way = view.shown_first
    already_paid = [payment for payment in saved.settlement.paid_while_playing if payment.payee != POT]
    left = tuple(place for place in screen.left if place not in played)
    screen = replace(
        _settled(replace(screen, stage="result", game=game, places=tuple(places), left=left), saved.settlement),
        moves=saved.settlement.handovers if way == "chips" else saved.settlement.payments,
        already_paid=tuple(already_paid) if way == "chips" else (),
        during_play=view.during_play if way == "score" else (),
        way=way,
    )
    return replace(screen, speech=spoken(saved.settlement, _handed(screen)))


def _settled(screen: BigScreen, settlement: Settlement) -> BigScreen:
    """Add a round's result to the screen: who won, and each player's net."""
    net, ahead = settlement.net, settlement.ahead
    places = tuple(replace(place, net=net.get(place.key), wins=place.key in ahead) for place in screen.places)
    why, pot = say(settlement.decided_by), settlement.pot_closing
    return replace(screen, places=places, lead=say(headline(settlement)), why=why, pot=pot)


def _handed(screen: BigScreen) -> Iterator[Message]:
    """Yield a sentence for each payment, for reading aloud."""
    for move in screen.moves or ():
        amount = units(move.amount)
        if move.payee == POT:
            yield Message("{payer} puts {amount} into the pot", payer=move.payer, amount=amount)
        elif move.payer == POT:
            yield Message("{payee} takes {amount} from the pot", payee=move.payee, amount=amount)
        elif screen.way == "chips":
            yield Message("{payer} gives {payee} {amount}", payer=move.payer, payee=move.payee, amount=amount)
        else:
            yield Message("{payer} pays {payee} {amount}", payer=move.payer, payee=move.payee, amount=amount)
