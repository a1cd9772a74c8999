"""The story beside the viewer: as much of it as a page shows, with the moment that is open."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby

import msgspec

from web.games.replays import Replay
from web.site.paging import Paged, page_in_query
from web.words.language import chosen
from web.words.sentences import sentences

LINES_SHOWN = 300
"""A whole game as people play it, and little enough to make anew for each view."""


class StoryYear(msgspec.Struct, frozen=True):
    """A year of the story: per moment its number and its sentences."""

    year: int
    lines: list[tuple[int, str]]


class Story(msgspec.Struct, frozen=True):
    """A part of the story. It reaches from one moment to another, and `current` is its line of the
    moment that is open, 0 where that lies elsewhere."""

    years: list[StoryYear]
    part: Paged[int]
    first: int
    last: int
    current: int


def story_at(replay: Replay, number: int) -> Story:
    """The part of the story that the reader asks for, else the one in which a moment lies."""
    moments = told_moments(replay)
    pages = max(1, -(-len(moments) // LINES_SHOWN))
    page = min(page_in_query("story", default=page_of(moments, number)), pages)
    start = (page - 1) * LINES_SHOWN
    numbers = moments[start : start + LINES_SHOWN]
    return Story(
        years=replay.keep(("story", chosen(), page), lambda: tell(replay, numbers)),
        part=Paged(numbers, page, pages, len(moments)),
        first=numbers[0] if page > 1 else 1,
        last=moments[start + LINES_SHOWN] - 1 if page < pages else replay.last,
        current=max((at for at in numbers if at <= number), default=0)
        if page == page_of(moments, number)
        else 0,
    )


def story_until(replay: Replay, number: int) -> list[tuple[int, str]]:
    """The last lines up to a moment."""
    moments = told_moments(replay)
    numbers = moments[: bisect_right(moments, number)][-LINES_SHOWN:]
    return [line for year in tell(replay, numbers) for line in year.lines]


def told_moments(replay: Replay) -> list[int]:
    """The moments with something to tell."""
    return replay.keep(
        "told",
        lambda: [moment.number for moment, effects in replay.whole_story() if effects],
    )


def page_of(moments: list[int], number: int) -> int:
    """On which page the line of a moment stands, or the last one before it."""
    return max(0, bisect_right(moments, number) - 1) // LINES_SHOWN + 1


def tell(replay: Replay, numbers: list[int]) -> list[StoryYear]:
    """Moments in words, year by year."""
    moments = [replay.moment(number) for number in numbers]
    return [
        StoryYear(year, [(each.number, words_of(replay, each.number)) for each in lines])
        for year, lines in groupby(moments, key=lambda moment: moment.year)
    ]


def words_of(replay: Replay, number: int) -> str:
    return " ".join(sentences(replay.effects_at(number), replay.names))
