"""Clocks: they only ever lose what passed and gain what a decision adds, and no fold knows them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.effects import AnyEffect
from engine.fold import apply, fold
from engine.rules.setup import open_game
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import digest
from events.types import AnyEvent, AskTakeBack, GameOpened, HandOver, Resign
from projections.clocks.clock import (
    Banks,
    ClockMoment,
    Pace,
    clock_moment,
    low,
    ticking,
    waiting_since,
)
from projections.clocks.rest import DAY, HOUR, MINUTE, Habit, Holiday, Rest

PACE = Pace(bank=48 * 60, increment=6 * 60)
BANK = PACE.bank * MINUTE
START = 1_790_000_000_000
LOGS = [
    play_out(new_game(players, f"clock/{players}"), RandomBot(players)).events for players in (2, 4)
]
SLEEPER = Rest(
    (Habit(0, "Europe/Helsinki", 23 * 60, 7 * 60),),
    (Holiday("", "", START + 5 * DAY, START + 8 * DAY),),
)


def moments_of(events: list[AnyEvent]) -> list[ClockMoment]:
    opened = events[0]
    assert isinstance(opened, GameOpened)
    state = open_game(opened)
    found = [clock_moment(opened, [], state)]
    for event in events[1:]:
        told: list[AnyEffect] = []
        apply(state, event, told)
        found.append(clock_moment(event, told, state))
    return found


def timed(events: list[AnyEvent], gaps: list[int]) -> list[AnyEvent]:
    now, found = START, []
    for number, event in enumerate(events):
        now += gaps[number % len(gaps)]
        found.append(msgspec.structs.replace(event, time=now))
    return found


@settings(max_examples=25, deadline=None)
@given(
    log=st.sampled_from(LOGS),
    gaps=st.lists(st.integers(-MINUTE, 30 * HOUR), min_size=1, max_size=40),
    rests=st.lists(st.sampled_from([Rest(), SLEEPER]), min_size=4, max_size=4),
)
def test_clocks_go_up_by_increments_alone_and_leave_the_fold_as_it_is(
    log: list[AnyEvent], gaps: list[int], rests: list[Rest]
) -> None:
    events = timed(log, [max(gap, -START) for gap in gaps])
    moments = moments_of(events)
    seats = len(fold(log[:1]).seats)
    by_seat = dict(enumerate(rests, start=1))
    banks = Banks(PACE, seats, by_seat)
    for each in moments:
        before = list(banks.left)
        banks.note([each])
        for seat, (then, now) in enumerate(zip(before, banks.left, strict=True), start=1):
            gained = PACE.increment * MINUTE if each.decided and each.seat == seat else 0
            assert 0 <= now <= min(BANK, then + gained)
    # Followed step by step or counted at once, it is the same.
    assert Banks(PACE, seats, by_seat, moments).left == banks.left
    # The state is the same whatever the clocks say: no rule reads the times.
    assert digest(fold(events)) == digest(fold(log))


def test_two_clocks_run_at_once_where_two_decide_side_by_side() -> None:
    """R41: who has demolished waits no longer, the other one's time goes on."""
    game, bot = new_game(4, "side by side"), RandomBot(3)
    while len(game.state.awaiting) < 2:
        game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
    first, second = sorted(game.state.awaiting)[:2]
    count = len(game.events)
    game.add(legal_actions(game.state, first)[0])
    assert first not in game.state.awaiting
    events = timed(game.events[: count + 1], [0])
    moments = moments_of(events)
    later = [msgspec.structs.replace(moments[-1], time=START + 10 * HOUR)]
    banks = Banks(PACE, 4, {}, [*moments[:-1], *later])
    assert banks.left[first] == BANK - 10 * HOUR + 6 * HOUR
    assert banks.left[second] == BANK - 10 * HOUR
    assert banks.left_at(first, START + 20 * HOUR) == banks.left[first]
    assert banks.left_at(second, START + 20 * HOUR) == BANK - 20 * HOUR
    assert banks.when(second, HOUR) == START + BANK - HOUR
    others = [seat for seat in range(1, 5) if seat not in moments[-2].owing]
    assert all(banks.left[seat] == BANK for seat in others)


def started(players: int = 2) -> Game:
    return new_game(players, "clock")


def later(event: AnyEvent, hours: int) -> AnyEvent:
    return msgspec.structs.replace(event, time=START + hours * HOUR)


def test_the_bank_is_never_more_than_full_and_never_less_than_empty() -> None:
    game = started()
    seat = min(game.state.awaiting)
    game.add(legal_actions(game.state, seat)[0])
    log = [later(event, 0) for event in game.events]
    assert Banks(PACE, 2, {}, moments_of(log)).left == {1: BANK, 2: BANK}
    log[-1] = later(log[-1], 100)
    left = Banks(PACE, 2, {}, moments_of(log)).left
    assert left[seat] == 6 * HOUR
    assert left[3 - seat] == BANK


def test_a_clock_stands_for_bots_and_for_who_resigned_and_after_the_game() -> None:
    game = started(3)
    seat = min(game.state.awaiting)
    log = [later(event, 0) for event in game.events]
    handed = [*log, later(HandOver(seat=seat, bot="steward"), 10)]
    moments = moments_of(handed)
    assert moments[-1].owing == ()
    banks = Banks(PACE, 3, {}, moments)
    assert banks.left_at(seat, START + 40 * HOUR) == BANK - 10 * HOUR
    state = fold(handed)
    assert ticking(state, (), Rest(), seat, START) == "bot"
    back = [*handed, later(HandOver(seat=seat, bot=""), 50)]
    assert moments_of(back)[-1].owing == (seat,)
    assert Banks(PACE, 3, {}, moments_of(back)).left_at(seat, START + 51 * HOUR) == BANK - 11 * HOUR
    gone = moments_of([*log, later(Resign(seat=seat), 10)])
    assert seat not in gone[-1].owing
    assert moments_of(LOGS[0])[-1].owing == ()
    assert ticking(fold(LOGS[0]), (), Rest(), 1, START) == "over"


def test_a_decision_of_a_bot_in_the_seat_adds_time_as_well() -> None:
    game = started()
    seat = min(game.state.awaiting)
    act = legal_actions(game.state, seat)[0]
    log = [later(event, 0) for event in game.events]
    log += [later(HandOver(seat=seat, bot="steward", by="clock"), 48), later(act, 48)]
    assert Banks(PACE, 2, {}, moments_of(log)).left[seat] == 6 * HOUR


def test_who_takes_back_and_decides_again_gains_nothing() -> None:
    game, bot = started(), RandomBot(4)
    while True:
        seat = min(game.state.awaiting)
        acts = legal_actions(game.state, seat)
        count = len(game.events)
        game.add(bot.pick(acts))
        asked = fold([*game.events, AskTakeBack(seat=seat)])
        if len(game.events) == count + 1 and seat in asked.awaiting:
            break
    log = [later(event, 0) for event in game.events[:count]]
    log += [later(game.events[count], 20), later(AskTakeBack(seat=seat), 20)]
    moments = moments_of(log)
    assert moments[-1].taken_back
    assert Banks(PACE, 2, {}, moments[:-1]).left[seat] == BANK - 14 * HOUR
    assert Banks(PACE, 2, {}, moments).left[seat] == BANK - 20 * HOUR


def test_time_stands_still_while_its_owner_sleeps() -> None:
    game = started()
    seat = min(game.state.awaiting)
    # Noon in Tokyo; twelve hours of sleep begin nine hours later.
    noon = 1_790_132_400_000
    rests = {seat: Rest((Habit(0, "Asia/Tokyo", 21 * 60, 9 * 60),))}
    log = [msgspec.structs.replace(event, time=noon) for event in game.events]
    banks = Banks(PACE, 2, rests, moments_of(log))
    assert banks.left_at(seat, noon + 9 * HOUR) == BANK - 9 * HOUR
    assert banks.left_at(seat, noon + 21 * HOUR) == BANK - 9 * HOUR
    assert banks.left_at(seat, noon + 22 * HOUR) == BANK - 10 * HOUR
    assert ticking(game.state, (seat,), rests[seat], seat, noon + 10 * HOUR) == "asleep"
    assert banks.when(seat, 0) == noon + 9 * HOUR + 3 * DAY + (12 + 3) * HOUR


@pytest.mark.parametrize("left", [0, BANK // 4 - 1, BANK // 4, BANK])
def test_low_is_under_a_quarter(left: int) -> None:
    assert low(PACE, left) == (left < BANK // 4)


def test_a_wait_begins_with_the_last_own_action_and_ends_with_the_next() -> None:
    def one(seat: int, *owing: int) -> ClockMoment:
        return ClockMoment(time=0, seat=seat, decided=True, taken_back=False, owing=owing)

    log = [one(0, 1, 2), one(1, 2), one(3, 2, 1), one(3, 2, 1)]
    assert waiting_since(log, 2)[0] == 1
    assert waiting_since(log, 1)[0] == 3
    assert waiting_since([*log, one(2, 2, 1)], 2)[0] == 5
    assert waiting_since([*log, one(2, 1)], 2) == (0, 0)
