"""Everything that can be done in a night: steps and the resulting standings, worked out by hand from RULES.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from nights import PlayedNight, summed_transfers
from sample_rounds import RESULTS, ROUNDS
from sqlalchemy import delete, insert, update
from sqlalchemy.exc import IntegrityError

from companion.contract import read_round
from companion.store.db.faults import broken_constraint
from companion.store.log import ledger
from companion.store.log.replay import Kept, LineEntry, Outcome, work_out
from companion.store.models import (
    Account,
    BookedTransfer,
    Change,
    Group,
    Line,
    Link,
    Night,
    Player,
    Revision,
    Seat,
    db,
)
from companion.store.night import play, revising
from companion.store.night import settings as night_changes
from companion.store.night.before_round import BeforeRound
from companion.store.night.change import changes_of
from companion.store.night.reading import lines_of
from companion.store.refusals import Conflict, Refused, Sent

Act = Callable[[PlayedNight], Any]

# Ana knocks and loses to Beto: Beto gets the pot of 3, Ana matches it (KN-3). Then the pot is 6, and Beto matches it.
CARRIED = "lost Ana Beto; lost Beto Caro; rummy; won Ana"

STEPS = [
    ("nothing", "", "", []),
    ("a-won-knock", "won Ana", "Ana 2, Beto -1, Caro -1", [1]),
    ("kn-3-carried", "lost Ana Beto", "Ana -4, Beto 2, Caro -1, pot 3", [1]),
    ("c-6-carried-into-the-next", "lost Ana Beto; won Ana", "Ana 1, Beto 1, Caro -2", [1, 1]),
    ("c-6-rummy-leaves-it", "lost Ana Beto; rummy", "Ana 25, Beto -6, Caro -22, pot 3", [1, 1]),
    ("carried-four-times", CARRIED, "Ana 32, Beto -14, Caro -18", [1, 1, 1, 1]),
    ("corrected-before-a-carried-pot", f"{CARRIED}; fix 1 won Ana", "Ana 35, Beto -14, Caro -21", [2, 2, 2, 2]),
    ("voided-before-a-carried-pot", f"{CARRIED}; void 1", "Ana 33, Beto -13, Caro -20", [2, 2, 2, 2]),
    ("void-undone", f"{CARRIED}; void 1; undo 1", "Ana 32, Beto -14, Caro -18", [3, 3, 3, 3]),
    ("undo-undone", f"{CARRIED}; void 1; undo 1; undo 1", "Ana 33, Beto -13, Caro -20", [4, 4, 4, 4]),
    ("change-ends-where-the-pot-does", "lost Ana Beto; won Ana; won Beto; fix 1 won Ana", "Ana 3, Caro -3", [2, 2, 1]),
    ("corrected-to-the-same", "won Ana; won Ana; fix 1 won Ana", "Ana 4, Beto -2, Caro -2", [2, 1]),
    ("corrected-twice", "won Ana; fix 1 won Beto; fix 1 won Caro", "Ana -1, Beto -1, Caro 2", [3]),
    ("a-correction-undone", "won Ana; fix 1 won Beto; undo 1", "Ana 2, Beto -1, Caro -1", [3]),
    ("a-correction-redone", "won Ana; fix 1 won Beto; undo 1; undo 1", "Ana -1, Beto 2, Caro -1", [4]),
    ("a-first-save-undone", "won Ana; undo 1", "", [2]),
    ("a-first-save-redone", "won Ana; undo 1; undo 1", "Ana 2, Beto -1, Caro -1", [3]),
    ("voided-then-corrected", "won Ana; void 1; fix 1 won Beto", "Ana -1, Beto 2, Caro -1", [3]),
    ("rebuy-from-the-bank", "bank bank Ana 20", "Ana 20, bank -20", [1]),
    ("side-bet", "won Ana; side-bet Ana Caro 5", "Ana -3, Beto -1, Caro 4", [1, 1]),
    ("a-fine", "won Ana; pot Caro pot 5", "Ana 2, Beto -1, Caro -6, pot 5", [1, 1]),
    ("a-fine-is-won", "pot Caro pot 5; won Ana", "Ana 7, Beto -1, Caro -6", [1, 1]),
    ("a-fine-voided-after-it-was-won", "pot Caro pot 5; won Ana; void 1", "Ana 2, Beto -1, Caro -1", [2, 2]),
    ("given-back", "lost Ana Beto; pot pot Ana 2", "Ana -2, Beto 2, Caro -1, pot 1", [1, 1]),
    ("loan-voided", "loan Ana Beto 5; void 1", "", [2]),
    ("movement-out-of-the-pot", "lost Ana Beto; loan pot Caro 3", "Ana -4, Beto 2, Caro 2", [1, 1]),
    ("c-7-leaves", "won Ana; seats Ana Beto; won Beto", "Ana 1, Caro -1", [1, 1]),
    ("c-7-sits-out", "won Ana; seats Ana Beto=out Caro; won Caro", "Ana 1, Beto -1", [1, 1]),
    ("c-7-comes-back", "won Ana; seats Ana Beto; seats Caro Beto; won Beto", "Ana 2, Caro -2", [1, 1]),
    ("c-7-changes-seats", "won Ana; seats Caro Ana Beto", "Ana 2, Beto -1, Caro -1", [1]),
    ("c-7-joins", "won Ana; seats Ana Dani Beto Caro; won Dani", "Ana 1, Beto -2, Caro -2, Dani 3", [1, 1]),
    ("c-6-closed-and-split", "lost Ana Beto; close split", "Ana -3, Beto 3", [1, 1]),
    ("c-6-closed-and-left", "lost Ana Beto; close", "Ana -4, Beto 2, Caro -1, pot 3", [1]),
    ("closed-without-a-pot", "won Ana; close split", "Ana 2, Beto -1, Caro -1", [1]),
    ("closed-without-a-round", "close split", "", []),
    ("reopened", "won Ana; close; reopen; won Ana", "Ana 4, Beto -2, Caro -2", [1, 1]),
    ("split-undone", "lost Ana Beto; close split; reopen; void 2", "Ana -4, Beto 2, Caro -1, pot 3", [1, 2]),
    # if line 1 becomes a win, the pot of 3 disappears and there is nothing to split
    ("split-follows-the-pot", "lost Ana Beto; close split; reopen; fix 1 won Ana", "Ana 2, Beto -1, Caro -1", [2, 2]),
]


@pytest.mark.parametrize(("steps", "standings", "revisions"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS])
def test_standings_and_carried_pot_after(app: object, steps: str, standings: str, revisions: list[int]) -> None:
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani"])
    night.do(steps)
    assert night.standings() == standings
    assert night.revisions() == revisions
    balances = ledger.balances(night.night)
    assert {key: balance for key, balance in balances.items() if balance} == summed_transfers(night.public_id)
    assert sum(balances.values()) == 0


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_of_each_game_is_booked(night: PlayedNight, game: str) -> None:
    night.save(night.named(ROUNDS[game]))
    _, nets, pot, _ = RESULTS[game]
    balances = ledger.balances(night.night)
    assert [balances[night.ids[name]] for name in ("Ana", "Beto", "Caro")[: len(nets)]] == nets
    assert balances["pot"] == pot


def test_the_pot_is_the_sessions_whatever_the_document_says(night: PlayedNight) -> None:
    night.do("lost Ana Beto")
    night.save(night.round("won Ana") | {"pot": 1000})
    assert night.standings() == "Ana 1, Beto 1, Caro -2"
    assert [line.current.document["pot"] for line in night.night.lines if line.current] == [0, 3]


@pytest.mark.parametrize(("expected", "pots"), [(3, [3]), (0, [0, 3])])
def test_a_round_is_settled_again_if_the_pot_is_not_the_expected_one(
    night: PlayedNight, monkeypatch: pytest.MonkeyPatch, expected: int, pots: list[int]
) -> None:
    night.do("lost Ana Beto")
    settled: list[int] = []

    def noted(entry: LineEntry, pot: int, kept: Kept | None) -> Outcome:
        settled.append(pot)
        return work_out(entry, pot, kept)

    monkeypatch.setattr(play, "work_out", noted)
    play.save_round(night.public_id, 2, night.round("won Ana"), night.sent(), expected_pot=expected)
    assert settled == pots
    assert night.line(2).current.document["pot"] == 3
    assert night.standings() == "Ana 1, Beto 1, Caro -2"


def test_a_round_without_a_dealer_was_dealt_by_the_last(night: PlayedNight) -> None:
    document = night.round("lost Ana Beto")
    night.save({key: value for key, value in document.items() if key != "dealer"})
    assert BeforeRound(night.night).dealer == night.ids["Ana"]
    night.do("close split")
    assert night.standings() == "Ana -3, Beto 3"


# refused steps after the steps before them: the exception, the line in the way, the first words of the sentence
REFUSED = [
    ("closed-round", "close", "won Ana", Refused, None, "This night is closed"),
    ("closed-movement", "close", "loan Ana Beto 5", Refused, None, "This night is closed"),
    ("closed-correction", "won Ana; close", "fix 1 won Beto", Refused, None, "This night is closed"),
    ("closed-void", "won Ana; close", "void 1", Refused, None, "This night is closed"),
    ("closed-undo", "won Ana; close", "undo 1", Refused, None, "This night is closed"),
    ("closed-seats", "close", "seats Ana Beto", Refused, None, "This night is closed"),
    ("closed-twice", "lost Ana Beto; close", "close split", Refused, None, "This night is closed"),
    ("pot-too-small", "lost Ana Beto", "loan pot Ana 4", Refused, 2, "The pot holds only 3"),
    ("a-fine-above-the-stack", "buy-in 2", "pot Ana pot 3", Refused, None, "puts in 3 but has only 2"),
    ("later-pot-too-small", "lost Ana Beto; loan pot Ana 3", "fix 1 won Ana", Refused, 2, "The pot of 0 is too small"),
    ("later-pot-voided", "lost Ana Beto; loan pot Ana 3", "void 1", Refused, 2, "The pot of 0 is too small"),
    ("and-a-round-after", "lost Ana Beto; loan pot Ana 3; won Ana", "void 1", Refused, 2, "The pot of 0 is too small"),
    ("and-a-split-after", "lost Ana Beto; loan pot Ana 1; close split; reopen", "void 1", Refused, 2, "The pot of 0"),
    ("two-lines-in-the-way", "lost Ana Beto; loan pot Ana 1; loan pot Ana 1", "void 1", Refused, 2, "The pot of 0"),
]


@pytest.mark.parametrize(
    ("before", "step", "error", "line", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused(
    night: PlayedNight, before: str, step: str, error: type[Refused], line: int | None, words: str
) -> None:
    night.do(before)
    standings, revisions, version = night.standings(), night.revisions(), night.night.version
    with pytest.raises(error, match=words) as refused:
        night.do(step)
    assert refused.value.line == line
    assert (night.standings(), night.revisions(), night.night.version) == (standings, revisions, version)


def test_a_closed_session_refuses_other_rules(night: PlayedNight) -> None:
    night.do("close")
    with pytest.raises(Refused, match="closed"):
        night_changes.set_rules(night.public_id, "dompe", {"ante": 2}, night.sent())


def test_a_round_with_problems_is_refused_with_them(night: PlayedNight) -> None:
    document = night.round("won Ana")
    document["round"]["hands"][night.ids["Beto"]] = "Ks Jh"
    expected = read_round(document).problems
    for act in (
        lambda: night.save(document),
        lambda: revising.correct(night.public_id, 1, document, 1, night.sent()),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.problems == expected
        assert [problem.code for problem in expected] == ["wrong-hand-size"]
        night.do("won Ana") if not night.revisions() else None
    assert night.revisions() == [1]


# what was played, what another phone did meanwhile | which line is in the way, and what is said of it
LATE = [
    ("loan Ana Beto 5; won Ana", lambda night: night.save(night.round("won Beto"), number=2), 2,
     "Round 1 was just saved from another phone"),
    ("", lambda night: night.save(night.round("won Beto"), number=2), 2, "Entry 2 was just saved"),
    ("loan Ana Beto 5; won Ana; fix 2 won Beto",
     lambda night: revising.correct(night.public_id, 2, night.round("won Caro"), 1, night.sent()), 2,
     "round 1 was just changed on another phone"),
    ("loan Ana Beto 5; void 1",
     lambda night: revising.correct(
         night.public_id, 1, night.line(1).current.document, 1, night.sent(), voided=True
     ), 1,
     "entry 1 was just changed on another phone"),
    ("won Ana; fix 1 won Beto", lambda night: revising.undo(night.public_id, 1, 1, night.sent()), 1,
     "round 1 was just changed"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "act", "line", "words"), LATE, ids=[row[0] for row in LATE])
def test_what_comes_too_late_is_a_conflict_with_its_line(
    night: PlayedNight, steps: str, act: Act, line: int | None, words: str
) -> None:
    night.do(steps)
    before = night.standings(), night.revisions()
    with pytest.raises(Conflict, match=words) as conflict:
        act(night)
    assert conflict.value.line == line
    assert (night.standings(), night.revisions()) == before


def seat(night: PlayedNight, key: Sent, *names: str) -> int:
    return night_changes.set_seats(night.public_id, [(int(night.ids[name]), "in") for name in names], key)


KEY = Sent("the key", "a phone")
BET = ("side-bet", "Ana", "Beto")
# changes after a round and a movement
ACTS: dict[str, Act] = {
    "round": lambda night: play.save_round(night.public_id, 3, night.round("won Beto"), KEY),
    "round of Caro's": lambda night: play.save_round(night.public_id, 3, night.round("won Caro"), KEY),
    "round as another line": lambda night: play.save_round(night.public_id, 4, night.round("won Beto"), KEY),
    "movement": lambda night: play.move(night.public_id, 3, night.movement(*BET, 1), KEY),
    "movement of 2": lambda night: play.move(night.public_id, 3, night.movement(*BET, 2), KEY),
    "correction": lambda night: revising.correct(night.public_id, 1, night.round("won Beto"), 1, KEY),
    "correction of the next": lambda night: revising.correct(night.public_id, 1, night.round("won Beto"), 2, KEY),
    "void": lambda night: revising.correct(night.public_id, 1, night.round("won Beto"), 1, KEY, voided=True),
    "undo": lambda night: revising.undo(night.public_id, 1, 1, KEY),
    "undo line 2": lambda night: revising.undo(night.public_id, 2, 1, KEY),
    "seats": lambda night: seat(night, KEY, "Caro", "Beto", "Ana"),
    "fewer seats": lambda night: seat(night, KEY, "Caro", "Beto"),
    "rules": lambda night: night_changes.set_rules(night.public_id, "knock", {"ante": 2}, KEY),
    "no rules": lambda night: night_changes.set_rules(night.public_id, "knock", {}, KEY),
    "split": lambda night: night_changes.close(night.public_id, True, KEY),
    "close": lambda night: night_changes.close(night.public_id, False, KEY),
    "reopen": lambda night: night_changes.reopen(night.public_id, KEY),
}
DEEDS = [
    ("round", "round of Caro's"),
    ("round", "round as another line"),
    ("movement", "movement of 2"),
    ("movement", "round"),
    ("correction", "correction of the next"),
    ("void", "correction"),
    ("undo", "undo line 2"),
    ("seats", "fewer seats"),
    ("rules", "no rules"),
    ("split", "close"),
    ("reopen", "close"),
]


@pytest.mark.parametrize(("deed", "other"), DEEDS)
def test_the_same_key_again_is_done_once(night: PlayedNight, deed: str, other: str) -> None:
    night.do("lost Ana Beto; loan Ana Beto 5")
    made = ACTS[deed](night)
    after = (night.standings(), night.revisions(), night.night.version)
    assert ACTS[deed](night) == made
    assert (night.standings(), night.revisions(), night.night.version) == after
    with pytest.raises(Conflict, match="saved, with different contents"):
        ACTS[other](night)
    assert (night.standings(), night.revisions(), night.night.version) == after


def test_a_movement_sent_again_later_is_booked_once(night: PlayedNight) -> None:
    """Its form has no line number: the page assigns the next one, which has changed by then."""
    loan = night.movement("loan", "Ana", "Beto", 5)
    made = night.save(loan, "one key")
    night.do("won Ana")
    assert night.save(loan, "one key") == made
    with pytest.raises(Conflict):
        night.save({**loan, "amount": 6}, "one key")
    with pytest.raises(Conflict):
        night.save(night.knock("Ana", "Ana"), "one key")
    assert len(night.night.lines) == 2


def test_undo_sent_again_after_the_pot_before_it_changed_is_done_once(night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana")
    key = night.sent()
    made = revising.undo(night.public_id, 2, 1, key)
    night.do("fix 1 won Ana")
    assert revising.undo(night.public_id, 2, 1, key) == made
    assert night.revisions() == [2, 3]


def test_undo_of_a_correction_when_the_pot_before_it_changed_since(night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana; fix 2 won Beto; fix 1 won Ana; undo 2")
    # line 1 is a win of Ana's as corrected, line 2 again one of Ana's as first saved
    assert night.standings() == "Ana 4, Beto -2, Caro -2"


def test_a_key_is_another_in_another_session(app: object) -> None:
    nights = [PlayedNight("Ana", "Beto", "Caro"), PlayedNight("Ana", "Beto", "Caro")]
    for night in nights:
        night.save(night.round("won Ana"), key="the same")
    assert [night.standings() for night in nights] == ["Ana 2, Beto -1, Caro -1"] * 2


def test_every_change_is_kept_with_its_device(night: PlayedNight) -> None:
    night.do("won Ana; fix 1 won Beto; void 1; bank bank Ana 5; seats Ana Beto; close; reopen")
    changes = db.session.scalars(db.select(Change).order_by(Change.id)).all()
    kinds = "round correction void movement seats close reopen"
    assert [change.kind for change in changes] == kinds.split()
    assert {change.device for change in changes} == {"a phone"}
    assert all(change.at.tzinfo is not None for change in changes)
    assert night.night.version == len(changes)


def test_old_revisions_stay_as_they_were(night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana; fix 1 won Ana; void 1")
    first, second = night.night.lines
    moved = [[(t.giver.key, t.taker.key, t.amount, t.rule) for t in r.transfers] for r in first.revisions]
    ana, beto, caro = (night.ids[name] for name in ("Ana", "Beto", "Caro"))
    antes = [(player, "pot", 1, "KN-1") for player in (ana, beto, caro)]
    assert moved == [
        [*antes, ("pot", beto, 3, "KN-2"), (ana, "pot", 3, "KN-3")],
        [*antes, ("pot", ana, 3, "KN-2")],
        [],
    ]
    kept = [[(r.voided, r.follows, r.document["pot"]) for r in line.revisions] for line in (first, second)]
    assert kept == [[(False, False, 0), (False, False, 0), (True, False, 0)], [(False, False, 3), (False, True, 0)]]
    assert [[r.number for r in line.revisions] for line in (first, second)] == [[1, 2, 3], [1, 2]]
    assert second.revisions[1].change_id == first.revisions[1].change_id


def test_what_a_correction_would_change_is_told_before_it_is_made(night: PlayedNight) -> None:
    night.do("lost Ana Beto; rummy; won Ana; won Beto")
    entry = LineEntry(1, night.round("won Ana"))
    changes = revising.recalculated(night.night, entry)
    assert [(line.number, new.pot_before, new.pot_after) for line, new in changes] == [(1, 0, 0), (2, 0, 0), (3, 0, 0)]
    assert night.revisions() == [1, 1, 1, 1]


# seats, game and dealer of the last round, steps after it, who deals next (C-8)
DEALERS = [
    ("clockwise", "Ana Beto Caro", "knock Caro", "", "Ana"),
    ("clockwise-middle", "Ana Beto Caro", "knock Ana", "", "Beto"),
    ("anticlockwise", "Ana Beto Caro", "dompe Caro", "", "Beto"),
    ("anticlockwise-first", "Ana Beto Caro", "dompe Ana", "", "Caro"),
    ("skips-who-sits-out", "Ana Beto Caro", "knock Caro", "seats Ana=out Beto Caro", "Beto"),
    ("skips-who-left", "Ana Beto Caro", "knock Caro", "seats Beto Caro", "Beto"),
    ("dealer-sits-out", "Ana Beto Caro", "knock Ana", "seats Ana=out Beto Caro", "Beto"),
    ("dealer-left-his-seat", "Dani Ana Beto Caro", "knock Beto", "seats Dani Ana Beto=left Caro", "Caro"),
    ("dealer-left", "Dani Ana Beto Caro", "knock Beto", "seats Dani Ana Caro", "Caro"),
    ("dealer-left-anticlockwise", "Dani Ana Beto Caro", "dompe Beto", "seats Dani Ana Caro", "Ana"),
    ("alone", "Ana Beto Caro", "knock Ana", "seats Ana", "Ana"),
    ("nobody", "Ana Beto Caro", "knock Ana", "seats Ana=out", None),
    ("who-joined", "Ana Beto Caro", "knock Caro", "seats Dani Ana Beto Caro", "Dani"),
    ("voided", "Ana Beto Caro", "knock Caro", "void 1", "Caro"),
    ("voided-anticlockwise", "Ana Beto Caro", "dompe Ana", "void 1", "Ana"),
    ("voided-and-left", "Ana Beto Caro", "knock Ana", "void 1; seats Beto Caro Ana=left", "Beto"),
    ("after-a-movement", "Ana Beto Caro", "knock Caro", "loan Ana Beto 1", "Ana"),
]


@pytest.mark.parametrize(
    ("seats", "last", "steps", "dealer"), [row[1:] for row in DEALERS], ids=[row[0] for row in DEALERS]
)
def test_c_8_who_deals_next(app: object, seats: str, last: str, steps: str, dealer: str | None) -> None:
    night = PlayedNight(*seats.split(), away=[] if "Dani" in seats else ["Dani"])
    game, dealt = last.split()
    night.save(night.named(ROUNDS[game] | {"dealer": dealt}))
    night.do(steps)
    assert BeforeRound(night.night).dealer == (dealer and night.ids[dealer])


def test_before_the_first_round_nobody_is_next(night: PlayedNight) -> None:
    assert BeforeRound(night.night).dealer is None


# the game and dealer of the last round, the pot that is split, the shares: odd units in turn order (C-3, C-6)
SPLITS = [
    ("even", "dompe Caro", 6, "Ana 2, Beto 2, Caro 2"),
    ("odd-clockwise", "knock-poker Ana", 7, "Ana 2, Beto 3, Caro 2"),
    ("two-odd-clockwise", "knock-poker Ana", 8, "Ana 2, Beto 3, Caro 3"),
    ("odd-anticlockwise", "dompe Ana", 7, "Ana 2, Beto 2, Caro 3"),
    ("two-odd-anticlockwise", "dompe Caro", 5, "Ana 2, Beto 2, Caro 1"),
    ("less-than-one-each", "dompe Caro", 1, "Beto 1"),
]


@pytest.mark.parametrize(("last", "pot", "shares"), [row[1:] for row in SPLITS], ids=[row[0] for row in SPLITS])
def test_c_6_the_pot_is_split_when_closing(night: PlayedNight, last: str, pot: int, shares: str) -> None:
    game, dealer = last.split()
    night.save(night.named(ROUNDS[game] | {"dealer": dealer}))
    before = ledger.balances(night.night)
    night.do(f"bank bank pot {pot}; close split")
    after = ledger.balances(night.night)
    gained = {name: after[key] - before.get(key, 0) for name, key in night.ids.items() if name != "bank"}
    assert ", ".join(f"{name} {gained[name]}" for name in ("Ana", "Beto", "Caro") if gained[name]) == shares
    assert gained["pot"] == 0
    assert night.night.closed_at is not None
    split = night.line(3).current
    assert split is not None
    assert {transfer.rule for transfer in split.transfers} == {"C-6"}


def test_c_6_only_the_players_of_the_last_round_that_counts_share(app: object) -> None:
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani"])
    night.do("lost Ana Beto; seats Ana Beto Dani; won Dani; void 2; close split")
    assert night.standings() == "Ana -3, Beto 3"


def test_who_leaves_goes_to_the_end(night: PlayedNight) -> None:
    night.do("seats Caro Ana=out")
    seats = [(seat.player.name, seat.position, seat.state) for seat in night.night.seats]
    assert seats == [("Caro", 0, "in"), ("Ana", 1, "out"), ("Beto", 2, "left")]


def test_nobody_of_another_group_sits_down(night: PlayedNight) -> None:
    stranger = int(PlayedNight("Eva", "Fabi").ids["Eva"])
    with pytest.raises(Refused):
        night_changes.set_seats(night.public_id, [(stranger, "in"), (int(night.ids["Ana"]), "in")], night.sent())


def test_the_house_rules_of_one_game_change_and_the_others_stay(night: PlayedNight) -> None:
    night_changes.set_rules(night.public_id, "dompe", {"ante": 2}, night.sent())
    night_changes.set_rules(night.public_id, "knock", {"ante": 3}, night.sent())
    night_changes.set_rules(night.public_id, "dompe", {"ante": 4}, night.sent())
    assert night.night.rules == {"dompe": {"ante": 4}, "knock": {"ante": 3}}
    assert night.night.game == "dompe"


def test_a_correction_that_makes_a_later_pot_too_large_is_refused(night: PlayedNight) -> None:
    # a pot is 10^12 units at most (C-1)
    night.do(f"lost Ana Beto; bank bank pot {10**12 - 3}; lost Ana Beto")
    document = night.round("lost Ana Beto") | {"stake": 2}
    with pytest.raises(Refused):
        revising.correct(night.public_id, 1, document, 1, night.sent())


def test_unknown_sessions_and_lines_are_not_found(night: PlayedNight) -> None:
    assert play.find_night("no such") is None
    assert play.find_line(night.night, 1) is None


@pytest.mark.parametrize(("most", "lines"), [(2, [4, 3]), (9, [4, 3, 2, 1]), (None, [4, 3, 2, 1])])
def test_lines_are_listed_newest_first(night: PlayedNight, most: int | None, lines: list[int]) -> None:
    night.do("won Ana; won Ana; won Ana; loan Ana Beto 1; fix 1 won Beto")
    PlayedNight("Eva", "Fabi").do("won Eva")
    assert [line.number for line in lines_of(night.night, most=most)] == lines


def test_changes_are_listed_newest_first(night: PlayedNight) -> None:
    night.do("won Ana; fix 1 won Beto; close")
    PlayedNight("Eva", "Fabi").do("won Eva")
    assert [change.kind for change in changes_of(night.night, 2)] == ["close", "correction"]
    assert [change.kind for change in changes_of(night.night, 9)] == ["close", "correction", "round"]


# of each table, what is different in another row that may be written beside its first one
ANOTHER = {
    Group: {"public_id": "new", "deletion_key": None},
    Link: {"access": "look", "secret_hash": "new"},
    Player: {"name": "New", "folded": "new"},
    Night: {"public_id": "new", "submission_key": "new", "join_code": None},
    Seat: {"player_id": "Dani", "position": 3},
    Account: {"key": "new"},
    Change: {"submission_key": "new"},
    Line: {"number": 2, "current_id": None},
    Revision: {"number": 2},
    BookedTransfer: {"position": 9},
}


def another_row(table: Any, night: PlayedNight) -> dict[str, Any]:
    """Return the columns of a row that the app could write next."""
    db.session.execute(delete(Link).where(Link.access == "look"))
    first = db.session.execute(db.select(table.__table__)).mappings().first()
    assert first is not None
    found = {**first, **ANOTHER[table]}
    found = {name: int(night.ids["Dani"]) if value == "Dani" else value for name, value in found.items()}
    return {name: value for name, value in found.items() if name != "id"}


# a table, and the columns that make its next row one that the database must refuse
SAME = object()  # as in the first row
NOWHERE = 10**6
CONSTRAINTS = [
    *((Group, column, value) for column, value in (("public_id", SAME), ("name", None))),
    *((Link, column, value) for column, value in (("secret_hash", SAME), ("access", "keep"), ("access", "all"))),
    (Player, "folded", "ana"),
    *((Night, column, SAME) for column in ("public_id", "join_code", "submission_key")),
    (Night, "stake_units", 0),
    *((Seat, column, value) for column, value in (("player_id", SAME), ("player_id", NOWHERE), ("state", "gone"))),
    (Account, "key", "pot"),
    (Change, "submission_key", SAME),
    *((Line, column, value) for column, value in (("number", 1), ("current_id", NOWHERE))),
    *((Revision, column, value) for column, value in (("number", 1), ("line_id", NOWHERE), ("change_id", NOWHERE))),
    *((BookedTransfer, "amount", amount) for amount in (0, -1)),
    *((BookedTransfer, column, NOWHERE) for column in ("giver_id", "taker_id", "revision_id")),
    (BookedTransfer, "position", 0),
    (BookedTransfer, "taker_id", "giver_id"),
    *((table, "night_id", NOWHERE) for table in (Seat, Account, Change, Line)),
    # of another group than the rows that they refer to
    *((table, "group_id", NOWHERE) for table in ANOTHER if table is not Group),
]


@pytest.mark.parametrize(
    ("table", "column", "value"),
    CONSTRAINTS,
    ids=[f"{table.__tablename__}.{column}-{at}" for at, (table, column, _) in enumerate(CONSTRAINTS)],
)
def test_the_database_itself_refuses(app: object, table: Any, column: str, value: Any) -> None:
    night = PlayedNight("Ana", "Beto", "Caro", away=["Dani"])
    night.do("won Ana")
    first = db.session.execute(db.select(table.__table__)).mappings().first()
    columns = another_row(table, night)
    with db.session.begin_nested() as good:
        db.session.execute(insert(table).values(columns))
        good.rollback()
    said = first[column] if value is SAME else columns[value] if value == "giver_id" else value
    with pytest.raises(IntegrityError) as caught:
        db.session.execute(insert(table).values(columns | {column: said}))
    broken = broken_constraint(caught.value)
    if said is None:
        assert broken == f"{table.__tablename__}.{column}"
    elif said == NOWHERE:
        assert broken.startswith("fk_") or (not broken and db.engine.dialect.name == "sqlite")
    else:
        about = {key.name: str(getattr(key, "sqltext", key.columns.keys())) for key in table.__table__.constraints}
        assert column in about[broken]


def test_the_database_itself_refuses_a_current_revision_that_is_not_there(night: PlayedNight) -> None:
    night.do("won Ana")
    with pytest.raises(IntegrityError):
        db.session.execute(update(Line).values(current_id=10**6))
