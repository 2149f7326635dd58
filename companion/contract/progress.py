"""The state of a round while it is being entered: what each hand is worth so far, who leads, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from companion.engine.game import AnyGame, AnyRound
from companion.engine.hands.strength import ShownHand
from companion.engine.messages import Message
from companion.engine.money.settlement import Settlement
from companion.engine.problems import Problem
from companion.engine.questions.word import who_must_still_show

from .documents import Document, problems_document, settlement_document
from .reading.hands import field_of
from .reading.round_document import Entered, read_round

_NONE: Mapping[str, int] = MappingProxyType({})
_PLACES = {2: Message("in 2nd place"), 3: Message("in 3rd place")}  # no game has 21 players
_SHARED = {2: Message("shares 2nd place"), 3: Message("shares 3rd place")}


@dataclass(frozen=True)
class HandSoFar:
    """A finished or unfinished hand: how many cards it has, whether it is complete, and what it is worth.

    A hand whose points the table entered is complete and has no cards (C-13). `reading` is None if nothing can be said
    yet, as of a hand face down, and so is `brief`, its category or points, for where there is little room; `standing`
    if the hand is incomplete or no other is complete.
    """

    size: int
    is_complete: bool
    reading: Message | None
    standing: Message | None
    brief: Message | None = None


@dataclass(frozen=True)
class Progress:
    """The state of an unfinished round as it was `entered`; `wrong` are the problems that entering more won't fix."""

    hands: dict[str, HandSoFar]
    missing: tuple[Message, ...]
    wrong: tuple[Problem, ...]
    settlement: Settlement | None
    entered: Entered


def progress(document: object, *, are_keys: bool = False, face_down: Mapping[str, int] = _NONE) -> Progress:
    """Return the state of a round document that may still be incomplete; see `read_round`.

    `face_down` are the sizes of hands that the document leaves out because they lie face down, by player.
    """
    entered = read_round(document, are_keys=are_keys)
    game, so_far = entered.game, entered.so_far
    hands: dict[str, HandSoFar] = {}
    missing: tuple[Message, ...] = ()
    if game is not None and so_far is not None:
        too_large = {player: HandSoFar(size, False, None, None) for player, size in entered.too_large.items()}
        sizes = game.hand_sizes(so_far)
        down = {player: HandSoFar(size, size in sizes, None, None) for player, size in face_down.items()}
        all_hands = _hands(game, so_far) | too_large | down
        hands = {player: all_hands[player] for player in so_far.players if player in all_hands}
        missing = tuple(_missing(game, so_far, entered, face_down))
    wrong = tuple(problem for problem in entered.problems if _is_wrong(problem, entered))
    return Progress(hands, missing, wrong, entered.settlement(), entered)


def may_reveal_hands(entered: Entered, sizes: Mapping[str, int], *, is_asked: bool = False) -> bool:
    """Return whether every hand that must be shown is complete, or replaced by its points.

    Only the hands' `sizes` count, by player, because whether they may be revealed is itself told to everybody. If a
    hand may have several sizes, it is complete with the largest, as it may still grow; with any if the scorekeeper has
    asked for the result.

    False while bets are entered one by one and the betting isn't over: players who have yet to act must not see hands.
    """
    game, so_far = entered.game, entered.so_far
    if game is None or so_far is None or not game.has_hands or _is_betting(game, entered):
        return False
    possible = game.hand_sizes(so_far)
    complete = possible if is_asked else (max(possible),)
    lacking = [player for player in game.who_must_show(so_far) if sizes.get(player, 0) not in complete]
    if any(sizes.get(player) for player in lacking):
        return False
    placed = {shown.player for shown in game.standing(replace(so_far, hands={}))}
    return placed.issuperset(lacking)


def _is_betting(game: AnyGame, entered: Entered) -> bool:
    """Return whether bets are missing or wrong."""
    keys = {question.key for question in game.betting_rounds}
    return any(problem.field.partition(".")[2].partition(".")[0] in keys for problem in entered.problems)


def _hands(game: AnyGame, so_far: AnyRound) -> dict[str, HandSoFar]:
    """Evaluate every hand, and rank the complete ones."""
    sizes = game.hand_sizes(so_far)
    complete = {player: hand for player, hand in so_far.hands.items() if len(hand) in sizes}
    placed = {shown.player: shown for shown in game.standing(replace(so_far, hands=complete))}
    is_final = placed.keys() >= set(who_must_still_show(game, so_far, game.who_must_show(so_far)))
    hands = {}
    for player, hand in so_far.hands.items():
        shown = placed.get(player)
        reading = game.describe_cards(hand, so_far) or (shown.reading.description if shown else None)
        standing = _standing(shown, list(placed.values()), is_final=is_final) if shown else None
        brief = shown.reading.name if shown and shown.reading.points is None else reading
        hands[player] = HandSoFar(len(hand), player in complete, reading, standing, brief)
    for player in (player for player in placed if player not in so_far.hands):
        shown = placed[player]
        standing = _standing(shown, list(placed.values()), is_final=is_final)
        hands[player] = HandSoFar(0, True, shown.reading.description, standing, shown.reading.description)
    return hands


def _standing(shown: ShownHand, placed: Sequence[ShownHand], *, is_final: bool) -> Message | None:
    """Say how a hand compares with the others that are placed, which `is_final` once all of them are."""
    if len(placed) < 2 or not shown.reading.can_win:
        return None
    equal = sum(other.place == shown.place for other in placed) > 1
    if shown.place == 1:
        return Message("ties for the lead") if equal else Message("leads")
    if equal:
        place = _SHARED.get(shown.place) or Message("shares {n}th place", n=shown.place)
    else:
        place = _PLACES.get(shown.place) or Message("in {n}th place", n=shown.place)
    return place if is_final else Message("{place} so far", place=place)


def _missing(game: AnyGame, so_far: AnyRound, entered: Entered, face_down: Mapping[str, int]) -> Iterator[Message]:
    """Yield what still has to be entered: first cards, in seat order, then answers."""
    least = min(game.hand_sizes(so_far))
    held = {**{player: len(hand) for player, hand in so_far.hands.items()}, **face_down}
    unread = {problem.field for problem in entered.problems if problem.code in ("bad-card", "duplicate-card")}
    unread |= set(map(field_of, entered.too_large))
    must = who_must_still_show(game, so_far, game.who_must_show(so_far))
    # a hand that was begun must be finished, even if it needn't be shown
    for player in (player for player in so_far.players if player in must or player in held):
        lacking = least - held.get(player, 0)
        if lacking > 0 and (player in held or field_of(player) not in unread):
            yield Message("{n} of {player}", n=lacking, player=player)
    yield from (problem.message for problem in entered.problems if problem.is_open or problem.code == "missing-field")


def _is_wrong(problem: Problem, entered: Entered) -> bool:
    """Return whether a problem is an actual mistake, rather than something that entering more may still fix."""
    if problem.is_open or problem.code in ("missing-hand", "missing-field"):
        return False
    game, so_far = entered.game, entered.so_far
    if game is None or so_far is None or problem.code not in ("wrong-hand-size", "not-an-outright-win"):
        return True
    # `so_far` and `too_large` leave out unreadable hands, which have problems of their own
    most = max(game.hand_sizes(so_far))
    is_whole = most if problem.code == "not-an-outright-win" else most + 1
    whole = [player for player, hand in so_far.hands.items() if len(hand) >= is_whole]
    return problem.field in map(field_of, (*whole, *entered.too_large))


def progress_document(progress: Progress) -> Document:
    """Write the progress as JSON, with the keys "hands", "missing", "errors" and "settlement"."""
    return {
        "hands": {
            player: {
                "size": hand.size,
                "complete": hand.is_complete,
                "reading": _text(hand.reading),
                "standing": _text(hand.standing),
            }
            for player, hand in progress.hands.items()
        },
        "missing": list(map(str, progress.missing)),
        "errors": problems_document(progress.wrong)["errors"],
        "settlement": settlement_document(progress.settlement) if progress.settlement else None,
    }


def _text(message: Message | None) -> str | None:
    return None if message is None else str(message)
