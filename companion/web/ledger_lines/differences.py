"""Puts an entry or another change into words, as labelled parts, so that two versions can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.pieces.sets import PieceSet
from companion.games import game_of
from companion.store.log.replay import COST, REBUY, Document, is_round, played_as
from companion.store.log.typed import with_texts
from companion.store.models import EVERY_GAME, Line, Night, Revision

from ..access.lookup import account_names
from ..text.labels import MOVEMENTS, PAYMENT_KINDS, action_words, game_played
from ..text.language import say
from ..text.money import units
from ..text.pieces import as_text
from .costs import cost_amount, sharers

Parts = dict[str, str]
Differences = list[tuple[str, str, str]]  # what differs, as (label, what it was, what it is now)
_STATES = {"out": Message("sits out"), "left": Message("has left")}
_LABELS = {
    "place": Message("Where you play"),
    "note": Message("Note"),
    "remark": Message("Note"),
    "split": Message("split of the pot"),
}


def parts(document: Mapping[str, Any], names: Mapping[str, str]) -> Parts:
    """Describe a stored entry as {label: value}, without empty values."""
    said = _round(document, names) if is_round(document) else _movement(document, names)
    return {label: value for label, value in said.items() if value}


def _round(document: Mapping[str, Any], names: Mapping[str, str]) -> Parts:
    game, options = played_as(document)
    entry, pieces = document["round"], game.pieces(options)
    said = {
        say("Game"): say(game_played(document)),
        say("Stake"): units(document.get("stake", 1)),
        say("Dealer"): names.get(document.get("dealer", ""), ""),
        say("Players"): ", ".join(names[player] for player in document["players"]),
    }
    labels = {question.key: say(question.label) for question in game.questions}
    of_money = {question.key for question in game.questions if question.kind in ("amounts", "bets")}
    for key in labels or entry.keys() - {"hands"}:  # a game that isn't installed here has no labels
        said |= _answers(labels.get(key, key), entry.get(key), names, units if key in of_money else str)
    for player, hand in entry.get("hands", {}).items():
        said[names[player]] = _hand(hand, pieces)
    return said | _rules(game, document.get("rules", {}))


def change_parts(kind: str, content: Mapping[str, Any], names: Mapping[str, str]) -> Parts:
    """Describe a change the same way; empty if its kind says it all."""
    if "document" in content:
        return parts(content["document"], names)
    if kind == "rules":
        game = game_of(content["game"])
        return {say("Game"): say(game.name), **_rules(game, content["rules"])}
    if kind == "stakes":
        return _stakes(content["stakes"], content["was"])
    if kind == "dealers-choice":
        return {say("Each dealer chooses the game"): _value_words(content["dealer_chooses"])}
    if kind == "payments":
        return {say("After a round"): say(PAYMENT_KINDS[content["payments_by"]])}
    if kind == "buy-in":
        return {say("Starting stack"): units(content["buy_in"]) if content["buy_in"] else say("no")}
    if kind == "count":
        return {names[account]: units(counted) for account, counted in content["counted"]}
    if kind == "seats":
        seats = (_seat(names[str(player)], state) for player, state in content["seats"])
        return {say("Players"): ", ".join(seats)}
    if "player" in content:
        left = content.get("instead_of")
        said = {say("Player"): names[str(content["player"])]}
        if kind == "scorekeeper":
            return {**said, say("Keeps score"): _value_words(content["keeps_score"])}
        if content.get("by_lot"):
            said[say("Drawn by lot")] = _value_words(True)
        return said if left is None else {**said, say("Instead of"): names[str(left)]}
    values = {label: content[key] for key, label in _LABELS.items() if key in content}
    return {say(label): _value_words(value) for label, value in values.items() if value}


def _stakes(stakes: Mapping[str, int], was: Mapping[str, int]) -> Parts:
    """Describe the stakes that were set, and those that a game no longer has."""
    said = {}
    for game in sorted(stakes.keys() | was.keys(), key=lambda game: (game != EVERY_GAME, game)):
        if stakes.get(game) != was.get(game):
            label = say("Stake") if game == EVERY_GAME else say("Stake in {game}", game=Message(game_of(game).name))
            as_others = say("as at first") if game == EVERY_GAME else say("as in other games")
            said[label] = units(stakes[game]) if game in stakes else as_others
    return said


def _seat(name: str, state: str) -> str:
    return f"{name} ({say(_STATES[state])})" if state in _STATES else name


def _rules(game: AnyGame, rules: Mapping[str, Any]) -> Parts:
    """Describe every house rule, including the defaults."""
    said = {}
    for option in game.house_rules:
        value = rules.get(option.key, option.default)
        said[say(option.label)] = say(option.choices.get(value, "")) if option.choices else _value_words(value)
    return said


def _hand(hand: str | list[str], pieces: PieceSet[Any]) -> str:
    """Write a hand for people; tokens that aren't pieces of the set stay as typed."""
    tokens = pieces.tokens(hand) if isinstance(hand, str) else list(map(str, hand))
    with_pieces = [(token, pieces.find(token)) for token in tokens]
    return " ".join(as_text(piece) if piece is not None else token for token, piece in with_pieces)


def _movement(document: Mapping[str, Any], names: Mapping[str, str]) -> Parts:
    movement = say(MOVEMENTS[document["movement"]])
    if "from" not in document:
        return {say("Movement"): movement}
    if document["movement"] == COST:
        return {
            say("Movement"): movement,
            say("Who paid"): names[document["by"]],
            say("How much"): cost_amount(document),
            say("For whom"): ", ".join(sharers(document, names)),
            say("What for"): document["note"],
        }
    if document["movement"] == REBUY:
        return {
            say("Movement"): movement,
            say("Player"): names[document["to"]],
            say("How much"): units(document["amount"]),
        }
    return {
        say("Movement"): movement,
        say("Who pays or owes it"): names[document["from"]],
        say("To whom"): names[document["to"]],
        say("How much"): units(document["amount"]),
        say("Note"): document["note"],
    }


def _answers(label: str, answer: object, names: Mapping[str, str], written: Callable[[int], str]) -> Parts:
    if isinstance(answer, Mapping):
        return {f"{names[player]}: {label}": written(number) for player, number in answer.items()}
    if isinstance(answer, list):
        return {label: ", ".join(_bet(part, names) if isinstance(part, Mapping) else names[part] for part in answer)}
    # an unticked box is the same as a question that wasn't asked
    return {label: names[answer] if isinstance(answer, str) else _value_words(answer) if answer else ""}


def _bet(action: Mapping[str, Any], names: Mapping[str, str]) -> str:
    player, kind, *amount = action.values()
    return " ".join([names[player], action_words(kind), *map(units, amount)])


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return str(value)


def differences_between(night: Night, documents: Sequence[Document]) -> list[Differences]:
    """List what each version of an entry, stored or about to be, says differently from the one before it."""
    names = account_names(night.group)
    versions = [parts(document, names) for document in with_texts(night.group_id, documents)]
    return [_differences(before, after) for before, after in pairwise(versions)]


def history_of(night: Night, line: Line) -> list[tuple[Revision, Differences]]:
    """List a line's revisions, oldest first, each with its differences from the one before."""
    changes = differences_between(night, [revision.document for revision in line.revisions])
    return list(zip(line.revisions, [[], *changes], strict=True))


def _differences(was: Parts, now: Parts) -> Differences:
    labels = dict.fromkeys(chain(was, now))
    return [(label, was.get(label, ""), now.get(label, "")) for label in labels if was.get(label) != now.get(label)]
