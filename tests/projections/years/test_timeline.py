"""A game's course: at every year's end the figures that the table showed then, and who took."""

from __future__ import annotations

import pytest

from engine import effects
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import fold
from engine.rules.scoring import score
from engine.selfplay import new_game, play_out
from events.types import AskTakeBack, GrantTakeBack
from projections.years.timeline import TimelineFold
from replays.cursor import Cursor
from tests.projections.cases import begun


@pytest.mark.parametrize("seed", range(6))
def test_a_finished_game_has_a_point_for_every_year(seed: int) -> None:
    log = play_out(begun(seed), RandomBot(seed)).events
    cursor, timeline = Cursor(log), TimelineFold(log).timeline()
    assert [(point.year, point.ended) for point in timeline.points] == [
        (year, True) for year in range(1, 7)
    ]
    for point in timeline.points:
        told = cursor.effects[point.number - 1]
        assert effects.YearEnded(year=point.year) in told
    final = fold(log)
    assert [player.points for player in timeline.points[-1].players] == [
        score(final, seat).total for seat in final.players
    ]
    moved = [e for told in cursor.effects for e in told if isinstance(e, effects.CitizenMoved)]
    for taker, row in enumerate(timeline.taken, start=1):
        for loser, count in enumerate(row, start=1):
            assert count == sum((e.seat, e.from_seat) == (taker, loser) for e in moved)


@pytest.mark.parametrize("seed", range(4))
def test_a_running_game_ends_with_now(seed: int) -> None:
    """Taken in bit by bit, it says the same as at once, and the last point is the table."""
    log = play_out(begun(seed), RandomBot(seed)).events[:-9]
    course = TimelineFold(log[:1])
    for event in log[1:]:
        course.extend([event])
    assert course.timeline() == TimelineFold(log).timeline()
    point, s = course.timeline().points[-1], fold(log)
    assert (point.year, point.number, point.ended) == (s.year, len(log), False)
    for player in point.players:
        seat = player.seat
        assert player.gold == s.players[seat].gold
        assert player.citizens == s.citizens_of(seat)
        assert player.food == s.food_of(seat)
        assert player.points == score(s, seat).total


def test_what_was_taken_back_is_not_counted() -> None:
    game, bot = new_game(2, "taken back"), RandomBot(1)
    while game.state.year < 2:
        before = TimelineFold(game.events).timeline()
        seat = min(game.state.awaiting)
        game.add(bot.pick(legal_actions(game.state, seat)))
    assert len(TimelineFold(game.events).timeline().points) == len(before.points) + 1
    game.add(AskTakeBack(seat=seat))
    for other in sorted(game.state.take_back):
        game.add(GrantTakeBack(seat=other))
    assert game.state.year == 1
    after = TimelineFold(game.events).timeline()
    assert [point.players for point in after.points] == [point.players for point in before.points]
    assert after.taken == before.taken
