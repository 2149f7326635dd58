"""Reads nights: their lines and rounds, and statistics such as the biggest pot and the turning point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import aliased, joinedload
from sqlalchemy.orm.attributes import set_committed_value

from companion.engine.money.payments import fewest_payments
from companion.engine.money.settlement import POT, Reason, WonPot, won_pot
from companion.games import game_of

from ..db.database import execute
from ..log.replay import APART_ACCOUNTS, COST, OWED_BACK, Document, Move, nets
from ..models import Account, BookedTransfer, Change, Group, Line, Night, Revision, db
from ..night_key import ANY_NIGHT, in_newest_nights, of_night, of_same_group, values_of_night

_MAX_OPEN = 20  # nights that somebody forgot to close stay open for ever
_LAST_NIGHTS = 5
_ROUND_COUNTS = (
    select(func.count(), func.count().filter(Revision.voided.is_(False)))
    .select_from(Line)
    .join(Line.current)
    .where(*of_night(Line, ANY_NIGHT), Line.game.is_not(None))
)


@dataclass(frozen=True, slots=True)
class NightLine:
    """A line that moved something; `moves` are between account keys, `game` is None if it isn't a round."""

    number: int
    game: str | None
    moves: tuple[Move, ...]

    @property
    def is_round(self) -> bool:
        return self.game is not None

    @property
    def is_result(self) -> bool:
        """Whether it was won and lost, and isn't just owed."""
        return not any(move.reason in OWED_BACK for move in self.moves)

    @property
    def nets(self) -> Counter[str]:
        return nets(move[:3] for move in self.moves)

    @property
    def pot(self) -> WonPot:
        """What was won from the pot, if it is a round."""
        reasons = {reason.key: reason for reason in game_of(self.game).reasons} if self.game else {}
        return won_pot((*move[:3], reasons.get(move.reason, Reason(move.reason))) for move in self.moves if self.game)


@dataclass(frozen=True, slots=True)
class NightSums:
    """The players' account keys in seat order, and the lines that moved something."""

    players: tuple[str, ...]
    lines: tuple[NightLine, ...]

    @property
    def balances(self) -> dict[str, list[int]]:
        """What each player is owed (negative: owes): 0 at first, then after each line."""
        return self._running(lambda line: True)

    @property
    def results(self) -> dict[str, list[int]]:
        """What each player has won or lost: 0 at first, then after each line.

        Counts rounds, side bets, chip counts and a split pot. Loans, buy-ins and shared costs are owed, so nobody wins
        by them.
        """
        return self._running(lambda line: line.is_result)

    def origins_of(self, player: str) -> dict[str, int]:
        """Return what a player won, lost or owes, in units, by where it comes from: "rounds", "cost" or "other"."""
        origins: Counter[str] = Counter()
        for line in self.lines:
            kind = "rounds" if line.is_round else COST if line.moves[0].reason == COST else "other"
            origins[kind] += line.nets[player]
        return {kind: origins[kind] for kind in ("rounds", COST, "other") if origins[kind]}

    def _running(self, counts: Callable[[NightLine], bool]) -> dict[str, list[int]]:
        """Add up the lines that count, line by line."""
        totals = {player: [0] for player in self.players}
        for line in self.lines:
            nets = line.nets if counts(line) else Counter[str]()
            for player, sums in totals.items():
                sums.append(sums[-1] + nets[player])
        return totals

    @property
    def payments(self) -> dict[tuple[str, str], int]:
        """Who paid whom how much in total, highest first: each round's fewest payments, and the other movements.

        Between two accounts only the difference counts. The pot is one of them if a round changed it: it holds the
        amount for whoever wins it later.
        """
        sums: Counter[tuple[str, str]] = Counter()
        for line in self.lines:
            if not line.is_round:
                for move in line.moves:
                    sums[move.giver, move.taker] += move.amount
                continue
            nets = line.nets
            for payment in fewest_payments({key: nets[key] for key in (*self.players, POT)}):
                sums[payment.payer, payment.payee] += payment.amount
        rest = {(giver, taker): amount - sums[taker, giver] for (giver, taker), amount in [*sums.items()]}
        return dict(sorted(((pair, amount) for pair, amount in rest.items() if amount > 0), key=lambda paid: -paid[1]))

    @property
    def biggest_pot(self) -> NightLine | None:
        """The round whose pot gave its winners most, the first if several tie; None if nobody won from a pot."""
        rounds = [line for line in self.lines if line.pot.units]
        return max(rounds, key=lambda line: line.pot.units, default=None)

    @property
    def turning_point(self) -> tuple[NightLine, str] | None:
        """The line after which the night's only winner had won most to the end, and the winner.

        None if nobody won or several did.
        """
        results = self.results
        ranked = sorted(self.players, key=lambda player: -results[player][-1])
        leader, others = ranked[0], ranked[1:]
        ahead = [results[leader][at] > max(results[other][at] for other in others) for at in range(len(self.lines) + 1)]
        if not ahead[-1] or results[leader][-1] <= 0:
            return None
        last_not = max(at for at, is_ahead in enumerate(ahead) if not is_ahead)
        return self.lines[last_not], leader


def sums_of(night: Night) -> NightSums:
    """Load a night's night with a single query."""
    giver, taker = aliased(Account), aliased(Account)
    about = (BookedTransfer.amount, BookedTransfer.reason, BookedTransfer.rule)
    query = (
        select(Line.number, Line.game, giver.key, taker.key, *about)
        .join(BookedTransfer, of_same_group(BookedTransfer, Line, BookedTransfer.revision_id == Line.current_id))
        .join(BookedTransfer.giver.of_type(giver))
        .join(BookedTransfer.taker.of_type(taker))
        # what costs apart from the games moved isn't counted in the night's currency
        .where(*of_night(Line, night), giver.key.not_like(APART_ACCOUNTS))
        .order_by(Line.number, BookedTransfer.position)
    )
    lines = []
    for (number, game), rows in groupby(db.session.execute(query), key=lambda row: (row[0], row[1])):
        lines.append(NightLine(number, game, tuple(Move(*row[2:]) for row in rows)))
    return NightSums(tuple(night.player_keys()), tuple(lines))


def nights_joined(codes: Mapping[str, str]) -> list[Night]:
    """Load the nights whose join codes a phone holds, by public id; newest first, with their groups."""
    if not codes:
        return []
    asked = select(Night).where(Night.public_id.in_(codes)).order_by(Night.id.desc())
    nights = db.session.scalars(asked.options(joinedload(Night.group, innerjoin=True))).all()
    return [night for night in nights if night.join_code == codes[night.public_id]]


def open_nights(groups: Collection[Group], most: int = _MAX_OPEN) -> Sequence[Night]:
    """Return the open nights of these groups, the most recently started first; no more than `most`."""
    query = select(Night).where(Night.group_id.in_([group.id for group in groups]))
    query = query.where(Night.closed_at.is_(None)).order_by(Night.id.desc()).limit(most)
    return db.session.scalars(query.options(joinedload(Night.draft))).all() if groups else ()


def rounds_played(night: Night, until: int | None = None) -> int:
    """Count a night's rounds, including voided ones, up to a line (None: all)."""
    query = select(func.count()).select_from(Line).where(*of_night(Line, night), Line.game.is_not(None))
    if until is not None:
        query = query.where(Line.number <= until)
    return db.session.scalar(query) or 0


def round_counts(night: Night) -> tuple[int, int]:
    """Count a night's rounds: all, which number the next one, and those that aren't voided."""
    played, counted = execute(_ROUND_COUNTS, values_of_night(night)).one()
    return played, counted


def round_numbers(night: Night) -> dict[int, int]:
    """Return the rounds' numbers as players count them, by line number; other movements aren't counted."""
    query = select(Line.number).where(*of_night(Line, night), Line.game.is_not(None)).order_by(Line.number)
    return {line: number for number, line in enumerate(db.session.scalars(query), 1)}


def lines_of(night: Night, *conditions: ColumnElement[bool], most: int | None = None) -> list[Line]:
    """List a night's lines that meet the conditions, newest first; with `most`, no more than that."""
    query = select(Line).where(*of_night(Line, night), *conditions).order_by(Line.number.desc())
    return list(db.session.scalars(query.limit(most).options(joinedload(Line.current))))


def lines_with_transfers(night: Night, since: int = 1) -> list[Line]:
    """List a night's lines from a number on, in order, each with its current revision and that one's transfers."""
    of_these = (*of_night(Line, night), Line.number >= since)
    # two statements, because with keys of two columns SQLite uses no index for the statement of `selectinload`
    are_current = BookedTransfer.revision_id.in_(select(Line.current_id).where(*of_these))
    transfers = _transfers_by_revision(night, are_current)
    query = select(Line).where(*of_these).order_by(Line.number).options(joinedload(Line.current))
    lines = list(db.session.scalars(query))
    for line in lines:
        set_committed_value(line.current, "transfers", transfers.get(line.current.id, []))
    return lines


def _transfers_by_revision(night: Night, are_theirs: ColumnElement[bool]) -> dict[int, list[BookedTransfer]]:
    query = select(BookedTransfer).where(BookedTransfer.group_id == night.group_id, are_theirs)
    by_revision: dict[int, list[BookedTransfer]] = {}
    for transfer in db.session.scalars(query.order_by(BookedTransfer.position)):
        by_revision.setdefault(transfer.revision_id, []).append(transfer)
    return by_revision


def load_written(night: Night, revisions: Sequence[Revision]) -> None:
    """Load what revisions of a night moved, and when they were written, with one statement each."""
    theirs = BookedTransfer.revision_id.in_([revision.id for revision in revisions])
    transfers = _transfers_by_revision(night, theirs)
    ids = {revision.change_id for revision in revisions}
    changes = db.session.scalars(select(Change).where(*of_night(Change, night), Change.id.in_(ids)))
    by_id = {change.id: change for change in changes}
    for revision in revisions:
        set_committed_value(revision, "transfers", transfers.get(revision.id, []))
        set_committed_value(revision, "change", by_id[revision.change_id])


def rounds_of(night: Night, before: int | None, most: int) -> list[Line]:
    """List a night's rounds, newest first; only those before a line, if given."""
    return lines_of(night, Line.game.is_not(None), *_earlier(before), most=most)


def movements_of(night: Night, most: int, before: int | None = None) -> list[Line]:
    """List a night's movements other than rounds, such as loans, newest first; only those before a line, if given."""
    return lines_of(night, Line.game.is_(None), *_earlier(before), most=most)


def _earlier(before: int | None) -> list[ColumnElement[bool]]:
    return [] if before is None else [Line.number < before]


def costs_of(night: Night) -> list[Document]:
    """List the entries of a night's shared costs that count, the oldest first."""
    query = select(Revision.document).select_from(Line).join(Line.current).order_by(Line.number)
    query = query.where(*of_night(Line, night), Line.game.is_(None), Revision.voided.is_(False))
    return [document for document in db.session.scalars(query) if document["movement"] == COST]


def newest_cost(group_id: int) -> Document | None:
    """Return the entry of a group's newest shared cost, if it is in one of its last nights."""
    query = select(Line.id, Revision.document).join(Line.current)
    query = query.where(*in_newest_nights(Line, group_id, _LAST_NIGHTS), Line.game.is_(None))
    costs = [(id_, document) for id_, document in db.session.execute(query) if document["movement"] == COST]
    return max(costs, key=lambda row: row[0])[1] if costs else None
