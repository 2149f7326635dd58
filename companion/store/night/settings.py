"""What can be done with a night as a whole: its seats, house rules and note, closing and reopening it.

Each change is one transaction, made by `change.apply`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from companion.engine.game import turn_order
from companion.engine.messages import Message
from companion.games import game_of

from ..groups.groups import bring_in
from ..groups.links import free_join_code
from ..groups.next_night import CLOCK
from ..log import ledger
from ..log.ledger import Accounts
from ..log.replay import LineEntry, work_out
from ..models import Change, Line, Night, Seat, db, now
from ..night_key import columns_of_night, of_night
from ..refusals import Conflict, Refused, Sent
from .change import apply, must_be_open
from .hand_in_play import keep_dealer, keep_stake
from .play import last_round, next_number, set_next_game

Seats = Sequence[tuple[int, str]]  # (player id, state) in seat order


def set_seats(public_id: str, seats: Seats, sent: Sent, said: Any = None) -> int:
    """Set the seats. Players who aren't listed have left. Rule: C-7.

    `said` is what the form said, if the seats follow from what they were before.
    """

    def work(night: Night, change: int) -> None:
        _seat(night, seats)

    return apply(public_id, sent, "seats", {"seats": [list(seat) for seat in seats]}, work, said=said)


def seat_newcomer(public_id: str, name: str, sent: Sent) -> int:
    """Add a player to the group, or bring a retired one back, and give them the last seat. Rule: C-7."""
    seats: list[tuple[int, str]] = []

    def content(night: Night) -> dict[str, Any]:
        must_be_open(night)
        player = bring_in(night.group, name)
        others = ((seat.player_id, seat.state) for seat in night.seats if seat.player_id != player.id)
        seats[:] = [*others, (player.id, "in")]
        return {"seats": [list(seat) for seat in seats]}

    return apply(public_id, sent, "seats", content, lambda night, change: _seat(night, seats), said=name.strip())


def _seat(night: Night, seats: Seats) -> None:
    if not {player for player, _ in seats} <= {player.id for player in night.group.players}:
        raise Refused(Message("Only players of this group can sit at its table"))
    keep_dealer(night)
    known, accounts = {seat.player_id: seat for seat in night.seats}, Accounts.of(night)
    for position, (player, state) in enumerate(_with_those_who_left(list(known), seats)):
        if player in known:
            known[player].position, known[player].state = position, state
        else:
            place = {"player_id": player, "position": position, "state": state}
            db.session.add(Seat(**columns_of_night(night), **place))
            accounts.id_of(str(player))
    db.session.flush()
    db.session.expire(night, ["seats"])


def _with_those_who_left(before: Sequence[int], seats: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Add the players who have left, each after their former neighbour, because the deal still passes their seat."""
    order = list(seats)
    for at, player in enumerate(before):
        named = [other for other, _ in order]
        if player not in named:
            neighbour = before[at - 1] if at else None
            order.insert(named.index(neighbour) + 1 if neighbour is not None else 0, (player, "left"))
    return order


def set_rules(public_id: str, game: str, rules: Mapping[str, Any], sent: Sent) -> int:
    """Set the next round's game, and its house rules for the rest of the night."""

    def work(night: Night, change: int) -> None:
        set_next_game(night, game, rules)

    return apply(public_id, sent, "rules", {"game": game, "rules": dict(rules)}, work)


def set_stakes(public_id: str, stakes: Mapping[str, int], seen: Mapping[str, int], sent: Sent) -> int:
    """Replace `Night.stakes` from the next round on; a hand that is being played keeps its stake. Rule: C-1.

    `seen` are those that the page showed; raises Conflict if another phone has changed them since.
    """

    def work(night: Night, change: int) -> None:
        if night.stakes != seen:
            raise Conflict(Message("The stake was just changed on another phone; check it first"))
        keep_stake(night)
        night.stakes = dict(stakes)

    return apply(public_id, sent, "stakes", {"stakes": dict(stakes), "was": dict(seen)}, work)


def set_dealers_choice(public_id: str, dealer_chooses: bool, sent: Sent) -> int:
    """Set whether the dealers choose the game, from the next hand on."""

    def work(night: Night, change: int) -> None:
        night.dealer_chooses = dealer_chooses

    return apply(public_id, sent, "dealers-choice", {"dealer_chooses": dealer_chooses}, work)


def set_payments_by(public_id: str, way: str, sent: Sent) -> int:
    """Set which payments the night's results show on all phones: "chips" handed over, or the "score". Rule: C-12."""

    def work(night: Night, change: int) -> None:
        night.payments_by = way

    return apply(public_id, sent, "payments", {"payments_by": way}, work)


def stakes_before(night: Night) -> dict[str, int] | None:
    """Return `Night.stakes` before they were last set; None if they never were."""
    query = select(Change.content).where(*of_night(Change, night), Change.kind == "stakes")
    content = db.session.scalar(query.order_by(Change.id.desc()).limit(1))
    return None if content is None else content["was"]


def write_note(public_id: str, place: str, note: str, sent: Sent, last_round: str | None = None) -> int:
    """Set a night's place, its note and the time of its last round ("01:00"), even after it was closed."""
    if last_round is not None and not CLOCK.fullmatch(last_round):
        raise Refused(Message("The last round is at a time like 01:00"))

    def work(night: Night, change: int) -> None:
        night.place, night.note, night.last_round = place, note, last_round

    content = {"place": place, "note": note, **({"last_round": last_round} if last_round else {})}
    return apply(public_id, sent, "note", content, work, even_if_closed=True)


def close(public_id: str, split: bool, sent: Sent) -> int:
    """Close a night; with `split` the players of the last round first share the pot. Rule: C-6."""

    def work(night: Night, change: int) -> None:
        last, number = last_round(night, voided_too=False), next_number(night)
        accounts = Accounts.of(night)
        if split and accounts.pot and last is not None:
            entry = LineEntry(number, {"movement": "split", "players": _turn_order(last)})
            ledger.add_line(accounts, work_out(entry, accounts.pot), change)
        night.closed_at = now()

    return apply(public_id, sent, "close", {"split": split}, work)


def _turn_order(line: Line) -> list[str]:
    document = line.current.document
    return list(turn_order(document["players"], document["dealer"], game_of(document["game"]).direction))


def reopen(public_id: str, sent: Sent) -> int:
    """Reopen a closed night. Its code stays, and with it the phones that joined, unless a link was renewed since."""

    def work(night: Night, change: int) -> None:
        night.closed_at, night.join_code = None, night.join_code or free_join_code()

    return apply(public_id, sent, "reopen", {}, work, even_if_closed=True)
