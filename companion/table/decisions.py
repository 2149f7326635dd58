"""The decision that all make at once, whether to be in: nobody learns of one before everybody has made it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.game import AnyGame, seated
from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.engine.questions.entry import Question

from .cells import BY_HAND, HAND, IS_IN, SECRET, Values, joined
from .last_turns import drop_question
from .next_round import Before, NextRound, who_plays
from .refusals import Refused
from .sight import AtOnce, FaceDown


def decision_question(game: AnyGame) -> Question | None:
    """Return the game's question about who is out, if all decide that at once; else None."""
    return drop_question(game) if game.beginning == "all-at-once" else None


def at_once(game: AnyGame, before: Before, cells: Values) -> AtOnce | None:
    """Return the decision of a night's next round, played as this game; None if nobody decides so."""
    question = decision_question(game)
    return None if question is None else AtOnce(question.key, tuple(who_plays(before, game, cells)))


def out_at_once(round: NextRound[Before]) -> tuple[PlayerKey, ...]:
    """Return who is out, in seat order, as soon as all have decided at once; nobody before that."""
    question = decision_question(round.game)
    if question is None or round.undecided:
        return ()
    return tuple(player for player in round.players if round.entered(player, question.key) is True)


def in_by_hand(typed: Values, round: NextRound[Before], players: Iterable[PlayerKey]) -> Values:
    """Return that these players are in, of whom a complete hand was typed, until it is taken back.

    What is typed once all have decided changes no decision.
    """
    if decision_question(round.game) is None or not round.undecided or round.dealer is None:
        return {}
    sizes = round.game.hand_sizes(seated(round.game, round.options, round.players, round.dealer))
    changes: dict[str, dict[str, str]] = {}
    for player in (player for player in players if HAND in typed.get(player, {})):
        is_whole, was = FaceDown.of(str(typed[player][HAND]), round.kind).size in sizes, round.entered(player, IS_IN)
        if is_whole != bool(was) and was in ("", BY_HAND):
            changes[player] = {IS_IN: BY_HAND if is_whole else ""}
    return changes


def kept_secret(changes: Values, round: NextRound[Before], me: str = "") -> Values:
    """Return these changes with a mark that they are secret, where all decide at once.

    In another game they are open, and what was secret stays so, unless the player enters something: the phone's `me`.
    """
    is_secret, marked = decision_question(round.game) is not None, round.sight.secret
    marks: dict[str, dict[str, str]] = {}
    for player, asked in changes.items():
        if is_secret and player in round.players:
            marks[player] = {SECRET: "yes"}
        elif player in marked:
            marks[player] = {SECRET: "" if player == me else " ".join(("yes", *sorted({*marked[player], *asked})))}
    return joined([changes, marks])


def undecided(round: NextRound[Before]) -> Values:
    """Return the cells after which nobody has decided anything; none where nobody decides at once."""
    question = decision_question(round.game)
    return {} if question is None else {player: {IS_IN: "", question.key: False} for player in round.players}


def must_not_decide_again(typed: Values, round: NextRound[Before], me: str) -> None:
    """Raise Refused if a player changes the own decision although all decisions are open, or even the hands."""
    question, asked = decision_question(round.game), typed.get(me, {})
    if question is None or round.undecided or question.key not in asked:
        return
    if bool(asked[question.key]) != (round.entered(me, question.key) is True):
        raise Refused(Message("All have decided; only the scorekeeper can change it now"))
