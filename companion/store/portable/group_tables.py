"""What an exported group is made of: its tables, nested as they are in the file.

To export one more table, add an `ExportedTable` here or in `night_tables`, and a `RowList` of it to its owner: its
fields say how it is written, checked as untrusted input, and restored. Not exported are: what is computed from the
rest; what is only for tonight (drafts, join codes, which phone has which seat); and what opens a group (links), because
a file can be forged and a hash in it would be a way in.
"""

from __future__ import annotations

from companion.engine.pots import MAX_UNITS

from ..models import Group, Paid, PlannedPayment, Player, RuleSet, SettleUp
from .checks import check_group, check_plan
from .exported_table import CURRENCY, DEVICE, PUBLIC_ID, SUBMISSION_KEY, ExportedTable, RowList, checked
from .fields import AccountKey, Flag, Name, Numbered, Ref, Row, SelfRef, Timestamp, Whole, Word
from .game_fields import OptionValues
from .night_tables import NightTable


class PlayerTable(ExportedTable):
    """The roster."""

    model, owner, names = Player, "group_id", ("player", "name")
    player = Numbered("p")
    name = Name()
    retired = Flag()


class PaidTable(ExportedTable):
    """Ticks: what was paid of a planned payment, or taken back."""

    model, owner = Paid, "payment_id"
    submission_key = SUBMISSION_KEY
    amount = Whole(-MAX_UNITS, MAX_UNITS)
    device = DEVICE
    at = Timestamp()


class PaymentTable(ExportedTable):
    """The payments of a plan."""

    model, owner, order = PlannedPayment, "settle_up_id", "position"
    payer = AccountKey("players", data_key="from")
    payee = AccountKey("players", data_key="to")
    amount = Whole(1, 10**18)
    paid = RowList(PaidTable)


class PlanTable(ExportedTable):
    """Plans to settle up."""

    model, owner, names = SettleUp, "group_id", ("id", "key")
    public_id = PUBLIC_ID
    submission_key = SUBMISSION_KEY
    night_id = Ref("nights", data_key="night", allow_none=True)
    currency = CURRENCY
    replaced_by_id = SelfRef("plans", data_key="replaced_by", allow_none=True)
    device = DEVICE
    at = Timestamp()
    payments = RowList(PaymentTable)
    check = checked(check_plan)


class RuleSetTable(ExportedTable):
    """Saved house rules."""

    model, owner = RuleSet, "group_id"
    game = Word()
    name = Name("rules")
    rules = OptionValues()


class GroupTable(ExportedTable):
    """The group itself."""

    model = Group
    public_id = PUBLIC_ID
    name = Name("group")
    made_at = Timestamp()
    players = RowList(PlayerTable)
    nights = RowList(NightTable)
    plans = RowList(PlanTable)
    rule_sets = RowList(RuleSetTable, load_default=None)
    check = checked(check_group)

    def more(self, row: Row) -> Row:
        return {"is_complete": False}


GROUP = GroupTable()
