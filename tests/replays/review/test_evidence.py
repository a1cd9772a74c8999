"""A small sample of what REVIEWS.md says was measured."""

from __future__ import annotations

import pytest

from tests.replays.review import evidence


@pytest.mark.long
def test_a_planted_blunder_is_marked() -> None:
    found = evidence.blunders(1)
    assert found is not None
    assert found.lost >= 0.1
    assert found.verdicts[str(evidence.FULL)].wrong(players=4)


@pytest.mark.long
def test_luck_is_shared_out_between_the_seats(capsys: pytest.CaptureFixture[str]) -> None:
    found = evidence.luck(1)
    assert sum(value for seat in found.of_wins for value in seat.values()) == pytest.approx(0)
    assert set(found.of_points[0]) >= {"lot", "deal", "voice", "tally", "card"}
    evidence.tell([found, found])
    assert "luck in points, 2 games" in capsys.readouterr().out
