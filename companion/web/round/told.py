"""What phones announce: new stakes; and a player's, that a round was corrected, and that the player left the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import render_template, request
from flask import session as cookie
from markupsafe import Markup

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.games import game_of
from companion.store.log import ledger
from companion.store.models import EVERY_GAME, Change, Line, Night, Revision
from companion.store.money.debts import owed_apart, owed_in_night
from companion.store.night import play
from companion.store.night.change import newest_revision, newest_stakes, stakes_of_last_round
from companion.store.night.reading import rounds_played
from companion.table.hand import HandInPlay

from ..ledger_lines.differences import differences_between
from ..text.money import units
from .next_round import NightRound, round_at_table

_READ = "told"  # in the cookie: the night, and the change that was read there last
_OF_ROUND = {
    "correction": Message("Round {number} was corrected"),
    "void": Message("Round {number} was voided"),
    "undo": Message("The last change to round {number} was undone"),
}
_OF_ENTRY = {
    "correction": Message("Entry {number} was corrected"),
    "void": Message("Entry {number} was voided"),
    "undo": Message("The last change to entry {number} was undone"),
}


@dataclass(frozen=True)
class News:
    """An announced change: its id, what was changed, and what that means for this player.

    `revisions` are those of the changed line, before and now: the same twice if a file has left out what it was.
    `differences` are their (label, before, now), and `pays` says what this player pays and gets now.
    """

    change_id: int
    what: Message
    mine: Message
    revisions: Sequence[Revision]
    differences: Sequence[tuple[str, str, str]] = ()
    pays: Sequence[Message] = ()


def news_for(night: Night, me: PlayerKey) -> News | None:
    """Return the newest correction or void that this phone hasn't put away; None once the next round is saved."""
    change = newest_revision(night)
    if change is not None and request.args.get("told") == str(change.id):
        cookie[_READ] = [night.public_id, change.id]
    if change is None or _is_read(night, change):
        return None
    line, what = _changed(night, change)
    moved = ledger.moved_by(night, change.id).get(me, 0)
    revisions = [line.revisions[0], *line.revisions][-2:]
    (said,) = differences_between(night, [revision.document for revision in revisions])
    return News(change.id, what, _meaning(moved), revisions, said)


def _is_read(night: Night, change: Change) -> bool:
    return bool(cookie.get(_READ) == [night.public_id, change.id])


def _changed(night: Night, change: Change) -> tuple[Line, Message]:
    """Return the line that a change revised, and the sentence that says so."""
    line = play.find_line(night, change.content["number"])
    assert line is not None
    is_round = line.game is not None
    what = (_OF_ROUND if is_round else _OF_ENTRY)[change.kind]
    return line, Message(what.template, number=rounds_played(night, line.number) if is_round else line.number)


def note_beside_hand(round: NightRound, *, is_own: bool) -> Markup:
    """Say in a few words what is announced, as HTML, for the page on which a hand is entered; "" if nothing is."""
    night = round.before.night
    me = round.me if is_own else None
    change = newest_revision(night) if me is not None else None
    what, moved = None, 0
    if me is not None and change is not None and not _is_read(night, change):
        what, moved = _changed(night, change)[1], ledger.moved_by(night, change.id).get(me, 0)
    elif stakes_news(night) is None:
        return Markup()
    later = night.stake_of(round.game.key)  # a hand that has begun keeps its stake
    said = {"what": what, "moved": moved, "stake": round.stake, "later": later}
    return Markup(render_template("round/_note.html", night=night, **said))


def _meaning(moved: int) -> Message:
    if not moved:
        return Message("Nothing changes for you")
    text = "You have {amount} more" if moved > 0 else "You have {amount} less"
    return Message(text, amount=units(abs(moved)))


@dataclass(frozen=True)
class StakesNews:
    """Stakes that count from the next round on: what is said of them, and those now and before, as forms send them."""

    sentences: Sequence[Message]
    now: str
    before: str


def stakes_news(night: Night) -> StakesNews | None:
    """Return what is announced on all phones of the stakes set last, until a round is saved after it. Rule: C-1."""
    change = newest_stakes(night) if night.stakes and night.closed_at is None else None
    if change is None:
        return None
    was = change.content["was"]
    number = rounds_played(night) + (1 if stake_kept(night) is None else 2)
    of_all = was.get(EVERY_GAME, night.stake_units)
    last = stakes_of_last_round(night)
    sentences = []
    for game in sorted({EVERY_GAME, *night.stakes, *was}, key=lambda game: (game != EVERY_GAME, game)):
        said = {"number": number, "now": units(night.stake_of(game)), "was": units(was.get(game, of_all))}
        if said["now"] == said["was"]:
            continue
        is_taken_back = night.stake_of(game) == last.get(game, last.get(EVERY_GAME, night.stake_units))
        if game == EVERY_GAME:
            text = "From round {number} on, a stake is {now} (before: {was})"
            back = "A stake stays {now}, the change to {was} was undone"
        else:
            text = "From round {number} on, a stake in {game} is {now} (before: {was})"
            back = "A stake in {game} stays {now}, the change to {was} was undone"
            said["game"] = Message(game_of(game).name)
        sentences.append(Message(back if is_taken_back else text, **said))
    return StakesNews(sentences, listed_stakes(night.stakes), listed_stakes(was))


def stake_kept(night: Night) -> int | None:
    """Return the stake that the hand at the table keeps, though new ones were set meanwhile; None if it is the same."""
    round = round_at_table(night)
    return None if round.stake == night.stake_of(round.game.key) else round.stake


def listed_stakes(stakes: Mapping[str, int]) -> str:
    """Write stakes for the forms of a page: "all=2;knock=1"."""
    return ";".join(f"{game}={units}" for game, units in stakes.items())


def is_in_hand(night: Night, player: PlayerKey) -> bool:
    """Return whether bets or a knock have begun a hand with a player, so that it can't go on without them."""
    hand = HandInPlay(round_at_table(night))
    return hand.is_begun and player in hand.round.players


def left_sentences(night: Night, me: PlayerKey) -> tuple[Message, ...]:
    """Tell a player who has left the table so, with what is owed and not yet paid; nothing to the others."""
    if night.closed_at is not None or me not in night.player_keys("left"):
        return ()
    net = owed_in_night(night).get(me, 0)
    costs = [(currency, owed[me]) for currency, owed in sorted(owed_apart(night).items()) if owed.get(me)]
    if net:
        text = "You left the table. You get {amount}." if net > 0 else "You left the table. You owe {amount}."
        said = [Message(text, amount=units(abs(net)))]
    else:
        said = [Message("You left the table.") if costs else Message("You left the table. Nothing is left to pay.")]
    for currency, owed in costs:
        text = "You get {amount} for shared costs." if owed > 0 else "You owe {amount} for shared costs."
        said.append(Message(text, amount=units(abs(owed), currency)))
    return tuple(said)
