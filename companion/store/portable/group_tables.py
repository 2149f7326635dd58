"""What an exported group is made of: its tables, nested as they are in the file.

To export one more table, add an `ExportedTable` here or in `night_tables`, under the one it belongs to: its fields say
how it is written, checked as untrusted input, and restored. Not exported are: what is computed from the rest; what is
only for tonight (drafts, join codes, which phone has which seat); and what opens a group (links), because a file can be
forged and a hash in it would be a way in.
"""

from __future__ import annotations

from dataclasses import replace

from companion.contract.names import folded
from companion.engine.pots import MOST_UNITS

from ..models import Group, Paid, PlannedPayment, Player, RuleSet, SettleUp
from .checks import check_plan, check_rule_sets
from .exported_table import AT, CURRENCY, DEVICE, PUBLIC_ID, SUBMISSION_KEY, ExportedTable
from .fields import AccountKey, Flag, Name, Numbered, OneOf, Ref, Timestamp, Whole
from .game_fields import OptionsField
from .night_tables import SESSIONS

PLAYERS = ExportedTable(
    key="players",
    noun="player",
    model=Player,
    owner="group_id",
    fields=(
        Numbered("player", prefix="p", kind="player", is_stored=False),
        Name("name", is_unique=True),
        Flag("retired"),
    ),
    more=lambda row, _at: {"folded": folded(row["name"])},
)

PAID = ExportedTable(
    key="paid",
    noun="tick",
    model=Paid,
    owner="payment_id",
    fields=(Whole("amount", least=-MOST_UNITS, most=MOST_UNITS), SUBMISSION_KEY, DEVICE, AT),
)

PAYMENTS = ExportedTable(
    key="payments",
    noun="payment",
    model=PlannedPayment,
    owner="settle_up_id",
    order="position",
    fields=(
        AccountKey("from", column="payer", of="player"),
        AccountKey("to", column="payee", of="player"),
        Whole("amount", least=1, most=10**18),
    ),
    tables=(PAID,),
    more=lambda _row, at: {"position": at},
)

PLANS = ExportedTable(
    key="plans",
    noun="plan",
    model=SettleUp,
    owner="group_id",
    fields=(
        replace(PUBLIC_ID, is_unique=True, kind="plan"),
        SUBMISSION_KEY,
        Ref("session", column="session_id", of="session", is_null=True),
        CURRENCY,
        Ref("replaced_by", column="replaced_by_id", of="plan", is_null=True, is_self_reference=True),
        DEVICE,
        AT,
    ),
    tables=(PAYMENTS,),
    check=check_plan,
)

RULE_SETS = ExportedTable(
    key="rule_sets",
    noun="house rules",
    model=RuleSet,
    owner="group_id",
    fields=(OneOf("game"), Name("name", of="rules"), OptionsField("rules")),
    is_optional=True,
    more=lambda row, _at: {"folded": folded(row["name"])},
)

GROUP = ExportedTable(
    key="group",
    noun="group",
    model=Group,
    owner="",
    fields=(PUBLIC_ID, Name("name", of="group"), Timestamp("made_at")),
    tables=(PLAYERS, SESSIONS, PLANS, RULE_SETS),
    more=lambda _row, _at: {"is_complete": False},
    check=check_rule_sets,
)
