"""Stretches of time in words, in whole days, hours and minutes, with each language's plurals."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from projections.clocks.rest import DAY, HOUR, MINUTE

SECOND = 1000
Unit = Literal["day", "hour", "minute", "second"]
UNITS: tuple[tuple[Unit, int], ...] = (
    ("day", DAY),
    ("hour", HOUR),
    ("minute", MINUTE),
    ("second", SECOND),
)
_never = 1e9


def parts(milliseconds: int) -> list[tuple[int, Unit]]:
    """The largest unit that fits and the next smaller one. Seconds only where no minute is left.

    >>> parts(2 * DAY + 3 * HOUR + 5 * MINUTE), parts(61 * MINUTE), parts(90_000), parts(40_000)
    ([(2, 'day'), (3, 'hour')], [(1, 'hour'), (1, 'minute')], [(1, 'minute')], [(40, 'second')])
    """
    milliseconds = max(0, milliseconds)
    if milliseconds < MINUTE:
        return [(milliseconds // SECOND, "second")]
    found: list[tuple[int, Unit]] = []
    for unit, size in UNITS[:3]:
        number, milliseconds = divmod(milliseconds, size)
        if number and len(found) < 2:
            found.append((number, unit))
        elif found:
            break
    return found


def lasting(milliseconds: int, language: str) -> str:
    """How long something is.

    >>> lasting(2 * DAY + HOUR, "en"), lasting(12 * HOUR, "fi")
    ('2 days, 1 hour', '12 tuntia')
    """
    # Babel's languages take their time to load, and only clocks need them.
    from babel.lists import format_list

    words = [one_unit(number, unit, language) for number, unit in parts(milliseconds)]
    return format_list(words, style="unit", locale=language)


def coming(milliseconds: int, language: str) -> str:
    """How far something is off, as the languages put it: "in 11 hours".

    >>> coming(11 * HOUR, "de"), coming(3 * DAY, "en")
    ('in 11 Stunden', 'in 3 days')
    """
    unit: Unit = "minute" if milliseconds < 2 * HOUR else "hour"
    if milliseconds >= 3 * DAY:
        unit = "day"
    number = max(1, milliseconds // dict(UNITS)[unit])
    return one_unit(number, unit, language, direction=True)


def one_unit(number: int, unit: Unit, language: str, direction: bool = False) -> str:
    from babel.dates import format_timedelta

    return format_timedelta(
        timedelta(**{f"{unit}s": number}),
        granularity=unit,
        threshold=_never,
        add_direction=direction,
        locale=language,
    ).replace("\xa0", " ")
