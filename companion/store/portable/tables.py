"""What an exported group is made of: its tables, nested as they are in the file.

To export one more table, add a `Table` here or in `night_tables`, under the one it belongs to: its fields say how it is
written, checked as untrusted input, and restored. Not exported are: what is computed from the rest; what is only for
tonight (drafts, join codes, which phone has which seat); and what opens a group (links), because a file can be forged
and a hash in it would be a way in.
"""

from __future__ import annotations

from companion.contract.names import folded
from companion.engine.pots import MOST_UNITS

from ..models import Group, Paid, PlannedPayment, Player, RuleSet, SettleUp
from .checks import check_plan, check_rule_sets
from .fields import AccountKey, Flag, Moment, Name, Numbered, OneOf, Ref, Text, Whole
from .game_fields import Options, RulesName
from .night_tables import SESSIONS
from .table import AT, CURRENCY, DEVICE, PUBLIC_ID, Table, submission_key

PLAYERS = Table(
    key="players",
    noun="player",
    model=Player,
    owner="group_id",
    fields=(
        Numbered(key="player", prefix="p", kind="player"),
        Name(key="name", column="name", is_unique=True),
        Flag(key="retired", column="retired"),
    ),
    more=lambda row, _at: {"folded": folded(row["name"])},
)

PAID = Table(
    key="paid",
    noun="tick",
    model=Paid,
    owner="payment_id",
    fields=(
        Whole(key="amount", column="amount", least=-MOST_UNITS, most=MOST_UNITS),
        submission_key(),
        DEVICE,
        AT,
    ),
)

PAYMENTS = Table(
    key="payments",
    noun="payment",
    model=PlannedPayment,
    owner="settle_up_id",
    order="position",
    fields=(
        AccountKey(key="from", column="payer", of="player"),
        AccountKey(key="to", column="payee", of="player"),
        Whole(key="amount", column="amount", least=1, most=10**18),
    ),
    tables=(PAID,),
    more=lambda _row, at: {"position": at},
)

PLANS = Table(
    key="plans",
    noun="plan",
    model=SettleUp,
    owner="group_id",
    fields=(
        Text(key="id", column="public_id", least=1, most=16, pattern=PUBLIC_ID, is_unique=True, kind="plan"),
        submission_key(),
        Ref(key="session", column="session_id", of="session", is_null=True),
        CURRENCY,
        Ref(key="replaced_by", column="replaced_by_id", of="plan", is_null=True, is_self_reference=True),
        DEVICE,
        AT,
    ),
    tables=(PAYMENTS,),
    check=check_plan,
)

RULE_SETS = Table(
    key="rule_sets",
    noun="house rules",
    model=RuleSet,
    owner="group_id",
    fields=(
        OneOf(key="game", column="game"),
        RulesName(key="name", column="name"),
        Options(key="rules", column="rules"),
    ),
    is_optional=True,
    more=lambda row, _at: {"folded": folded(row["name"])},
)

GROUP = Table(
    key="group",
    noun="group",
    model=Group,
    owner="",
    fields=(
        Text(key="id", column="public_id", least=1, most=16, pattern=PUBLIC_ID),
        Name(key="name", column="name", is_player=False),
        Moment(key="made_at", column="made_at"),
    ),
    tables=(PLAYERS, SESSIONS, PLANS, RULE_SETS),
    more=lambda _row, _at: {"is_complete": False},
    check=check_rule_sets,
)
