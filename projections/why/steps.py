"""The course of a game up to a moment: the events that still count, and what followed from each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.rules.counting import Counting
from engine.rules.take_back import TAKE_BACK_EVENTS
from engine.walk import Walk, new_sink
from events.types import AnyEvent

Story = Sequence[tuple[AnyEvent, Sequence[AnyEffect]]]
"""A log from its opening on, each event with its effects."""


class LedgerStep(msgspec.Struct, frozen=True):
    """One effect, with what is no longer on the table when one asks for it later."""

    moment: int
    year: int
    effect: AnyEffect
    following: AnyEffect | None
    """What the same event brought about next: a payment comes before what it pays for."""
    city: str
    """Where figures were placed: the city that the building belongs to."""
    figures: Mapping[str, int]
    """Where a building fell: the figures that stood on it, by where they stood."""


NO_FIGURES: Mapping[str, int] = {}


def counting(story: Story, number: int) -> Sequence[tuple[int, Sequence[AnyEffect]]]:
    """Per event that still counts at a moment its number in the log, and its effects.

    What was taken back does not count; what was kept may have had other effects without it.
    """
    log, taken_back = Counting(), False
    for moment in range(1, number + 1):
        taken_back |= log.take(moment, *story[moment - 1]) > 0
    if not taken_back:
        return [(moment, story[moment - 1][1]) for moment in log.numbers[1:]]
    left = [each for each in log.numbers if type(story[each - 1][0]) not in TAKE_BACK_EVENTS]
    walk = Walk([story[each - 1][0] for each in left], make_sink=new_sink)
    return [(each, step.effects) for each, step in zip(left, walk, strict=True)][1:]


def steps(story: Story, number: int) -> Iterator[LedgerStep]:
    """Every effect that counts at a moment, in the order in which they came about."""
    year = 0
    city_on: dict[str, str] = {}
    figures_on: dict[str, dict[str, int]] = {}
    for moment, following_effects in counting(story, number):
        for index, effect in enumerate(following_effects):
            city, figures = "", NO_FIGURES
            match effect:
                case effects.YearBegan():
                    year = effect.year
                case effects.YearEnded():
                    figures_on.clear()
                case effects.BuildingRaised():
                    city_on[effect.at] = effect.city
                case effects.FiguresPlaced():
                    city = city_on[effect.at]
                    standing = figures_on.setdefault(effect.at, {})
                    standing[effect.on] = standing.get(effect.on, 0) + effect.figures
                case effects.BuildingFell():
                    figures = figures_on.pop(effect.at, NO_FIGURES)
            following = following_effects[index + 1] if index + 1 < len(following_effects) else None
            yield LedgerStep(moment, year, effect, following, city, figures)
