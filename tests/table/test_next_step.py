"""All paths through a hand, made of the actions the table declares: every state names the next step on each screen.

From each one the round can be settled by tapping what the state lines say, on the players' phones or the scorekeeper's.
Every state that three players can reach is looked at on the phones of every table, within the limits that
`walking.entries` and `walking.is_tried` name. States count as one if nothing differs in them but cards, counts and
amounts (with stacks only cards and counts), on which no step depends, or only which of the three has knocked. The
players sit down before the hand and stay; house rules, stakes and pot are the usual ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, product
from typing import Any

import pytest
from sample_rounds import ROUNDS
from test_hand_actions import PLAYERS
from walking import HOSTS, MIDDLE, OWN, SCREEN, Phone, State, reached, tap

from companion.contract import may_reveal_hands, read_round
from companion.engine.game import AnyGame
from companion.games import all_games
from companion.table import bets, showing
from companion.table.cells import TABLE, values_in
from companion.table.input import ACTIONS, Asked
from companion.table.sight import FaceDown
from companion.table.steps import KEEPER, PLACES, Button

MOST_STEPS = 40
TABLES = {
    "one phone for all": (MIDDLE, SCREEN),
    "a phone for each": (*OWN.values(), MIDDLE, SCREEN),
    **{f"only {player} has a phone": (OWN[player], MIDDLE, SCREEN) for player in PLAYERS},
    **{
        f"{keeper} keeps score, {others}": (*phones, *HOSTS[keeper], SCREEN)
        for keeper in PLAYERS
        for others, phones in (
            ("each with a phone", [OWN[player] for player in PLAYERS if player != keeper]),
            ("nobody else has a phone", []),
        )
    },
}
WAYS = ("player", "host", "keeper")  # whose phones are tapped first


def is_settled(state: State) -> bool:
    """Return whether the round as entered settles."""
    hand = state.hand
    values, round = values_in(state.cells), dict[str, Any]()
    follows = {key for question in state.game.questions for key in question.instead_of} if hand.played else set()
    for question in (q for q in state.game.questions if q.key not in follows):
        if question.kind == "player":
            round[question.key] = hand.round.player(values.get(TABLE, {}).get(question.key))
        elif question.kind in ("players", "winners"):
            round[question.key] = [player for player in PLAYERS if values.get(player, {}).get(question.key) is True]
    must = showing.must_show(hand)
    round["hands"] = {player: values[player]["hand"] for player in must}
    round |= hand.played.actions if hand.played else {}
    document = {"game": state.game.key, "players": hand.players, "dealer": hand.dealer, "round": round}
    found = read_round(document, are_keys=True)
    # a mistake in what was entered, such as a knock by somebody who dropped, is told when it is settled
    return all(problem.code not in ("missing-hand", "missing-field") for problem in found.problems)


def way_on(state: State, phones: tuple[Phone, ...], first: str) -> State | None:
    """Tap what a state line says, of the phones that can act first on those that look so; None once it is settled."""
    steps = [(phone, state.steps[phone]) for phone in sorted(phones, key=lambda phone: phone.look != first)]
    ready = ((phone, step.main) for phone, step in steps if step.main and moves_on(state, phone, step.main))
    # to ask for the last bet back is no way on
    quiet = ((phone, step.quiet) for phone, step in steps if step.quiet and step.quiet.do != "undo")
    phone, step = next(chain(ready, quiet))
    return None if step.do == "settle" else tap(state, phone, step)


def moves_on(state: State, phone: Phone, step: Button) -> bool:
    """Return whether a step moves the hand on."""
    return step.do == "settle" or tap(state, phone, step) is not state


def check(state: State, phones: tuple[Phone, ...]) -> None:
    """Every screen says what is next; whoever one waits for has a button for it."""
    for phone in phones:
        step = state.steps[phone]
        buttons_of = [one for one in (step.main, step.quiet) if one is not None]
        assert step.waits_for or buttons_of, (phone, step)
        if phone.me in state.hand.players and not buttons_of:  # it says for whom or what one waits
            named = f"{step.sentence} {step.note}"
            assert any(one in named for one in (*step.waits_for[:1], "scorekeeper")), (phone, step)
        for player in step.waits_for:
            own = [state.steps[one] for one in phones if one.look == "player" and one.me == player]
            own += [state.steps[one] for one in phones if one.look == "keeper"] if player == KEEPER or not own else []
            assert all(one.main or one.quiet for one in own), (phone, step, own)
    keeper = state.steps[next(phone for phone in phones if phone.look == "keeper")]
    # with too few chips to call, one may only fold
    assert keeper.main or (keeper.quiet and keeper.note), keeper


def check_step(state: State, phone: Phone) -> None:
    """A screen has a sentence, and buttons that aren't refused; only a phone has any."""
    step = state.steps[phone]
    assert str(step.sentence)
    for button in filter(None, (step.main, step.quiet)):
        assert phone != SCREEN
        assert button.do in PLACES or button.do in ACTIONS
        if button.do in ACTIONS:
            tap(state, phone, button)
            assert is_asked_first(state, phone, button) == (button.held is not None or button.do == "over"), button
        if button.do == "settle":
            assert is_settled(state), step


def is_asked_first(state: State, phone: Phone, button: Button) -> bool:
    """Return whether a button asks for a confirmation where it can't be held."""
    hand, is_confirmed = state.seen(phone.me, phone.device), ACTIONS[button.do].is_confirmed
    asked = Asked(button.do, str(button.player), mark=hand.mark, keeps=phone.keeps)
    return is_confirmed is not None and is_confirmed(asked, hand)


def check_ways(states: Iterable[State], phones: tuple[Phone, ...], first: str) -> None:
    """From every state the round gets settled."""
    settles = set[object]()
    for state in states:
        path: list[object] = []
        on: State | None = state
        while on is not None and on.mark not in settles:
            assert len(path) < MOST_STEPS, path
            path.append(on.mark)
            on = way_on(on, phones, first)
        settles.update(path)


@pytest.fixture(autouse=True)
def _work_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what many states share; a hand is asked the same things for every phone."""
    play, played = bets.play, dict[str, bets.PlayedBets]()

    def play_once(document: dict[str, Any], texts: list[str], *rest: Any) -> bets.PlayedBets:
        key = repr((document, texts, rest))
        if key not in played:
            played[key] = play(document, texts, *rest)
        return played[key]

    monkeypatch.setattr(bets, "play", play_once)
    for name in ("so_far", "must_show", "lacking"):
        monkeypatch.setattr(showing, name, cache(getattr(showing, name)))
    monkeypatch.setattr(FaceDown, "of", cache(FaceDown.of))


WITH_HANDS = [game for game in all_games().values() if game.has_hands]
# where turns follow a knock, the ways are many: `tests/run` walks those of Dompe's call alone
LONG = {"dompe", "draw-poker", "five-card-draw", "knock", "knock-poker", "straight-poker", "thirty-one", "whisky-poker"}
WITHOUT_STACKS = [
    pytest.param(game, None, id=game.key, marks=[pytest.mark.thorough] * (game.key in LONG)) for game in WITH_HANDS
]
WITH_STACKS = [
    pytest.param(
        game, dict(zip(PLAYERS, (3, 2, 9), strict=True)), id=f"{game.key} with stacks", marks=pytest.mark.thorough
    )
    for game in WITH_HANDS
    if game.betting_rounds
]


@pytest.mark.parametrize(("game", "in_front"), [*WITHOUT_STACKS, *WITH_STACKS])
def test_every_state_names_the_next_step_and_can_be_settled(game: AnyGame, in_front: Mapping[str, int] | None) -> None:
    states = reached(game, in_front)
    for state, phone in product(states, dict.fromkeys(chain(*TABLES.values()))):
        check_step(state, phone)
    for phones in TABLES.values():
        for state in states:
            check(state, phones)
        for way in WAYS:
            check_ways(states, phones, way)


@pytest.mark.parametrize("phones", TABLES.values(), ids=TABLES)
def test_without_hands_the_scorekeeper_says_who_won(phones: tuple[Phone, ...]) -> None:
    state = State(next(game for game in all_games().values() if not game.has_hands), None)
    for phone in phones:
        step = state.steps[phone]
        assert str(step.sentence) == "9 deals"
        assert step.waits_for == (KEEPER,)
        assert (step.main is not None and step.main.do == "hands") == phone.keeps
        assert (step.note is None) == phone.keeps
    assert not may_reveal_hands(read_round(ROUNDS[state.game.key]), {})
