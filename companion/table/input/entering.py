"""What a phone types into the round at hand, and which of it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.game import seated
from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from ..cells import BETS, BETS_ORDER, BY_HAND, GAME, HAND, KEEPER_SEAT, TABLE, TURN, Values, joined
from ..decisions import in_by_hand, kept_secret, must_not_decide_again
from ..hand import HandInPlay
from ..last_turns import knock_question
from ..next_round import Before, NextRound
from ..refusals import Refused
from ..showing import is_betting, turns_left
from ..sight import FaceDown, with_kinds
from .actions import must_be_this_game


@dataclass(frozen=True)
class Typed:
    """What was typed on a phone: the game it was typed for, the players by seat as on its page, and the cells.

    `keeps`: the phone keeps score, so it may write everything; a player's own phone only what is about its player.
    `is_own`: it was typed on the page of the own hand.
    """

    game: str
    seats: Sequence[str]
    cells: Values
    keeps: bool
    is_own: bool = False


def accepted(typed: Typed, round: NextRound[Before], without_phones: Sequence[PlayerKey] = ()) -> Values:
    """Return the cells that count; none if the seats have changed since the page was loaded.

    `round` is as the phone may see it, played as the game that was typed. `without_phones` are the players who have no
    phone of their own. Raises Refused.
    """
    if list(typed.seats) != round.players:
        return {}
    me = str(round.me or "")
    if typed.is_own or not typed.keeps:
        _must_be_time_to_show(typed.cells.get(me, {}), round)
    if not typed.keeps:
        own = with_kinds({me: typed.cells[me]} if me in typed.cells else {}, round.kind)
        must_not_decide_again(own, round, me)
        is_in = in_by_hand(own, round, filter(None, [round.me]))
        return kept_secret(joined([own, _last_turn(own, round, round.me), is_in]), round, me)
    if not round.is_shown:
        must_be_this_game(round, has_say=True)
    of_table = {TABLE: {**_began_to_bet(typed, round), GAME: typed.game}}
    # a scorekeeper without a seat enters the hands of those who have no phone
    senders = without_phones if round.me is None else [round.me]
    turns = [_last_turn(typed.cells, round, player) for player in senders]
    is_in = in_by_hand(typed.cells, round, round.players)
    return kept_secret(joined([with_kinds(typed.cells, round.kind), *turns, is_in, of_table]), round)


def kept_by(me: PlayerKey | None, *, keeps: bool) -> Values:
    """Return the cell with the player of a phone that keeps score."""
    return {TABLE: {KEEPER_SEAT: str(me)}} if keeps and me is not None else {}


def _must_be_time_to_show(own: Mapping[str, Any], round: NextRound[Before]) -> None:
    """Raise Refused if a phone says that its player's hand can't win while others still act. Rule: C-15."""
    if round.is_shown or not any(own.get(q.key) is True for q in round.game.questions if q.meaning == "lost"):
        return
    hand = HandInPlay(round)
    if is_betting(hand) or turns_left(hand) or round.undecided:
        raise Refused(Message("Others are still playing; say so once everyone shows"))


def _last_turn(typed: Values, round: NextRound[Before], me: PlayerKey | None) -> Values:
    """Return the last turn of a player whose hand was sent after a knock; nothing in other cases.

    A complete hand counts as that player's turn (where one may drop, as staying) until it is taken back or the hands
    turn over. What was typed before the knock counts nothing, as cards could still be exchanged; what the player has
    tapped stays. Rule: C-11.
    """
    question = knock_question(round.game)
    if me is None or question is None or HAND not in typed.get(me, {}):
        return {}
    hand = HandInPlay(round)
    if not hand.is_on_phones or hand.is_shown:
        return {}
    turn = next((turn for turn in hand.last_turns if turn.player == me), None)
    was = str(round.entered(me, TURN))
    is_tapped = turn is not None and not turn.is_open and not was.endswith(BY_HAND)
    if turn is None or is_tapped or hand.dealer is None:
        return {}
    begun = seated(round.game, round.options, round.players, hand.dealer, **{question.key: hand.knocked})
    is_whole = FaceDown.of(str(typed[me][HAND]), round.kind).size in round.game.hand_sizes(begun)
    done = "stay" if hand.knock.may == "stay-or-drop" else "done"
    return {me: {TURN: f"{hand.knocked} {done}{BY_HAND}"}} if is_whole else {me: {TURN: ""}} if was else {}


def _began_to_bet(typed: Typed, round: NextRound[Before]) -> dict[str, str]:
    """Return the cell that keeps the seats when the first bet is entered on the round's own page."""
    asked = typed.cells.get(TABLE, {})
    if BETS not in asked or (asked[BETS] and round.entered(TABLE, BETS)):
        return {}
    return {BETS_ORDER: ".".join(round.players) if asked[BETS] else ""}
