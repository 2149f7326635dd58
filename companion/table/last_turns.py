"""Who knocked in the hand at the table, or shows a hand that wins outright, and the others' last turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.engine.deal import LastTurn, LastTurns
from companion.engine.game import AnyGame, seated
from companion.engine.messages import Message, Units
from companion.engine.players import PlayerKey
from companion.engine.questions.entry import Question

from .cells import BY_HAND, TABLE, TURN
from .next_round import Before, NextRound
from .steps import MOST_NAMES

TurnState = Literal["waits", "next", "stay", "drop", "done"]


@dataclass(frozen=True)
class TurnAfterKnock:
    """A player's last turn after a knock.

    `state` is "waits", "next" if it is this player's turn, or what the player did: "stay", "drop", or "done" (played,
    in a game where nobody drops).
    """

    player: PlayerKey
    state: TurnState

    @property
    def is_open(self) -> bool:
        """Whether the player still has this turn."""
        return self.state in ("waits", "next")


@dataclass(frozen=True)
class Knock:
    """The knock of a hand. `word` is the game's for it ("" in a game without), `by` is who did it; None: nobody so far.

    `turns` are those after it, in order, and `may` what may be done in them; `sentence` names whose are left. The
    players in `dropped` have dropped; each gives `by` the `drop_fee`, in units, at once.

    `outright` shows a hand that wins outright, of up to so many `cards`, which leaves nobody a turn; None if nobody
    does. Then those who are `able` may: before a knock anybody, in a last turn whose it is. Rules: DO-6, TH-5.
    """

    word: str = ""
    by: PlayerKey | None = None
    turns: tuple[TurnAfterKnock, ...] = ()
    may: LastTurn | None = None
    sentence: Message | None = None
    dropped: tuple[PlayerKey, ...] = ()
    drop_fee: int = 0
    outright: PlayerKey | None = None
    cards: int = 0
    able: tuple[PlayerKey, ...] = ()

    @property
    def next(self) -> PlayerKey | None:
        """Whose last turn it is; None if nobody has one left."""
        return next((turn.player for turn in self.turns if turn.state == "next"), None)

    @property
    def last_drop(self) -> PlayerKey | None:
        """Who dropped in the last turn that was played so far, and may still stay; None if nobody did."""
        had = [turn for turn in self.turns if not turn.is_open]
        return had[-1].player if had and had[-1].state == "drop" else None

    def due(self, me: PlayerKey | None) -> Message | None:
        """Say what this player gives or gets at once because somebody dropped; None if nothing. Rule: C-12."""
        fee, gave = Units(self.drop_fee), tuple(player for player in self.dropped if player != self.by)
        if not fee or not gave or me not in (self.by, *gave):
            return None
        if me != self.by:
            return Message("Give {player} {amount} now", player=self.by, amount=fee)
        if len(gave) > MOST_NAMES:
            return Message("{n} players give you {amount} each", n=len(gave), amount=fee)
        if len(gave) > 1:
            return Message("{players} give you {amount} each", players=gave, amount=fee)
        return Message("{player} gives you {amount} now", player=gave[0], amount=fee)


def knock_question(game: AnyGame) -> Question | None:
    """Return the game's question about who knocked or called, or None."""
    return next((q for q in game.questions if q.kind == "player" and q.meaning == "knocked"), None)


def outright_question(game: AnyGame) -> Question | None:
    """Return the game's question about who showed a hand that wins outright, or None."""
    return next((q for q in game.questions if q.kind == "player" and q.meaning == "outright"), None)


def drop_question(game: AnyGame) -> Question | None:
    """Return the game's question about who dropped after a knock; None if there is none, or if the bets answer it."""
    replaced = {key for question in game.questions for key in question.instead_of}
    asked = (q for q in game.questions if q.kind == "players" and q.meaning == "left")
    return next((question for question in asked if question.key not in replaced), None)


def knock_of(round: NextRound[Before], dealer: PlayerKey) -> Knock:
    """Return the knock of the hand in play, with the turns after it, or who wins outright."""
    knock, ending = _knock_of(round, dealer), outright_question(round.game)
    if ending is None:
        return knock
    winner = round.player(round.entered(TABLE, ending.key))
    if winner is None:
        in_turn = (knock.next,) if knock.next and knock.may == "outright-win" else ()
        return replace(knock, able=in_turn if knock.by else tuple(round.players))
    shown = seated(round.game, round.options, round.players, dealer, **{ending.key: winner})
    return replace(knock, turns=(), may=None, outright=winner, cards=max(round.game.hand_sizes(shown)))


def _knock_of(round: NextRound[Before], dealer: PlayerKey) -> Knock:
    game, players, question = round.game, round.players, knock_question(round.game)
    if question is None:
        return Knock()
    drops, by = drop_question(game), round.player(round.entered(TABLE, question.key))
    dropped = tuple(player for player in players if drops is not None and round.entered(player, drops.key) is True)
    if by is None:
        return Knock(question.label, dropped=dropped)
    begun = seated(game, round.options, players, dealer, **{question.key: by})
    last_turns = game.last_turns(begun) or LastTurns(by, "knocked")
    after = [player for player in players if player in last_turns.players]
    after.sort(key=last_turns.players.index)
    turns = _last_turns(by, after, round, dropped, drops is not None)
    sentence = replace(last_turns, players=tuple(turn.player for turn in turns if turn.is_open)).sentence()
    fee = last_turns.drop_fee * round.stake
    return Knock(question.label, by, turns, last_turns.turn if turns else None, sentence, dropped, fee)


def _last_turns(
    by: PlayerKey, players: Sequence[PlayerKey], round: NextRound[Before], dropped: Sequence[PlayerKey], may_drop: bool
) -> tuple[TurnAfterKnock, ...]:
    """Return the last turns after a knock, in the order of `players`.

    The cells may hold turns that followed another player's knock, since taken back; those don't count. Who dropped is
    also an answer of the round, which the scorekeeper may have changed since: if the two differ, the answer counts.
    """
    had: dict[str, str] = {}
    for player in players:
        who, _, what = str(round.entered(player, TURN)).removesuffix(BY_HAND).partition(" ")
        choice = what if who == by else ""
        had[player] = "drop" if player in dropped else "stay" if choice == "drop" and may_drop else choice
    following = next((player for player in players if not had[player]), None)
    done: dict[str, TurnState] = {"stay": "stay", "drop": "drop", "done": "done"}
    states = {player: done.get(had[player], "next" if player == following else "waits") for player in players}
    return tuple(TurnAfterKnock(player, state) for player, state in states.items())
