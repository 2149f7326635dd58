"""Whatever else you play: say what it is called, who won, and what the others pay.

Play: the app doesn't know the rules of your game; it keeps the account.

AG-1  You name the game. The names that you have used are offered again.
AG-2  Name who won, one player or several. Each of the others pays the winners the amount that you enter, the same for
      everyone or an own one for each.
AG-3  Several winners share what is paid; odd units go one each in turn order (C-3). If you enter what a winner gets,
      the other winners share the rest; if you enter it for all of them, both sums must be equal.
AG-4  House rule: an ante. The winners share the pot, with what was carried over.
AG-5  If you say so, the pot stays: it takes what the winners don't get of the payments, and pays what is
      missing, as long as it holds that much.

A turn

draw | Play | by the rules of your game
show | Say who won | one player or several
bet | Say who pays | the same for all, or each an own amount

Who pays whom

The others | what you enter → who won
Whoever won | takes the pot, unless it stays

Sources

AG-1 | no source | a rule of ours
AG-2 | no source | a rule of ours
AG-3 | no source | a rule of ours
AG-4 | no source | a rule of ours; no ante unless you choose one
AG-5 | no source | a rule of ours
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from companion.engine.deal import Deal
from companion.engine.game import Game, Round
from companion.engine.hands.strength import ShownHand
from companion.engine.messages import Message, Units
from companion.engine.money.pots import fill, share
from companion.engine.money.settlement import ANTE, POT, POT_SHARE, Book, Reason, Settlement
from companion.engine.options import integer, odd_chips
from companion.engine.pieces.sets import NO_PIECES, Piece, PieceSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import amounts, flag, winners

PAID = Reason("paid")
LEFT_OVER = Reason("left-over", "for-next-pot")


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = integer(0, "Ante", help="Stakes that each player puts into the pot before the game.", rule="AG-4")
    odd_chips: str = odd_chips()


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    won_by: tuple[str, ...] = winners("AG-2")
    pays: Mapping[str, int] = amounts(
        "pays", help="What does each of the others pay the winners?", rule="AG-2", not_of="won_by"
    )
    gets: Mapping[str, int] = amounts(
        "gets", help="What does a winner get, unless the winners share what is paid?", rule="AG-3", only_of="won_by"
    )
    pot_stays: bool = flag(
        "The pot stays: it takes what is left over, and pays what is missing",
        help="Does the pot stay for the next round?",
        rule="AG-5",
    )


NamedRound = Round[Options, Entry, Piece]


class AnyOtherGame(Game[Options, Entry, Piece]):
    """A game that the table names, without hands."""

    key = "any-game"
    name = "Any other game"
    summary = "Its name, who won, what the others pay."
    beginning = "unknown"
    seats = (2, 10)
    options = Options
    entry = Entry
    categories = ()
    reasons = (ANTE, PAID, POT_SHARE, LEFT_OVER)
    examples = (
        {"won_by": ["Caro"], "pays": {"Ana": 3, "Beto": 5, "Dani": 3}},
        {"won_by": ["Ana", "Beto"], "pays": {"Caro": 2, "Dani": 3}},
        {"won_by": ["Beto", "Dani"], "pays": {"Ana": 4, "Caro": 4}, "gets": {"Dani": 6}},
    )
    example_name = "Perudo"

    def pieces(self, options: Options) -> PieceSet[Piece]:
        return NO_PIECES

    def deal(self, round: NamedRound) -> Deal:
        return replace(super().deal(round), ante=round.options.ante)

    def who_must_show(self, round: NamedRound) -> tuple[str, ...]:
        return ()

    def hand_sizes(self, round: NamedRound) -> Collection[int]:
        return (0,)

    def check_entry(self, round: NamedRound) -> Iterator[Problem]:
        entry, won = round.entry, round.won_by
        if not won:
            yield Problem("round.won_by", "missing-field", Message("Tap who won"))
            return
        for player in (player for player in won if player in entry.pays):
            text = "{player} won, so pays nothing; fix one of the two"
            yield Problem(f"round.pays.{player}", "contradiction", Message(text, player=player))
        for player in (player for player in entry.gets if player not in won):
            text = "{player} isn't named as a winner, so gets nothing; fix one of the two"
            yield Problem(f"round.gets.{player}", "contradiction", Message(text, player=player))
        if entry.gets.keys() <= {*won} and entry.pays.keys().isdisjoint(won):
            yield from _check_sums(round)

    def place(self, round: NamedRound) -> tuple[ShownHand, ...]:
        return ()

    def settle(self, round: NamedRound) -> Settlement:
        """Settle what is paid, then the pot. Odd units: C-3."""
        entry, won = round.entry, round.won_by
        book = Book(round.pot_units)
        book.antes(round.turn_order, round.units(round.options.ante), "AG-4")
        payers = [player for player in round.others(*won) if entry.pays.get(player)]
        sums, parts = [entry.pays[player] for player in payers], _parts(round)
        over = sum(sums) - sum(parts.values())  # for the pot; below 0: from the pot
        filled = fill([*sums, max(-over, 0)], {**parts, POT: max(over, 0)})
        moves = [([*payers, POT][at], taker, amount) for at, taker, amount in filled]
        for giver, taker, amount in (move for move in moves if POT not in move):
            why = Message("{player} won", player=taker)
            book.move(giver, taker, amount, PAID, "AG-2" if len(won) == 1 else "AG-3", why)
        if not entry.pot_stays:
            odd_stays = round.options.odd_chips == "stay-in-pot"
            why = Message("The winner takes the pot") if len(won) == 1 else Message("The winners share the pot")
            book.pay_out(book.pot, won, "AG-4", why, odd_stays=odd_stays)
        for giver, taker, amount in (move for move in moves if POT in move):
            reason = POT_SHARE if giver == POT else LEFT_OVER
            why = (
                Message("The pot pays what is missing") if giver == POT else Message("The pot takes what is left over")
            )
            book.move(giver, taker, amount, reason, "AG-5", why)
        decided = Message(
            "The table decided: {players} won", "The table decided: {players} won", n=len(won), players=won
        )
        return book.settlement(round, won, (), decided)


def _over(round: NamedRound) -> int:
    """Return by how much the payments are more than what winners get by their own amounts; below 0: less."""
    return sum(round.entry.pays.values()) - sum(round.entry.gets.values())


def _parts(round: NamedRound) -> dict[str, int]:
    """Return what each winner gets, in turn order. Rule: AG-3."""
    gets = round.entry.gets
    sharers = [player for player in round.won_by if player not in gets]
    rest = share(_over(round), sharers) if sharers else {}
    return {player: gets[player] if player in gets else rest[player] for player in round.won_by}


def _check_sums(round: NamedRound) -> Iterator[Problem]:
    """Yield a problem if nothing is entered, or if the sums don't fit. Rule: AG-3, AG-5."""
    entry, over = round.entry, _over(round)
    held = round.pot_units + round.units(round.options.ante) * len(round.players)
    if not (entry.pays or entry.gets or held):
        yield Problem("round.pays", "missing-field", Message("Enter what the others pay"))
    is_shared, field = len(entry.gets) < len(round.won_by), f"round.gets.{next(iter(entry.gets), '')}"
    values = {
        "payers": tuple(player for player in round.others(*round.won_by) if entry.pays.get(player))
        or Message("nobody"),
        "players": tuple(player for player in round.won_by if player in entry.gets),
        "over": Units(abs(over)),
        "held": Units(held),
    }
    text = ""
    if over < 0 and is_shared:
        text = "The payments of {payers} are {over} less than the winnings of {players}; fix an amount"
    elif over < 0 and not entry.pot_stays:
        text = (
            "The payments of {payers} are {over} less than the winnings of {players}; "
            "fix an amount, or let the pot stay"
        )
    elif over < 0 and -over > held:
        text = "The pot has to pay {over}, but holds only {held}; fix an amount"
    elif over > 0 and not (is_shared or entry.pot_stays):
        text = (
            "The payments of {payers} are {over} more than the winnings of {players}; "
            "fix an amount, or let the pot stay"
        )
    if text:
        yield Problem(field, "contradiction", Message(text, **values))


GAME = AnyOtherGame()
