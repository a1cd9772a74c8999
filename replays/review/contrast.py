"""Why an action is better: what was played and the better one, each played on in the same worlds.

Both lines go to the end of the year in worlds that the seat could not rule out then; what they
differ in for certain is named, and the world that shows it most plainly can be looked at.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from engine.bots.prospects import prospects
from engine.bots.worlds import world
from engine.copying import copy_state
from engine.effects import AnyEffect, BuildingFell, CitizenMoved, CitizensStarved
from engine.fold import apply
from engine.material.board import Board
from engine.material.numbers import CASTLE, SERVICES
from engine.rules.sites import find_neighbours
from engine.state import State
from engine.view import View, view
from events.types import AnyEvent, Turn
from projections.words.contrast import Difference, Fact, Subject
from replays.cursor import Cursor
from replays.estimates import Moments, mean_estimate
from replays.review.evaluation import next_event

WORLDS = 16
LEAST = {"win": 0.005, "points": 0.1}
"""From what difference on these are named; others from a quarter on."""
LEAST_COUNT = 0.25
MOST: dict[Subject, int] = {
    "win": 1,
    "points": 1,
    "citizens": 1,
    "moved-in": 2,
    "moved-out": 2,
    "starved": 1,
    "food": 1,
    "arches": 2,
    "buildings": 2,
    "demolished": 1,
    "cities": 1,
    "gold": 1,
}
"""How many differences of a sort are named, in the order in which they are."""
ALWAYS = ("win", "points")


class Counted(msgspec.Struct, frozen=True):
    """How much there is of something at the end of a line, and of what stands against it."""

    own: float
    against: float = 0.0


Counts = dict[Fact, Counted]


class Contrast(msgspec.Struct, frozen=True):
    """Two lines side by side, on the average of some worlds and move by move in one of them."""

    seat: int
    year: int
    worlds: int
    differences: list[Difference]
    world: str
    """The seed of the world that is shown."""
    played: list[AnyEvent]
    better: list[AnyEvent]


class _Pair(msgspec.Struct, frozen=True):
    """Both lines in one world."""

    seed: str
    played: Counts
    better: Counts
    played_events: list[AnyEvent]
    better_events: list[AnyEvent]


def contrast(game: Cursor, number: int, better: Turn, seed: str, worlds: int = WORLDS) -> Contrast:
    """What another action would have led to at the decision of an event, and what was played."""
    s = game.at(number - 1)
    played: Turn = game.events[number - 1]  # type: ignore[assignment]
    plain = msgspec.structs.replace(played, time=0, by="")
    return compare_lines(view(s, played.seat), s.board, plain, better, f"{seed}/{number}", worlds)


def compare_lines(
    known: View, board: Board, played: Turn, better: Turn, seed: str, worlds: int = WORLDS
) -> Contrast:
    """Two actions of the same seat beside each other, by what it knows.

    >>> from engine.actions.legal import legal_actions
    >>> from engine.selfplay import new_game
    >>> s = new_game(players=2, seed=1).state
    >>> one, other, *_ = legal_actions(s, 1)
    >>> found = compare_lines(view(s, 1), s.board, one, other, "doctest", worlds=2)
    >>> found.played[0] == one, found.better[0] == other
    (True, True)
    """
    pairs = [
        _play_both(known, board, played, better, f"{seed}/contrast/{number}")
        for number in range(1, worlds + 1)
    ]
    found = differences(pairs)
    shown = most_telling(pairs, found)
    return Contrast(
        seat=known.viewer,
        year=known.year,
        worlds=worlds,
        differences=found,
        world=shown.seed,
        played=shown.played_events,
        better=shown.better_events,
    )


def shown_world(known: View, board: Board, found: Contrast) -> State:
    """The world of a contrast before either action."""
    return world(known, board, random.Random(found.world))


def _play_both(known: View, board: Board, played: Turn, better: Turn, seed: str) -> _Pair:
    s = world(known, board, random.Random(seed))
    played_counts, played_events = _play(copy_state(s), played)
    better_counts, better_events = _play(s, better)
    return _Pair(seed, played_counts, better_counts, played_events, better_events)


def _play(s: State, action: Turn) -> tuple[Counts, list[AnyEvent]]:
    year = s.year
    events: list[AnyEvent] = []
    effects: list[AnyEffect] = []
    event: AnyEvent | None = action
    while event is not None:
        apply(s, event, effects)
        events.append(event)
        event = next_event(s, year)
    return count(s, action.seat, effects), events


def count(s: State, seat: int, effects: Iterable[AnyEffect]) -> Counts:
    """All that is counted of a seat when a year is over: what stands there, and what happened."""
    prospect, player = prospects(s)[seat], s.players[seat]
    found: Counts = {
        Fact("win"): Counted(prospect.win),
        Fact("points"): Counted(prospect.points),
        Fact("citizens"): Counted(s.citizens_of(seat)),
        Fact("food"): Counted(s.food_of(seat)),
        Fact("cities"): Counted(len(player.cities)),
        Fact("gold"): Counted(player.gold),
    }
    found.update(_arches(s, seat))
    happened: Counter[Fact] = Counter()
    for city in player.cities:
        for hex_ in city.hexes:
            if (building := s.stands_on[hex_]) != CASTLE:
                happened[Fact("buildings", building=building)] += 1  # type: ignore[arg-type]
    for effect in effects:
        match effect:
            case CitizenMoved() if effect.seat == seat and effect.found_room:
                happened[Fact("moved-in", effect.service, effect.from_seat)] += 1
            case CitizenMoved() if effect.from_seat == seat:
                happened[Fact("moved-out", effect.service, effect.seat)] += 1
            case CitizensStarved() if effect.seat == seat:
                happened[Fact("starved")] += effect.citizens
            case BuildingFell() if effect.seat == seat:
                happened[Fact("demolished")] += 1
    found.update({fact: Counted(n) for fact, n in happened.items()})
    return found


def _arches(s: State, seat: int) -> Counts:
    label = s.board.label
    near = find_neighbours(s, s.players[seat].cities)
    found: Counts = {}
    for city in s.players[seat].cities:
        for rival in [s.cities[number] for number in near[city.number]]:
            pairs = zip(SERVICES, city.arches, rival.arches, strict=True)
            for service, ours, theirs in pairs:
                fact = Fact("arches", service, rival.seat, label[city.castle], label[rival.castle])
                found[fact] = Counted(ours, theirs)
    return found


def differences(pairs: Sequence[_Pair]) -> list[Difference]:
    """What the two lines differ in beyond doubt, and what both promise in any case."""
    facts = dict.fromkeys(fact for pair in pairs for fact in [*pair.better, *pair.played])
    named: defaultdict[Subject, list[tuple[float, Difference]]] = defaultdict(list)
    for fact in facts:
        meeting = [pair for pair in pairs if _can_compare(pair, fact)]
        gain = Moments()
        for pair in meeting:
            gain.add(_lead(pair.better, fact) - _lead(pair.played, fact))
        if fact.subject in ALWAYS or _is_sure(gain, fact, len(pairs)):
            named[fact.subject].append((abs(gain.mean), _mean(meeting, fact)))
    found = []
    for subject, most in MOST.items():
        named[subject].sort(key=lambda each: -each[0])
        found += [difference for _, difference in named[subject][:most]]
    return found


def _can_compare(pair: _Pair, fact: Fact) -> bool:
    """Arches of neighbours only where both are neighbours in either line."""
    return fact.subject != "arches" or (fact in pair.played and fact in pair.better)


def _is_sure(gain: Moments, fact: Fact, worlds: int) -> bool:
    if 2 * gain.count <= worlds or abs(gain.mean) < LEAST.get(fact.subject, LEAST_COUNT):
        return False
    within = mean_estimate(gain)
    return within.low > 0 or within.high < 0


def _lead(counts: Counts, fact: Fact) -> float:
    counted = counts.get(fact, Counted(0))
    return counted.own - counted.against


def _mean(pairs: Sequence[_Pair], fact: Fact) -> Difference:
    played = [pair.played.get(fact, Counted(0)) for pair in pairs]
    better = [pair.better.get(fact, Counted(0)) for pair in pairs]
    n = len(pairs)
    return Difference(
        fact,
        played=sum(each.own for each in played) / n,
        better=sum(each.own for each in better) / n,
        against_played=sum(each.against for each in played) / n,
        against_better=sum(each.against for each in better) / n,
    )


def most_telling(pairs: Sequence[_Pair], found: Sequence[Difference]) -> _Pair:
    """The world that shows most of these differences, and among those the most usual one."""

    def rank(pair: _Pair) -> tuple[int, float]:
        shows, off = 0, 0.0
        for each in found:
            here = _lead(pair.better, each.fact) - _lead(pair.played, each.fact)
            there = each.better - each.against_better - each.played + each.against_played
            shows += here * there > 0
            if each.fact.subject == "points":
                off = abs(here - there)
        return -shows, off

    return min(pairs, key=rank)
