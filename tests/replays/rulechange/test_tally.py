"""The sum over a corpus: counts, shifts and winners, added up by hand."""

from __future__ import annotations

import msgspec
import pytest

from replays.rulechange.comparison import Comparison, write_data
from replays.rulechange.divergence import Divergence, Finding, Illegal, Kind, LineResult, SeatResult
from replays.rulechange.summary import Compared, described, ending, markdown, plain
from replays.rulechange.tally import importance, tally


def outcome(*points: int, winner: int = 1, over: bool = True) -> LineResult:
    places = [SeatResult(seat, f"Seat {seat}", total, 0, 1) for seat, total in enumerate(points, 1)]
    return LineResult(places=places, winners=[winner], over=over, year=6)


def finding(
    kind: Kind, before: LineResult | None, after: LineResult, year: int = 2, redealt: int = 0
) -> Finding:
    where = Divergence(9, year, 1, "Anna passes.", ["So it is."], ["flush"], ["R32"])
    illegal = Illegal(9, "Anna passes.", "may-not-pass", "No.", "R32", 1, 0)
    return Finding(
        game="g",
        file="g.jsonl",
        players=len(after.places),
        events=50,
        kind=kind,
        before=before,
        after=after,
        divergence=None if kind == "same" else where,
        illegal=illegal if kind == "illegal" else None,
        redealt=[7] * redealt,
    )


FINDINGS = [
    finding("same", outcome(20, 10), outcome(20, 10)),
    finding("outcome", outcome(20, 10), outcome(18, 14)),
    finding("outcome", outcome(20, 10, 5), outcome(10, 20, 5, winner=2), year=3, redealt=1),
    finding("outcome", outcome(20, 10), outcome(20, 10), year=3),
    finding("illegal", outcome(20, 10), outcome(6, 6, over=False)),
    finding("illegal", None, outcome(6, 6)),
]


def test_sums_by_hand() -> None:
    found = tally(FINDINGS)
    assert (found.games, found.changed, found.events) == (6, 5, 300)
    assert found.kinds == {"same": 1, "outcome": 3, "illegal": 2}
    assert found.years == {2: 3, 3: 2}
    assert found.rules == {"R32": 5}
    assert found.reasons == {"may-not-pass": 2}
    assert (found.compared, found.other_points, found.other_winners) == (3, 2, 1)
    assert found.redealt == 1
    two = found.shifts[2]  # -2, +4, 0, 0
    assert (two.seats, two.mean, two.least, two.most) == (4, 0.5, -2, 4)
    assert round(two.spread, 3) == 2.179
    three = found.shifts[3]  # -10, +10, 0
    assert (three.seats, three.mean, three.least, three.most) == (3, 0, -10, 10)
    assert found.all_shifts.seats == 7


def test_the_summary_says_all_of_it() -> None:
    changed = [each for each in FINDINGS if each.kind != "same"]
    text = markdown(Compared("standard", "flush"), tally(FINDINGS), changed)
    assert "| 1 | the same at every event |" in text
    assert "| 3 | same actions, another table |" in text
    assert "| 2 | an action is no longer legal |" in text
    assert "first difference by year: year 2: 3, year 3: 2" in text
    assert "both ways: 3, of them 2 with other points, 1 with another winner." in text
    assert "| 2 | 4 | +0.50 | -5.85 to +6.85 | 2.18 | -2 | +4 |" in text
    assert "| 3 | 3 | +0.00 | – | 5" not in text
    assert "| all | 7 | +0.29 | " in text
    assert "Seat 2 wins instead of Seat 1." in text


def comparison(*findings: Finding) -> Comparison:
    made = Comparison(Compared("standard", "flush"))
    for each in findings:
        made.add(each)
    return made


def test_the_data_are_the_same_sums() -> None:
    data = msgspec.json.decode(b"".join(write_data([comparison(*FINDINGS)])))
    assert data["summary"]["shifts"]["2"]["mean"] == 0.5
    assert data["summary"]["changed"] == len(data["games"]) == 5
    assert len(data["outcomes"]) == 6
    assert data["games"] == msgspec.to_builtins(list(comparison(*FINDINGS).changed))


@pytest.mark.parametrize("results", [[FINDINGS], [[]], [FINDINGS[:1], FINDINGS, []]])
def test_the_data_are_written_piece_by_piece(results: list[list[Finding]]) -> None:
    """Just as the whole document is formatted at once, and no piece is more than a game."""
    pieces = list(write_data([comparison(*findings) for findings in results]))
    text = b"".join(pieces)
    assert text == msgspec.json.format(text, indent=1) + b"\n"
    assert isinstance(msgspec.json.decode(text), list) == (len(results) > 1)
    assert max(map(len, pieces)) < 2_000


def test_the_interval_counts_games_and_not_seats() -> None:
    """Two games that move by +1 and 0 on the mean: 0.5 ± 12.706 · 0.5."""
    two = tally(FINDINGS).shifts[2]
    assert two.interval is not None
    assert [round(end, 3) for end in two.interval] == [-5.853, 6.853]
    assert tally(FINDINGS).shifts[3].interval is None


def test_changed_winners_come_first() -> None:
    changed = [each for each in FINDINGS if each.kind != "same"]
    ordered = sorted(changed, key=importance)
    assert ordered[0] is FINDINGS[2]
    assert ordered[1] is FINDINGS[1]
    assert ordered[2:] == FINDINGS[3:]


def test_decisions_of_a_bot_are_counted_and_points_told() -> None:
    illegal = msgspec.structs.replace(FINDINGS[4].illegal, answers=7)
    answered = msgspec.structs.replace(FINDINGS[4], illegal=illegal)
    found = tally([answered, answered])
    assert (found.answers, found.answered) == (14, 2)
    assert "- a bot decided 14 times, in 2 games" in markdown(Compared("a", "b"), found, [])
    assert "Seat 1 20 → 10, Seat 2 10 → 20, Seat 3 5 → 5" in described(FINDINGS[2])


def test_who_wins() -> None:
    assert ending(outcome(2, 1), outcome(2, 1)) == "Seat 1 wins as before, the same points."
    assert ending(outcome(2, 1), outcome(3, 1)) == "Seat 1 wins as before, other points."


def test_a_name_cannot_write_on_the_terminal_or_in_the_comment() -> None:
    assert plain("\x1b[2J\n@all") == r"?\[2J?\@all"
