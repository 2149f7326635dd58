"""What a knock, the last turns after it, and a hand that wins outright change in a hand in play."""

from __future__ import annotations

from typing import Any

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from ..cells import ORDER, TABLE, TURN, Values, each, joined
from ..hand import HandInPlay
from ..last_turns import drop_question, knock_question, outright_question
from ..refusals import Refused
from .asked import Asked, begun_with


def knock(asked: Asked, hand: HandInPlay) -> Values:
    """Note who knocked or called."""
    question = knock_question(hand.game)
    if question is None:
        raise Refused(Message("Nobody knocks in {game}", game=Message(hand.game.name)))
    if hand.knocked is not None:
        text = "{player} has already knocked" if hand.knock_word == "knocked" else "{player} has already called"
        raise Refused(Message(text, player=hand.knocked))
    return {TABLE: {question.key: asked.player, **begun_with(hand)}}


def unknock(asked: Asked, hand: HandInPlay) -> Values:
    """Take back a knock: the player until somebody has had a turn after it, the scorekeeper at any time."""
    question = knock_question(hand.game)
    if question is None or hand.knocked is None:
        raise Refused(Message("There is no knock to take back"))
    if hand.outright is not None:
        raise Refused(Message("{player} already shows a winning hand", player=hand.outright))
    if asked.player != hand.knocked:
        raise Refused(Message("Only the player who knocked can take it back, or the scorekeeper"))
    if not asked.keeps and any(not turn.is_open for turn in hand.last_turns):
        raise Refused(Message("Others have already played their last turn; ask the scorekeeper to take the knock back"))
    return joined([{TABLE: {question.key: "", ORDER: ""}}, turns_cleared(hand)])


def turns_cleared(hand: HandInPlay) -> Values:
    """Clear the last turns, and the drops entered in them."""
    cleared: dict[str, dict[str, Any]] = {}
    drops = drop_question(hand.game)
    for player, question, value in each(hand.round.cells):
        if question == TURN and value:
            cleared[player] = {TURN: ""}
            if drops is not None and str(value).endswith("drop"):
                cleared[player][drops.key] = False
    return cleared


def turn(asked: Asked, hand: HandInPlay) -> Values:
    """Record a player's last turn. Only the scorekeeper may do so out of turn, or change one.

    A player takes back the own drop as long as nobody has had a turn after it.
    """
    turn = next((turn for turn in hand.last_turns if turn.player == asked.player), None)
    if turn is None:
        raise Refused(Message("It isn't {player}'s turn", player=PlayerKey(asked.player)))
    is_taken_back = asked.do == "stay" and hand.knock.last_drop == turn.player
    if not (asked.keeps or is_taken_back) and turn.state != "next":
        text = "It is {player}'s turn" if hand.turn else "Everyone has played their last turn; ask the scorekeeper"
        raise Refused(Message(text, player=hand.turn or ""))
    drops = drop_question(hand.game) if hand.knock.may == "stay-or-drop" else None
    if (asked.do == "done") == (drops is not None):
        raise Refused(Message("That can't be done in this turn"))
    said = {TURN: f"{hand.knocked} {asked.do}"}
    return {TABLE: begun_with(hand), asked.player: said if drops is None else {**said, drops.key: asked.do == "drop"}}


def outright(asked: Asked, hand: HandInPlay) -> Values:
    """Note who shows a hand that wins outright; it may be taken back until the hand turns over. Rules: DO-6, TH-5."""
    question = outright_question(hand.game)
    if question is None:
        raise Refused(Message("Nobody wins outright in {game}", game=Message(hand.game.name)))
    if hand.outright is not None:
        raise Refused(Message("{player} already shows a winning hand", player=hand.outright))
    if asked.player not in hand.knock.able:
        text = "It is {player}'s turn" if hand.turn else "That can't be done in this turn"
        raise Refused(Message(text, player=hand.turn or ""))
    return {TABLE: {question.key: asked.player, **begun_with(hand)}}


def cover(asked: Asked, hand: HandInPlay) -> Values:
    """Take back that a player shows such a hand."""
    question = outright_question(hand.game)
    if question is None or asked.player != hand.outright:
        raise Refused(Message("Only the player who shows a winning hand can take it back, or the scorekeeper"))
    return {TABLE: {question.key: "", **({} if hand.knocked else {ORDER: ""})}}
