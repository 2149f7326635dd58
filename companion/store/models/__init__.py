"""The database tables.

Groups, nights, their logs, payment plans, the rounds' results, webhooks, reminders, and rate limits.
"""

from .attempts import Attempt
from .base import (
    Base,
    Model,
    UtcDateTime,
    by_clock,
    db,
    month_of,
    new_join_code,
    new_public_id,
    next_at,
    now,
    offset_here,
)
from .hooks import Delivery, Subscription, Webhook
from .log import Account, BookedTransfer, Change, Line, Revision
from .night import EVERY_GAME, REVISIONS, Draft, Night, Seat
from .people import (
    Access,
    ApiToken,
    Coming,
    Group,
    Link,
    NextNight,
    PayHandle,
    Player,
    RuleSet,
    Season,
    SentForm,
    TypedText,
)
from .settling import Paid, PlannedPayment, SettleUp
from .sums import Duel, Result, Tally
from .upkeep import Upkeep

__all__ = [
    "EVERY_GAME",
    "REVISIONS",
    "Access",
    "Account",
    "ApiToken",
    "Attempt",
    "Base",
    "BookedTransfer",
    "Change",
    "Coming",
    "Delivery",
    "Draft",
    "Duel",
    "Group",
    "Line",
    "Link",
    "Model",
    "NextNight",
    "Night",
    "Paid",
    "PayHandle",
    "PlannedPayment",
    "Player",
    "Result",
    "Revision",
    "RuleSet",
    "Season",
    "Seat",
    "SentForm",
    "SettleUp",
    "Subscription",
    "Tally",
    "TypedText",
    "Upkeep",
    "UtcDateTime",
    "Webhook",
    "by_clock",
    "db",
    "month_of",
    "new_join_code",
    "new_public_id",
    "next_at",
    "now",
    "offset_here",
]
