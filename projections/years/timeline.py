"""A game's course in figures: every player at every year's end and now, and who took from whom."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.fold import apply
from engine.rules.counting import took_back
from engine.state import of_seat
from engine.walk import Walk
from engine.year_end import YearEffects
from events.types import AnyEvent, GameOpened
from projections.years.game_fold import GameFold
from projections.years.history import History, PlayerYear, Year


class Point(msgspec.Struct, frozen=True):
    """A year's end, or where the running year stands, with the moment that shows it."""

    year: int
    number: int
    ended: bool
    players: list[PlayerYear]

    def player(self, seat: int) -> PlayerYear:
        return of_seat(self.players, seat)


class Timeline(msgspec.Struct, frozen=True):
    """The points in order. `taken[2][0]`: the citizens that seat 3 drew away from seat 1."""

    points: list[Point]
    taken: list[list[int]]


class TimelineFold(GameFold):
    """Follows a game for its timeline.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> course = TimelineFold(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> [point.year for point in course.timeline().points]
    [1, 2, 3, 4, 5, 6]
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        opening = events[0]
        assert isinstance(opening, GameOpened)
        super().__init__(opening)
        self._history: History | None = History(len(opening.seats))
        self._ended: dict[int, int] = {}
        self.extend(events[1:])

    def extend(self, events: Sequence[AnyEvent]) -> None:
        """More events of the same game, as they come in."""
        for event in events:
            self.advance(event, self.version + 1)

    @property
    def history(self) -> History:
        """The years of the events that count; after a take-back gathered anew when asked for."""
        if self._history is None:
            self._history = History(len(self.opening.seats))
            for step in Walk([self.opening, *self.state.trail], make_sink=YearEffects):
                self._history.note(step.effects)
        return self._history

    def _apply(self, event: AnyEvent) -> None:
        effects = YearEffects(self.state)
        apply(self.state, event, effects)
        for end in effects.ends:
            self._ended[end.year] = self.version + 1
        if took_back(effects):
            self._history = None
        elif self._history is not None:
            self._history.note(effects)

    def timeline(self) -> Timeline:
        history, state = self.history, self.state
        points = [
            Point(year=year.year, number=self._ended[year.year], ended=True, players=year.players)
            for year in history.years
        ]
        years = list(history.years)
        if not years or years[-1].year < state.year:
            years.append(history.so_far(state))
            points.append(
                Point(year=state.year, number=self.version, ended=False, players=years[-1].players)
            )
        return Timeline(points=points, taken=_taken(years, len(state.seats)))


def _taken(years: Sequence[Year], seats: int) -> list[list[int]]:
    """R35: citizens drawn away, also those who found no room and went to the supply."""
    counted = [[0] * seats for _ in range(seats)]
    for year in years:
        owner = {city.city: city.seat for city in year.cities}
        for loser, taker in year.moves:
            counted[owner[taker] - 1][owner[loser] - 1] += 1
    return counted
