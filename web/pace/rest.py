"""When people rest, by person: kept with the moment since when it holds, and never rewritten."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import date, timedelta
from zoneinfo import available_timezones

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store
from projections.clocks.rest import DAY, Habit, Holiday, Rest, day_at, moment_of, zone_of
from web.site.problems import Problem

NAME = "rests"
LONGEST_SLEEP = 12 * 60
"""Minutes of a day."""
MOST_CHANGES, A_WEEK = 5, 7 * DAY
MOST_DAYS = 42
"""Days of holiday in a calendar year."""
FARTHEST = 365
MOST_HOLIDAYS = 60
KEPT = 400 * DAY
"""Milliseconds after which no running game asks any more what was then."""


class Rests:
    """The rest of everyone with an account. Guests have none."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._rests, self._clock = Collection(store, NAME, Rest), clock
        self.changed: Callable[[str], object] = lambda person: None
        """Told of whose rest has changed."""

    def of(self, person: str) -> Rest:
        return (self._rests.get(person) if person else None) or Rest()

    def position(self) -> int:
        """Rises whenever somebody's rest changes."""
        return self._rests.version()

    def choose(self, person: str, zone: str, begins: int, ends: int) -> None:
        """Sleep hours from now on, in minutes of the day; both equal: none."""
        if zone not in zones():
            raise Problem(422, "no-such-zone", "There is no time zone {name}.", name=zone[:40])
        if not all(0 <= minute < 24 * 60 for minute in (begins, ends)):
            raise Problem(422, "no-such-hour", "Please give hours from 00:00 to 23:59.")
        if (ends - begins) % (24 * 60) > LONGEST_SLEEP:
            raise Problem(422, "sleep-too-long", "At most twelve hours of sleep stop the clock.")
        now = self._clock()

        def edit(rest: Rest) -> Rest:
            wanted = Habit(since=now, zone=zone, begins=begins, ends=ends)
            if rest.habits and msgspec.structs.replace(rest.habits[-1], since=now) == wanted:
                return rest
            if sum(each.since > now - A_WEEK for each in rest.habits) >= MOST_CHANGES:
                raise Problem(409, "changed-too-often", "Please change this less often.")
            return msgspec.structs.replace(rest, habits=(*recent(rest.habits, now), wanted))

        self._change(person, edit)

    def go(self, person: str, first: date, last: date) -> None:
        """A holiday by the days of one's zone, from now on at the earliest."""
        now = self._clock()

        def edit(rest: Rest) -> Rest:
            zone = zone_of(rest.zone)
            today = day_at(now, zone)
            if last < first or last < today:
                raise Problem(422, "holiday-over", "A holiday ends after it begins, not before.")
            if first < today:
                raise Problem(422, "holiday-past", "Time that has passed cannot be had back.")
            if last > today + timedelta(days=FARTHEST):
                raise Problem(422, "holiday-far", "Please enter holidays of the coming year only.")
            running = [each for each in rest.holidays if each.ends > now - KEPT]
            off = Holiday(
                first=first.isoformat(),
                last=last.isoformat(),
                begins=max(now, moment_of(first, 0, zone)),
                ends=moment_of(last + timedelta(days=1), 0, zone),
            )
            if any(each.begins < off.ends and off.begins < each.ends for each in running):
                raise Problem(409, "holiday-twice", "You have a holiday then already.")
            if len(running) >= MOST_HOLIDAYS:
                raise Problem(409, "too-many-holidays", "These are too many holidays.")
            if any(count > MOST_DAYS for count in days_by_year([*running, off]).values()):
                raise Problem(
                    409,
                    "holiday-long",
                    "At most {days} days of a year are holiday.",
                    days=MOST_DAYS,
                )
            return msgspec.structs.replace(rest, holidays=tuple(sorted([*running, off], key=begin)))

        self._change(person, edit)

    def come_back(self, person: str, begins: int) -> None:
        """A holiday ends now, or does not come to pass."""
        now = self._clock()

        def edit(rest: Rest) -> Rest:
            found = next((each for each in rest.holidays if each.begins == begins), None)
            if found is None or found.ends <= now:
                raise Problem(404, "no-such-holiday", "There is no such holiday.")
            left = [each for each in rest.holidays if each is not found]
            if found.begins < now:
                today = day_at(now, zone_of(rest.zone)).isoformat()
                last = max(found.first, min(found.last, today))
                left.append(msgspec.structs.replace(found, ends=now, last=last))
            return msgspec.structs.replace(rest, holidays=tuple(sorted(left, key=begin)))

        self._change(person, edit)

    def forget(self, person: str) -> None:
        self._rests.change(lambda: {person: None} if self._rests.get(person) else {})
        self.changed(person)

    def _change(self, person: str, edit: Callable[[Rest], Rest]) -> None:
        def apply() -> dict[str, Rest | None]:
            before = self.of(person)
            after = edit(before)
            return {} if after == before else {person: after}

        self._rests.change(apply)
        self.changed(person)


def begin(holiday: Holiday) -> int:
    return holiday.begins


def recent(habits: tuple[Habit, ...], now: int) -> list[Habit]:
    """The habits that held at some time that still matters."""
    following = [*(each.since for each in habits[1:]), now]
    return [each for each, until in zip(habits, following, strict=False) if until > now - KEPT]


def days_by_year(holidays: list[Holiday]) -> dict[int, int]:
    """How many days of each year are holiday; a day counts once.

    >>> days_by_year([Holiday("2026-12-30", "2027-01-02", 0, 0)])
    {2026: 2, 2027: 2}
    """
    days: set[date] = set()
    for each in holidays:
        first, last = date.fromisoformat(each.first), date.fromisoformat(each.last)
        days.update(first + timedelta(days=n) for n in range((last - first).days + 1))
    counted: dict[int, int] = {}
    for day in sorted(days):
        counted[day.year] = counted.get(day.year, 0) + 1
    return counted


@functools.cache
def zones() -> frozenset[str]:
    """The names of all zones: a part of the world and a place in it, and UTC."""
    regions = "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific"
    parts = tuple(f"{region}/" for region in regions.split())
    return frozenset({"UTC", *(name for name in available_timezones() if name.startswith(parts))})


@functools.cache
def zones_by_region() -> list[tuple[str, list[str]]]:
    """The zones as they are offered."""
    found: dict[str, list[str]] = {}
    for name in sorted(zones() - {"UTC"}):
        found.setdefault(name.partition("/")[0], []).append(name)
    return sorted(found.items())
