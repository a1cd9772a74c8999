"""A table's pace as people choose it and read it: a few presets, values of one's own, words."""

from __future__ import annotations

import msgspec

from projections.clocks.clock import AtZero, Pace, low
from projections.clocks.rest import MINUTE
from projections.words.names import marked
from web.pace.clocks import SeatClock
from web.site.forms import Form
from web.words.durations import lasting
from web.words.language import chosen
from web.words.language import gettext as _

IN_MINUTES = {"minutes": 1, "hours": 60, "days": 24 * 60}
PRESETS: dict[str, tuple[str, int, int]] = {
    "relaxed": (marked("Relaxed"), 5 * 24 * 60, 12 * 60),
    "steady": (marked("Steady"), 2 * 24 * 60, 6 * 60),
    "brisk": (marked("Brisk"), 60, 2),
}
"""What they are called, the bank, and what a decision adds, in minutes."""
AT_ZERO: dict[AtZero, str] = {
    "remind": marked("a reminder"),
    "bot": marked("a bot takes the seat"),
    "vote": marked("the others vote"),
}
IN_WORDS: dict[AtZero, str] = {
    "remind": marked("{bank} each, {increment} more per decision; then a reminder"),
    "bot": marked("{bank} each, {increment} more per decision; then a bot takes the seat"),
    "vote": marked("{bank} each, {increment} more per decision; then the others vote"),
}
UNITS = {"minutes": marked("minutes"), "hours": marked("hours"), "days": marked("days")}
STANDS: dict[str, tuple[str, str]] = {
    "running": ("▶", marked("the clock runs")),
    "standing": ("❚❚", marked("the clock stands")),
    "asleep": ("☾", marked("asleep")),
    "away": ("⚑", marked("on holiday")),
}
"""What a clock does: a sign, and the words for it."""


class PresetLine(msgspec.Struct, frozen=True):
    """A preset to choose."""

    name: str
    title: str
    text: str


def presets() -> list[PresetLine]:
    return [
        PresetLine(name, _(title), " + ".join(amounts(bank, increment).values()))
        for name, (title, bank, increment) in PRESETS.items()
    ]


def amounts(bank: int, increment: int) -> dict[str, str]:
    return {"bank": duration(bank * MINUTE), "increment": duration(increment * MINUTE)}


def duration(milliseconds: int) -> str:
    """A stretch of time in the reader's language."""
    return lasting(milliseconds, chosen())


def in_words(pace: Pace | None) -> str:
    """A table's pace in one sentence; empty for a table without one."""
    if pace is None:
        return ""
    return _(IN_WORDS[pace.at_zero]).format(**amounts(pace.bank, pace.increment))


def sign(clock: SeatClock) -> tuple[str, str]:
    """What a clock does: a sign and the words for it; nothing where there is no clock."""
    if clock.ticking not in STANDS:
        return "", ""
    mark, text = STANDS[clock.ticking]
    return mark, _(text)


def for_script() -> dict[str, str]:
    """What the page's script may have to say about clocks."""
    words = {how: _(text) for how, (_mark, text) in STANDS.items()}
    return words | {
        "low": _("Less than a quarter of your time is left: {time}."),
        "hour": _("Less than an hour of your time is left."),
        "out": _("Your time has run out."),
        "out-short": _("time is up"),
    }


def units() -> list[tuple[str, str]]:
    return [(name, _(text)) for name, text in UNITS.items()]


def at_zero() -> list[tuple[str, str]]:
    return [(name, _(text)) for name, text in AT_ZERO.items()]


def from_form(form: Form) -> Pace | None:
    """The pace that somebody chose for a table, or none; what is wrong is said beside it."""
    wanted = form.text("pace") or "none"
    if wanted == "none":
        return None
    if wanted in PRESETS:
        bank, increment = PRESETS[wanted][1:]
    elif wanted == "own":
        bank, increment = own(form, "bank"), own(form, "increment")
    else:
        form.wrong("pace", _("Please choose one of these."))
        return None
    ending = {"bank": bank, "increment": increment, "at_zero": form.text("at_zero") or "remind"}
    if form.errors:
        return None
    try:
        return msgspec.convert(ending, Pace)
    except msgspec.ValidationError:
        form.wrong(
            "pace",
            _("The bank holds 5 minutes to 60 days, and a decision adds 1 minute to 7 days."),
        )
        return None


def own(form: Form, field: str) -> int:
    """An amount of somebody's own, in minutes."""
    number = form.number(field, 1, 999, 1)
    return number * IN_MINUTES.get(form.text(f"{field}_unit"), 1)


def is_low(pace: Pace, left: int) -> bool:
    """Whether less than a quarter of the bank is left."""
    return low(pace, left)
