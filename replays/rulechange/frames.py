"""The tables around the place where a game parts, both ways: for whoever wants to look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from engine.rules.setup import open_game
from engine.snapshot import Position, copy_position, restore_position
from engine.state import State
from events.types import AnyEvent, GameOpened
from projections.words.effects import Translator
from projections.words.events import tell_event
from replays.rulechange.divergence import Finding
from replays.rulechange.refold import Recording, Refold
from replays.rulechange.revision.versions import Versions
from replays.rulechange.verify import Task, read_log

BEFORE, AFTER = 4, 6
"""How many events are shown before the first difference, and after it."""


class Frame(msgspec.Struct, frozen=True):
    """The table after one recorded event."""

    number: int
    event: str
    position: Position


class Strips(msgspec.Struct, frozen=True):
    """The frames of one game both ways; none where it is not known how it was."""

    opening: GameOpened
    before: list[Frame]
    after: list[Frame]


def table(opening: GameOpened, where: Position) -> State:
    """A state to look at, laid out as a position says."""
    return restore_position(open_game(opening), where)


def window(finding: Finding) -> list[int]:
    """The events around the first difference, from 2 on: before it nothing lies on the table."""
    if finding.divergence is None:
        return []
    number = finding.divergence.number
    return list(range(max(2, number - BEFORE), min(finding.events, number + AFTER) + 1))


def frames_of(finding: Finding, how: Task | Versions) -> Strips:
    """The frames of a changed game, by two rulesets or by two versions of the code."""
    file = Path(finding.file)
    events = read_log(file).events
    recording = Recording(finding.game, events)
    numbers = window(finding)
    if isinstance(how, Versions):
        before, after = how.tables(file, numbers)
    else:
        after = _tables(Refold(recording, how.after, how.when_illegal), numbers)
        before = (
            {} if how.plain else _tables(Refold(recording, how.before, how.when_illegal), numbers)
        )
    names = recording.names
    return Strips(
        opening=recording.opening,
        before=_frames(before, events, names, how.translator),
        after=_frames(after, events, names, how.translator),
    )


def _tables(line: Refold, numbers: Sequence[int]) -> dict[int, Position]:
    found = {}
    for event in line.recording.events[1 : numbers[-1]]:
        line.take(event, digests=False)
        if line.number in numbers:
            found[line.number] = copy_position(line.state)
    return found


def _frames(
    tables: Mapping[int, Position],
    events: Sequence[AnyEvent],
    names: list[str],
    translator: Translator,
) -> list[Frame]:
    return [
        Frame(number, tell_event(events[number - 1], names, translator), where)
        for number, where in sorted(tables.items())
    ]
