"""Luck: what chance was worth to whom, apart from what anybody decided.

Whenever something comes to light, its worth is the value after it less the mean over all that
could have come instead, each as often as it lay unseen. So luck is nothing on average, and a
result less its luck is as fair and varies less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from engine.bots.prospects import Prospect
from engine.chance.dealer import deal_start
from engine.fold import apply, fold
from engine.rules.setup import open_game
from engine.state import of_seat
from events.types import AnyEvent, GameOpened
from replays.review.chance import (
    Chance,
    Outcome,
    Reveal,
    deal_otherwise,
    outcomes,
    reveals,
    seats_of,
)
from replays.review.evaluation import play_on

BUDGET_OF_A_WORLD = 400
"""For so much of the budget of a decision what could have come is tried in one more world. With
less, the cards of the display are left out: there are many, and one world says little of each."""
TIMES: dict[Chance, int] = {"lot": 8, "deal": 8, "voice": 4, "tally": 0, "poll": 4, "card": 1}
"""In how many times as many; what is rare may take longer. After a tally nothing is dealt any more
before the year ends, so one world says all."""
SPREAD_OF_GAMES = 5.0
"""How far mean points must lie apart for the one to win e times as often as the other."""
ACCIDENT: dict[Chance, tuple[float, float]] = {
    "lot": (4.0, 4.0),
    "deal": (100.0, 100.0),
    "voice": (3.5, 2.6),
    "tally": (0.2, 0.1),
    "poll": (9.0, 7.0),
    "card": (4.3, 4.3),
}
"""How much more a single world says by accident than by what came, of the win and of points, in
squares: fitted to 119 games of stewards. So much less of what few worlds say is counted."""


class Draw(msgspec.Struct, frozen=True):
    """Something that chance decided, and what that was worth to every seat, in seat order."""

    chance: Chance
    year: int
    came: list[str]
    win: list[float]
    points: list[float]


class EventLuck(msgspec.Struct, frozen=True, tag="luck"):
    """All that came to light with an event, in order."""

    number: int
    draws: list[Draw]


class SeatLuck(msgspec.Struct, frozen=True):
    """A seat's luck over a game, its result, and the result less the luck."""

    seat: int
    win: float
    points: float
    result_win: float
    result_points: float
    adjusted_win: float
    adjusted_points: float
    by_chance: dict[str, float]
    """The luck in shares of the win, by what brought it."""


def event_luck(events: Sequence[AnyEvent], number: int, seed: str, budget: int) -> EventLuck:
    """What came to light with an event, and what that was worth.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> events = play_out(new_game(players=2, seed=1), RandomBot(1)).events
    >>> found = event_luck(events, 2, "doctest", budget=0)
    >>> [draw.chance for draw in found.draws], abs(round(sum(found.draws[0].win), 9))
    (['lot', 'deal', 'voice'], 0.0)
    """
    worlds = max(1, budget // BUDGET_OF_A_WORLD)
    draws = []
    for order, reveal in enumerate(reveals(events[:number]).get(number, [])):
        if reveal.chance == "card" and budget < BUDGET_OF_A_WORLD:
            continue
        draw = draw_of(events, reveal, f"{seed}/{number}/{order}", worlds)
        if draw is not None:
            draws.append(draw)
    return EventLuck(number, draws)


def draw_of(events: Sequence[AnyEvent], reveal: Reveal, seed: str, worlds: int) -> Draw | None:
    """What was found out about one thing that came to light; None where nothing else could have."""
    possible = outcomes(events, reveal)
    if len(possible) < 2:
        return None
    worlds = max(1, TIMES[reveal.chance] * worlds)
    of_win, of_points = (1 / (1 + accident / worlds) for accident in ACCIDENT[reveal.chance])
    seats = seats_of(events)
    win, points = [0.0] * len(seats), [0.0] * len(seats)
    for outcome in possible:
        share = outcome.true - outcome.share
        for seat, found in expected(events, reveal, outcome, seed, worlds).items():
            win[seat - 1] += share * of_win * found.win
            points[seat - 1] += share * of_points * found.points
    came = next(list(outcome.came) for outcome in possible if outcome.true)
    return Draw(reveal.chance, reveal.year, came, win, points)


def expected(
    events: Sequence[AnyEvent], reveal: Reveal, outcome: Outcome, seed: str, worlds: int
) -> dict[int, Prospect]:
    """What every seat could expect at the end of the year, had this come."""
    if reveal.chance == "lot":
        return who_begins(msgspec.json.encode(events[0]), outcome, seed, worlds)
    logs = (deal_otherwise(events, reveal, outcome, f"{seed}/{world}") for world in range(worlds))
    return mean_of([play_on(fold(log), reveal.year)[0] for log in logs])


@lru_cache(maxsize=64)
def who_begins(opening: bytes, outcome: Outcome, seed: str, worlds: int) -> dict[int, Prospect]:
    """What every seat can expect where one of them begins: the same for all games that open alike.

    Games are played to their ends, and the mean of their points tells who would win how often: a
    few wins would tell less.
    """
    found = []
    for world in range(worlds):
        s = open_game(msgspec.json.decode(opening, type=GameOpened))
        started = deal_start(s, f"{seed}/{world}")
        apply(s, msgspec.structs.replace(started, start=int(outcome.came[0])))
        found.append(play_on(s, s.numbers.years)[0])
    mean = mean_of(found)
    most = max(each.points for each in mean.values())
    odds = {seat: math.exp((each.points - most) / SPREAD_OF_GAMES) for seat, each in mean.items()}
    whole = sum(odds.values())
    return {seat: Prospect(odds[seat] / whole, mean[seat].points) for seat in mean}


def mean_of(found: Sequence[dict[int, Prospect]]) -> dict[int, Prospect]:
    """Seat by seat."""
    return {
        seat: Prospect(
            sum(each[seat].win for each in found) / len(found),
            sum(each[seat].points for each in found) / len(found),
        )
        for seat in found[0]
    }


def seat_luck(prospects: dict[int, Prospect], lucks: Iterable[EventLuck]) -> list[SeatLuck]:
    """Per seat, with what came of the game, or what may yet come of it."""
    draws = [draw for each in lucks for draw in each.draws]
    return [_luck_of(seat, result, draws) for seat, result in prospects.items()]


def _luck_of(seat: int, result: Prospect, draws: Sequence[Draw]) -> SeatLuck:
    win = sum(of_seat(draw.win, seat) for draw in draws)
    points = sum(of_seat(draw.points, seat) for draw in draws)
    by_chance: dict[str, float] = {}
    for draw in draws:
        by_chance[draw.chance] = by_chance.get(draw.chance, 0.0) + of_seat(draw.win, seat)
    return SeatLuck(
        seat=seat,
        win=win,
        points=points,
        result_win=result.win,
        result_points=result.points,
        adjusted_win=result.win - win,
        adjusted_points=result.points - points,
        by_chance=by_chance,
    )


def mattered_most(lucks: Iterable[EventLuck], count: int = 3) -> list[tuple[int, Draw]]:
    """The draws that shifted the win most between the seats, each with its event's number."""
    draws = [(each.number, draw) for each in lucks for draw in each.draws]
    return sorted(draws, key=lambda each: -max(each[1].win, default=0.0))[:count]
