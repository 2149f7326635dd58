"""Whose hands a round needs, when they turn over, and what was changed after that.

Hands are face down until all are in, and it is known who knocked. Once revealed, they stay so unless the game is
changed: nobody can look and then cover up. Anyone who afterwards changes something that looking could have influenced
is named on every phone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.engine.game import AnyGame, AnyRound, seated
from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.engine.questions.word import who_must_still_show

from .cells import GAME, HAND, KIND, TABLE, Values, each, value
from .decisions import decision_question
from .hand import HandInPlay
from .last_turns import knock_question
from .refusals import Refused

# the kind of late change that turns the hands face down again, because another game needs other hands
GAME_CHANGED = "game"
Late = list[list[str]]  # changes made after the reveal: what was changed, and whose it is
_SENTENCES = {
    "own-hand": "{player} changed the hand after all were shown",
    "own-answers": "{player} changed an answer after all hands were shown",
    "hand": "{player}'s hand was changed after all were shown",
    "answers": "An answer of {player} was changed after all hands were shown",
    GAME_CHANGED: "The game was changed after all hands were shown",
}


def must_stay_down(hand: HandInPlay) -> bool:
    """Return whether hands must not be revealed although all are in.

    Somebody still has a turn after a knock at the table, nobody has said who knocked, or somebody hasn't decided
    whether to be in. Rules: C-11, GU-3.
    """
    return bool(turns_left(hand)) or asks_who_knocked(hand) or bool(hand.round.undecided)


def turns_left(hand: HandInPlay) -> tuple[PlayerKey, ...]:
    """Return who still has a turn after a knock, in order; one on the round's own page leaves none to tap."""
    if not (hand.knocked and hand.is_on_phones and hand.turn):
        return ()
    return tuple(turn.player for turn in hand.last_turns if turn.is_open)


def is_betting(hand: HandInPlay) -> bool:
    """Return whether bets are missing or wrong: players who have yet to act must not see hands."""
    return hand.played is not None and not hand.is_over


def must_not_be_betting(hand: HandInPlay) -> None:
    """Raise Refused while bets are missing."""
    if is_betting(hand):
        raise Refused(Message("The betting isn't over; the hands stay face down until then"))


def must_know_who_knocked(hand: HandInPlay) -> None:
    """Raise Refused while it is open how play ended: who could still knock must not see hands."""
    if asks_who_knocked(hand):
        knocked = Message("Answer first who knocked; the hands stay face down until then")
        called = Message("Answer first who called; the hands stay face down until then")
        raise Refused(knocked if hand.knock_word == "knocked" else called)


def must_be_decided(hand: HandInPlay) -> None:
    """Raise Refused while somebody who hasn't decided whether to be in could do it by the others' hands."""
    undecided = hand.round.undecided
    if undecided:
        text = "{player} hasn't decided whether to be in; the hands stay face down until then"
        raise Refused(Message(text, player=PlayerKey(undecided[0])))


def asks_who_knocked(hand: HandInPlay) -> bool:
    """Return whether it is open how play ended: who knocked or called, that nobody did, or who won outright."""
    return lacks_knock(hand.game, lambda key: hand.round.entered(TABLE, key), hand.round.player)


def lacks_knock(game: AnyGame, answer: Callable[[str], str | None], who: Callable[[str], object]) -> bool:
    """Return whether a game's answers leave open how play ended.

    `answer` gives the answer to a question by its key; `who` the player or seat that an answer names, None if nobody.
    """
    if knock_question(game) is None:
        return False
    answers = [(question, answer(question.key)) for question in game.questions if question.kind == "player"]
    return not any(said and (question.explicit or who(said) is not None) for question, said in answers)


def so_far(hand: HandInPlay) -> AnyRound:
    """Return the round with the answers that decide who shows, without hands; somebody must deal it."""
    read, answers = hand.round.entered, dict[str, Any]()
    for question in hand.game.questions:
        if question.kind == "player":
            answers[question.key] = hand.round.player(read(TABLE, question.key))
        elif question.kind in ("players", "winners"):
            named = tuple(player for player in hand.players if read(player, question.key) is True)
            answers[question.key] = hand.out if question.meaning == "left" and hand.has_bets else named
        elif question.kind == "flag":
            answers[question.key] = read(TABLE, question.key) is True
        elif question.key == "paid" and hand.has_bets:  # who is all-in has no share of some parts of the pot
            answers[question.key] = hand.paid
        elif question.replaces_hands:
            answers[question.key] = {player: 0 for player in hand.players if read(player, question.key)}
    return seated(hand.game, hand.round.options, hand.players, str(hand.dealer), **answers)


def must_show(hand: HandInPlay) -> tuple[PlayerKey, ...]:
    """Return the players whose hands the round needs, in turn order."""
    round = so_far(hand)
    needed = who_must_still_show(hand.game, round, hand.game.who_must_show(round))
    return tuple(player for player in hand.order if player in needed)


def turned_over(hand: HandInPlay) -> tuple[PlayerKey, ...]:
    """Return the players whose hands turn over, in turn order: who must or may show one.

    Nobody's, if one player is left by bets or decisions (C-5, GU-4). The hands of the others stay face down, even if
    an answer about them is changed after the reveal.
    """
    round, is_alone_unshown = so_far(hand), hand.has_bets or decision_question(hand.game) is not None
    must = hand.game.who_must_show(round)
    if is_alone_unshown and not must:
        return ()
    turned = {*must, *hand.game.who_may_show(round)}
    return tuple(player for player in hand.order if player in turned)


def size_of(hand: HandInPlay, player: PlayerKey) -> int:
    """Return how many cards or tiles of this game a player's hand has."""
    held = hand.round.hands.get(player)
    return held.size if held is not None and held.fits(hand.round.kind) else 0


def lacking(hand: HandInPlay) -> tuple[PlayerKey, ...]:
    """Return the players whose hand is missing or not whole, in turn order."""
    whole = hand.game.hand_sizes(so_far(hand))
    return tuple(player for player in must_show(hand) if size_of(hand, player) not in whole)


def late_changes(me: str | None, before: Values, typed: Values, players: Sequence[str]) -> Late:
    """Pick, from the cells newly typed on a phone, the changes that everyone must be told about; see `_late_change`."""
    changes = []
    for owner, question, new in each(typed):
        was = value(before, owner, question)
        if _differs(was, new) and (change := _late_change(owner, question, was, new, me, players)) is not None:
            changes.append(change)
    return changes


def late_sentence(what: str, whose: str) -> Message:
    """Describe a late change."""
    return Message(_SENTENCES[what], player=PlayerKey(whose))


def _differs(was: Any, new: Any) -> bool:
    """Return whether a cell's meaning changed; the order and spelling of a hand's cards don't matter."""
    if isinstance(was, str) and isinstance(new, str):
        return sorted(was.lower().replace(",", " ").split()) != sorted(new.lower().replace(",", " ").split())
    return bool(was or new) and was != new


def _late_change(
    owner: str, question: str, was: Any, new: Any, me: str | None, players: Sequence[str]
) -> list[str] | None:
    """Describe a change and whose it is; None if looking at the hands can't have influenced it.

    `me` is the player whose phone it was typed on, or None. The scorekeeper often enters amounts after the hands are
    revealed; these are reported only if they replace others.
    """
    if (owner, question) == (TABLE, GAME):
        return [GAME_CHANGED, ""] if was else None
    if owner not in players or question == KIND:
        return None
    what = "hand" if question == HAND else "answers"
    if owner == me:
        return [f"own-{what}", owner]
    return [what, owner] if what == "hand" or was or new is True else None
