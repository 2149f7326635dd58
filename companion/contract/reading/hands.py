"""Reads the hands of a document: notation, duplicate cards, who shows, and how many cards. Rule: C-4, C-5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import AnyGame, AnyRound
from companion.engine.messages import Message, quoted
from companion.engine.names import find_name
from companion.engine.pieces.sets import Piece, PieceSet
from companion.engine.problems import Problem
from companion.engine.questions.answers import unknown_player
from companion.engine.questions.word import who_must_still_show

Pieces = PieceSet[Any]
_LONG = 3  # characters of a card
_EXAMPLE = 4  # index of the piece used as an example of notation: a five, or a tile with different ends


def field_of(player: str) -> str:
    """Return the path of a player's hand in the document."""
    return f"round.hands.{player}"


def given_hands(raw: object, players: Sequence[str]) -> tuple[dict[str, object], list[Problem]]:
    """Return the raw hands by player, in the order of `players`, and the problems. Empty hands count as not given."""
    if not isinstance(raw, Mapping):
        return {}, [Problem("round.hands", "bad-value", Message("The hands must be given by player's name"))]
    hands: dict[str, object] = {}
    problems = []
    for name, hand in raw.items():
        player = find_name(name, players)
        if player is None:
            problems.append(unknown_player(field_of(name), name))
        elif player in hands:
            text = "{player} has two hands here; leave one of them"
            problems.append(Problem(field_of(name), "bad-value", Message(text, player=player)))
        elif hand not in ("", []) and not (isinstance(hand, str) and not hand.strip()):
            hands[player] = hand
    return {player: hands[player] for player in players if player in hands}, problems


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A hand as far as it could be read: the readable pieces, and the problems with the others.

    `size` is how many pieces were entered, including unreadable ones; None if that is uncertain. A hand larger than the
    whole set isn't read, and has only its size.
    """

    pieces: tuple[Piece, ...]
    problems: tuple[Problem, ...] = ()
    size: int | None = None


def read_hand(raw: object, player: str, pieces: Pieces) -> ReadHand:
    """Read one hand."""
    field = field_of(player)
    if isinstance(raw, str):
        tokens: Sequence[object] = pieces.tokens(raw)
    elif isinstance(raw, list):
        tokens = raw
    else:
        text = "{player}'s hand must be a list of {cards}, or one line of them"
        problem = Problem(field, "bad-value", Message(text, player=player, cards=Message(pieces.noun[1])))
        return ReadHand((), (problem,))
    if len(tokens) > len(pieces):
        return ReadHand((), size=len(tokens))
    read = [(token, pieces.find(token)) for token in tokens]
    unknown = [token for token, piece in read if piece is None]
    unclear = [token for token in unknown if isinstance(raw, str) and pieces.is_unclear(str(token))]
    return ReadHand(
        tuple(piece for _, piece in read if piece is not None),
        tuple(
            _run_together(field, token, player, pieces)
            if token in unclear
            else _bad_card(field, token, player, pieces, is_first=token == unknown[0])
            for token in unknown
        ),
        # any long token may be several cards, each of them misspelt
        None if isinstance(raw, str) and any(len(str(token)) > _LONG for token in unknown) else len(tokens),
    )


def _bad_card(field: str, token: object, player: str, pieces: Pieces, *, is_first: bool) -> Problem:
    text = "{token} in {player}'s hand isn't a {card} of this set"
    if is_first:  # one example is enough for a hand
        text = "{token} in {player}'s hand isn't a {card} of this set; for example, the {name} is written {example}"
    card, example = Message(pieces.noun[0]), pieces.pieces[_EXAMPLE]
    return Problem(
        field,
        "bad-card",
        Message(text, token=quoted(token), player=player, card=card, name=example.name, example=example.text),
    )


def _run_together(field: str, token: object, player: str, pieces: Pieces) -> Problem:
    text = "{token} in {player}'s hand can't be read; put spaces between the {cards}, for example {example}"
    example = " ".join(piece.text for piece in pieces.pieces[_EXAMPLE : _EXAMPLE + 2])
    values = {"token": quoted(token), "player": player, "cards": Message(pieces.noun[1]), "example": example}
    return Problem(field, "bad-card", Message(text, **values))


def check_duplicates(hands: Mapping[str, Sequence[Piece]], pieces: Pieces) -> Iterator[Problem]:
    """Yield a problem for each card that occurs more often than the set has it, at the later hand. Rule: C-4."""
    holders: dict[Piece, list[str]] = {}
    for player, hand in hands.items():
        reported = set()
        for piece in hand:
            before = holders.setdefault(piece, [])
            before.append(player)
            most = pieces.copies.get(piece, 1)
            if len(before) > most and piece not in reported:
                reported.add(piece)
                what = _duplicate(piece, player, before, hand.count(piece), most)
                yield Problem(field_of(player), "duplicate-card", what)


def has_duplicates(hand: Sequence[Piece], pieces: Pieces) -> bool:
    """Return whether one hand alone holds a piece more often than the set has it."""
    return any(times > pieces.copies.get(piece, 1) for piece, times in Counter(hand).items())


def _missing(player: str, won_by: tuple[str, ...], has_bets: bool) -> Message:
    if not won_by:
        return Message("{player} must show a hand; enter it, or take {player} out of the round", player=player)
    text = "Who won doesn't settle this round: it matters what the others hold; enter {player}'s hand"
    if has_bets:
        text = "{winners} did not pay into every part of the pot, and {player} may win one; enter {player}'s hand"
    return Message(text, winners=won_by, player=player)


def _duplicate(piece: Piece, player: str, holders: Sequence[str], times: int, most: int) -> Message:
    other = next((name for name in holders if name != player), None)
    if other is None or times > most:
        text = "{card} is in {player}'s hand {n} times; change one of them"
        if times == 2:
            text = "{card} is in {player}'s hand twice; change one of them"
        return Message(text, card=piece, n=times, player=player)
    text = "{card} is in {player}'s hand and in {other}'s"
    if most > 1:
        text = "{card} is in {player}'s hand and in {other}'s more often than the {most} that there are"
    return Message(text, card=piece, player=player, other=other, most=most)


def check_sizes(hands: Mapping[str, ReadHand], game: AnyGame, round: AnyRound, pieces: Pieces) -> Iterator[Problem]:
    """Yield a problem for each hand of the wrong size."""
    sizes = game.hand_sizes(round)
    for player, hand in hands.items():
        if hand.size is not None and hand.size not in sizes:
            *others, last = map(str, sizes)
            needed = Message("{first} or {last}", first=", ".join(others), last=last) if others else Message(last)
            text = "{player} has {given} of {needed} {cards}"
            if hand.size > max(sizes):
                text = "{player} has {given} {cards}, not {needed}"
            values = {"player": player, "needed": needed, "cards": Message(pieces.noun[1]), "given": hand.size}
            yield Problem(field_of(player), "wrong-hand-size", Message(text, **values))


def largest_hand_size(game: AnyGame, round: AnyRound) -> int:
    """Return how many cards the largest possible hand of the round has, whomever the answers name."""
    asked = [question.key for question in game.questions if question.kind == "player"]
    named = [replace(round.entry, **{key: round.players[0]}) for key in asked]
    return max(size for entry in (round.entry, *named) for size in game.hand_sizes(replace(round, entry=entry)))


def check_shown(
    hands: Mapping[str, object], game: AnyGame, round: AnyRound, unclear: Collection[str]
) -> Iterator[Problem]:
    """Yield a problem for each hand that is missing or unexpected. Rule: C-5, C-13.

    For `unclear` players it is unknown whether a hand is needed, so a missing one isn't reported.
    """
    asked = game.who_must_show(round)
    must = who_must_still_show(game, round, asked)
    may = {*asked, *game.who_may_show(round)}
    for player in round.players:
        if player in hands and player in round.points:
            continue  # see `check_points`
        if player in must and player not in hands and player not in unclear:
            yield Problem(field_of(player), "missing-hand", _missing(player, round.won_by, bool(game.betting_rounds)))
        elif player in hands and player not in may:
            text = "{player} shows no hand in this round; clear that hand"
            yield Problem(field_of(player), "unexpected-hand", Message(text, player=player))


def check_points(hands: Mapping[str, object], game: AnyGame, round: AnyRound) -> Iterator[Problem]:
    """Yield a problem for each player with both points and a hand; it says what the cards count. Rule: C-13.

    `hands` are all hands in the document; `round` has those that could be read.
    """
    for player in round.players:
        if player in hands and player in round.points:
            question = next(question for question in game.questions if question.key == "points")
            hand, points = round.hands.get(player), question.number_of(round.points, player)
            counted = game.describe_cards(hand, round) if hand else None
            text = "{player} has both points and a hand; clear one of them"
            if counted is not None:
                text = "{player}'s cards count: {counted}. The table said {points}. Clear the points or the cards."
            values = {"player": player, "counted": counted, "points": points}
            yield Problem(f"round.points.{player}", "bad-value", Message(text, **values))
