"""What the state line says in the situations of a hand, and what a knock, staying in and dropping come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tables import each_row
from test_hand_actions import PLAYERS
from walking import HOSTS, MIDDLE, OWN, SCREEN, State, tap

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table import showing
from companion.table.cells import KEEPER_SEAT, TABLE, written
from companion.table.decisions import at_once
from companion.table.guidance.next_step import _StateLine, next_step
from companion.table.guidance.worth import outcomes
from companion.table.hand import HandInPlay
from companion.table.next_round import NextRound
from companion.table.refusals import Refused
from companion.table.sight import see
from companion.table.steps import Button, Look

PHONES = {
    **{str(player): OWN[player] for player in PLAYERS},
    **{f"host {player}": HOSTS[player][0] for player in PLAYERS},
    **{f"host's {player}": HOSTS[player][1] for player in PLAYERS},  # acting for everybody
    "keeper": MIDDLE,
    "screen": SCREEN,
}


def after(game: str, taps: str, in_front: Mapping[str, int] | None = None) -> State:
    """Return the state after taps: "9 knocks, 7 hand" on players' phones, "keeper show", "keeper knocker=nobody"."""
    state = State(all_games()[game], in_front)
    for each in filter(None, taps.split(", ")):
        who, do = each.split(" ", 1)
        phone = PHONES[who]
        if "=" in do:
            key, answer = do.split("=")
            state = state.typed(phone, {"table": {key: answer}})
        else:
            state = tap(state, phone, Button(do, Message(do), phone.me or state.hand.turn or PLAYERS[0]))
    return state


def line(state: State, who: str) -> str:
    """Write a state line: "sentence [main: its second line | quiet] note"."""
    step = state.steps[PHONES[who]]
    buttons = [
        "-" if one is None else f"{one.do}: {one.label}" + (f" ({one.under})" if one.under else "")
        for one in (step.main, step.quiet)
    ]
    return f"{step.sentence} [{' / '.join(buttons)}]" + (f" {step.note}" if step.note else "")


# game | what was tapped | who looks | the line
@each_row("""\
knock-poker || 7 | 9 deals, 7 begins [dealt: Cards are dealt (any phone may tap it) / knocks: I knock]
knock-poker || keeper | 9 deals, 7 begins [hands: Enter the hands / dealt: Cards are dealt]
knock-poker || screen | 9 deals, 7 begins [- / -]
knock-poker | 7 dealt | 8 | Nobody has knocked yet [knocks: I knock / hand: My hand] 9 deals, 7 begins
gin-rummy || 9 | 8 deals, 7 begins [- / -] You aren't in this round
gin-rummy | 7 knocks | 9 | Still missing: 7 and 8 [- / -] You aren't in this round. 7 knocked
gin-rummy | 7 knocks | screen | Still missing: 7 and 8 [- / -] 7 knocked
dompe | 7 dealt | 8 | Nobody has called yet [knocks: I call / hand: My hand] 9 deals, 8 begins
knock-poker | 7 hand | 7 | Nobody has knocked yet [knocks: I knock / hand: My hand] Your hand is in.
knock-poker | 7 hand | keeper | Nobody has knocked yet [hands: Enter the hands / -]
knock-poker | 7 hand, 8 hand, 9 hand | 7 | Who knocked? [knocks: I knock / hand: Change my hand] All hands are in
dompe | 7 hand, 8 hand, 9 hand | keeper | Who called? [hands: Answer / -] All hands are in
knock-poker | 9 knocks | 7 | Your last turn: stay or drop?
  [stay: Stay in (pay 2 if 9 wins) / drop: Drop (Give 9 1 now)] 9 knocked
knock-poker | 9 knocks | 8 | 9 knocked: 7's last turn [- / hand: My hand]
knock-poker | 9 knocks | keeper | 7's last turn: stay or drop?
  [stay: 7 stays in (pay 2 if 9 wins) / drop: 7 drops (Give 9 1 now)] 9 knocked
knock-poker | 9 knocks | 9 | Last turns: 7 and 8 [hand: Enter my hand / unknock: Take the knock back] You knocked
knock-poker | 9 knocks | host 9 | Last turns: 7 and 8 [hand: Enter my hand / table: Act for 7] You knocked
knock-poker | 9 knocks, 9 hand | 9 | Last turns: 7 and 8 [- / unknock: Take the knock back]
  Your hand is in. You knocked
knock-poker | 9 knocks, 9 hand, 7 stay | 9 | 8's last turn [- / hand: Change my hand]
  Your hand is in. You knocked
knock-poker | 9 knocks, 9 hand, 7 stay | host 9 | 8's last turn [- / table: Act for 8] You knocked
knock-poker | 9 knocks, 7 stay | 7 | 8's last turn [- / hand: Enter my hand] 9 knocked
knock-poker | 9 knocks, 7 hand | 7 | 8's last turn [- / hand: Change my hand]
  Your hand is in. 9 knocked
knock-poker | 9 knocks, 7 drop | 7 | 8's last turn [- / stay: Stay after all] 9 knocked
knock-poker | 9 knocks, 7 drop, 8 drop | 7 | All hands are in [- / -] The scorekeeper settles the round
knock-poker | 9 knocks, 7 drop, 7 stay | 7 | 8's last turn [- / hand: Enter my hand] 9 knocked
knock-poker | 9 knocks, 7 drop | 9 | 8's last turn [- / hand: Enter my hand] 7 gives you 1 now
knock-poker | 9 knocks, 9 hand, 7 drop, 8 stay | 9 | 8's hand is missing [- / hand: Change my hand]
  7 gives you 1 now. Hands in: 1 of 2. The scorekeeper can show now.
knock-poker | 9 knocks, 7 stay, 8 stay | 9 | Show your hand: 5 more cards [hand: Enter my hand / -] You knocked
knock-poker | 9 knocks, 7 stay, 8 stay | 8 | Show your hand: 5 more cards [hand: Enter my hand / -] 9 knocked
knock-poker | 9 knocks, 7 drop, 8 drop | keeper | All hands are in [settle: Settle / -]
knock-poker | 9 knocks, 7 drop, 8 drop | host 9 | All hands are in [settle: Settle / -] 7 and 8 give you 1 each
knock-poker | 9 knocks, 7 drop, 8 drop | 9 | All hands are in [- / -] 7 and 8 give you 1 each. The scorekeeper
  settles the round
knock-poker | 9 knocks, 7 drop, 8 drop | 8 | All hands are in [- / stay: Stay after all]
  The scorekeeper settles the round
knock-poker | 9 knocks, 7 drop, 8 hand | 8 | Your hand is in. 9's hand is missing [- / hand: Change my hand]
  Hands in: 1 of 2. The scorekeeper can show now.
knock-poker | 9 knocks, 7 drop, 8 hand | host 7 | 9's hand is missing
  [show: Show now (without the hand of 9) / hands: All hands, 1 of 2] Hands in: 1 of 2
knock-poker | 9 knocks, 7 drop, 8 hand | host 9 | Show your hand: 5 more cards
  [hand: Enter my hand / show: Show now (without the hand of 9)] 7 gives you 1 now
knock-poker | 9 knocks, 7 hand, 8 stay | keeper | Still missing: 8 and 9
  [hands: Enter the hands / show: Show now (without the hand of 8 and 9)]
knock-poker | 9 knocks, 7 drop, 8 hand, keeper show | 9 | 9's hand is missing [hand: Enter my hand / -]
knock-poker | 9 knocks, 7 drop, 8 hand, keeper show | 8 | 9's hand is missing [- / -]
knock-poker | 9 knocks, 7 drop, 8 hand, 9 hand | 9 | All hands are in [- / -] The scorekeeper settles the round
knock-poker | 9 knocks, 7 drop, 8 hand, 9 hand | host 9 | All hands are in [settle: Settle / -]
knock-poker | 7 hand, 8 hand, 9 hand, keeper knocker=nobody, keeper knocker= | keeper | Who knocked? [hands: Answer / -]
dompe | 7 hand, 8 hand, 9 hand, keeper caller=8, keeper caller= | 7 | Who called? [- / -] The scorekeeper is next
knock-poker | 7 hand, 8 hand, 9 hand, keeper knocker=nobody | keeper | The hands are shown [settle: Settle / -]
dompe | keeper caller=nobody | keeper | 9 deals, 8 begins
  [hands: Enter the hands / dealt: Cards are dealt]
dompe | 8 knocks | 7 | Your last turn [done: Turn done / hand: My hand] 8 called
dompe | 8 knocks | 9 | 8 called: 7's last turn [- / hand: My hand]
dompe | 8 knocks | keeper | 7's last turn [done: Turn done / -] 8 called
dompe | 8 knocks | 8 | Last turns: 7 and 9 [hand: Enter my hand / unknock: Take the call back] You called
dompe | 8 knocks, 7 done | 8 | 9's last turn [- / hand: Enter my hand] You called
dompe | 8 knocks, 7 done, 9 done | 7 | Show your hand: 5 more cards [hand: Enter my hand / -] 8 called
dompe | 9 knocks | 9 | Show your hand: 5 more cards [hand: Enter my hand / unknock: Take the call back] You called
dompe | 9 knocks, 9 hand | 9 | Your hand is in. Still missing: 8 and 7 [- / unknock: Take the call back]
  Hands in: 1 of 3. The scorekeeper can show now.
dompe | 9 knocks | 8 | Show your hand: 5 more cards [hand: Enter my hand / -] 9 called
dompe | keeper caller=8 | 8 | Show your hand: 5 more cards [hand: Enter my hand / -] You called
dompe | 8 outright | 8 | Show your winning hand [hand: Enter my hand / cover: Take it back]
dompe | 8 outright | 7 | 8 shows a winning hand [- / -]
dompe | 8 outright | keeper | 8 shows a winning hand [hands: Enter the hands / cover: Take it back]
dompe | 8 outright, 8 hand | 8 | All hands are in [- / -] The scorekeeper settles the round
dompe | 8 outright, 8 hand | 7 | 8 shows a winning hand [- / -] The scorekeeper settles the round
dompe | 8 outright, 8 hand | keeper | 8 shows a winning hand [settle: Settle / -]
dompe | 8 knocks, 7 outright | 9 | 7 shows a winning hand [- / -]
dompe | 8 outright, 8 cover | 8 | 9 deals, 8 begins [dealt: Cards are dealt (any phone may tap it) / knocks: I call]
knock-rummy | 9 knocks | 9 | Show your hand: 7 more cards [hand: Enter my hand / unknock: Take the knock back]
  You knocked
knock-rummy | 9 knocks, 7 hand | host 9 | Show your hand: 7 more cards
  [hand: Enter my hand / show: Show now (without the hand of 8 and 9)] You knocked
guts || 7 | 9 deals, all decide at once [dealt: Cards are dealt (any phone may tap it) / -]
guts | 7 dealt | 8 | In or out? [in: I'm in / out: I'm out] Nobody is told until all have decided
guts | 7 dealt | keeper | Still deciding: 7, 8 and 9 [hands: Enter the hands / in: 7 is in]
guts | 7 in | 7 | You're in [hand: Enter my hand / out: I'm out] Still deciding: 8 and 9
guts | 7 in, 7 hand | 7 | You're in [hand: Change my hand / out: I'm out] Still deciding: 8 and 9
guts | 7 hand | 7 | You're in [hand: Change my hand / out: I'm out] Still deciding: 8 and 9
guts | 7 out | 7 | You're out [- / in: I'm in] Still deciding: 8 and 9
guts | 7 out, 7 in, 8 out | 7 | You're in [hand: Enter my hand / out: I'm out] Still deciding: 9
guts | 7 out | 8 | In or out? [in: I'm in / out: I'm out] Nobody is told until all have decided
guts | 7 out | host 8 | In or out? [in: I'm in / out: I'm out] Nobody is told until all have decided
guts | 7 out | host's 8 | Still deciding: 8 and 9 [hands: Enter the hands / in: 8 is in]
guts | 7 out | screen | Still deciding: 8 and 9 [- / -]
guts | 7 hand | screen | Still deciding: 8 and 9 [- / -]
guts | 7 in, 8 in, 9 out | 7 | Show your hand: 3 more cards [hand: Enter my hand / -] In: 7 and 8
guts | 7 in, 8 in, 9 out | 9 | Still missing: 7 and 8 [- / -] In: 7 and 8
guts | 7 in, 8 in, 9 out | screen | Still missing: 7 and 8 [- / -] In: 7 and 8
guts | 7 in, 8 out, 9 out | 7 | Only 7 is in [- / -] The scorekeeper settles the round
guts | 7 out, 8 out, 9 out | keeper | Everyone is out [settle: Settle / -]
guts | 7 hand, 8 out, 9 in | 7 | Your hand is in. 9's hand is missing [- / hand: Change my hand]
  Hands in: 1 of 2. The scorekeeper can show now.
guts | 7 hand, 8 out, 9 hand | 8 | All hands are in [- / -] The scorekeeper settles the round
domino-poker || 7 | 9 deals, you begin [check: Check / fold: Fold]
domino-poker || 8 | 9 deals, 7 begins [- / -]
domino-poker || keeper | 9 deals, 7 begins [hands: Enter the hands / check: Check]
domino-poker || host's 7 | 9 deals, 7 begins [check: Check / fold: Fold]
domino-poker | 7 check | keeper | 8's turn [check: Check / fold: Fold]
domino-poker | 7 check | 8 | Your turn [check: Check / fold: Fold]
domino-poker | 7 check | host 7 | 8's turn [- / table: Act for 8]
domino-poker | 7 bet | 8 | Your turn: 1 to call [call: Call 1 / fold: Fold]
domino-poker | 7 bet | 7 | 8's turn: 1 to call [- / undo: Ask to undo]
domino-poker | 7 bet, 8 fold | 8 | 9's turn: 1 to call [- / undo: Ask to undo]
domino-poker | 7 bet, 8 fold | 7 | 9's turn: 1 to call [- / -]
domino-poker | 7 bet, 8 fold, 9 fold | 9 | Everyone else folded: 7 wins [- / undo: Ask to undo]
  The scorekeeper settles the round
domino-poker | 7 bet, 8 fold, 9 fold | 8 | Everyone else folded: 7 wins [- / -] The scorekeeper settles the round
domino-poker | 7 bet, 8 fold, 9 fold | 7 | Everyone else folded: you win [- / -] The scorekeeper settles the round
domino-poker | 7 bet, 8 fold, 9 fold | screen | Everyone else folded: 7 wins [- / -]
domino-poker | 7 bet | screen | 8's turn: 1 to call [- / -]
domino-poker | 7 bet, 9 undo | 8 | 9 asks to undo: 7 bets 1 [allow: Allow / keep: Leave it]
domino-poker | 7 bet, 9 undo | 9 | You asked to undo: 7 bets 1 [- / keep: Leave it]
domino-poker | 7 bet, 9 undo | keeper | 9 asks to undo: 7 bets 1 [allow: Allow / keep: Leave it]
domino-poker | 7 bet, 9 undo | screen | 9 asks to undo: 7 bets 1 [- / -]
domino-poker | 7 bet, 8 fold, 9 call | 8 | Still missing: 7 and 9 [- / -]
domino-poker | 7 check, 8 check, 9 check | 8 | Show your hand: 5 more tiles [hand: Enter my hand / -]
draw-poker | 7 check, 8 check, 9 check | 7 | Exchange tiles, then you begin [check: Check / fold: Fold]
domino-poker | keeper bets=fold; fold, 9 hand, keeper show, keeper bets= | keeper | The bets aren't complete
  [hands: Enter the bets / -]
domino-poker | keeper betting= | 8 | 9 deals, 7 begins [dealt: Cards are dealt (any phone may tap it) / -]
domino-poker | keeper bets=fold; fold; fold | keeper | The bets as entered don't add up; the scorekeeper can
  fix them [over: Start the hand over / -]
""")
def test_the_state_line_says(row: tuple[str, str, str, str]) -> None:
    game, taps, who, told = row
    assert line(after(game, taps), who) == told


@each_row("""
domino-poker || 7 | Hold to fold
domino-poker | 7 check | keeper | Hold to fold
draw-poker | 7 check, 8 check, 9 check | 7 | Hold to fold
domino-poker | 7 bet | 8 | None
domino-poker | 7 bet | keeper | None
""")
def test_a_fold_is_held_where_checking_is_free(row: tuple[str, str, str, str]) -> None:
    game, taps, who, held = row
    fold = after(game, taps).steps[PHONES[who]].quiet
    assert fold is not None
    assert (fold.do, str(fold.held)) == ("fold", held)


KEPT = {"table": {KEEPER_SEAT: PLAYERS[1]}}


@each_row("""
knock-poker | 9 knocks, 7 drop, 8 hand, 9 hand | 9 | 8 settles the round
knock-poker | 9 knocks, 7 drop, 8 hand | 8 | Hands in: 1 of 2. 8 can show now.
any-game || 7 | 8 enters who won.
""")
def test_the_scorekeeper_is_named_where_a_player_keeps_score(row: tuple[str, str, str, str]) -> None:
    game, taps, who, told = row
    state = after(game, taps)
    kept = replace(state, cells=written(state.cells, KEPT, "")).seen(PHONES[who].me)
    assert kept.mark == state.hand.mark
    assert str(next_step(kept, "player").note) == told


def test_who_left_and_who_is_missing_is_told() -> None:
    state = after("knock-poker", "9 knocks")
    hand = state.hand
    two = NextRound(replace(hand.round.before, present=PLAYERS[:2]), hand.game, hand.round.sight)
    one = NextRound(replace(hand.round.before, present=PLAYERS[:1]), hand.game, hand.round.sight)
    for round, text, do in (
        (two, "9 left the table during this hand", "over"),
        (one, "Knock Poker needs 2 players; 1 is here", "people"),
    ):
        again = type(hand)(round)
        assert str(next_step(again, "keeper").sentence) == text
        assert [step and step.do for step in (next_step(again, "keeper").main, next_step(again, "player").main)] == [
            do,
            None,
        ]
        assert outcomes(again, PLAYERS[0]) == ()


def test_in_dealers_choice_everybody_waits_for_the_game_until_anything_was_entered() -> None:
    state = State(all_games()["knock-poker"], {})

    def told(who: str, **cells: str) -> str:
        hand, phone = replace(state, cells=written({}, {TABLE: cells}, "keeper")).seen(PHONES[who]), PHONES[who]
        before = replace(hand.round.before, dealer_chooses=True, dealer=PLAYERS[2])
        step = next_step(type(hand)(NextRound(before, hand.game, hand.round.sight, phone.me)), phone.look)
        return f"{step.sentence} [{', '.join(one.do for one in (step.main, step.quiet) if one)}]"

    assert told("9") == "You choose the game [games]"
    assert told("7") == told("screen") == "9 chooses the game []"
    assert told("keeper") == told("host 7") == "9 chooses the game [games]"
    assert told("host 9") == "You choose the game [games]"
    assert told("7", dealer="8") == "8 chooses the game []"  # somebody else deals
    assert told("7", game="knock-poker") == "9 deals, 7 begins [dealt, knocks]"
    assert told("7", dealt="yes") == "Nobody has knocked yet [knocks, hand]"


@pytest.mark.parametrize(("is_allowed", "main"), [(True, "allin"), (False, None)])
def test_a_short_stack_goes_all_in_where_the_house_rules_allow_it(is_allowed: bool, main: str | None) -> None:
    bet = after("domino-poker", "keeper bets=bet 2").hand
    chips = {"in_front": dict.fromkeys(PLAYERS, 2), "changed": {"all_in": is_allowed}}
    round = NextRound(replace(bet.round.before, **chips), bet.game, bet.round.sight, PLAYERS[1])
    step = next_step(type(bet)(round), "player")
    assert (step.main and step.main.do, step.quiet and step.quiet.do) == (main, "fold")


def test_too_few_chips_to_call_leave_a_fold_or_a_rebuy() -> None:
    state = after("straight-poker", "7 bet, 8 call", dict(zip(PLAYERS, (4, 4, 1), strict=True)))
    told = "Your turn: 1 to call [- / fold: Fold] 0 left: fold, or record a rebuy first"
    assert (line(state, "9"), line(state, "keeper")) == (told, told.replace("Your", "9's"))


# game | what was tapped | whose phone | what it comes to
@each_row("""\
knock-poker || 7 | Knock and win: pot 3, +2 each; Knock and lose: −2 each
dompe || 7 | Call and win: pot 3; Call with at least: three of a kind
knock || 7 | Knock and win: pot 3
guts || 7 | In and best: pot 3; In and not best: you pay 3
guts | 7 in | 7 |
knock-rummy || 7 |
domino-poker || 7 |
knock-poker | 9 knocks | 8 |
knock-poker | 9 knocks | 7 | You stay and win: pot 3, +2; 8 beats 9: you get 2; 9 has the best: you pay 2;
  You drop now: you pay 1
knock-poker | 9 knocks, 7 drop | 8 | You stay and win: pot 3, +2; 9 has the best: you pay 2; You drop now: you pay 1
""")
def test_what_an_action_comes_to(row: tuple[str, str, str, str]) -> None:
    game, taps, who, told = row
    found = outcomes(after(game, taps).seen(PHONES[who].me), PHONES[who].me)
    assert "; ".join(f"{one.what}: {one.worth}" for one in found) == told


def test_who_decides_at_once_reads_the_stack_without_the_ante() -> None:
    found = outcomes(after("guts", "", dict(zip(PLAYERS, (3, 2, 9), strict=True))).hand, PLAYERS[2])
    assert [f"{one.what}: {one.worth}" for one in found][2:] == ["Your stack: you have 8"]


def test_who_must_bet_sees_no_hands() -> None:
    with pytest.raises(Refused, match="The betting isn't over"):
        showing.must_not_be_betting(after("domino-poker", "7 check").hand)
    showing.must_not_be_betting(after("domino-poker", "7 check, 8 check, 9 check").hand)


@pytest.mark.parametrize(("game", "word"), [("knock-poker", "knocked"), ("dompe", "called")])
def test_who_may_still_knock_sees_no_hands(game: str, word: str) -> None:
    with pytest.raises(Refused, match=f"Answer first who {word}"):
        showing.must_know_who_knocked(after(game, "7 hand, 8 hand, 9 hand").hand)
    showing.must_know_who_knocked(after(game, "7 hand, 8 knocks").hand)


def test_gu_3_who_may_still_decide_sees_no_hands() -> None:
    with pytest.raises(Refused, match="9 hasn't decided whether to be in"):
        showing.must_be_decided(after("guts", "7 hand, 8 out").hand)
    showing.must_be_decided(after("guts", "7 hand, 8 out, 9 in").hand)
    assert showing.must_stay_down(after("guts", "7 hand, 8 hand").hand)


def test_a_phone_notices_that_the_hands_were_shown() -> None:
    state = after("dompe", "8 hand, keeper caller=nobody")
    assert state.hand.shown_mark != state.after({}, is_shown=True).hand.shown_mark


def test_of_many_who_still_decide_only_the_number_is_told() -> None:
    hand = after("guts", "7 out").hand
    before = replace(hand.round.before, present=[*PLAYERS, PlayerKey("10"), PlayerKey("11")])
    sight = see({PLAYERS[0]: {"out": [True, "7"]}}, None, is_shown=False, at_once=at_once(hand.game, before, {}))
    step = next_step(type(hand)(NextRound(before, hand.game, sight)), "screen")
    assert str(step.sentence) == "1 of 5 have decided"


def test_of_many_missing_hands_only_the_number_is_told() -> None:
    step = _StateLine(after("knock-poker", "9 knocks").hand, "keeper")
    step.__dict__["_lacking"] = PLAYERS + PLAYERS[:1]
    assert str(step._missing) == "4 hands are still missing"


def test_gu_3_a_phone_that_did_not_decide_offers_both_and_another_game_asks_nothing() -> None:
    cells = {PLAYERS[0]: {"out": [True, "the host's"], "secret": ["yes", "the host's"]}}
    before = after("guts", "").hand.round.before
    for game, said in (
        ("guts", "You have decided [in: I'm in / out: I'm out] Still deciding: 8 and 9"),
        ("knock-poker", "Nobody has knocked yet [knocks: I knock / hand: My hand] 9 deals, 7 begins"),
    ):
        sight = see(cells, "7", is_shown=False, at_once=at_once(all_games()["guts"], before, {}))
        round = NextRound(replace(before, game=game), all_games()[game], sight, PLAYERS[0])
        step = next_step(HandInPlay(round), "player")
        buttons = " / ".join(f"{one.do}: {one.label}" for one in (step.main, step.quiet) if one)
        assert f"{step.sentence} [{buttons}] {step.note}" == said


# who looks at a page of Knock while the table plays Dompe | whether the hand has begun | the line
@pytest.mark.parametrize(
    ("look", "is_begun", "told"),
    [
        ("keeper", False, "The table plays Dompe; Play Knock next"),
        ("host", False, "The table plays Dompe; Play Knock next"),
        ("player", False, "The table plays Dompe; Back to Dompe"),
        ("keeper", True, "The table plays Dompe; Back to Dompe"),
    ],
)
def test_on_a_page_of_another_game_the_line_says_what_is_played(look: Look, is_begun: bool, told: str) -> None:
    cells = {"table": {"game": ["dompe", "9"], "order": [".".join(PLAYERS) if is_begun else "", "9"]}}
    before = after("knock", "").hand.round.before
    round = NextRound(before, all_games()["knock"], see(cells, "7", is_shown=False), PLAYERS[0])
    step = next_step(HandInPlay(round), look)
    assert f"{step.sentence}; {step.main.label if step.main else '-'}" == told
