"""Writes what is stored of a group as JSON documents, with players by name. A draft is in none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from companion.contract import settlement_document
from companion.contract.naming import renamed
from companion.engine.guard import GameFailed
from companion.engine.money.settlement import POT
from companion.store.log import ledger
from companion.store.log.replay import BANK, Unsettled, is_absent, settled
from companion.store.log.typed import with_texts
from companion.store.models import Access, Group, Line, Night, Revision
from companion.store.money import settle_up
from companion.store.money.stacks import rules_in_force, stacks_of
from companion.store.night.reading import load_written, round_counts, round_numbers
from companion.store.night.won import won_in

Document = dict[str, Any]


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")


def accounts_in(group: Group) -> dict[str, str]:
    """Return the names of a group's accounts by key: its players, the pot and the bank."""
    return {**group.names, POT: POT, BANK: BANK}


def group_document(group: Group, right: Access) -> Document:
    """Describe a group, and what the token may do in it."""
    players = [{"name": player.name, "retired": player.retired} for player in group.players]
    about = {"id": group.public_id, "name": group.name, "right": right, "players": players}
    return {**about, "handed_over_at": _time(group.handed_over_at)}


def _about(night: Night) -> Document:
    times = {"opened_at": _time(night.opened_at), "closed_at": _time(night.closed_at)}
    return {"id": night.public_id, **times, "place": night.place, "currency": night.currency}


def night_list(group: Group, nights: Sequence[Night]) -> list[Document]:
    """Describe nights in a list: what everybody won or lost, and what is left in the pot."""
    names, won = group.names, won_in({night.id: group.id for night in nights})
    nets = {id_: {names[key]: units for key, units in sums.items() if key in names} for id_, sums in won.items()}
    return [{**_about(night), "net": nets[night.id], "pot": won[night.id].get(POT, 0)} for night in nights]


def night_document(night: Night) -> Document:
    """Describe a night with its standings and what settles it."""
    names, balances = night.names, ledger.balances(night)
    stacks = stacks_of(night, balances)
    held: Mapping[str, int] = stacks.held if stacks else {}
    states = {str(seat.player_id): seat.state for seat in night.seats}
    seats = [
        {"name": name, "state": states[key], "balance": balances.get(key, 0), "chips": held.get(key)}
        for key, name in names.items()
    ]
    standings = [{"name": names[key], "balance": balances[key]} for key in ledger.ranked(balances) if key in names]
    return {
        **_about(night),
        "note": night.note,
        "last_round": night.last_round,
        "game": night.game,
        "rules": rules_in_force(night, night.game),
        "stake": night.stake_of(night.game),
        "buy_in": night.buy_in_units,
        "dealer_chooses": night.dealer_chooses,
        "payments_by": night.payments_shown,
        "players": seats,
        "standings": standings,
        "pot": balances.get(POT, 0),
        "rounds": round_counts(night)[1],
        "payments": _payments(night),
    }


def _payments(night: Night) -> list[Document]:
    names, (plan, owed) = accounts_in(night.group), settle_up.plan_or_owed(night)
    planned = [(payment, payment.sum_paid) for payment in plan.payments] if plan else [(payment, 0) for payment in owed]
    return [
        {"from": names[payment.payer], "to": names[payment.payee], "amount": payment.amount, "paid": paid}
        for payment, paid in planned
    ]


def _about_line(line: Line, revision: Revision) -> Document:
    about = {"number": line.number, "revision": revision.number, "voided": revision.voided}
    return {**about, "saved_at": _time(revision.change.at)}


def round_documents(night: Night, saved: Sequence[tuple[Line, Revision]]) -> list[Document]:
    """Describe revisions of rounds, each with its settlement, unless it is voided or its game isn't installed."""
    load_written(night, [revision for _, revision in saved])
    numbers, names = round_numbers(night), night.group.names
    documents = with_texts(night.group_id, [revision.document for _, revision in saved])
    described = []
    for (line, revision), document in zip(saved, documents, strict=True):
        named = renamed(document, names)
        content = {"round": numbers[line.number], "document": named, "settlement": _settlement(revision, named)}
        described.append({**_about_line(line, revision), **content, "net": _net(revision, names)})
    return described


def _settlement(revision: Revision, named: Document) -> Document | None:
    """Return what `named` settles to: what POST /settle answers to it."""
    if revision.voided or is_absent(revision.document):
        return None
    try:
        return settlement_document(settled(named).settlement)
    except (GameFailed, Unsettled):  # a table's own game that was changed since
        return None


def _net(revision: Revision, names: Mapping[str, str]) -> dict[str, int]:
    """Return what the players gained or lost, as booked."""
    net = dict.fromkeys(revision.document["players"], 0)
    for move in ledger.moves_of(revision):
        for key, units in ((move.giver, -move.amount), (move.taker, move.amount)):
            if key in net:
                net[key] += units
    return {names[key]: units for key, units in net.items()}


def movement_documents(night: Night, saved: Sequence[tuple[Line, Revision]]) -> list[Document]:
    """Describe revisions of movements other than rounds."""
    load_written(night, [revision for _, revision in saved])
    names = accounts_in(night.group)
    documents = with_texts(night.group_id, [revision.document for _, revision in saved])
    pairs = zip(saved, documents, strict=True)
    return [{**_about_line(*saved_line), "document": _entry_named(document, names)} for saved_line, document in pairs]


def _entry_named(document: Document, names: Mapping[str, str]) -> Document:
    """Put names for the keys in a movement's entry."""
    named: Document = {key: names[value] if key in ("from", "to", "by") else value for key, value in document.items()}
    if "players" in named:
        named["players"] = [names[key] for key in named["players"]]
    if "shares" in named:
        named["shares"] = {names[key]: weight for key, weight in dict(document["shares"]).items()}
    return named
