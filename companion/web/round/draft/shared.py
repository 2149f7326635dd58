"""The round that all of a night's phones enter together, as one of them may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.contract import Progress, may_reveal_hands
from companion.table.sight import FaceDown

from ...access.lookup import is_own_hand
from ...text.language import say
from ..form.fields import RoundForm
from ..form.live import live, progress_of, sizes_of
from ..next_round import NightRound
from .draft_cells import drafted_form, hands_in


@dataclass(frozen=True)
class SharedRound:
    """The round being entered, its form with what this phone may see of the draft, and how far it is.

    `hands` is what everybody may know of the hands in it, by seat.
    """

    round: NightRound
    form: RoundForm
    hands: Mapping[int, FaceDown]
    progress: Progress

    @property
    def may_be_revealed(self) -> bool:
        """Whether all hands that must be shown are in."""
        return may_reveal_hands(self.progress.entered, sizes_of(self.form, self.hands))


def shared_round(round: NightRound) -> SharedRound:
    """Fill the next round with the draft, and evaluate it, as far as this phone may see it."""
    form = drafted_form(round)
    return SharedRound(round, form, hands_in(round, form, round.hands), progress_of(form))


def live_here(shared: SharedRound) -> dict[str, Any]:
    """Return the live reading for this phone; there is no result while hands lie face down on it."""
    round, reading = shared.round, live(shared.form, shared.progress)
    own = f"players-{round.my_seat}-" if round.my_seat is not None and is_own_hand(round.before.night) else ""
    settled = None if shared.form.face_down else reading["settled"]
    wrong = _fixable_here(reading["wrong"], own)
    if own and round.is_shown:
        wrong = _claimed_twice(shared, wrong)
    return {**reading, "settled": settled, "wrong": wrong}


def problem_here(round: NightRound) -> str:
    """Say what is wrong on this phone once all hands are shown, for a page without the script; "" if nothing is."""
    wrong = live_here(shared_round(round))["wrong"] if round.is_shown else []
    return str(wrong[0]["text"]) if wrong else ""


def _claimed_twice(shared: SharedRound, wrong: list[dict[str, str]]) -> list[dict[str, str]]:
    """Tell both players whose hands have the same card, each in the second person; only once all hands are shown."""
    round, claims = shared.round, []
    for problem in shared.progress.wrong:
        values = problem.message.values
        claimants = [values.get("player"), values.get("other")]
        if problem.code == "duplicate-card" and round.me in claimants and all(claimants):
            (rival,) = (player for player in claimants if player != round.me)
            text = say("{card} is in your hand and in {player}'s", card=values["card"], player=rival)
            claims.append({"id": f"players-{round.my_seat}-hand", "text": text})
            wrong = [shown for shown in wrong if shown["text"] != say(problem.message)]
    return [*claims, *wrong]


def _fixable_here(wrong: list[dict[str, str]], own: str) -> list[dict[str, str]]:
    """Return the problems this phone can fix: if it enters only its own hand, none in other seats."""
    return [problem for problem in wrong if problem["id"].startswith(own) or not problem["id"].startswith("players-")]
