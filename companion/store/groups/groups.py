"""Groups, their players and nights: creating, finding, renaming. Names in a group are unique, ignoring case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, extract, literal, select, update

from companion.contract.reading.lookalikes import is_visible
from companion.contract.reading.names import folded, key_of, name_problem
from companion.engine.messages import Message
from companion.engine.money.settlement import POT
from companion.engine.names import MAX_NAME_LENGTH, find_name, has_control_characters
from companion.engine.problems import Problem

from ..db.database import execute, retry_transaction, transaction
from ..log.deliveries import tell
from ..log.sent_forms import is_new, must_be_same, was_sent
from ..models import Account, Group, Line, Night, Player, Seat, db, month_of, new_public_id, now, offset_here
from ..refusals import Refused
from .deleting import must_stand
from .links import add_links, find_link, free_join_code, hashed
from .next_night import forget, is_due, next_night
from .turns import must_be_written_here

MIN_PLAYERS, MAX_PLAYERS = 2, 12


def open_group(secret: str) -> Group | None:
    """Return the group that a link's secret opens, whichever right the link gives."""
    link = find_link(secret)
    return link.group if link else None


def all_groups() -> list[Group]:
    """List every group by name, for administrators; without deleted groups, demos and unfinished imports."""
    standing = select(Group).where(Group.deleted_at.is_(None), Group.is_demo.is_(False), Group.is_complete)
    return list(db.session.scalars(standing.order_by(Group.name, Group.id)))


@retry_transaction
def make_group(name: str, players: Sequence[str], secret: str, *, is_demo: bool = False) -> Group:
    """Create a group with players. The same secret again returns the same group, in case a form is sent twice.

    Raises Refused with a problem for each bad name, at `name` or `players.N`, and Conflict if the form said something
    else the first time.
    """
    problems = [*_group_name_problems(name), *roster_problems(players[:MAX_PLAYERS], {})]
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        text = "A group has {least} to {most} players; {given} given"
        values = {"least": MIN_PLAYERS, "most": MAX_PLAYERS, "given": len(players)}
        problems.append(Problem("players", "bad-value", Message(text, **values)))
    if problems:
        raise Refused(Message("The group couldn't be created"), problems=problems)
    sent = hashed(secret), ["group", name.strip(), [player.strip() for player in players]]
    with transaction():
        group = open_group(secret)
        if group is None:
            group = Group(public_id=new_public_id(), name=name.strip(), is_demo=is_demo)
            add_links(group, secret)
            group.players = [Player(name=player.strip(), folded=folded(player.strip())) for player in players]
            db.session.add(group)
            db.session.flush()
        is_new(group.id, *sent)
    return group


def _group_name_problems(name: str) -> list[Problem]:
    """Return problems with a group's name; any visible text is allowed."""
    if not is_visible(name):
        return [Problem("name", "bad-value", Message("The group needs a name"))]
    if has_control_characters(name) or len(name.strip()) > MAX_NAME_LENGTH:
        text = "The group's name can have up to {most} characters, all of them visible"
        return [Problem("name", "bad-value", Message(text, most=MAX_NAME_LENGTH))]
    return []


def roster_problems(names: Sequence[str], taken: Mapping[str, str]) -> list[Problem]:
    """Return problems with new names; `taken` are the names in use, by `key_of`."""
    seen = dict(taken)
    problems = []
    for at, name in enumerate(names):
        problem = name_problem(f"players.{at}", name, seen)
        if problem:
            problems.append(problem)
        else:
            seen[key_of(name.strip())] = name
    return problems


@retry_transaction
def add_player(group: Group, name: str, key: str) -> None:
    """Add a player, or bring back a retired one with the same name; once for the form with this key."""
    with transaction():
        must_stand(group)
        if is_new(group.id, key, ["player", name.strip()]):
            must_be_written_here(group)
            bring_in(group, name)


def bring_in(group: Group, name: str) -> Player:
    """Within a transaction, add a player, or bring back a retired one with the same name."""
    must_stand(group)
    db.session.expire(group, ["players"])  # others may have added one since they were read
    named = find_name(name, [player.name for player in group.players])
    back = next((player for player in group.players if player.name == named and player.retired), None)
    if back is not None:
        back.retired = False
        return back
    _must_be_free(group, name, None)
    player = Player(group=group, name=name.strip(), folded=folded(name.strip()))
    db.session.add(player)
    db.session.flush()
    return player


@retry_transaction
def rename_player(player: Player, name: str) -> None:
    """Rename a player, in past nights too."""
    with transaction():
        must_stand(player.group)
        must_be_written_here(player.group)
        if name.strip() != player.name:  # it may be from before names were compared like today
            _must_be_free(player.group, name, player)
        player.name, player.folded = name.strip(), folded(name.strip())


@retry_transaction
def set_pin(group: Group, pin_hash: str | None) -> None:
    """Store the hash of a group's PIN; None removes it."""
    with transaction():
        must_stand(group)
        group.pin_hash = pin_hash


@retry_transaction
def retire_player(player: Player, retired: bool) -> None:
    """Exclude a player from new nights, or include them again."""
    with transaction():
        must_stand(player.group)
        must_be_written_here(player.group)
        player.retired = retired


def _must_be_free(group: Group, name: str, player: Player | None) -> None:
    taken = {key_of(other.name): other.name for other in group.players if other is not player}
    problem = name_problem("name", name, taken)
    if problem:
        raise Refused(problem.message, problems=[problem])


@retry_transaction
def start_night(
    group: Group,
    players: Sequence[int],
    game: str,
    rules: Mapping[str, Any],
    key: str,
    stake_units: int = 1,
    currency: str | None = None,
    opened_at: datetime | None = None,
    buy_in: int | None = None,
    said: Any = None,
    stakes: Mapping[str, int] | None = None,
    dealer_chooses: bool = False,
) -> Night:
    """Start a night with players, given by id in seat order. The same key again returns the same night.

    It starts now, unless `opened_at` is given. With a buy-in, in units, it is played with stacks; `stakes` are those of
    the games that have one of their own. The night that is planned for this time is taken over. `said` is what the form
    said, if the rest follows from the last night. Raises Conflict if the form said something else the first time.
    """
    known = {player.id for player in group.players}
    if not set(players) <= known or len(set(players)) != len(players) or len(players) < MIN_PLAYERS:
        raise Refused(Message("A night needs at least {least} of the group's players", least=MIN_PLAYERS))
    with transaction():
        must_stand(group)
        made: Night | None = db.session.scalar(select(Night).where(Night.submission_key == key))
        must_be_same(made is None or made.group_id == group.id)
        is_new(group.id, key, ["night", said or [list(players), game, dict(rules), stake_units, currency, buy_in]])
        if made is not None:
            return made
        must_be_written_here(group)
        opened_at = opened_at or now()
        planned = next_night(group)
        due = planned if planned is not None and is_due(planned, opened_at) else None
        night = Night(
            public_id=new_public_id(),
            submission_key=key,
            group_id=group.id,
            game=game,
            rules=dict(rules),
            stake_units=stake_units,
            stakes=dict(stakes or {}),
            buy_in_units=buy_in,
            dealer_chooses=dealer_chooses,
            currency=currency,
            join_code=free_join_code(),
            place=due.place if due else "",
            last_round=due.last_round if due else None,
            opened_at=opened_at,
            utc_offset=offset_here(opened_at),
            month=month_of(opened_at, offset_here(opened_at)),
        )
        night.seats = [Seat(player_id=player, position=at) for at, player in enumerate(players)]
        night.accounts = [Account(key=key_, balance=0) for key_ in (*map(str, players), POT)]
        _add_after(last_night(group), night)
        if due is not None:
            forget(group)
        db.session.flush()
        tell(group.id, "night.opened", night.id)
    return night


def _add_after(last: Night | None, night: Night) -> None:
    """Add a night; phones that still show the closed one before it read that again, and so find the way to the new."""
    if last is not None and last.closed_at is not None:
        execute(update(Night).where(Night.id == last.id).values(version=Night.version + 1))
    db.session.add(night)


def stakes_again(last: Night | None, stake_units: int, currency: str | None) -> dict[str, int]:
    """Return the stakes of games with one of their own that a night takes over from the last, if for the same money."""
    is_same = last is not None and (last.stake_units, last.currency) == (stake_units, currency)
    return last.own_stakes if last is not None and is_same else {}


def started_before(group: Group, key: str, said: Any) -> Night | None:
    """Return the night that a form of a group started before; None if it is new.

    Raises Conflict if it said something else.
    """
    if not was_sent(group.id, key, ["night", said]):
        return None
    return db.session.scalar(select(Night).where(Night.submission_key == key, Night.group_id == group.id))


def last_night(group: Group) -> Night | None:
    """Return the group's newest night, or None."""
    return next(iter(nights_of(group, None, 1)), None)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter for nights; None means any. `since` and `until` are the first and last day, by each night's clock."""

    player: int | None = None
    game: str | None = None
    since: date | None = None
    until: date | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        if self.player is not None:
            yield Night.seats.any(Seat.player_id == self.player)
        if self.game is not None:
            yield Night.lines.any(Line.game == self.game)
        if self.since is not None:
            yield _seconds(self.since) <= _SECONDS_BY_CLOCK
        if self.until is not None:
            yield _seconds(self.until) + _A_DAY > _SECONDS_BY_CLOCK


_A_DAY = 24 * 60 * 60
_SECONDS_BY_CLOCK = extract("epoch", Night.opened_at) + Night.utc_offset


def _seconds(day: date) -> ColumnElement[int]:
    return literal((day.toordinal() - date(1970, 1, 1).toordinal()) * _A_DAY, BigInteger)


def names_by_group(groups: Iterable[Group]) -> dict[str, dict[str, str]]:
    """Return the names of each group's players, by its public id."""
    ids = {group.id: group.public_id for group in groups}
    query = select(Player.group_id, Player.id, Player.name).where(Player.group_id.in_(ids)).order_by(Player.id)
    names: dict[str, dict[str, str]] = {public_id: {} for public_id in ids.values()}
    for group, player, name in db.session.execute(query):
        names[ids[group]][str(player)] = name
    return names


def nights_of(group: Group, before: int | None, number: int, wanted: Wanted | None = None) -> list[Night]:
    """List up to `number` of a group's nights, newest first; only those older than the id `before`, if given."""
    query = select(Night).where(Night.group_id == group.id, *(wanted or Wanted()).conditions())
    if before is not None:
        query = query.where(Night.id < before)
    return list(db.session.scalars(query.order_by(Night.id.desc()).limit(number)))
