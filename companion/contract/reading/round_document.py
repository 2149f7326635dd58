"""Reads a round document into a Round. Collects every problem; bad input never raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import getfile
from typing import Any

from companion.engine.betting.actions import Betting
from companion.engine.game import AnyGame, AnyRound, Round, turn_order
from companion.engine.guard import GameFailed, guarding
from companion.engine.messages import Message
from companion.engine.money.pots import MAX_UNITS
from companion.engine.money.settlement import Settlement
from companion.engine.pieces.sets import Piece
from companion.engine.problems import Problem
from companion.engine.questions.entry import Question
from companion.engine.questions.word import WON_BY, check_word, contradictions
from companion.engine.variants import options_that_change_the_set
from companion.games import all_games, is_key

from ..documents import settlement_document
from ..naming import is_renamable
from .bets import answers_from_bets
from .hands import (
    check_duplicates,
    check_points,
    check_shown,
    check_sizes,
    field_of,
    given_hands,
    has_duplicates,
    largest_hand_size,
    read_hand,
)
from .parts import PartsReader

MAX_STAKE_UNITS = 1_000_000  # Rule: C-1
KEYS = ("game", "called", "rules", "stake", "players", "dealer", "pot", "round")


@dataclass(frozen=True)
class Entered:
    """The result of reading a document: the game if it is known, the round if it is valid, and all problems.

    `so_far` is as much of the round as could be read, with every hand whose cards are all readable. Hands larger than
    any in the game are left out; `too_large` has their sizes. `tried` is how a table's own game settles the round: only
    settling it tells whether it can.
    """

    game: AnyGame | None
    round: AnyRound | None
    problems: tuple[Problem, ...]
    so_far: AnyRound | None = None
    too_large: Mapping[str, int] = field(default_factory=dict)
    tried: Settlement | None = None

    def settlement(self) -> Settlement | None:
        """Settle the round, unless that was done while it was read; None if it isn't valid."""
        if self.game is None or self.round is None:
            return None
        return self.tried or self.game.settle(self.round)


def read_round(document: object, *, are_keys: bool = False) -> Entered:
    """Read a round document and report everything wrong with it.

    Its players are names, or with `are_keys` keys, which only have to differ. Sentences and results have them as they
    are: `PlayerKey`s, for which whoever shows them puts the names in.

    A check that depends on an invalid part is skipped: while it is unclear who dropped, missing hands aren't reported.
    A table's own game that fails, while it reads the round or settles it, is a problem too.
    """
    if not isinstance(document, Mapping):
        text = "The body must be a JSON object that describes a round"
        return Entered(None, None, (Problem("", "bad-request", Message(text)),))
    try:
        entered = _Reader(document, are_keys).read()
        if entered.game is not None and entered.round is not None and entered.game.is_own:
            settlement = entered.game.settle(entered.round)
            with guarding(getfile(type(entered.game))):  # it may move something to nobody
                settlement_document(settlement)
            entered = replace(entered, tried=settlement)
    except GameFailed as failed:
        text = "This table's own game failed: {error}"
        return Entered(None, None, (Problem("game", "bad-value", Message(text, error=str(failed))),))
    return entered


def parts_problems(document: Mapping[str, Any], *, are_keys: bool = False) -> tuple[Problem, ...]:
    """Return everything wrong with a round document; of a game that isn't installed, as far as that can be known."""
    problems = read_round(document, are_keys=are_keys).problems
    if not is_key(document.get("game")) or document["game"] in all_games():
        return problems
    wrong = [problem for problem in problems if problem.field != "game"]
    if not wrong and not is_renamable(document):
        message = Message("The answers of this round name somebody who doesn't play it")
        wrong = [Problem("round", "unknown-player", message)]
    return tuple(wrong)


@dataclass(frozen=True)
class Bets:
    """The result of reading only a round's bets: the betting if nothing is wrong, otherwise the problems."""

    round: AnyRound | None
    betting: Betting | None
    problems: tuple[Problem, ...]


def read_bets(document: object, *, are_keys: bool = False) -> Bets:
    """Read a round document whose betting may be unfinished; hands are ignored. For `are_keys` see `read_round`."""
    if not isinstance(document, Mapping):
        return Bets(None, None, read_round(document).problems)
    return _Reader(document, are_keys).read_bets()


class _Reader(PartsReader):
    """Reads a whole document: its parts, then the bets, the answers and the hands, checked against each other."""

    def __init__(self, document: Mapping[str, object], are_keys: bool = False) -> None:
        super().__init__(document, are_keys)
        self.so_far: AnyRound | None = None
        self.too_large: dict[str, int] = {}
        self.follows: tuple[str, ...] = ()  # the answers that follow from the bets

    def read(self) -> Entered:
        game, round, asked = self._before_the_hands(needs_bets=False)
        if game is None or round is None:
            return self._refused(game)
        is_played = True
        if self.follows:
            betting = self._betting(game, round)
            is_played = betting is not None
            if betting is not None:
                self.problems.extend(betting.problems())
                round = replace(round, entry=replace(round.entry, **betting.answers))
        hands = self._read_hands(game, round, asked, is_played)
        if self.problems:
            return self._refused(game)
        return Entered(game, replace(round, hands=hands), (), self.so_far, self.too_large)

    def read_bets(self) -> Bets:
        """Read everything except the hands, and play the bets; the answers that the bets imply aren't required."""
        game, round, _ = self._before_the_hands(needs_bets=True)
        betting = None
        if game is not None and round is not None:
            if not game.betting_rounds:
                self.report("game", "bad-value", "{game} is played without bets", game=Message(game.name))
            betting = self._betting(game, round)
        if betting is not None and betting.problem is not None:
            self.problems.append(betting.problem)
        problems = self._refused(game).problems
        return Bets(round, None if problems else betting, problems)

    def _before_the_hands(self, needs_bets: bool) -> tuple[AnyGame | None, AnyRound | None, Mapping[str, object]]:
        """Read everything except the hands; returns the game, the round and the raw "round" object.

        Without a known game, game and round are None; without valid players, only the round is.
        """
        self.report_unknown_keys(self.document, KEYS, "")
        game = self.read_game()
        self.read_called(game)
        players = self.read_players(game)
        dealer = self.read_dealer(players)
        stake = self.read_whole_number("stake", 1, 1, MAX_STAKE_UNITS)
        pot = self.read_whole_number("pot", 0, 0, MAX_UNITS)
        rules = self.read_object("rules")
        asked = self.read_object("round", is_required=True)
        if game is None:
            return None, None, asked
        options = self.read_options(game, rules)
        self.report_unknown_keys(asked, [*(question.key for question in game.questions), "hands"], "round.")
        if not players:
            return game, None, asked
        if not self.has_problem("players"):
            self.problems.extend(game.check_seats(options, len(players)))
        order = turn_order(players, dealer, game.direction)
        self.follows, problem = answers_from_bets(game, asked, needs_bets)
        self.problems.extend([problem] if problem else [])
        entry = self._read_entry(game, asked, players)
        return game, Round(tuple(players), dealer, order, stake, pot, options, entry, {}), asked

    def _refused(self, game: AnyGame | None) -> Entered:
        problems = self.problems
        if self.has_problem_in("players"):
            # an unknown name may be one of the players' names that were rejected
            depending = ("unknown-player", "missing-field")
            problems = [p for p in problems if not (p.code in depending and p.field.startswith(("dealer", "round.")))]
        return Entered(game, None, tuple(problems), self.so_far, self.too_large)

    def _betting(self, game: AnyGame, round: AnyRound) -> Betting | None:
        """Play the bets; None if anything they depend on is invalid. Options of kind "choice" don't affect betting."""
        bets = (f"round.{q.key}" for q in game.questions if q.kind in ("bets", "flag"))
        rules = (f"rules.{option.key}" for option in game.house_rules if option.kind != "choice")
        is_clear = self.is_clear("players", "dealer", "stake", *rules, *bets) and not self.has_problem("rules")
        return game.betting(round) if is_clear else None

    def _read_entry(self, game: AnyGame, asked: Mapping[str, object], players: Sequence[str]) -> Any:
        answers = {}
        questions = game.questions
        spared = {key for question in questions if asked.get(question.key) is True for key in question.spares}
        for question in questions:
            field = f"round.{question.key}"
            if question.key in asked:
                answers[question.key], problems = question.read(asked[question.key], field, players)
                self.problems.extend(problems)
                if answers[question.key] or question.key not in spared:
                    self._check_answered_by_all(question, answers[question.key], players, problems)
            elif question.required and question.key not in {*self.follows, *spared} and self.is_clear():
                self.report(field, "missing-field", "This is missing: {question}", question=Message(question.help))
        return game.entry(**answers)

    def _check_answered_by_all(
        self, question: Question, answers: Any, players: Sequence[str], problems: Sequence[Problem]
    ) -> None:
        if not question.required or question.key in self.follows:
            return
        if any(problem.field == f"round.{question.key}" for problem in problems):
            return
        wrong = {problem.field for problem in problems}
        for player in players:
            field = f"round.{question.key}.{player}"
            if player not in answers and field not in wrong:
                text = "{player}'s “{question}” is missing; enter 0 if there is none"
                self.report(field, "missing-field", text, player=player, question=Message(question.label))

    def _read_hands(
        self, game: AnyGame, round: AnyRound, asked: Mapping[str, object], is_played: bool
    ) -> Mapping[str, tuple[Piece, ...]]:
        """Check the answers and the hands against each other; returns the valid hands.

        `is_played` is false if the bets couldn't be played, so that it is unknown who folded.
        """
        questions = game.questions
        if is_played and self.is_clear("players", "stake", *(f"round.{q.key}" for q in questions if q.names_players)):
            self.problems.extend(game.check_entry(round))
        hands, problems = given_hands(asked.get("hands", {}), round.players)
        self.problems.extend(problems)
        deciding = (f"round.{question.key}" for question in questions if question.decides_who_shows)
        who_shows_is_clear = is_played and self.is_clear("players", *deciding)
        if who_shows_is_clear:
            self.problems.extend(check_word(game, round))
        if who_shows_is_clear and not self.has_problem("round.hands"):
            self.problems.extend(check_shown(hands, game, round, self._with_unclear_word(round)))
        if not game.has_hands:
            self.so_far = round
            return {}
        if self._is_set_unclear(game):
            return {}
        shown = {player: hand for player, hand in hands.items() if not self.has_problem(field_of(player))}
        pieces = game.pieces(round.options)
        read = {player: read_hand(hand, player, pieces) for player, hand in shown.items()}
        for hand in read.values():
            self.problems.extend(hand.problems)
        self.problems.extend(check_duplicates({player: hand.pieces for player, hand in read.items()}, pieces))
        most = largest_hand_size(game, round)
        readable = {
            player: hand
            for player, hand in read.items()
            if hand.size and not hand.problems and not has_duplicates(hand.pieces, pieces)
        }
        self.too_large = {player: hand.size for player, hand in readable.items() if hand.size and hand.size > most}
        small = {player: hand.pieces for player, hand in readable.items() if player not in self.too_large}
        self.so_far = replace(round, hands=small)
        if not who_shows_is_clear:
            return {}
        self.problems.extend(check_points(hands, game, self.so_far))
        self.problems.extend(check_sizes(read, game, round, pieces))
        clean = {player: hand.pieces for player, hand in read.items() if not self.has_problem(field_of(player))}
        full = replace(round, hands=clean)
        if self.is_clear(*(f"rules.{option.key}" for option in game.house_rules if option.kind == "choice")):
            self.problems.extend(game.check_hands(full))
            if full.won_by and not self.has_problem(WON_BY):
                self.problems.extend(contradictions(game.place(full), full.won_by))
        return clean

    def _with_unclear_word(self, round: AnyRound) -> tuple[str, ...]:
        """Return the players whose hands may not be needed, because what the table stated about them is invalid."""
        if not self.problems:
            return ()
        if self.has_problem(WON_BY) or self.has_problem("round.points"):
            return round.players
        return tuple(player for player in round.players if self.has_problem(f"round.points.{player}"))

    def _is_set_unclear(self, game: AnyGame) -> bool:
        """Return whether an option that decides which cards are used is invalid."""
        keys = options_that_change_the_set(game) if self.problems else ()
        return any(self.has_problem_in(f"rules.{key}") for key in keys)
