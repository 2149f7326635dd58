"""What comes next in the hand at the table, for whoever looks: one sentence, what to tap, and for whom one waits.

It is made of what everybody may know: no hand is read, only whether it is whole.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from companion.engine.messages import Message, Units
from companion.engine.players import PlayerKey

from .. import showing
from ..hand import HandInPlay
from ..steps import KEEPER, MOST_NAMES, Button, Look, NextStep, Phase, both
from .after_knock import open_turns, who_knocked
from .before_cards import begins, choosing, of_other_game, too_few_players, without_hands
from .betting import exchanged, whose_turn, without_chips, won_by_bets
from .deciding import decided, deciding, how_play_ended, is_deciding
from .outright import winning_outright
from .taking_back import take_back, undo_bet, undoing
from .worth import cost_of_staying, price_of_dropping


def next_step(hand: HandInPlay, look: Look) -> NextStep:
    """Return what comes next for somebody who looks; whose phone it is: `hand.round.me`, unless all look at it."""
    step = _StateLine(hand, look).step
    me = hand.round.me
    if me and me not in hand.players and look in ("player", "host"):
        return replace(step, note=both(Message("You aren't in this round"), step.note))
    if look == "player" and step.waits_for == (KEEPER,) and step.note is None:
        text = "The scorekeeper is next" if hand.keeper is None else "{player} is next"
        return replace(step, note=Message(text, player=hand.keeper))
    return step


class _StateLine:
    """A hand as somebody looks at it."""

    def __init__(self, hand: HandInPlay, look: Look) -> None:
        self.hand, self.look = hand, look
        me = hand.round.me
        self.mine = me if look != "screen" and me in hand.players else None  # the seat of this phone
        self.me = self.mine if look != "keeper" else None  # for whom alone this page is
        self.keeps = look in ("host", "keeper")
        self.has_knock = bool(hand.knock_word)
        self.knocks = hand.knock_word == "knocked"

    @property
    def step(self) -> NextStep:
        hand = self.hand
        if hand.waits_for_game:
            return choosing(hand, self.me, self.look)
        if hand.game.key != hand.round.played_game:
            return of_other_game(hand, chooses=self.keeps or (self.me is not None and self.me == hand.chooser))
        if len(hand.players) < hand.game.seats[0]:
            return too_few_players(hand, keeps=self.keeps)
        if not hand.game.has_hands:
            return without_hands(hand, keeps=self.keeps)
        if hand.is_shown:
            return self._shown()
        if hand.problem is not None:
            over = Button("over", Message("Start the hand over"), hand.players[0]) if self.keeps else None
            return NextStep("stopped", hand.moved or hand.problem, None, over, waits_for=(KEEPER,))
        if hand.asked_back is not None:
            return undoing(hand, hand.asked_back, self.me, self.mine, self.look)
        if hand.turn is not None and hand.played is not None:
            return self._betting(hand.turn)
        if self._lacking and not self._is_dealt and (showing.asks_who_knocked(hand) or not self.has_knock):
            return self._deal()
        if hand.outright is not None:
            hands = self._hands(Message("Enter the hands"))
            return winning_outright(hand, hand.outright, self.me, hands, self._settle)
        if is_deciding(hand):
            return deciding(hand, self.me, self._hands(Message("Enter the hands")))
        if showing.asks_who_knocked(hand):
            return self._playing()
        turn = next(iter(self._turns), None)
        if turn is not None and (self.me is None or self.me in self._turns):
            return self._last_turn(turn)
        return self._show()

    # before the cards are shown

    @property
    def _is_dealt(self) -> bool:
        hand = self.hand
        return hand.is_dealt or bool(hand.round.decided) or any(showing.size_of(hand, one) for one in hand.players)

    def _deal(self) -> NextStep:
        hand, me = self.hand, self.me
        said = begins(hand, hand.order[0])
        anybody = Message("any phone may tap it") if me else None
        dealt = Button("dealt", Message("Cards are dealt"), me or hand.dealer, anybody)
        waits, knock = (*hand.players, KEEPER), self._knock if self.has_knock else None
        main, quiet = (dealt if me else None, knock)
        if self.look == "keeper":
            main, quiet = self._hands(Message("Enter the hands")), dealt
        return NextStep("deal", said, hand.dealer, main, quiet, waits)

    def _playing(self) -> NextStep:
        """Before a knock: turns aren't tapped, so nobody knows whose it is."""
        me, waits = self.me, (*self.hand.players, KEEPER)
        if not self._lacking:
            answer = Button("hands", Message("Answer"))
            main, quiet = (answer, None) if self.look == "keeper" else (self._knock, self._change)
            return NextStep("playing", self._question, None, main, quiet, waits, Message("All hands are in"))
        said = Message("Nobody has knocked yet") if self.knocks else Message("Nobody has called yet")
        is_in = me is not None and me not in self._lacking
        note = Message("Your hand is in.") if is_in else begins(self.hand, self.hand.order[0])
        if self.look == "keeper":
            return NextStep("playing", said, None, self._hands(Message("Enter the hands")), None, waits)
        return NextStep("playing", said, me, self._knock, self._own(Message("My hand")), waits, note)

    @property
    def _knock(self) -> Button | None:
        held = Message("Hold to knock") if self.knocks else Message("Hold to call")
        label = Message("I knock") if self.knocks else Message("I call")
        return Button("knocks", label, self.me, held=held) if self.me else None

    def _betting(self, turn: PlayerKey) -> NextStep:
        hand, is_mine = self.hand, turn == self.me
        phase: Phase = "betting" if hand.is_begun else "deal"
        call = Units(hand.to_call)
        said, note = whose_turn(hand, turn, is_mine=is_mine), without_chips(hand) or exchanged(hand)
        if not (is_mine or self.look == "keeper"):
            undo = undo_bet(hand, self.me, keeps=self.keeps)
            return NextStep(phase, said, turn, None, self._act_for(turn) or undo, (turn, KEEPER), note)
        main = None
        if hand.offer("call"):
            main = Button("call", Message("Call {amount}", amount=call), turn)
        elif hand.offer("check"):
            main = Button("check", Message("Check"), turn)
        elif hand.offer("all-in"):
            held = None if self.keeps else Message("Hold to go all-in")
            main = Button("allin", Message("All-in"), turn, held=held)
        if not (is_mine or hand.is_begun or self.mine):  # a phone in the middle goes on with one tap
            return NextStep(phase, said, turn, self._hands(Message("Enter the hands")), main, (turn,), note)
        # where checking is free, nobody folds by accident, as by a tap that was meant for what stood there before
        held = Message("Hold to fold") if hand.offer("check") else None
        fold = Button("fold", Message("Fold"), turn, held=held)
        return NextStep(phase, said, turn, main, fold, () if is_mine else (turn,), note, is_choice=True)

    # after a knock

    @cached_property
    def _turns(self) -> tuple[PlayerKey, ...]:
        return showing.turns_left(self.hand)

    def _last_turn(self, player: PlayerKey) -> NextStep:
        hand, is_mine = self.hand, player == self.me
        drops = hand.last_turn == "stay-or-drop"
        waits = (*self._turns, KEEPER)
        if not (is_mine or self.look == "keeper"):
            said = Message("{knocker} knocked: {player}'s last turn", knocker=hand.knocked, player=player)
            if not self.knocks:
                said = Message("{knocker} called: {player}'s last turn", knocker=hand.knocked, player=player)
            quiet = self._act_for(player) or self._own(Message("My hand"))
            return NextStep("last-turns", said, player, None, quiet, waits)
        by = who_knocked(hand, self.me)
        if not drops:
            said = Message("Your last turn") if is_mine else Message("{player}'s last turn", player=player)
            done, quiet = Button("done", Message("Turn done"), player), self._own(Message("My hand"))
            return NextStep("last-turns", said, player, done, quiet, waits, by)
        said = Message("Your last turn: stay or drop?")
        said = said if is_mine else Message("{player}'s last turn: stay or drop?", player=player)
        # in the third person, or a host who plays takes it for the own turn
        stays = Message("Stay in") if is_mine else Message("{player} stays in", player=player)
        leaves = Message("Drop") if is_mine else Message("{player} drops", player=player)
        stay = Button("stay", stays, player, cost_of_staying(hand, player))
        drop = Button("drop", leaves, player, price_of_dropping(hand))
        return NextStep("last-turns", said, player, stay, drop, waits, by, is_choice=True)

    # showing

    @cached_property
    def _lacking(self) -> tuple[PlayerKey, ...]:
        return showing.lacking(self.hand)

    @property
    def _missing(self) -> Message:
        """Whose hand is missing; of many only how many, as a line holds no more names."""
        if len(self._lacking) > MOST_NAMES:
            return Message("{n} hands are still missing", n=len(self._lacking))
        text = "{player}'s hand is missing" if len(self._lacking) == 1 else "Still missing: {players}"
        return Message(text, player=self._lacking[0], players=self._lacking)

    @property
    def _arrived(self) -> Message | None:
        """Tell a player that the own hand has arrived; who keeps score sees how many are in."""
        is_in = self.me in showing.must_show(self.hand) and self.me not in self._lacking
        return Message("Your hand is in") if is_in and not self.keeps else None

    def _show(self) -> NextStep:
        """Everybody who must shows, after the last turns; who has entered a whole hand waits for the others."""
        me, hand = self.me, self.hand
        due = hand.knock.due(me) if me == hand.knocked else None
        if self._turns:
            said, by = open_turns(self._turns), due or who_knocked(hand, me)
            act, waits = self._act_for(self._turns[0]) or self._take_back, (*self._turns, KEEPER)
            if me not in self._lacking:
                by = by if due else both(self._arrived, by)
                return NextStep("waiting", said, self._turns[0], None, act or self._change, waits, by)
            own = self._own(Message("Enter my hand"))
            main, quiet = (own, act) if act else (None, own)
            return NextStep("waiting", said, self._turns[0], main, quiet, waits, by, is_due=False)
        if me is not None and me in self._lacking:
            n = min(hand.game.hand_sizes(showing.so_far(hand))) - showing.size_of(hand, me)
            noun = Message(hand.game.pieces(hand.round.options).noun[n != 1])
            more = "Show your hand: {n} more {nouns}"
            said = Message(more, more, n=n, nouns=noun)  # in Spanish the verb changes
            main, quiet = self._own(Message("Enter my hand")), self._show_now or self._take_back
            return NextStep("show", said, me, main, quiet, (*self._lacking, KEEPER), due or how_play_ended(hand, me))
        if not self._lacking:
            note = both(due, self._who_settles)
            quiet = self._change or self._take_back
            who_is_in = None if showing.must_show(hand) else decided(hand)
            said, winner = won_by_bets(hand, me) or (who_is_in or Message("All hands are in"), None)
            return NextStep("shown", said, winner, self._settle, quiet, (KEEPER,), note)
        waits, show, about = (*self._lacking, KEEPER), self._show_now, self._lacking[0]
        if self.look == "keeper":
            return NextStep("show", self._missing, about, self._hands(Message("Enter the hands")), show, waits)
        n, of = len(showing.must_show(hand)) - len(self._lacking), len(showing.must_show(hand))
        all_hands = self._hands(Message("All hands, {n} of {of}", n=n, of=of))
        quiet = self._take_back or self._change or all_hands
        text = "Hands in: {n} of {of}"
        if self.mine and not self.keeps:
            text = "Hands in: {n} of {of}. The scorekeeper can show now."
            text = text if hand.keeper is None else "Hands in: {n} of {of}. {player} can show now."
        note = Message(text, n=n, of=of, player=hand.keeper) if self._is_any_in else how_play_ended(hand, me)
        note = due if due and self.keeps else both(due, note)  # beside their buttons is little room
        # with a chip that is due there is no room for more
        said = self._missing if due else both(self._arrived, self._missing) or self._missing
        return NextStep("waiting", said, about, show, quiet, waits, note)

    def _shown(self) -> NextStep:
        """The hands lie face up: what is still missing is asked of the scorekeeper, and of its player."""
        if showing.is_betting(self.hand):
            said, main = Message("The bets aren't complete"), self._hands(Message("Enter the bets"))
            return NextStep("shown", said, None, main, waits_for=(KEEPER,))
        if self._lacking:
            main = self._hands(Message("Enter the hands")) if self.keeps else None
            main = self._own(Message("Enter my hand")) if self.me in self._lacking else main
            return NextStep("shown", self._missing, self._lacking[0], main, None, (*self._lacking, KEEPER))
        if showing.asks_who_knocked(self.hand):
            return NextStep("shown", self._question, None, self._hands(Message("Answer")), waits_for=(KEEPER,))
        said = Message("All hands are in") if self.me else Message("The hands are shown")  # a phone shows its own
        if (winner := self.hand.outright) and winner != self.me:
            said = Message("{player} shows a winning hand", player=winner)
        return NextStep("shown", said, None, self._settle, waits_for=(KEEPER,), note=self._who_settles)

    @property
    def _who_settles(self) -> Message | None:
        if self.look != "player":
            return None
        text = "The scorekeeper settles the round" if self.hand.keeper is None else "{player} settles the round"
        return Message(text, player=self.hand.keeper)

    @property
    def _question(self) -> Message:
        return Message("Who knocked?") if self.knocks else Message("Who called?")

    # the buttons

    @property
    def _settle(self) -> Button | None:
        return Button("settle", Message("Settle")) if self.keeps else None

    @property
    def _is_any_in(self) -> bool:
        return any(showing.size_of(self.hand, player) for player in showing.must_show(self.hand))

    @property
    def _show_now(self) -> Button | None:
        """Return the scorekeeper's step that turns the hands over without waiting for more."""
        if not (self.keeps and self._is_any_in):
            return None
        without = Message("without the hand of {players}", players=self._lacking) if self._lacking else None
        return Button("show", Message("Show now"), under=without)

    def _act_for(self, player: PlayerKey) -> Button | None:
        return Button("table", Message("Act for {player}", player=player)) if self.keeps else None

    def _hands(self, label: Message) -> Button | None:
        return Button("hands", label) if self.keeps else None

    def _own(self, label: Message) -> Button | None:
        return Button("hand", label, self.me) if self.me else None

    @property
    def _change(self) -> Button | None:
        return self._own(Message("Change my hand")) if self.me in showing.must_show(self.hand) else None

    @property
    def _take_back(self) -> Button | None:
        return take_back(self.hand, self.me, keeps=self.keeps)
