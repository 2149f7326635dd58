"""What may be done in a hand in play (knock, last turns, decisions, bets, counts), by whom, and what it changes.

An action is checked against the state of the hand, under the store's lock: if two phones conflict, the second one is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.allowed import WITH_AMOUNT
from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.games import all_games

from .. import bets
from ..cells import ASKED_BACK, BETS, BETTING, DEALT, GAME, IS_IN, ORDER, PLAYERS, SECRET, TABLE, Values, joined
from ..decisions import decision_question, undecided
from ..hand import HandInPlay
from ..last_turns import knock_question, outright_question
from ..next_round import Before, NextRound, by_choice
from ..refusals import Conflict, Refused
from . import knocks
from .asked import Asked, begun_with

BET_KINDS = {"fold": "fold", "check": "check", "call": "call", "bet": "bet", "raise": "raise", "allin": "all-in"}
TURNS = ("stay", "drop", "done")


Work = Callable[[Asked, HandInPlay], Values]


@dataclass(frozen=True)
class HandAction:
    """An action: what it changes, and when it is possible.

    `is_keepers`: only the scorekeeper can do it, whatever has happened; `is_choosers`: or who chooses the game.
    `is_confirmed`: it is asked first, because it ends the hand, discards what everybody did, leaves one that could go
    on for free, or puts in all chips. `is_independent`: several phones may do it at once. `sets_game`: from then on
    this game is entered on all phones.
    """

    work: Work
    is_keepers: bool = False
    is_choosers: bool = False
    is_confirmed: Callable[[Asked, HandInPlay], bool] | None = None
    is_independent: bool = False
    sets_game: bool = True


def carry_out(round: NextRound[Before], asked: Asked) -> Values:
    """Return the cells that an action sets; raises Refused if it isn't possible now. Whose phone it is: `round.me`."""
    action, hand = ACTIONS[asked.do], HandInPlay(round)
    if not action.is_independent and asked.mark != hand.mark:
        raise Conflict(Message("The hand has moved on; check where it stands now"))
    has_say = asked.keeps or (action.is_choosers and round.me is not None and hand.chooser == round.me)
    must_be_this_game(round, has_say=has_say, by_choice=asked.do == "game")
    if hand.is_shown:
        raise Refused(Message("All hands have been shown; change the round on its own page"))
    if not action.is_keepers and hand.problem is not None:
        raise Refused(hand.problem)
    _must_be_allowed(asked, action, hand, has_say=has_say)
    changes = action.work(asked, hand)
    return joined([changes, {TABLE: {GAME: round.game.key}}]) if action.sets_game else changes


def must_be_this_game(round: NextRound[Before], *, has_say: bool, by_choice: bool = True) -> None:
    """Raise Conflict if the game is changed by somebody who has no say in it, or in the middle of a hand.

    Once the cards are dealt, it is changed only `by_choice`, and not by what is done on a page of another game.
    """
    played = all_games()[round.played_game]
    is_begun = round.entered(TABLE, ORDER) or (round.entered(TABLE, DEALT) and not by_choice)
    if round.game is not played and (is_begun or not has_say):
        text = "The table is playing {game} now; check where it stands"
        raise Conflict(Message(text, game=Message(played.name)))


def _must_be_allowed(asked: Asked, action: HandAction, hand: HandInPlay, *, has_say: bool) -> None:
    """Raise Refused unless the phone may act for this seat: players for their own, the scorekeeper for every seat."""
    if action.is_keepers:
        if not has_say:
            raise Refused(Message("Only the scorekeeper can do that"))
        return
    if asked.player not in hand.players:
        raise Refused(Message("This player isn't in this round"))
    if not asked.keeps and asked.player != hand.round.me:
        raise Refused(Message("Your phone can act only for your own seat"))


def must_set_dealer(asked: Asked, hand: HandInPlay) -> None:
    """Raise Refused unless the dealer may be set: by the scorekeeper, or once a night by lot, by any player."""
    is_lot = asked.do == "lot"
    if not asked.keeps and not (is_lot and hand.round.me in hand.players):
        raise Refused(Message("Only the scorekeeper can do that"))
    if is_lot and not hand.is_first_deal:
        raise Refused(Message("The deal passes on automatically; only the first dealer of a night is drawn by lot"))
    if not is_lot and asked.player not in hand.players:
        raise Refused(Message("Only somebody in this round can deal"))


def _always(_asked: Asked, _hand: HandInPlay) -> bool:
    return True


def _is_check_free(asked: Asked, hand: HandInPlay) -> bool:
    """Return whether one need not fold; a phone that shows an older state is refused instead of asked."""
    return asked.mark == hand.mark and hand.offer("check") is not None


def _is_for_good(asked: Asked, hand: HandInPlay) -> bool:
    """Return whether everybody learns of a bet that its player can only ask to undo."""
    return asked.mark == hand.mark and not asked.keeps


def _decide(asked: Asked, hand: HandInPlay) -> Values:
    """Record whether a player is in; once all have decided, only the scorekeeper may change it."""
    question, is_out = decision_question(hand.game), asked.do == "out"
    if question is None:
        raise Refused(Message("That isn't decided in {game}", game=Message(hand.game.name)))
    if not (asked.keeps or hand.round.undecided):
        raise Refused(Message("All have decided; only the scorekeeper can change it now"))
    return {
        TABLE: begun_with(hand),
        asked.player: {question.key: is_out, IS_IN: "" if is_out else "said", SECRET: "yes"},
    }


def _bet(asked: Asked, hand: HandInPlay) -> Values:
    """Add a betting action. The amount is on top of the call; an all-in is the whole stack, if known."""
    if hand.played is None:
        raise Refused(Message("The bets of this hand aren't entered one by one"))
    if hand.turn is None:
        raise Refused(Message("The betting is over"))
    if asked.player != hand.turn:
        raise Refused(Message("It is {player}'s turn", player=hand.turn))
    kind = BET_KINDS[asked.do]
    amount = _units(asked, hand) if kind in WITH_AMOUNT else None
    bets.must_be_allowed(hand.played, kind, amount)
    text = kind if amount is None else f"{kind} {amount}"
    line = bets.join([*bets.split(hand.round.entered(TABLE, BETS)), text])
    return {TABLE: {BETS: line, BETTING: bets.BETS_ENTERED, ASKED_BACK: "", **begun_with(hand)}}


def _units(asked: Asked, hand: HandInPlay) -> int:
    """Return what a bet puts in."""
    offer = hand.offer(BET_KINDS[asked.do])
    if asked.do == "allin" and offer is not None and offer.is_fixed:
        return offer.least
    if isinstance(asked.amount, Message):
        raise Refused(asked.amount)
    return asked.amount + (hand.to_call if asked.do == "raise" else 0)


def _undo(asked: Asked, hand: HandInPlay) -> Values:
    """Undo the last bet: the scorekeeper at once, a player by asking the table."""
    if not hand.bets:
        raise Refused(Message("There is nothing to undo"))
    return _undone(hand) if asked.keeps else {TABLE: {ASKED_BACK: asked.player}}


def _undone(hand: HandInPlay) -> Values:
    texts = bets.split(hand.round.entered(TABLE, BETS))[:-1]
    return {TABLE: {BETS: bets.join(texts), ASKED_BACK: "", **(begun_with(hand) if texts else {ORDER: ""})}}


def _allow(asked: Asked, hand: HandInPlay) -> Values:
    """Let somebody else's last bet be undone."""
    if hand.asked_back is None:
        raise Refused(Message("There is nothing to undo"))
    if not asked.keeps and asked.player == hand.asked_back:
        raise Refused(Message("Somebody else at the table has to agree"))
    return _undone(hand)


def _refuse(_asked: Asked, _hand: HandInPlay) -> Values:
    """Keep the last bet; the player who asked to undo it may also withdraw the request."""
    return {TABLE: {ASKED_BACK: ""}}


def _count(asked: Asked, hand: HandInPlay) -> Values:
    """Set a player's count, or with "more" and "less" change it by one."""
    key, _, wanted = asked.what.partition("-")
    counter = next((counter for counter in hand.counters if counter.key == key), None)
    if counter is None:
        raise Refused(Message("This is not counted in this hand"))
    if asked.player not in hand.counted:
        raise Refused(Message("{player} has folded", player=PlayerKey(asked.player)))
    now = counter.counts[asked.player]
    number = {"more": now + 1, "less": now - 1}.get(wanted, bets.whole(wanted))
    if not isinstance(number, int) or not 0 <= number <= counter.maximum:
        raise Refused(Message("It can be 0 to {most}", most=counter.maximum))
    return {asked.player: {key: str(number)}}


def _dealt(_asked: Asked, hand: HandInPlay) -> Values:
    """Note that the cards are dealt, and to whom; any phone of a player may. An ante takes chips."""
    stacks = hand.round.before.in_front or {}
    for player in hand.players if hand.ante else ():
        if stacks.get(player, hand.ante) <= 0:
            raise Refused(bets.without_chips(player))
    return {TABLE: {DEALT: f"{hand.game.key} {'.'.join(hand.players)}"}}


def _start_over(_asked: Asked, hand: HandInPlay) -> Values:
    """Clear everything done in this hand, except the cards entered so far."""
    question, counted = knock_question(hand.game), {counter.key for counter in hand.counters}
    of_table: dict[str, Any] = {ORDER: "", ASKED_BACK: "", DEALT: ""}
    for ending in filter(None, (question, outright_question(hand.game))):
        of_table[ending.key] = ""
    if BETS in hand.round.cells.get(TABLE, {}):
        of_table[BETS] = ""
    counts: Values = {
        owner: {key: "" for key in asked if key in counted}
        for owner, asked in hand.round.cells.items()
        if owner != TABLE and counted & asked.keys()
    }
    return joined([{TABLE: of_table}, knocks.turns_cleared(hand), counts, undecided(hand.round)])


def _choose_player(asked: Asked, hand: HandInPlay) -> Values:
    """Let somebody play who is present; if that is one too many, who was chosen longest ago sits out."""
    round = hand.round
    if asked.player not in round.before.present:
        raise Refused(Message("Only players of this night who don't sit out can play"))
    if not hand.may_change_players:
        raise Refused(Message("The hand has begun; start it over to change who plays"))
    before = [player for player in by_choice(round.before, hand.game, round.cells) if player != asked.player]
    return {TABLE: {PLAYERS: ".".join([*before, asked.player])}}


def _choose_game(_asked: Asked, _hand: HandInPlay) -> Values:
    """Set the next game for all phones, which every action does."""
    return {}


ACTIONS: Mapping[str, HandAction] = {
    "dealt": HandAction(_dealt, is_independent=True),
    "knocks": HandAction(knocks.knock, is_confirmed=_always),
    "unknock": HandAction(knocks.unknock),
    "outright": HandAction(knocks.outright),
    "cover": HandAction(knocks.cover),
    **dict.fromkeys(TURNS, HandAction(knocks.turn)),
    **dict.fromkeys(("in", "out"), HandAction(_decide, is_independent=True)),
    **dict.fromkeys(BET_KINDS, HandAction(_bet)),
    "fold": HandAction(_bet, is_confirmed=_is_check_free),
    "allin": HandAction(_bet, is_confirmed=_is_for_good),
    "undo": HandAction(_undo),
    "allow": HandAction(_allow),
    "keep": HandAction(_refuse),
    "count": HandAction(_count, is_independent=True, sets_game=False),
    "over": HandAction(_start_over, is_keepers=True, is_confirmed=_always),
    "plays": HandAction(_choose_player, is_keepers=True, is_choosers=True),
    "game": HandAction(_choose_game, is_keepers=True, is_choosers=True, is_independent=True),
}
