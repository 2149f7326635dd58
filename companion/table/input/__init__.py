"""What phones do at a table: `actions` of the hand that is played, and what is typed (`entering`)."""

from .actions import ACTIONS, carry_out, must_set_dealer
from .asked import Asked
from .entering import Typed, accepted, kept_by

__all__ = ["ACTIONS", "Asked", "Typed", "accepted", "carry_out", "kept_by", "must_set_dealer"]
