"""Operations on nights: opening and closing one, and booking and voiding movements other than rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import abort, url_for

from companion.contract.reading.parts import PartsReader
from companion.engine.game import AnyGame
from companion.engine.messages import Message, quoted
from companion.engine.money.settlement import POT
from companion.engine.names import find_name
from companion.engine.players import PlayerKey
from companion.engine.problems import Code, Problem
from companion.games import all_games
from companion.store.groups import groups as store
from companion.store.log.replay import BANK, COST, POT_MOVE, REBUY, is_of_pot
from companion.store.models import Group, Night
from companion.store.money.settle_up import plan_closed
from companion.store.night import chips, play
from companion.store.night import settings as night_changes
from companion.store.night.change import made_before
from companion.store.refusals import Sent

from ..text.money import is_currency
from .operations import NIGHT, Answer, movement_or_404, not_valid, operation, seen_version, sent
from .rounds import void
from .shown import movement_documents, night_document

Document = dict[str, Any]


def _problem(field: str, text: str, code: Code = "bad-value") -> Problem:
    return Problem(field, code, Message(text))


@operation("POST", "/nights", "keep", "Open a night", "Night", body="NewNight", status=201)
def open_night(group: Group, body: Document) -> Answer:
    made = sent(body)
    night = store.started_before(group, made.key, made.said)
    if night is None:
        night = _start(group, body, made)
    return night_document(night), night.version, url_for("api_v1.night", night=night.public_id)


def _start(group: Group, body: Document, made: Sent) -> Night:
    """Start a night; what the body leaves out is as in the last one, or as usual."""
    last, game = store.last_night(group), all_games().get(body["game"])
    problems = [] if game else [_problem("game", f"{quoted(body['game'])} isn't one of the games", "unknown-game")]
    active = {player.name: player.id for player in group.players if not player.retired}
    named = [find_name(name, active) for name in body["players"]]
    problems += _wrong_players(named, body["players"])
    currency, rules = body.get("currency"), body.get("rules", {})
    problems += _wrong_rules(game, rules)
    before = last if last is not None and last.currency == currency else None
    stake = body.get("stake", before.stake_units if before else None if currency else 1)
    if currency is not None and not is_currency(currency):
        problems.append(_problem("currency", f"{quoted(currency)} isn't a currency's code, such as EUR"))
    if stake is None:
        problems.append(_problem("stake", "Say how many units a stake is worth", "missing-field"))
    elif currency is None and stake != 1:
        problems.append(_problem("stake", "In a night for chips, a stake is 1 chip at first"))
    if problems or game is None or stake is None:
        not_valid(problems)
    mine = {game.key: {**game.usual_rules, **rules}}
    known = dict(last.rules) if last else {}
    more: dict[str, Any] = {"said": made.said, "stakes": store.stakes_again(last, stake, currency)}
    all_rules = {**known, **mine} if "rules" in body else {**mine, **known}
    seats = [active[name] for name in named if name is not None]
    money: dict[str, Any] = {"stake_units": stake, "currency": currency, "buy_in": body.get("buy_in")}
    more["dealer_chooses"] = body.get("dealer_chooses", last is not None and last.dealer_chooses)
    return store.start_night(group, seats, game.key, all_rules, made.key, **money, **more)


def _wrong_players(named: list[str | None], entered: list[str]) -> Iterator[Problem]:
    for at, (name, asked) in enumerate(zip(named, entered, strict=True)):
        if name is None:
            yield _problem(f"players.{at}", f"{quoted(asked)} isn't an active player of this group", "unknown-player")
        elif name in named[:at]:
            yield _problem(f"players.{at}", f"{quoted(asked)} is named twice", "duplicate-player")


def _wrong_rules(game: AnyGame | None, rules: Document) -> list[Problem]:
    reader = PartsReader({})
    if game is not None:
        reader.read_options(game, rules)
    return reader.problems


@operation(
    "POST",
    f"{NIGHT}/close",
    "keep",
    "Close a night, and plan the payments that settle it",
    "Night",
    body="Closing",
    sees="night",
)
def close_night(night: Night, body: Document) -> Answer:
    made = sent(body, seen_version())
    if made_before(night, "close", made) is None:
        night_changes.close(night.public_id, body.get("split", False), made)
    closed = play.find_night(night.public_id) or abort(404)
    plan_closed(closed, made)
    return night_document(closed), closed.version, ""


@operation(
    "POST",
    f"{NIGHT}/movements",
    "keep",
    "Book a loan, side bet, buy-in, rebuy or cost",
    "Movement",
    body="NewMovement",
    status=201,
    sees="night",
)
def book_movement(night: Night, body: Document) -> Answer:
    made, kind = sent(body, seen_version()), "rebuy" if body["movement"] == REBUY else "movement"
    change = made_before(night, kind, made)
    if change is None:
        change = _book(night, body, made)
    return _revision(night, change)


@operation(
    "POST",
    f"{NIGHT}/movements/<int:number>/void",
    "keep",
    "Void a movement; later rounds follow",
    "Movement",
    sees="line",
)
def void_movement(night: Night, number: int) -> Answer:
    return _revision(night, void(night, movement_or_404(night, number)))


def _revision(night: Night, change: int) -> Answer:
    line, revision = play.revision_by(night, change)
    address = url_for("api_v1.movement", night=night.public_id, number=line.number)
    return movement_documents(night, [(line, revision)])[0], revision.number, address


def _book(night: Night, body: Document, made: Sent) -> int:
    """Book a movement; ends the request if its accounts aren't those of the night."""
    keys: dict[str, str] = {name: key for key, name in night.names.items()}
    if body["movement"] == REBUY:
        player = find_name(body["player"], keys)
        return chips.rebuy(night.public_id, _known(keys, "player", player, body["player"]), body["amount"], made)
    document = _cost(night, body, keys) if body["movement"] == COST else _debt(night, body, keys)
    return play.move(night.public_id, play.next_number(night), document, made)


def _known(keys: dict[str, str], field: str, name: str | None, entered: str) -> PlayerKey:
    if name is None:
        not_valid([_problem(field, f"{quoted(entered)} has no seat in this night", "unknown-player")])
    return PlayerKey(keys[name])


def _debt(night: Night, body: Document, keys: dict[str, str]) -> Document:
    """Return a loan, side bet or buy-in, or what goes into the pot or out of it."""
    ends, kind = {}, body["movement"]
    for field in ("from", "to"):
        named = find_name(body[field], keys)
        ends[field] = body[field] if body[field] in (POT, BANK) else str(_known(keys, field, named, body[field]))
    if ends["from"] == ends["to"]:
        not_valid([_problem("to", "Nobody can owe themselves")])
    if (POT in ends.values()) != (kind == POT_MOVE) or (kind == POT_MOVE and not is_of_pot(ends["from"], ends["to"])):
        not_valid([_problem("to", f"A movement of kind {POT_MOVE}, and no other, is between the pot and a player")])
    if kind == "buy-in" and night.buy_in_units is not None:
        not_valid([_problem("movement", f"This night has stacks: book a {REBUY}")])
    return {"movement": kind, **ends, "amount": body["amount"], "note": body.get("note", "").strip()}


def _cost(night: Night, body: Document, keys: dict[str, str]) -> Document:
    """Return what somebody paid for others, settled apart from the games if it has a currency."""
    payer = _known(keys, "by", find_name(body["by"], keys), body["by"])
    weights = {
        _known(keys, f"shares.{name}", find_name(name, keys), name): weight for name, weight in body["shares"].items()
    }
    if len(weights) < len(body["shares"]):
        not_valid([_problem("shares", "Somebody is named twice", "duplicate-player")])
    if not set(weights) - {payer}:
        not_valid([_problem("shares", "Somebody else than who paid must share it")])
    currency = body.get("currency")
    if (currency is None and night.currency is None) or (currency is not None and not is_currency(currency)):
        not_valid([_problem("currency", "A cost needs a currency's code, such as EUR, in a night for chips")])
    if currency is not None and night.currency not in (None, currency):
        not_valid([_problem("currency", f"This night's costs are in {night.currency}")])
    shares = [[str(key), weights[PlayerKey(key)]] for key in keys.values() if PlayerKey(key) in weights]
    entry = {"movement": COST, "by": str(payer), "amount": body["amount"], "shares": shares}
    return {**entry, "note": body.get("note", "").strip(), **({"currency": currency} if currency else {})}
