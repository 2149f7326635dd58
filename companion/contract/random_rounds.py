"""Random rounds of any game, built from what it declares; most are valid."""

from __future__ import annotations

from collections.abc import Callable, Container
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from companion.engine.allowed import WITH_AMOUNT, Action
from companion.engine.betting.actions import Betting
from companion.engine.game import AnyGame, AnyRound, Round, turn_order
from companion.engine.options import Option
from companion.engine.questions.entry import Question

from .reading.bets import betting_document
from .reading.round_document import read_bets

Document = dict[str, Any]
Source = Callable[[str], Random]  # for each purpose, such as an option's key, its own random numbers

MORE_SEATS = "more-seats"
_NO_RAISES = ("check", "call", "fold")
NUMBERS = [0, -1, 1, 10**13, 10**400, -(10**400), 0.5, 1e308, float("inf"), float("nan")]
TEXTS = ["", " ", "pot", "Seat0", "seat0", "\x00", "a\nb", "\ud800", "\u202e", "x" * 5_000, "9s 9s 9s", "[1-1]", "🂡"]


def value(random: Random, option: Option, without: Container[str] = ()) -> Any:
    """Choose an option's value; small numbers are more likely."""
    if option.kind == "choice":
        return random.choice([choice for choice in option.choices if f"{option.key}={choice}" not in without])
    if option.kind == "toggle":
        return random.random() < 0.5
    assert option.minimum is not None
    assert option.maximum is not None
    return random.choice([random.randint(option.minimum, min(option.maximum, 5))] * 5 + [option.maximum])


def rules(source: Source, game: AnyGame, may: Container[str], must: str = "", without: Container[str] = ()) -> Document:
    """Choose house rules among those that may differ from the usual; one may be chosen always, or have a value.

    `without` are values that aren't chosen, as "key=value".
    """
    must, _, wanted = must.partition("=")
    options = [option for option in game.house_rules if option.key in may]
    chosen = [option for option in options if source(option.key).random() < 0.5 or option.key == must]
    rules = {option.key: value(source(f"{option.key} value"), option, without) for option in chosen}
    return rules | ({must: wanted} if wanted else {})


def answer(random: Random, question: Question, players: list[str], least: int) -> Any:
    """Answer a question; `least` is the ante in units."""
    some = random.sample(players, random.randint(0, len(players) - 1))
    match question.kind:
        case "player":
            return random.choice([None, *players])
        case "players":
            return random.choice([[], [], some])
        case "winners":
            return some or players[:1]
        case "flag":
            return random.randrange(5) == 4
        case "amounts":
            most = least + random.randint(0, 50)
            are_equal = random.choice([True, True, False])
            return {player: most if are_equal else random.randint(0, most) for player in players}
        case _:  # counts
            return {player: random.randint(0, 4) for player in some}


def deal(random: Random, game: AnyGame, options: Any, must: tuple[str, ...], sizes: list[int]) -> Document:
    """Deal hands; many are of one suit or rank, or resemble a category's example, so that rare hands are common."""
    pieces = game.pieces(options)
    deck = [piece for piece in pieces.pieces for _ in range(pieces.copies.get(piece, 1))]
    rank_by_rank = sorted(deck, key=lambda piece: (getattr(piece, "height", 0), piece.text))
    examples = [[pieces.find(token) for token in pieces.tokens(c.example)] for c in game.categories]
    hands = {}
    for player in must:
        size = random.choice(sizes)
        order = random.choice([random.sample(deck, len(deck)), deck[:], rank_by_rank, rank_by_rank])
        at = random.randrange(len(order))
        hand = (order[at:] + order[:at])[:size]
        example = random.choice(examples)
        if random.random() < 0.6 and len(example) in sizes and all(example.count(p) <= deck.count(p) for p in example):
            hand = example
        for piece in hand:
            deck.remove(piece)
            rank_by_rank.remove(piece)
        hands[player] = [piece.text for piece in random.sample(hand, len(hand))]
    return hands


def random_round(
    source: Source,
    game: AnyGame,
    chosen: Document,
    most_players: int = 99,
    most_stake: int = 30,
    without: Container[str] = (),
) -> Document:
    """Make a random round under house rules; if these don't fit together, mostly under the usual ones.

    `without` are the questions that aren't answered, by key, and MORE_SEATS for a game that once had one less.
    """
    table, (least, most) = source("table"), game.seats
    number = table.randint(least, min(most - (MORE_SEATS in without), most_players))
    players = [f"Seat{at}" for at in range(number)]
    stake, dealer, pot = table.randint(1, most_stake), table.choice(players), table.choice([0, table.randint(1, 100)])
    do_fit = not any(game.check_options(game.options(**chosen)))
    chosen = chosen if do_fit or table.random() < 0.2 else {}
    options = game.options(**(chosen if do_fit else {}))
    ante = getattr(options, "ante", 0) * stake
    questions = [q for q in game.questions if q.kind != "bets" and not (q.replaces_hands and game.has_hands)]
    questions = [q for q in questions if q.key not in without]
    answers = {q.key: answer(source(q.key), q, players, ante) for q in questions}
    for question in (q for q in questions if q.not_of or q.only_of):
        asked = {*answers[question.not_of or question.only_of]}
        asked = {*players} - asked if question.not_of else asked if table.random() < 0.2 else set()
        answers[question.key] = {player: n for player, n in answers[question.key].items() if player in asked}
    named = [q.key for q in questions if q.kind == "player"]
    if len(named) > 1 and table.randint(0, 3):
        answers |= dict.fromkeys(named) | {table.choice(named): table.choice(players)}
    document: Document = {"game": game.key, "rules": chosen, "stake": stake, "players": players, "dealer": dealer}
    document |= {"pot": pot, "round": dict(answers)}
    if game.is_named:
        document["called"] = game.example_name
    if game.betting_rounds and (do_fit or not chosen) and table.random() < 0.5:
        answers |= _with_bets(source("bets"), document, game.betting_rounds[0].instead_of)
    read = {q.key: q.read(answers[q.key], q.key, players)[0] for q in questions}
    if not game.has_hands:
        return document
    order = turn_order(players, dealer, game.direction)
    bare: Any = Round(tuple(players), dealer, order, stake, 0, options, game.entry(**read), {})
    hands = source("hands"), game, options, game.who_must_show(bare), sorted(game.hand_sizes(bare))
    document["round"]["hands"] = deal(*hands)
    return document


def bet_to_the_end(written: Document, random: Random) -> Document:
    """Add random legal bets to a round until betting is over; returns the final state.

    After a few raises nobody raises any more, so that betting ends.
    """
    raises, (round, bets) = 0, _read_so_far(written)
    while not bets.is_over:
        may = [allowed for allowed in bets.state.allowed_actions() if raises < 4 or allowed.kind in _NO_RAISES]
        chosen, turn = random.choice(may), bets.state.turn
        assert turn is not None
        action: Document = {"player": turn, "action": chosen.kind}
        if chosen.kind in WITH_AMOUNT:
            most = chosen.least + 9 if chosen.most is None else chosen.most
            action["amount"] = random.randint(chosen.least, most)
            raises += 1
        written["round"].setdefault(bets.key, []).append(action)
        state = bets.state.after(Action(turn, chosen.kind, action.get("amount", 0)))
        # the whole document takes long to read: it is read again only for what follows a list of bets
        bets = _read_so_far(written)[1] if state.turn is None else replace(bets, state=state)
    return betting_document(round, bets)


def standing(written: Document) -> Document:
    """Return the state of the bets of a valid round."""
    return betting_document(*_read_so_far(written))


def _read_so_far(written: Document) -> tuple[AnyRound, Betting]:
    bets = read_bets(written)
    assert bets.round is not None and bets.betting is not None, bets.problems
    return bets.round, bets.betting


def _with_bets(random: Random, document: Document, instead_of: tuple[str, ...]) -> Document:
    """Replace the totals by bets; returns the totals that the bets come to."""
    for key in instead_of:
        del document["round"][key]
    state = bet_to_the_end(document, random)
    return {key: state[key] for key in instead_of}


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """List every container in a document with one of its keys."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places_in(value[key])]


def spoiled(random: Random, document: Document) -> Document:
    """Copy a round with one thing replaced, removed, or moved to another place."""
    copy = deepcopy(document)
    places = places_in(copy)
    (container, key), (other, place) = random.choice(places), random.choice(places)
    junk = random.choice([None, True, deepcopy(other[place]), *NUMBERS, *TEXTS])
    if random.random() < 0.2:
        del container[key]
    else:
        container[key] = junk
    return copy
