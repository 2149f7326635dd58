"""Writes the messages to webhooks: what has happened, with players by name, and never with a hand.

Their form and their signatures are those of the Standard Webhooks specification. A message is written when it is sent.
"""

from __future__ import annotations

import base64
import hmac
from decimal import Decimal
from typing import Any

from babel.numbers import get_currency_precision

from companion.games import all_games
from companion.store.groups.webhooks import key_of
from companion.store.log.deliveries import TEST, Outgoing
from companion.store.models import Group, Night, Paid, PlannedPayment, SettleUp, db
from companion.store.night import play

from .shown import accounts_in, night_document, round_documents

Document = dict[str, Any]


def headers(message: Outgoing, body: bytes, timestamp: int) -> dict[str, str]:
    """Return the headers of a message that is sent at this time (in seconds since 1970), with its signature."""
    signed = f"{message.key}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.digest(key_of(message.group_id, message.salt), signed, "sha256")).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": "table-companion",
        "webhook-id": message.key,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }


def written(message: Outgoing) -> Document:
    """Return the body of a message; the OpenAPI document describes it as `WebhookMessage`."""
    group = db.session.get_one(Group, message.group_id)
    night = db.session.get_one(Night, (message.group_id, message.night_id)) if message.night_id is not None else None
    data: Document = {"group": {"id": group.public_id, "name": group.name}, "night": None, "round": None}
    data |= {"payment": None, "text": "This is a test of Table Companion"}
    if night is not None:
        data["night"] = night_document(night)
    if message.event.startswith("round.") and night is not None:
        saved = round_documents(night, [play.revision_by(night, message.subject_id or 0)])[0]
        data["round"] = {key: saved[key] for key in ("number", "round", "revision", "voided", "net")}
        data["round"]["game"] = saved["document"]["game"]
        data["text"] = _of_round(message.event, data["round"], night.currency)
    elif message.event == "payment.ticked":
        data["payment"], data["text"] = _of_payment(group, message.subject_id or 0)
    elif message.event != TEST:
        data["text"] = _of_night(message.event, data["night"])
    return {"type": message.event, "timestamp": message.at.isoformat(timespec="seconds"), "data": data}


def _amount(units: int, currency: str | None, sign: str = "") -> str:
    """Write an amount as a bot shows it: chips, or money such as 12.50 EUR."""
    if currency is None:
        return format(units, f"{sign}")
    return f"{format(Decimal(units).scaleb(-get_currency_precision(currency)), f'{sign}f')} {currency}"


def _nets(nets: dict[str, int], currency: str | None) -> str:
    return ", ".join(f"{name} {_amount(units, currency, '+' if units else '')}" for name, units in nets.items())


def _of_round(event: str, round: Document, currency: str | None) -> str:
    game = all_games().get(round["game"])
    which = f"Round {round['round']}, {game.name if game else round['game']}"
    if event == "round.voided":
        return f"{which}: voided"
    return f"{which}{', corrected' if event == 'round.corrected' else ''}: {_nets(round['net'], currency)}"


def _of_night(event: str, night: Document) -> str:
    if event == "night.opened":
        return f"The night has begun: {', '.join(player['name'] for player in night['players'])}"
    currency = night["currency"]
    won = _nets({row["name"]: row["balance"] for row in night["standings"]}, currency)
    due = [(payment, payment["amount"] - payment["paid"]) for payment in night["payments"]]
    pays = [f"{payment['from']} pays {payment['to']} {_amount(rest, currency)}" for payment, rest in due if rest]
    return ". ".join([f"The night is over: {won}", *pays])


def _of_payment(group: Group, paid_id: int) -> tuple[Document, str]:
    """Describe a payment, of which a negative amount was taken back."""
    query = (
        db.select(Paid, PlannedPayment, SettleUp)
        .join(PlannedPayment, (PlannedPayment.id == Paid.payment_id) & (PlannedPayment.group_id == Paid.group_id))
        .join(SettleUp, (SettleUp.id == PlannedPayment.settle_up_id) & (SettleUp.group_id == Paid.group_id))
        .where(Paid.id == paid_id, Paid.group_id == group.id)
    )
    paid, payment, plan = db.session.execute(query).unique().one()
    names, currency = accounts_in(group), plan.currency
    ends = {"from": names[payment.payer], "to": names[payment.payee]}
    document = {**ends, "amount": paid.amount, "paid": payment.sum_paid, "due": payment.amount, "currency": currency}
    means = f"{ends['from']} paid {ends['to']} {_amount(abs(paid.amount), currency)}"
    return document, means if paid.amount > 0 else f"Taken back: {means}"
