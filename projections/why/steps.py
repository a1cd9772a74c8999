"""The course of a game up to a moment: the events that still count, and what followed from each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.fold import apply, begin
from engine.rules.take_back import TAKE_BACK_EVENTS, left_by_take_back
from events.types import AnyEvent

Story = Sequence[tuple[AnyEvent, Sequence[AnyEffect]]]
"""A log from its opening on, each event with its effects."""


class Step(msgspec.Struct, frozen=True):
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


def counting(story: Story, number: int) -> list[tuple[int, Sequence[AnyEffect]]]:
    """Per event that still counts at a moment its number in the log, and its effects.

    What was taken back does not count; what was kept may have had other effects without it.
    """
    numbers: list[int] = []
    taken_back = False
    for moment in range(2, number + 1):
        event, told = story[moment - 1]
        numbers.append(moment)
        if type(event) in TAKE_BACK_EVENTS and any(type(e) is effects.TakenBack for e in told):
            left = left_by_take_back([story[each - 1][0] for each in numbers])
            numbers = [numbers[index] for index in left]
            taken_back = True
    if not taken_back:
        return [(moment, story[moment - 1][1]) for moment in numbers]
    return list(_told_again(story, numbers))


def _told_again(story: Story, numbers: list[int]) -> Iterator[tuple[int, list[AnyEffect]]]:
    state, _ = begin([story[0][0]])
    for moment in numbers:
        event = story[moment - 1][0]
        if type(event) not in TAKE_BACK_EVENTS:
            told: list[AnyEffect] = []
            apply(state, event, told)
            yield moment, told


def steps(story: Story, number: int) -> Iterator[Step]:
    """Every effect that counts at a moment, in the order in which they came about."""
    year = 0
    city_on: dict[str, str] = {}
    figures_on: dict[str, dict[str, int]] = {}
    for moment, told in counting(story, number):
        for index, effect in enumerate(told):
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
            following = told[index + 1] if index + 1 < len(told) else None
            yield Step(moment, year, effect, following, city, figures)
