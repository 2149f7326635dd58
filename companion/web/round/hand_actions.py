"""The actions of a hand in play (knock, last turns, bets, counts): which are allowed, and which draft cells they set.

Actions are checked against the state of the hand under the session's lock, so if two phones conflict, the second one is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wtforms import Field

from companion.engine.allowed import WITH_AMOUNT
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.pots import MAX_UNITS
from companion.games import all_games
from companion.store.drafts import GAME, Cells
from companion.store.hand_in_play import ASKED_BACK, ORDER, TURN, Action
from companion.store.models import PlaySession
from companion.store.refusals import Conflict, Refused

from ..http.parsing import row_number
from ..text.fields import ButtonField
from ..text.money import amount_typed, no_amount, typed
from . import bet_line
from .hand_in_play import HandInPlay, hand_in_play
from .last_turns import drop_question, knock_question
from .next_round import NextRound

BETS = {"fold": "fold", "check": "check", "call": "call", "bet": "bet", "raise": "raise", "allin": "all-in"}
TURNS = ("stay", "drop", "done")
# buttons that need a confirmation, because they end the hand or discard everyone's actions
NEEDS_CONFIRMATION = ("knocks", "over")
# actions that several phones may do at once, because they don't depend on the state of the hand
_WITHOUT_MARK = ("count", "game")


@dataclass(frozen=True)
class ActionRequest:
    """The request of a button: the action `do`, the player it is for, and its details (`what`, `amount`), as sent.

    `mark` is that of the state the phone showed; if the hand has moved on since, the action is refused.
    `me` is the player who uses the phone, if any. `keeps`: the phone keeps score, so it may act for anybody.
    """

    do: str
    player: str = ""
    what: str = ""
    amount: str = ""
    mark: str = ""
    me: str | None = None
    keeps: bool = False

    @classmethod
    def read(cls, button: ButtonField, amount: Field, mark: Field, me: str | None, keeps: bool) -> ActionRequest:
        """Read the fields of the form; a button is "knocks-17" or "count-17-draws-3"."""
        player, _, what = button.row.partition("-")
        return cls(button.action, player, what, (amount.data or "")[:40], mark.data or "", me, keeps)


def action_of(asked: ActionRequest, game: AnyGame) -> Action | None:
    """Return the function that carries out a button's request on the cells of the draft; None for unknown buttons."""
    work = _WORK.get(asked.do)
    if work is None:
        return None

    def action(session: PlaySession, cells: Cells) -> Cells:
        hand = hand_in_play(NextRound(session, game))
        if asked.do not in _WITHOUT_MARK and asked.mark != hand.mark:
            raise Conflict(Message("The hand has moved on; check where it stands now"))
        _must_be_this_game(asked, session, game, cells)
        if hand.is_shown:
            raise Refused(Message("All hands have been shown; change the round on its own page"))
        if asked.do not in ("over", "game") and hand.problem is not None:
            raise Refused(hand.problem)
        _must_be_allowed(asked, hand)
        changed = work(asked, hand, cells)
        return changed if asked.do == "count" else {**changed, GAME: game.key}

    return action


def _must_be_this_game(asked: ActionRequest, session: PlaySession, game: AnyGame, cells: Cells) -> None:
    """Raise Conflict if the game is changed by somebody other than the scorekeeper, or in the middle of a hand."""
    played = all_games()[str(cells.get(GAME) or session.game)]
    if game is not played and (cells.get(ORDER) or not asked.keeps):
        text = "The table is playing {game} now; check where it stands"
        raise Conflict(Message(text, game=Message(played.name)))


def _must_be_allowed(asked: ActionRequest, hand: HandInPlay) -> None:
    """Raise Refused unless the phone may act for this seat: players for their own, the scorekeeper for every seat."""
    if asked.do in ("over", "game"):
        if not asked.keeps:
            raise Refused(Message("Only the scorekeeper can do that"))
        return
    if asked.player not in hand.players:
        raise Refused(Message("This player isn't in this round"))
    if not asked.keeps and asked.player != asked.me:
        raise Refused(Message("Your phone can act only for your own seat"))


def _knock(asked: ActionRequest, hand: HandInPlay, _cells: Cells) -> dict[str, Any]:
    question = knock_question(hand.game)
    if question is None:
        raise Refused(Message("Nobody knocks in {game}", game=Message(hand.game.name)))
    if hand.knocked is not None:
        text = "{player} has already knocked" if hand.knock_word == "knocked" else "{player} has already called"
        raise Refused(Message(text, player=hand.names[hand.knocked]))
    return {f"asked-{question.key}": asked.player, ORDER: ".".join(hand.players)}


def _unknock(asked: ActionRequest, hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Take back a knock: the player until somebody has had a turn after it, the scorekeeper at any time."""
    question = knock_question(hand.game)
    if question is None or hand.knocked is None:
        raise Refused(Message("There is no knock to take back"))
    if asked.player != hand.knocked:
        raise Refused(Message("Only the player who knocked can take it back, or the scorekeeper"))
    if not asked.keeps and any(turn.state not in ("waits", "next") for turn in hand.last_turns):
        raise Refused(Message("Others have had their last turn already; ask the scorekeeper to take the knock back"))
    return {f"asked-{question.key}": "", ORDER: "", **_turns_cleared(hand, cells)}


def _turns_cleared(hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Clear the last turns, and the drops entered in them."""
    cleared: dict[str, Any] = {}
    drops = drop_question(hand.game)
    for cell, value in cells.items():
        if cell.startswith(TURN) and value:
            cleared[cell] = ""
            if drops is not None and str(value).endswith("drop"):
                cleared[f"players-{cell.removeprefix(TURN)}-{drops.key}"] = False
    return cleared


def _turn(asked: ActionRequest, hand: HandInPlay, _cells: Cells) -> dict[str, Any]:
    """Record a player's last turn. Only the scorekeeper may do so out of turn, or change one."""
    turn = next((turn for turn in hand.last_turns if turn.player == asked.player), None)
    if turn is None:
        raise Refused(Message("It isn't {player}'s turn", player=hand.names[asked.player]))
    if not asked.keeps and turn.state != "next":
        following = hand.names[hand.turn] if hand.turn else ""
        text = "It is {player}'s turn" if following else "Everyone has had the last turn; ask the scorekeeper"
        raise Refused(Message(text, player=following))
    drops = drop_question(hand.game) if hand.last_turn == "stay-or-drop" else None
    if (asked.do == "done") == (drops is not None):
        raise Refused(Message("That can't be done in this turn"))
    said = {TURN + asked.player: f"{hand.knocked} {asked.do}", ORDER: ".".join(hand.players)}
    return said if drops is None else {**said, f"players-{asked.player}-{drops.key}": asked.do == "drop"}


def _bet(asked: ActionRequest, hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Add a betting action. The amount is on top of the call; an all-in is the whole stack, if known."""
    if not hand.has_bets:
        raise Refused(Message("The bets of this hand aren't entered one by one"))
    if hand.turn is None:
        raise Refused(Message("The betting is over"))
    if asked.player != hand.turn:
        raise Refused(Message("It is {player}'s turn", player=hand.names[hand.turn]))
    kind = BETS[asked.do]
    amount = _units(asked, hand) if kind in WITH_AMOUNT else None
    _must_be_offered(asked, hand, kind, amount)
    text = kind if amount is None else f"{kind} {amount}"
    line = bet_line.join([*bet_line.split(str(cells.get("bets") or "")), text])
    return {"bets": line, "betting": bet_line.BETS_ENTERED, ASKED_BACK: "", ORDER: ".".join(hand.players)}


def _units(asked: ActionRequest, hand: HandInPlay) -> int:
    offer = hand.offer(BETS[asked.do])
    if asked.do == "allin" and offer is not None and offer.is_fixed:
        return offer.least
    chosen = amount_typed(asked.amount)
    if not isinstance(chosen, int) or not 0 < chosen <= MAX_UNITS:
        raise Refused(no_amount(asked.amount.strip()))
    return chosen + (hand.to_call if asked.do == "raise" else 0)


def _must_be_offered(asked: ActionRequest, hand: HandInPlay, kind: str, amount: int | None) -> None:
    """Raise Refused if an action isn't allowed, saying what is; amounts are on top of the call, as on the buttons."""
    player, offer = hand.names[asked.player], hand.offer(kind)
    if offer is None:
        raise Refused(Message("{player} can't do that now; use one of the buttons shown", player=player))
    if amount is None:
        return
    below = hand.to_call if kind == "raise" else 0
    if amount < offer.least:
        raise Refused(Message("It must be {least} or more", least=typed(offer.least - below)))
    if offer.most is not None and amount > offer.most:
        raise Refused(Message("It can be {most} at most", most=typed(offer.most - below)))


def _undo(asked: ActionRequest, hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Undo the last bet: the scorekeeper at once, a player by asking the table."""
    if not hand.has_bets or not hand.bets:
        raise Refused(Message("There is nothing to undo"))
    if not asked.keeps:
        return {ASKED_BACK: asked.player}
    return _undone(hand, cells)


def _undone(hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    texts = bet_line.split(str(cells.get("bets") or ""))[:-1]
    return {"bets": bet_line.join(texts), ASKED_BACK: "", ORDER: ".".join(hand.players) if texts else ""}


def _allow(asked: ActionRequest, hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Let somebody else's last bet be undone."""
    if hand.asked_back is None:
        raise Refused(Message("There is nothing to undo"))
    if not asked.keeps and asked.player == hand.asked_back:
        raise Refused(Message("Somebody else at the table has to agree"))
    return _undone(hand, cells)


def _refuse(asked: ActionRequest, hand: HandInPlay, _cells: Cells) -> dict[str, Any]:
    """Keep the last bet; the player who asked to undo it may also withdraw the request."""
    return {ASKED_BACK: ""}


def _count(asked: ActionRequest, hand: HandInPlay, _cells: Cells) -> dict[str, Any]:
    """Set a player's count, or with "more" and "less" change it by one."""
    key, _, given = asked.what.partition("-")
    counter = next((counter for counter in hand.counters if counter.key == key), None)
    if counter is None:
        raise Refused(Message("This is not counted in this hand"))
    now = counter.counts[asked.player]
    steps = {"more": now + 1, "less": now - 1}
    number = steps.get(given, row_number(given))
    if number is None or not 0 <= number <= counter.maximum:
        raise Refused(Message("It can be 0 to {most}", most=counter.maximum))
    return {f"players-{asked.player}-{key}": str(number)}


def _start_over(_asked: ActionRequest, hand: HandInPlay, cells: Cells) -> dict[str, Any]:
    """Clear everything done in this hand, except the cards entered so far."""
    cleared: dict[str, Any] = {ORDER: "", ASKED_BACK: "", **_turns_cleared(hand, cells)}
    question = knock_question(hand.game)
    if question is not None:
        cleared[f"asked-{question.key}"] = ""
    if "bets" in cells:
        cleared["bets"] = ""
    ends = tuple(f"-{counter.key}" for counter in hand.counters)
    return cleared | {cell: "" for cell in cells if ends and cell.startswith("players-") and cell.endswith(ends)}


def _choose_game(_asked: ActionRequest, _hand: HandInPlay, _cells: Cells) -> dict[str, Any]:
    """Set the next game for all phones; `action_of` adds the cell with the form's game."""
    return {}


_Work = Callable[[ActionRequest, HandInPlay, Cells], Mapping[str, Any]]
_WORK: Mapping[str, _Work] = {
    "knocks": _knock,
    "unknock": _unknock,
    **dict.fromkeys(TURNS, _turn),
    **dict.fromkeys(BETS, _bet),
    "undo": _undo,
    "allow": _allow,
    "keep": _refuse,
    "count": _count,
    "over": _start_over,
    "game": _choose_game,
}
