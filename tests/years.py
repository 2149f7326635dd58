"""Generates a group that has played for years, reproducibly from a seed.

It writes to the tables directly, because saving ten thousand forms would take minutes; the audit checks the result.
`.venv/bin/python tests/years.py FOLDER [NIGHTS ROUNDS]` creates such a group and prints its secret link.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, insert, select, update

from companion.store.db.database import transaction
from companion.store.groups import groups, links
from companion.store.history.recording import rebuild
from companion.store.log.replay import LineEntry, work_out
from companion.store.models import (
    Account,
    BookedTransfer,
    Change,
    Group,
    Line,
    Night,
    Revision,
    Seat,
    db,
    month_of,
)

Document = dict[str, Any]
NAMES = ["Ana", "Beto", "Caro", "Dani", "Eva", "Fabi"]
FIRST_NIGHT = datetime(2024, 12, 6, 20, tzinfo=UTC)
_FRENCH = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
_TILES = [f"{low}-{high}" for low in range(1, 7) for high in range(low, 7) if high > 1]
_POINTS = ("knock", "knock-rummy")


def random_round(random: Random, game: str, players: list[str]) -> Document:
    """Deal a valid round of a game."""
    deck = random.sample(_TILES if game == "domino-poker" else _FRENCH, k=20 if game == "domino-poker" else 52)
    size = (10 if len(players) == 2 else 7) if game == "knock-rummy" else 5
    bold = random.choice(players)
    others = [player for player in players if player != bold]
    left = [player for player in others if random.random() < 0.3] if game not in ("dompe", *_POINTS) else []
    if game == "dompe":
        rank = random.choice("A23456789TJQK")
        three = [card for card in deck if card[0] == rank][:3]
        deck = [*(card for card in deck if card not in three), *three]  # the caller takes them, from the end
    about: Document = {}
    if game == "dompe":
        about["caller"] = bold
    elif game.endswith("poker") and game != "knock-poker":
        most = random.randint(2, 8)
        about = {"paid": {p: random.randint(1, most) if p in left else most for p in players}, "folded": left}
    else:
        about["knocker"] = bold if left or random.random() < 0.8 else None
        about |= {"dropped": left} if game == "knock-poker" else {}
    shows = [player for player in players if player not in left]
    hands = {bold: [deck.pop() for _ in range(size)]}
    hands |= {player: [deck.pop() for _ in range(size)] for player in shows if player != bold}
    hands = hands if len(shows) > 1 else {}
    written = {player: " ".join(cards) for player, cards in hands.items()}
    return {
        "game": game,
        "rules": {},
        "stake": 1,
        "players": players,
        "dealer": random.choice(players),
        "round": {**about, "hands": written},
    }


GAMES = ["knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"]


@dataclass
class _Tables:
    """Table rows with ids assigned here; only for SQLite, which has no sequences to update."""

    group_id: int
    rows: dict[type[Any], list[Document]] = field(default_factory=dict)
    ids: Counter[type[Any]] = field(default_factory=Counter)

    def add(self, table: type[Any], **values: object) -> int:
        values["group_id"] = self.group_id
        if hasattr(table, "id"):
            if table not in self.ids:
                self.ids[table] = db.session.scalar(select(func.max(table.id))) or 0
            self.ids[table] += 1
            values["id"] = self.ids[table]
        self.rows.setdefault(table, []).append(values)
        return self.ids[table]

    def write(self) -> None:
        for table in (Night, Seat, Account, Change, Line, Revision, BookedTransfer):
            if self.rows.get(table):
                db.session.execute(insert(table.__table__), self.rows[table])
        current = {row["line_id"]: row["id"] for row in self.rows.get(Revision, ())}
        for line, revision in current.items():
            db.session.execute(update(Line).where(Line.id == line).values(current_id=revision))
        self.rows.clear()


def make_years(secret: str, nights: int = 100, rounds: int = 10_000, days: int = 730, seed: int = 7) -> Group:
    """Create the group a secret opens; `rounds` are spread evenly over the nights, and these over the days."""
    group = groups.make_group("Friday", NAMES, secret)
    random = Random(seed)
    for at in range(nights):
        number = rounds * (at + 1) // nights - rounds * at // nights
        opened_at = FIRST_NIGHT + timedelta(days=days * at / nights)
        with transaction():
            tables = _Tables(group.id)
            _night(random, tables, group, opened_at, number, is_last=at == nights - 1)
            tables.write()
    with transaction():
        rebuild(group)
    return group


def _night(random: Random, tables: _Tables, group: Group, at: datetime, rounds: int, *, is_last: bool) -> None:
    players = [str(player.id) for player in random.sample(group.players, random.randint(3, 5))]
    code = f"{random.getrandbits(60):015x}"
    night = tables.add(
        Night,
        public_id=code,
        submission_key=code,
        game="knock",
        rules={},
        stake_units=1,
        currency="EUR" if random.random() < 0.25 else None,
        opened_at=at,
        utc_offset=0,
        month=month_of(at, 0),
        closed_at=None if is_last else at + timedelta(hours=5),
        version=rounds,
        join_code=None,
    )
    for position, player in enumerate(players):
        tables.add(Seat, night_id=night, player_id=int(player), position=position, state="in")
    keys = [*players, "pot"]
    balances: Counter[str] = Counter()
    accounts = {key: tables.add(Account, night_id=night, key=key, balance=0) for key in keys}
    account_rows = tables.rows[Account][-len(keys) :]
    pot = 0
    for number, document in enumerate(_entries(random, players, rounds), 1):
        outcome = work_out(LineEntry(number, document, random.random() < 0.02), pot)
        pot = outcome.pot_after
        what = {"number": number, "document": outcome.entry.document}
        kind = "round" if "game" in document else "movement"
        change = tables.add(
            Change, night_id=night, submission_key=f"{number}", kind=kind, content=what, device="a phone", at=at
        )
        line = tables.add(Line, night_id=night, number=number, game=document.get("game"), current_id=None)
        said: Document = {"document": outcome.entry.document, "voided": outcome.entry.voided, "follows": False}
        revision = tables.add(Revision, line_id=line, number=1, change_id=change, **said)
        for position, move in enumerate(outcome.moves):
            balances[move.giver] -= move.amount
            balances[move.taker] += move.amount
            tables.add(
                BookedTransfer,
                revision_id=revision,
                position=position,
                giver_id=accounts[move.giver],
                taker_id=accounts[move.taker],
                amount=move.amount,
                reason=move.reason,
                rule=move.rule,
            )
    for row in account_rows:
        row["balance"] = balances[row["key"]]


def _entries(random: Random, players: list[str], rounds: int) -> Iterator[Document]:
    """Yield a night's rounds, with an occasional loan."""
    for _ in range(rounds):
        games = [game for game in GAMES if game != "domino-poker" or len(players) <= 4]
        yield random_round(random, random.choice(games), players)
        if random.random() < 0.02:
            giver, taker = random.sample(players, 2)
            yield {"movement": "loan", "from": giver, "to": taker, "amount": 5, "note": ""}


def main() -> None:
    """Create the group in a folder, and print where it is."""
    from companion import create_app

    with create_app({"INSTANCE": Path(sys.argv[1])}).app_context():
        secret = links.new_secret()
        make_years(secret, *map(int, sys.argv[2:4]))
        print(f"/open/{secret}")


if __name__ == "__main__":
    main()
