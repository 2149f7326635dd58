"""What rounds mean for their players, and how that is summed up. Accesses no tables.

Sums can be added: the sum of two months is the sum of all their rounds, including streaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import Any

from companion.engine.questions.entry import players_who

from ..log.replay import Settled

ALL_GAMES = ""
PLAYED = ("line_id", "group_id", "night_id", "number", "game", "month", "currency")
Row = dict[str, Any]
Place = tuple[int, str, int, bool]  # a player's round: player id, game, line id, whether the player won


def _row(of: Part | Summary | Versus) -> Row:
    """Return the fields as columns of their table."""
    return {name: getattr(of, name) for name in of.__slots__}


@dataclass(frozen=True, slots=True)
class Part:
    """A round's result for one player; see `models.Result`."""

    player_id: int
    net: int
    won: bool
    knocked: bool
    has_left: bool
    hand_at_least: int | None = None
    hand_of: int | None = None


def counted_as(document: Mapping[str, Any]) -> str:
    """Return the game under which a stored round is counted: its key, and the id of what the table called it."""
    return f"{document['game']}.{document['called']}" if document.get("called") else str(document["game"])


def is_of_named(counted: str) -> bool:
    """Return whether a key under which rounds are counted is of a game that the table named."""
    return "." in counted


@dataclass(frozen=True, slots=True)
class Played:
    """A round that counts (one that isn't voided), and where it belongs; `parts` are sorted by player id."""

    line_id: int
    group_id: int
    night_id: int
    number: int
    game: str
    month: str
    currency: str
    parts: tuple[Part, ...]

    def rows(self) -> Iterator[Row]:
        """Yield its stored rows, one per player."""
        about = {name: getattr(self, name) for name in PLAYED}
        return (about | _row(part) for part in self.parts)


def parts_of(settled: Settled, id_of: Callable[[str], int] = int) -> tuple[Part, ...]:
    """Return a round's result for each player, sorted by id; in stored rounds players' names are ids."""
    game, round, settlement = settled.game, settled.round, settled.settlement
    knocked, left = players_who(round.entry, "knocked"), players_who(round.entry, "left")
    rarities = game.rarities(round.options, settlement)
    parts = []
    for player, net in settlement.net.items():
        rarity = rarities.get(player)
        hand = (rarity.at_least, rarity.of) if rarity else (None, None)
        won = player in settlement.winners
        parts.append(Part(id_of(player), net, won, player in knocked, player in left, *hand))
    return tuple(sorted(parts, key=lambda part: part.player_id))


@dataclass(frozen=True, slots=True)
class Summary:
    """A player's rounds summed up, in units. A knock is good if the player won.

    `biggest_win` and `biggest_loss` (negative) are 0 if there was none. Streaks are consecutive wins among the rounds
    the player was in: at the beginning, at the end, and the longest. The best hand is the rarest, given as
    `best_at_least` of `best_of` hands at least as good, first shown in line `best_line_id`.
    """

    rounds: int = 0
    wins: int = 0
    net: int = 0
    knocks: int = 0
    good_knocks: int = 0
    folds: int = 0
    biggest_win: int = 0
    biggest_loss: int = 0
    streak_first: int = 0
    streak_last: int = 0
    streak_best: int = 0
    best_at_least: int | None = None
    best_of: int | None = None
    best_line_id: int | None = None

    @classmethod
    def of(cls, part: Part, line_id: int) -> Summary:
        """Sum up one round."""
        streak = int(part.won)
        return cls(
            rounds=1,
            wins=int(part.won),
            net=part.net,
            knocks=int(part.knocked),
            good_knocks=int(part.knocked and part.won),
            folds=int(part.has_left),
            biggest_win=max(part.net, 0),
            biggest_loss=min(part.net, 0),
            streak_first=streak,
            streak_last=streak,
            streak_best=streak,
            best_at_least=part.hand_at_least,
            best_of=part.hand_of,
            best_line_id=None if part.hand_of is None else line_id,
        )

    def __add__(self, later: Summary) -> Summary:
        """Return the sums of these rounds and later ones."""
        joined = self.streak_last + later.streak_first
        best = later if later.is_rarer_than(self) else self
        return Summary(
            rounds=self.rounds + later.rounds,
            wins=self.wins + later.wins,
            net=self.net + later.net,
            knocks=self.knocks + later.knocks,
            good_knocks=self.good_knocks + later.good_knocks,
            folds=self.folds + later.folds,
            biggest_win=max(self.biggest_win, later.biggest_win),
            biggest_loss=min(self.biggest_loss, later.biggest_loss),
            streak_first=joined if self.wins == self.rounds else self.streak_first,
            streak_last=joined if later.wins == later.rounds else later.streak_last,
            streak_best=max(self.streak_best, later.streak_best, joined),
            best_at_least=best.best_at_least,
            best_of=best.best_of,
            best_line_id=best.best_line_id,
        )

    def recompute_streaks(self, of_round: Summary, rounds: Sequence[tuple[int, bool]]) -> Summary:
        """Recompute what depends on the order of play: the streaks, and which line shows the best hand first.

        `rounds` are (line id, won) in order of play. `of_round` is the sum of one of these rounds, whose hand may equal
        a later one.
        """
        streaks = [sum(run) for _, run in groupby(won for _, won in rounds)]  # a run of losses counts 0
        best = self
        if of_round.best_of is not None and not self.is_rarer_than(of_round):
            first = next(line for line, _ in rounds if line in (self.best_line_id, of_round.best_line_id))
            best = of_round if first == of_round.best_line_id else self
        return replace(
            self,
            streak_first=streaks[0],
            streak_last=streaks[-1],
            streak_best=max(streaks),
            best_at_least=best.best_at_least,
            best_of=best.best_of,
            best_line_id=best.best_line_id,
        )

    def is_rarer_than(self, other: Summary) -> bool:
        """Return whether these rounds' best hand is rarer than the other's."""
        if self.best_at_least is None or self.best_of is None:
            return False
        if other.best_at_least is None or other.best_of is None:
            return True
        return self.best_at_least * other.best_of < other.best_at_least * self.best_of


@dataclass(frozen=True, slots=True)
class Versus:
    """Two players' common rounds: how often the first had the better or the worse net.

    `difference` is how many units more than the other the first gained in them.
    """

    rounds: int = 0
    better: int = 0
    worse: int = 0
    difference: int = 0

    @classmethod
    def of(cls, first: Part, second: Part) -> Versus:
        """Compare two players in one round."""
        difference = first.net - second.net
        return cls(1, int(difference > 0), int(difference < 0), difference)

    def __add__(self, more: Versus) -> Versus:
        return Versus(
            self.rounds + more.rounds,
            self.better + more.better,
            self.worse + more.worse,
            self.difference + more.difference,
        )

    def __neg__(self) -> Versus:
        """Swap the players."""
        return Versus(self.rounds, self.worse, self.better, -self.difference)


TALLY_KEY = ("group_id", "player_id", "game", "month", "currency")
DUEL_KEY = ("group_id", "first_id", "second_id", "game", "month", "currency")
Key = tuple[Any, ...]


@dataclass(slots=True)
class Sums:
    """Rounds summed up by player, game, month and currency, and by pair of players; keys as in the tables."""

    tallies: dict[Key, Summary] = field(default_factory=dict)
    duels: dict[Key, Versus] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Add a round that comes after those already added of its month."""
        where = (played.month, played.currency)
        for part in played.parts:
            summary = Summary.of(part, played.line_id)
            for game in (played.game, ALL_GAMES):
                key = (played.group_id, part.player_id, game, *where)
                self.tallies[key] = self.tallies.get(key, Summary()) + summary
        for first, second in combinations(played.parts, 2):
            pair = (played.group_id, first.player_id, second.player_id, played.game, *where)
            self.duels[pair] = self.duels.get(pair, Versus()) + Versus.of(first, second)

    def recompute_streaks(self, played: Played, places: Iterable[Place]) -> None:
        """Fix what depends on the order of play, if other rounds come after the last one added.

        `places` are the rounds of its players in its month and currency, in order.
        """
        by_player: dict[int, list[Place]] = {}
        for place in places:
            by_player.setdefault(place[0], []).append(place)
        for part in played.parts:
            summary, mine = Summary.of(part, played.line_id), by_player[part.player_id]
            for game in (played.game, ALL_GAMES):
                key = (played.group_id, part.player_id, game, played.month, played.currency)
                of_game = [(line, won) for _, which, line, won in mine if game in (which, ALL_GAMES)]
                self.tallies[key] = self.tallies[key].recompute_streaks(summary, of_game)

    @classmethod
    def of(cls, rounds: Iterable[Played]) -> Sums:
        """Sum up rounds, given in order of play."""
        sums = cls()
        for played in rounds:
            sums.add(played)
        return sums

    def tally_rows(self) -> list[Row]:
        return [dict(zip(TALLY_KEY, key, strict=True)) | _row(summary) for key, summary in self.tallies.items()]

    def duel_rows(self) -> list[Row]:
        return [dict(zip(DUEL_KEY, key, strict=True)) | _row(versus) for key, versus in self.duels.items()]
