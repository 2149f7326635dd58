"""Results and sums of rounds, compared with figures computed independently from the ledger, after any change."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import pytest
from copies import kept
from nights import PlayedNight
from sample_rounds import ROUNDS
from sqlalchemy import text
from years import make_years

from companion.contract import read_round, settle
from companion.store.audit import audit
from companion.store.db.database import is_sqlite, transaction
from companion.store.groups import links
from companion.store.history import results as history
from companion.store.history.recording import rebuild
from companion.store.history.results import Span
from companion.store.history.tallies import Summary, Versus
from companion.store.models import Group, Night, db

ON_SQLITE = pytest.mark.parametrize("app", ["sqlite"], indirect=True)
Figures = dict[str, Any]


def nets_by_line(group: Group) -> dict[int, dict[str, int]]:
    """Sum each line's transfers by account, with the tests' own SQL."""
    query = """
        SELECT l.id, a.key, SUM(CASE WHEN t.taker_id = a.id THEN t.amount ELSE -t.amount END)
        FROM night s JOIN line l ON l.night_id = s.id JOIN transfer t ON t.revision_id = l.current_id
        JOIN account a ON a.id IN (t.giver_id, t.taker_id) WHERE s.group_id = :group GROUP BY l.id, a.key
    """
    nets: dict[int, dict[str, int]] = defaultdict(dict)
    for line, key, net in db.session.execute(text(query), {"group": group.id}):
        nets[line][key] = int(net)
    return nets


def told_rounds(group: Group) -> list[Figures]:
    """List each player's result in every round that counts, in order of play, from documents and transfers."""
    nets, found = nets_by_line(group), []
    for night in db.session.scalars(db.select(Night).filter_by(group_id=group.id).order_by(Night.id)):
        for line in night.lines:
            assert line.current is not None
            document = line.current.document
            if line.current.voided or "movement" in document:
                continue
            status, settlement = settle(document)
            assert status == 200
            asked, of_line = document["round"], nets[line.id]
            for player in document["players"]:
                found.append(
                    {
                        "line": line.id,
                        "player": int(player),
                        "game": document["game"],
                        "month": night.month,
                        "currency": night.currency or "",
                        "net": of_line.get(player, 0),
                        "won": player in settlement["winners"],  # type: ignore[operator]
                        "knocked": player in (asked.get("knocker"), asked.get("caller")),
                        "folded": player in [*asked.get("dropped", []), *asked.get("folded", [])],
                        "hand": rarity(document, player),
                    }
                )
    return found


def rarity(document: Figures, player: str) -> tuple[int, int] | None:
    entered = read_round(document)
    assert entered.game is not None
    assert entered.round is not None
    for hand in entered.game.settle(entered.round).hands:
        if hand.player == player:
            found = entered.game.rarity(entered.round.options, hand.cards, hand.reading)
            assert found is not None
            return found.at_least, found.of
    return None


def plain_summary(rounds: list[Figures]) -> Summary:
    """Compute the figures by their definitions."""
    nets = [one["net"] for one in rounds]
    shown = [one for one in rounds if one["hand"]]
    best = min(shown, key=lambda one: one["hand"][0] * 10**15 // one["hand"][1], default=None)
    runs = [(won, len(list(run))) for won, run in groupby(one["won"] for one in rounds)]
    return Summary(
        rounds=len(rounds),
        wins=sum(one["won"] for one in rounds),
        net=sum(nets),
        knocks=sum(one["knocked"] for one in rounds),
        good_knocks=sum(one["knocked"] and one["won"] for one in rounds),
        folds=sum(one["folded"] for one in rounds),
        biggest_win=max([0, *nets]),
        biggest_loss=min([0, *nets]),
        streak_best=max((length for won, length in runs if won), default=0),
        best_at_least=best["hand"][0] if best else None,
        best_of=best["hand"][1] if best else None,
        best_line_id=best["line"] if best else None,
    )


def shown(summary: Summary) -> Summary:
    """Remove the streaks at the ends, which no page shows."""
    return replace(summary, streak_first=0, streak_last=0)


def by(rounds: list[Figures], key: str) -> dict[str, dict[Any, list[Figures]]]:
    found: dict[str, dict[Any, list[Figures]]] = {}
    for one in rounds:
        found.setdefault(one["currency"], {}).setdefault(one[key], []).append(one)
    return found


def summed(rounds: list[Figures], key: str) -> dict[str, dict[Any, Summary]]:
    return {
        currency: {which: plain_summary(ones) for which, ones in keys.items()}
        for currency, keys in by(rounds, key).items()
    }


def plain_duels(rounds: list[Figures], player: int) -> dict[str, dict[int, Versus]]:
    mine = {one["line"]: one["net"] for one in rounds if one["player"] == player}
    found: dict[str, dict[int, Versus]] = {}
    for currency, others in by([one for one in rounds if one["line"] in mine], "player").items():
        for other, ones in others.items():
            gaps = [mine[one["line"]] - one["net"] for one in ones]
            versus = Versus(len(gaps), sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps), sum(gaps))
            found.setdefault(currency, {}).update({other: versus} if other != player else {})
    return found


@pytest.fixture
def years(app: object) -> Group:
    group = kept("years", lambda: make_years(links.new_secret(), nights=12, rounds=300).id)
    return db.session.get_one(Group, group)


SPANS = [
    Span(),
    Span(since="2025-06"),
    Span(until="2025-12"),
    Span("knock-poker"),
    Span("dompe", "2025-03", "2025-11"),
    Span("knock", "2031-01", "2031-12"),
]


@ON_SQLITE
def test_every_figure_is_what_the_raw_transfers_say(years: Group) -> None:
    rounds = told_rounds(years)
    assert len(rounds) > 800
    assert len({one["currency"] for one in rounds}) == 2
    for span in SPANS:
        months = [one for one in rounds if (span.since or "0") <= one["month"] <= (span.until or "9")]
        of_span = [one for one in months if span.game in ("", one["game"])]
        check(history.standings(years, span), summed(of_span, "player"))
        for player in years.players:
            mine = [one for one in of_span if one["player"] == player.id]
            check(history.by_month(player, span), summed(mine, "month"))
            check(history.by_game(player, span), summed([o for o in months if o["player"] == player.id], "game"))
            assert history.head_to_head(player, span) == plain_duels(of_span, player.id)
    for code, sums in history.standings(years, Span()).items():
        assert history.nets_ever(years, code) == {player: summary.net for player, summary in sums.items()}


def check(found: history.Standings, expected: dict[str, dict[Any, Summary]]) -> None:
    assert {code: {key: shown(one) for key, one in sums.items()} for code, sums in found.items()} == expected


@ON_SQLITE
def test_the_generated_years_are_in_order(years: Group) -> None:
    assert list(audit()) == []


def stored(group: Group) -> list[Any]:
    """List everything stored about a group's history."""
    return [
        sorted(tuple(row) for row in db.session.execute(db.select(*table.columns).where(table.c.group_id == group.id)))
        for table in (db.metadata.tables[name] for name in ("result", "tally", "duel"))
    ]


STEPS = [
    ("rounds", "won Ana; lost Beto Caro; rummy"),
    ("void", "won Ana; won Beto; void 1"),
    ("undo", "won Ana; won Beto; fix 1 lost Ana Beto; undo 1"),
    ("follows", "lost Ana Beto; won Ana; won Caro; fix 1 won Ana"),
    ("movements", "won Ana; loan Ana Beto 5; lost Ana Beto; close split"),
    ("none-left", "won Ana; void 1"),
    ("seats", "won Ana; seats Ana Beto Caro=out; won Beto; void 1; seats Ana Beto Caro; won Caro"),
]


@pytest.mark.parametrize("steps", [row[1] for row in STEPS], ids=[row[0] for row in STEPS])
def test_what_is_kept_step_by_step_is_what_is_made_anew(night: PlayedNight, steps: str) -> None:
    night.do(steps)
    kept = stored(night.group)
    with transaction():
        rebuild(night.group)
    assert stored(night.group) == kept
    rounds = told_rounds(night.group)
    check(history.standings(night.group, Span()), summed(rounds, "player"))


def test_an_older_night_goes_on_after_a_newer_one(night: PlayedNight) -> None:
    night.do("won Ana; won Beto")
    older = night.public_id
    night.another()
    night.do("won Ana; won Caro")
    night.save(night.named(ROUNDS["knock-poker"]))
    night.public_id = older
    night.do("won Ana")  # between Beto's win and Ana's of the newer night
    night.save(night.named(ROUNDS["knock-poker"]))
    (sums,) = history.standings(night.group, Span()).values()
    assert sums[int(night.ids["Ana"])].streak_best == 3
    (sums,) = history.standings(night.group, Span("knock-poker")).values()
    assert sums[int(night.ids["Ana"])].best_line_id == night.line(4).id  # as good as that of the newer night
    assert list(audit()) == []


def test_months_and_currencies_are_kept_apart(night: PlayedNight) -> None:
    night.night.month, night.night.currency = "2025-12", "EUR"
    db.session.commit()
    night.do("won Ana; won Ana")
    ana = int(night.ids["Ana"])
    night.another(currency="EUR")
    night.do("won Ana")
    night.another()
    night.do("won Beto")
    found = history.standings(night.group, Span())
    assert {code: sums[ana].rounds for code, sums in found.items()} == {"EUR": 3, "": 1}
    assert found["EUR"][ana].streak_best == 3  # goes on from one month to the next
    assert history.standings(night.group, Span(until="2025-12"))["EUR"][ana].rounds == 2
    assert list(audit()) == []


def test_a_time_is_read_in_utc_in_whatever_time_zone_the_database_is(night: PlayedNight) -> None:
    night.night.opened_at = datetime(2026, 1, 1, 2, tzinfo=UTC)
    db.session.commit()
    if not is_sqlite():
        db.session.execute(text("SET LOCAL TIME ZONE 'America/Mexico_City'"))
    assert night.night.opened_at.isoformat() == "2026-01-01T02:00:00+00:00"


# a night's beginning in UTC, and its month six hours behind
MONTHS = [("2026-12-01T02:00", "2026-11"), ("2027-01-01T05:59", "2026-12"), ("2026-12-01T06:00", "2026-12")]


@pytest.mark.parametrize(("begun", "month"), MONTHS)
def test_a_night_is_of_the_month_that_pages_show(
    night: PlayedNight, six_hours_behind: None, monkeypatch: pytest.MonkeyPatch, begun: str, month: str
) -> None:
    night.another(opened_at=datetime.fromisoformat(f"{begun}+00:00"))
    night.do("won Ana")
    with monkeypatch.context() as moved:  # it stays when the computer moves
        moved.setenv("TZ", "UTC")
        time.tzset()
        night.do("won Ana; lost Ana Beto; fix 1 won Beto")
    (sums,) = history.standings(night.group, Span(since=month, until=month)).values()
    assert sums[int(night.ids["Ana"])].rounds == 3
    assert list(audit()) == []


def test_the_best_hand_of_a_night(night: PlayedNight) -> None:
    assert history.best_of(night.night) == []
    night.save(night.named(ROUNDS["knock-rummy"]))
    night.save(night.named(ROUNDS["knock-poker"]))
    (best,) = history.best_of(night.night)
    # two of deadwood or better are 1 in 4,189, a full house with nines 1 in 1,109
    assert (best[0], best[1].best_line_id) == (int(night.ids["Ana"]), night.line(1).id)
    ((_, public_id),) = history.lines_of_hands(night.group_id, [best[1].best_line_id or 0]).values()
    assert public_id == night.public_id
