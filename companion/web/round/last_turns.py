"""Who knocked in the hand in play, and the others' last turns after that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.engine.deal import LastTurns
from companion.engine.entry import Question
from companion.engine.game import AnyGame, seated
from companion.store.hand_in_play import TURN

from .next_round import NextRound

TurnState = Literal["waits", "next", "stay", "drop", "done"]


@dataclass(frozen=True)
class TurnAfterKnock:
    """A player's last turn after a knock.

    `state` is "waits", "next" if it is this player's turn, or what the player did: "stay", "drop", or "done" (played,
    in a game where nobody drops).
    """

    player: str
    state: TurnState


def knock_question(game: AnyGame) -> Question | None:
    """Return the game's question about who knocked or called, or None."""
    return next((q for q in game.questions if q.kind == "player" and q.meaning == "knocked"), None)


def drop_question(game: AnyGame) -> Question | None:
    """Return the game's question about who dropped after a knock; None if there is none, or if the bets answer it."""
    replaced = {key for question in game.questions for key in question.instead_of}
    asked = (q for q in game.questions if q.kind == "players" and q.meaning == "left")
    return next((question for question in asked if question.key not in replaced), None)


def knock_fields(round: NextRound, dealer: str) -> dict[str, Any]:
    """Return the fields of `HandInPlay` about the knock and the turns after it; empty in a game without a knock."""
    game, cells, players, names = round.game, round.cells, round.players, round.names
    question = knock_question(game)
    if question is None:
        return {}
    drops, knocked = drop_question(game), str(cells.get(f"asked-{question.key}") or "")
    dropped = [p for p in players if drops is not None and cells.get(f"players-{p}-{drops.key}") is True]
    told = {"knock_word": question.label, "out": tuple(dropped)}
    if knocked not in players:
        return told
    by_name = {names[player]: player for player in players}
    begun = seated(game, round.options, list(by_name), names[dealer], **{question.key: names[knocked]})
    found = game.last_turns(begun) or LastTurns(names[knocked], "knocked")
    turns = _last_turns(knocked, [by_name[name] for name in found.players], cells, dropped, drops is not None)
    following = next((turn.player for turn in turns if turn.state == "next"), None)
    return {
        **told,
        "knocked": knocked,
        "last_turns": turns,
        "last_turn": found.turn if turns else None,
        "knock_sentence": found.sentence(),
        "turn": following,
        "is_begun": True,
        "is_over": following is None,
    }


def _last_turns(
    knocked: str, players: Sequence[str], cells: Mapping[str, Any], dropped: Sequence[str], may_drop: bool
) -> tuple[TurnAfterKnock, ...]:
    """Return the last turns after the knock of `knocked`, in the order of `players`.

    The cells may hold turns that followed another player's knock, since taken back; those don't count. Who dropped is
    also an answer of the round, which the scorekeeper may have changed since: if the two differ, the answer counts.
    """
    had: dict[str, str] = {}
    for player in players:
        who, _, what = str(cells.get(TURN + player) or "").partition(" ")
        told = what if who == knocked else ""
        had[player] = "drop" if player in dropped else "stay" if told == "drop" and may_drop else told
    following = next((player for player in players if not had[player]), None)
    done: dict[str, TurnState] = {"stay": "stay", "drop": "drop", "done": "done"}
    states = {player: done.get(had[player], "next" if player == following else "waits") for player in players}
    return tuple(TurnAfterKnock(player, state) for player, state in states.items())
