"""Exports a group's rounds and transfers as CSV sheets, in UTF-8 with a byte order mark, which Excel needs.

The sheets contain current revisions only, so the transfers add up to the balances, and so do the rounds' nets together
with the other movements. Times are those of the night's clock, as on the pages. Text that a spreadsheet would treat
as a formula is prefixed with an apostrophe, and so is text that begins with one; removing the first apostrophe restores
the original.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import select

from companion.contract import read_round
from companion.engine.game import AnyGame, AnyRound
from companion.engine.money.settlement import POT

from ..db.database import snapshot
from ..log.replay import BANK, is_round, parts_of_account
from ..log.typed import with_texts
from ..models import Change, Group, Line, Night, Revision, db
from ..night.reading import lines_with_transfers
from ..night_key import of_night

Row = dict[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
_NIGHT = ("night", "opened_at", "currency", "line", "at")
ROUND_COLUMNS = (*_NIGHT, "game", "stake", "voided", "player_key", "player", "dealt", "answers", "cards", "category",
                 "place", "won", "net", "pot_before", "pot_after", "remark", "called")  # fmt: skip
TRANSFER_COLUMNS = (*_NIGHT, "game", "movement", "from_key", "from", "to_key", "to", "amount", "reason", "rule", "note",
                    "called")  # fmt: skip


def guarded(value: Any) -> Any:
    """Prefix text that a spreadsheet would treat as a formula, or that begins with an apostrophe; numbers stay."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value


def rounds_sheet(public_id: str) -> bytes:
    """Return a sheet with a row for each player of each round, including voided ones; amounts in the night's units.

    The column `answers` has the table's answers about the player: "knocker; paid 5".
    """
    return _sheet(public_id, ROUND_COLUMNS, _rounds)


def transfers_sheet(public_id: str) -> bytes:
    """Return a sheet with a row for each transfer of rounds and other movements, without voided ones."""
    return _sheet(public_id, TRANSFER_COLUMNS, _transfers)


def _sheet(public_id: str, columns: Sequence[str], rows: Callable[[Group, dict[str, str]], Iterator[Row]]) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(columns)
    with snapshot():
        group = db.session.scalars(select(Group).where(Group.public_id == public_id)).one()
        # the accounts' keys in the JSON export. Names aren't unique: a player may be called "bank"
        keys = {str(player.id): f"p{at}" for at, player in enumerate(group.players, 1)} | {POT: POT, BANK: BANK}
        for row in rows(group, keys):
            writer.writerow([guarded(row[column]) for column in columns])
    return written.getvalue().encode("utf-8-sig")


def _lines(group: Group) -> Iterator[tuple[Row, Line, Revision, dict[str, str]]]:
    """Yield each line of a group: the columns that both sheets begin with, line, current revision, accounts' names."""
    names = group.names | {POT: POT, BANK: BANK}
    nights = select(Night).where(Night.group_id == group.id).order_by(Night.id)
    for night in db.session.scalars(nights).all():
        changed_at = dict(db.session.execute(select(Change.id, Change.at).where(*of_night(Change, night))).all())
        lines = lines_with_transfers(night)
        documents = with_texts(group.id, [line.current.document for line in lines])
        for line, document in zip(lines, documents, strict=True):
            revision = line.current
            common = {
                "night": night.public_id,
                "opened_at": f"{night.began:%Y-%m-%d %H:%M:%S}",
                "currency": night.currency or "",
                "line": line.number,
                "at": f"{night.here(changed_at[revision.change_id]):%Y-%m-%d %H:%M:%S}",
                "note": document.get("note", ""),
                "called": document.get("called", ""),
            }
            yield common, line, revision, names


def _rounds(group: Group, keys: dict[str, str]) -> Iterator[Row]:
    for common, line, revision, names in _lines(group):
        if not is_round(revision.document):
            continue
        entered = read_round(revision.document, are_keys=True)
        assert entered.game is not None
        assert entered.round is not None
        for row in _seats(common, line, revision, entered.game, entered.round):
            yield {**row, "player_key": keys[row["player"]], "player": names[row["player"]]}


def _seats(common: Row, line: Line, revision: Revision, game: AnyGame, round: AnyRound) -> Iterator[Row]:
    settlement = None if revision.voided else game.settle(round)
    shown = {hand.player: hand for hand in settlement.hands} if settlement else {}
    for player in round.players:
        hand = shown.get(player)
        yield {
            **common,
            "game": game.key,
            "stake": round.stake_units,
            "voided": _yes(revision.voided),
            "player": player,
            "dealt": _yes(player == round.dealer),
            "answers": "; ".join(_answers(game, round, player)),
            "cards": " ".join(piece.text for piece in round.hands.get(player, ())),
            "category": hand.reading.strength.category if hand else "",
            "place": hand.place if hand else "",
            "won": _yes(settlement is not None and player in settlement.winners),
            "net": settlement.net[player] if settlement else 0,
            "pot_before": round.pot_units,
            "pot_after": settlement.pot_closing if settlement else round.pot_units,
            "remark": line.remark,
        }


def _answers(game: AnyGame, round: AnyRound, player: str) -> Iterator[str]:
    """Yield the table's answers about a player; bets appear as the totals that follow from them."""
    for question in game.questions:
        answer = getattr(round.entry, question.key)
        if question.kind in ("player", "players", "winners"):
            if player in ((answer,) if question.kind == "player" else answer):
                yield question.key
        elif question.kind in ("amounts", "counts", "points", "halves", "kept") and player in answer:
            yield f"{question.key} {question.number_of(answer, player)}"
        elif question.kind == "flag" and answer:
            yield question.key


def _transfers(group: Group, keys: dict[str, str]) -> Iterator[Row]:
    for common, line, revision, names in _lines(group):
        for transfer in revision.transfers:
            (giver, currency), (taker, _) = (parts_of_account(end.key) for end in (transfer.giver, transfer.taker))
            yield {
                **common,
                "game": line.game or "",
                "movement": revision.document.get("movement", ""),
                "currency": currency or common["currency"],
                "from_key": keys[giver],
                "from": names[giver],
                "to_key": keys[taker],
                "to": names[taker],
                "amount": transfer.amount,
                "reason": transfer.reason,
                "rule": transfer.rule,
            }


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
