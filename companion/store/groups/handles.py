"""How players get paid: an account number, the name in a payment app, or just "cash".

They are checked where a check exists, and only ever shown to those who pay that player; see `web.night.money.paying`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import delete, select

from companion.engine.messages import Message
from companion.engine.names import has_control_characters

from ..db.database import execute, retry_transaction, transaction
from ..log.sent_forms import is_new
from ..models import Group, PayHandle, db
from ..refusals import Refused, Sent
from .deleting import must_stand
from .turns import must_be_written_here

MAX_LENGTH = 100
_DIGITS_OF_CLABE, _WEIGHTS = 18, (3, 7, 1)
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_GAPS = re.compile(r"[\s-]")


def is_clabe(digits: str) -> bool:
    """Return whether 18 digits are a CLABE: the last one follows from the others by the weights 3, 7, 1."""
    if not (digits.isascii() and digits.isdigit() and len(digits) == _DIGITS_OF_CLABE):
        return False
    *first, last = map(int, digits)
    return -sum(digit * _WEIGHTS[at % 3] % 10 for at, digit in enumerate(first)) % 10 == last


def is_iban(text: str) -> bool:
    """Return whether capitals and digits are an IBAN: its check digits, and the form it has in its country."""
    from stdnum import iban  # 1.3 MB of memory, for the few who type one

    # the checks within a country's number aren't packed for the app on one phone, and every place is to agree
    return bool(_IBAN.fullmatch(text)) and iban.is_valid(text, check_country=False)


def _of_form(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None


@dataclass(frozen=True)
class HandleKind:
    """A way to be paid: its label, what tells a right one, what is said of a wrong one, and the beginnings left out."""

    label: Message | str
    is_right: Callable[[str], bool]
    problem: Message
    beginnings: tuple[str, ...] = ()
    has_gaps: bool = False

    def tidied(self, text: str) -> str:
        """Return what was typed without spaces around it, gaps between digits, and the beginning of an app's link."""
        handle = text.strip()
        for beginning in self.beginnings:
            if handle.lower().startswith(beginning):
                handle = handle[len(beginning) :]
        return _GAPS.sub("", handle).upper() if self.has_gaps else handle


def _name_in(app: str, pattern: str, *beginnings: str) -> HandleKind:
    problem = Message("Enter only the name in {app}, without spaces", app=app)
    return HandleKind(app, _of_form(pattern), problem, ("https://", "www.", *beginnings, "@"))


_A_FEW_WORDS = Message("Enter a few words, such as “after the game”")
KINDS = {
    "clabe": HandleKind("CLABE", is_clabe, Message("This CLABE isn't right; check its 18 digits"), has_gaps=True),
    "iban": HandleKind("IBAN", is_iban, Message("This IBAN isn't right; check its letters and digits"), has_gaps=True),
    "phone": HandleKind(
        Message("Phone (DiMo, Bizum)"),
        _of_form(r"\+?[0-9]{7,15}"),
        Message("A phone number has 7 to 15 digits"),
        has_gaps=True,
    ),
    "venmo": _name_in("Venmo", r"[A-Za-z0-9_-]{5,30}", "venmo.com/", "u/"),
    "paypal": _name_in("PayPal.me", r"[A-Za-z0-9]{1,20}", "paypal.me/", "paypal.com/paypalme/"),
    "revolut": _name_in("Revolut", r"[A-Za-z0-9]{3,16}", "revolut.me/"),
    "upi": HandleKind(
        "UPI",
        _of_form(r"[A-Za-z0-9._-]{2,64}@[A-Za-z][A-Za-z0-9]{1,63}"),
        Message("A UPI id looks like name@bank"),
    ),
    "cash": HandleKind(Message("Cash"), bool, _A_FEW_WORDS),
    "other": HandleKind(Message("Other"), bool, _A_FEW_WORDS),
}


def tidied(kind: str, text: str) -> str:
    """Return a handle as it is stored; raises Refused if it isn't right."""
    known = KINDS.get(kind)
    if known is None:
        raise Refused(Message("Choose how from the list"))
    handle = known.tidied(text)
    if len(handle) > MAX_LENGTH or has_control_characters(handle) or not known.is_right(handle):
        raise Refused(known.problem)
    return handle


def handles_of(group_id: int, player_id: int) -> dict[str, str]:
    """Return how a player gets paid, by kind in the order of `KINDS`."""
    query = select(PayHandle.kind, PayHandle.text).where(
        PayHandle.group_id == group_id, PayHandle.player_id == player_id
    )
    handles: dict[str, str] = dict(execute(query).all())
    return {kind: handles[kind] for kind in KINDS if kind in handles}


@retry_transaction
def set_handle(group: Group, player_id: int, kind: str, text: str, sent: Sent) -> None:
    """Store how a player gets paid in one way, in place of what it was; an empty text removes it."""
    handle = tidied(kind, text) if text.strip() else ""
    with transaction():
        must_stand(group)
        if not is_new(group.id, sent.key, ["handle", player_id, kind, handle]):
            return
        must_be_written_here(group)
        of_this = (PayHandle.group_id == group.id, PayHandle.player_id == player_id, PayHandle.kind == kind)
        execute(delete(PayHandle).where(*of_this))
        if handle:
            db.session.add(PayHandle(group_id=group.id, player_id=player_id, kind=kind, text=handle))
