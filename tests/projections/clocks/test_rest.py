"""Rest: nights by the clocks of where somebody lives, over their changes, and holidays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.clocks.rest import DAY, HOUR, MINUTE, Habit, Holiday, Rest

ZONES = ("Europe/Helsinki", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "UTC")


def at(zone: str, *when: int) -> int:
    return int(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp()) * 1000  # type: ignore[misc,arg-type]


def sleeper(zone: str, begins: int = 23, ends: int = 7) -> Rest:
    return Rest(habits=(Habit(since=0, zone=zone, begins=begins * 60, ends=ends * 60),))


@pytest.mark.parametrize(
    ("zone", "evening", "night"),
    [
        ("Europe/Helsinki", (2026, 3, 28, 22), 7),
        ("Europe/Helsinki", (2026, 10, 24, 22), 9),
        ("America/New_York", (2026, 3, 7, 22), 7),
        ("America/New_York", (2026, 10, 31, 22), 9),
        ("Asia/Tokyo", (2026, 3, 28, 22), 8),
        ("Asia/Tokyo", (2026, 10, 24, 22), 8),
    ],
)
def test_a_night_is_as_long_as_the_clocks_make_it(
    zone: str, evening: tuple[int, ...], night: int
) -> None:
    """From eleven to seven: an hour less when the clocks go on, one more when they go back."""
    rest, start = sleeper(zone), at(zone, *evening)
    assert rest.awake(start, start + 12 * HOUR) == (12 - night) * HOUR
    assert rest.after(start, HOUR + 1) == start + HOUR + night * HOUR + 1
    assert rest.at(start) == ("awake", start + HOUR)
    assert rest.at(start + 2 * HOUR) == ("asleep", start + (1 + night) * HOUR)


def test_a_bedtime_that_the_clocks_leave_out() -> None:
    """In New York it is never 02:30 on that day: an hour and a half after 01:00 it is 03:30."""
    zone = "America/New_York"
    rest = Rest(habits=(Habit(since=0, zone=zone, begins=150, ends=360),))
    start = at(zone, 2026, 3, 8, 1)
    assert rest.pauses(start, start + 12 * HOUR) == [
        (start + 90 * MINUTE, at(zone, 2026, 3, 8, 6)),
    ]


@settings(max_examples=40, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)),
    minutes=st.integers(0, 9 * 24 * 60),
    begins=st.integers(0, 23),
    length=st.integers(0, 12),
)
def test_awake_is_what_a_wall_clock_says(
    zone: str, start: datetime, minutes: int, begins: int, length: int
) -> None:
    """Counted minute by minute, by somebody who looks at the clock on the wall."""
    ends = (begins + length) % 24
    if {begins, ends} & {1, 2, 3}:  # hours that come twice or never are another test's
        return
    rest, tz = sleeper(zone, begins, ends), ZoneInfo(zone)
    first = start.replace(second=0, microsecond=0, tzinfo=UTC)
    begin = int(first.timestamp()) * 1000
    up = 0
    for number in range(minutes):
        hour = (first + timedelta(minutes=number)).astimezone(tz).hour
        up += (hour - begins) % 24 >= length
    assert rest.awake(begin, begin + minutes * MINUTE) == up * MINUTE


stretches = st.lists(st.tuples(st.integers(0, 40 * DAY), st.integers(1, 9 * DAY)), max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    sleep=st.tuples(st.integers(0, 1439), st.integers(0, 12 * 60)),
    days=stretches,
    start=st.integers(0, 40 * DAY),
    cut=st.integers(0, 20 * DAY),
    amount=st.integers(0, 9 * DAY),
)
def test_time_adds_up_and_comes_back(
    zone: str,
    sleep: tuple[int, int],
    days: list[tuple[int, int]],
    start: int,
    cut: int,
    amount: int,
) -> None:
    """Two stretches are up as long as their whole, and `after` says when an amount is spent."""
    off = tuple(Holiday("", "", begin, begin + length) for begin, length in sorted(days))
    rest = Rest((Habit(0, zone, sleep[0], sum(sleep) % 1440),), off)
    middle, end = start + cut, start + 2 * cut
    whole = rest.awake(start, end)
    assert whole == rest.awake(start, middle) + rest.awake(middle, end)
    assert 0 <= whole <= end - start
    spent = rest.after(start, amount)
    assert rest.awake(start, spent) == amount
    assert amount == 0 or rest.awake(start, spent - 1) == amount - 1


def test_a_new_habit_changes_nothing_that_has_passed() -> None:
    zone, start = "Europe/Helsinki", at("Europe/Helsinki", 2026, 6, 1, 12)
    before = sleeper(zone)
    moved = start + 10 * DAY
    after = Rest(habits=(*before.habits, Habit(moved, "Asia/Tokyo", 60, 120)))
    assert after.awake(start, moved) == before.awake(start, moved)
    assert after.pauses(start, moved) == before.pauses(start, moved)
    assert after.awake(moved, moved + 10 * DAY) == 10 * (DAY - HOUR)


def test_who_sleeps_in_the_holiday_rests_once() -> None:
    zone = "America/New_York"
    begin = at(zone, 2026, 7, 1)
    rest = Rest(sleeper(zone).habits, (Holiday("", "", begin, begin + 3 * DAY),))
    start = begin - 12 * HOUR
    assert rest.awake(start, begin + 4 * DAY) == (11 + 16) * HOUR
    assert rest.at(begin + DAY)[0] == "away"
    assert rest.without_sleep().awake(start, begin + 4 * DAY) == 12 * HOUR + DAY
    assert rest.at(start) == ("awake", begin - HOUR)


def test_nobody_rests_by_default_and_an_unknown_zone_is_utc() -> None:
    assert Rest().at(5) == ("awake", 0)
    assert Rest().zone == "UTC"
    strange, plain = sleeper("Atlantis/Nowhere"), sleeper("UTC")
    assert strange.pauses(0, 5 * DAY) == plain.pauses(0, 5 * DAY)
