"""Times to the millisecond, short: `@2026-01-31T18:00:00Z`, then `@+12.5` seconds after that."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_AGES = 253_402_300_800_000
"""From the year 10000 on, milliseconds are written as they are."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_after = re.compile(r"\+([0-9]{1,13})(?:\.([0-9]{1,3}))?")
_plain = re.compile(r"[0-9]{5,16}")
_date = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3}))?)?)?Z?",
    re.IGNORECASE,
)


def after(time: int, before: int) -> str:
    """A time as so many seconds after another, or in full where there is none before it.

    >>> after(1_500, 1_000), after(0, 1_000)
    ('@+0.5', '')
    """
    if not time:
        return ""
    if before and time >= before:
        return f"@+{_seconds(time - before)}"
    return f"@{in_full(time)}"


def in_full(time: int) -> str:
    """A time by itself.

    >>> in_full(1_769_882_400_250)
    '2026-01-31T18:00:00.250Z'
    """
    if time >= _AGES:
        return str(time)
    date = (_EPOCH + timedelta(milliseconds=time)).replace(tzinfo=None)
    return date.isoformat(timespec="milliseconds" if time % 1000 else "seconds") + "Z"


def read_time(text: str, before: int) -> int | None:
    """The time that a text tells, or None.

    >>> read_time("+12.5", 1_000)
    13500
    """
    if match := _after.fullmatch(text):
        return before + int(match[1]) * 1000 + _thousandths(match[2])
    if _plain.fullmatch(text):
        return int(text)
    match = _date.fullmatch(text)
    if match is None:
        return None
    *parts, fraction = match.groups()
    try:
        date = datetime(*(int(part or 0) for part in parts), tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return None
    since = date - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1000 + _thousandths(fraction)


def _seconds(time: int) -> str:
    whole, rest = divmod(time, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def _thousandths(digits: str | None) -> int:
    return int((digits or "0").ljust(3, "0"))
