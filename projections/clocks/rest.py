"""When a person rests: sleep hours by the clocks of where they live, and holidays.

A new habit holds from the moment on at which it was chosen, and a holiday never begins before it
was entered. So what is known of a stretch of time that has passed never changes any more.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
FOR_EVER = 2**62
Stretch = tuple[int, int]
Standing = Literal["awake", "asleep", "away"]
_epoch = datetime(1970, 1, 1, tzinfo=UTC)
_a_millisecond = timedelta(milliseconds=1)


class Habit(msgspec.Struct, frozen=True):
    """Sleep from one minute of the day to another, by the clocks of a zone. Both equal: none."""

    since: int
    zone: str = "UTC"
    begins: int = 0
    ends: int = 0


class Holiday(msgspec.Struct, frozen=True):
    """From one day to another, as they were entered, and the moments at which that is."""

    first: str
    last: str
    begins: int
    ends: int


class Rest(msgspec.Struct, frozen=True):
    """All that is known of a person's rest, the earliest first."""

    habits: tuple[Habit, ...] = ()
    holidays: tuple[Holiday, ...] = ()

    @property
    def zone(self) -> str:
        """The zone that holds now."""
        return self.habits[-1].zone if self.habits else "UTC"

    def pauses(self, start: int, end: int) -> list[Stretch]:
        """When the person rests between two moments: in order, apart from one another."""
        if not self.habits and not self.holidays:
            return []
        return joined([*self._nights(start, end), *self._days_off(start, end)])

    def awake(self, start: int, end: int) -> int:
        """How many milliseconds between two moments the person is up."""
        return max(0, end - start) - sum(to - begin for begin, to in self.pauses(start, end))

    def after(self, start: int, amount: int) -> int:
        """The moment at which so many milliseconds of being up have passed.

        >>> Rest().after(1000, 500)
        1500
        """
        while True:
            end = start + max(amount, 2 * DAY)
            for begin, to in self.pauses(start, end):
                if begin - start >= amount:
                    return start + amount
                amount -= begin - start
                start = to
            if end - start >= amount:
                return start + amount
            amount -= max(0, end - start)
            start = max(start, end)

    def at(self, now: int) -> tuple[Standing, int]:
        """Whether the person rests at a moment, and until when at least (0: always)."""
        for begin, to in self.pauses(now, now + 2 * DAY):
            if begin > now:
                return "awake", begin
            off = any(each.begins <= now < each.ends for each in self.holidays)
            # A night may go over into a holiday, or the other way round.
            return ("away" if off else "asleep"), to
        coming = [each.begins for each in self.holidays if each.begins > now]
        return "awake", min(coming, default=0)

    def without_sleep(self) -> Rest:
        """The holidays alone."""
        return Rest(holidays=self.holidays)

    def _days_off(self, start: int, end: int) -> Iterator[Stretch]:
        for each in self.holidays:
            begin, to = max(each.begins, start), min(each.ends, end)
            if begin < to:
                yield begin, to

    def _nights(self, start: int, end: int) -> Iterator[Stretch]:
        following = [*(each.since for each in self.habits[1:]), FOR_EVER]
        for habit, until in zip(self.habits, following, strict=False):
            yield from nights(habit, max(start, habit.since), min(end, until))


def nights(habit: Habit, start: int, end: int) -> Iterator[Stretch]:
    """The nights of one habit between two moments, cut off at both."""
    if start >= end or habit.begins == habit.ends:
        return
    zone = zone_of(habit.zone)
    day, last = (day_at(moment, zone) for moment in (start, end))
    over_midnight = timedelta(days=int(habit.ends < habit.begins))
    day -= timedelta(days=1)
    while day <= last:
        begin = max(start, moment_of(day, habit.begins, zone))
        to = min(end, moment_of(day + over_midnight, habit.ends, zone))
        if begin < to:
            yield begin, to
        day += timedelta(days=1)


@functools.lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """A zone by its name; UTC for one that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def day_at(moment: int, zone: ZoneInfo) -> date:
    """Which day it is somewhere."""
    return (_epoch + moment * _a_millisecond).astimezone(zone).date()


def moment_of(day: date, minute: int, zone: ZoneInfo) -> int:
    """When it is so many minutes past midnight somewhere. A time that the clocks leave out is
    as long after the change as it would have been; of one that comes twice the first counts."""
    there = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    return (there.astimezone(UTC) - _epoch) // _a_millisecond


def joined(stretches: list[Stretch]) -> list[Stretch]:
    """Stretches that touch or overlap as one.

    >>> joined([(5, 7), (1, 3), (2, 4), (4, 5)])
    [(1, 7)]
    """
    found: list[Stretch] = []
    for begin, end in sorted(stretches):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found
