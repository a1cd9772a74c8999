"""What shows the course of a year: R12–R17, and the pieces of action cards: R18–R25."""

from __future__ import annotations

from engine import effects
from engine.state import City, State
from events.types import Build, Demolish, FoundCity, TakeGold
from replays.corpus.coverage.steps import Transition, effects_of, show, shows


def city_at(s: State, castle: str) -> City | None:
    """The city around a castle, or around any of its buildings."""
    return s.cities.get(s.city_on[s.board.hex_at[castle]])


def growth(step: Transition, why: str = "growth") -> list[tuple[effects.CitizensCame, City]]:
    """Who gained citizens in which city, where it still stands."""
    came = [e for e in effects_of(step, effects.CitizensCame) if e.why == why]
    return [(e, city) for e in came if (city := city_at(step.after, e.city)) is not None]


def stopped(step: Transition) -> list[City]:
    """The cities that did not grow because they are full."""
    full = [e for e in effects_of(step, effects.GrowthStopped) if e.why == "limit"]
    return [city for e in full if (city := city_at(step.after, e.city)) is not None]


@shows("R12")
def r12_token_moves_left(step: Transition) -> object:
    """the start player's token moves to the left"""
    began = [e for e in effects_of(step, effects.YearBegan) if e.year > 1]
    return began and step.after.start == step.before.seat_after(step.before.start)


show(
    "R13 one voice card lies face up, three face down",
    lambda step: effects_of(step, effects.YearBegan) and effects_of(step, effects.VoiceShown),
)
show(
    "R14 quarries earn gold",
    lambda step: any(e.why == "quarries" for e in effects_of(step, effects.GoldGained)),
)
show("R14 a quarry between two mountains", lambda step: quarry_beside(step, 2))
show("R14 a quarry without a mountain", lambda step: quarry_beside(step, 0))


def quarry_beside(step: Transition, mountains: int) -> bool:
    event, s = step.event, step.after
    if not (isinstance(event, Build) and event.building == "quarry"):
        return False
    return s.land.mountains[s.board.hex_at[event.at]] == mountains


show("R15 a city grows", lambda step: growth(step))
show(
    "R15 a city without a market is full at five",
    lambda step: any(
        not city.market and city.citizens == step.after.limit(city) for city in stopped(step)
    ),
)
show(
    "R15 a fountain without a market leaves the limit at five",
    lambda step: any(not city.market and city.water for city in stopped(step)),
)
show(
    "R15 a city with a market is full at eight",
    lambda step: any(
        city.market and city.citizens == step.after.limit(city) for city in stopped(step)
    ),
)
show(
    "R15 a city with market and water grows past eight",
    lambda step: (
        step.after.rules.limits
        and any(city.citizens > step.after.numbers.limit_with_market for _, city in growth(step))
    ),
)
show(
    "R15 a city that lost its market or its water keeps its people",
    lambda step: any(city.citizens > step.after.limit(city) for city in stopped(step)),
)
show(
    "R15 from an empty supply nobody comes",
    lambda step: any(e.why == "supply" for e in effects_of(step, effects.GrowthStopped)),
)


@shows("R16")
def r16_clockwise(step: Transition) -> object:
    """the turn goes on to the left"""
    seat = getattr(step.event, "seat", 0)
    return (
        step.before.awaiting.get(seat) == "politics"
        and list(step.after.awaiting) == [step.after.seat_after(seat)]
        and step.after.phase == "politics"
    )


@shows("R16")
def r16_five_rounds(step: Transition) -> object:
    """the fifth round ends the politics of a year"""
    before = step.before
    return (
        before.phase == "politics"
        and before.round == before.numbers.rounds
        and effects_of(step, effects.VoiceSpoke)
    )


show(
    "R17 tally, relocation, feeding and the year's end follow one another",
    lambda step: (
        step.before.phase in ("relocation", "people") and effects_of(step, effects.YearEnded)
    ),
)
show("R18 two gold for an action card", lambda step: isinstance(step.event, TakeGold))


@shows("R18")
def r18_gold_unasked(step: Transition) -> object:
    """two gold because nothing else can be done"""
    taken = [e for e in effects_of(step, effects.GoldGained) if e.why == "action-card"]
    return len(taken) > isinstance(step.event, TakeGold)


show(
    "R19 a city is founded with a spare citizen and two from the supply",
    lambda step: isinstance(step.event, FoundCity),
)


@shows("R19")
def r19_last_castle(step: Transition) -> object:
    """a seat puts its fourth castle on the board"""
    event = step.event
    return isinstance(event, FoundCity) and not step.after.players[event.seat].castles


show(
    "R20 a small building for an action card",
    lambda step: isinstance(step.event, Build) and step.event.card == "action",
)


@shows("R21")
def r21_one_empty_hex_between(step: Transition) -> object:
    """a building with just one empty hex to another city"""
    event, s = step.event, step.before
    if not isinstance(event, Build):
        return False
    hex_ = 1 << s.board.hex_at[event.at]
    own = city_at(step.after, event.at)
    others = s.occupied & ~(own.mask if own else 0)
    return s.board.spread(s.board.spread(hex_) & s.open & ~s.occupied) & others


@shows("R22")
def r22_last_spare(step: Transition) -> object:
    """the last spare citizen moves into a building"""
    event = step.event
    if not isinstance(event, Build) or event.building == "market":
        return False
    s = step.before
    beside = s.board.neighbours[s.board.hex_at[event.at]] & s.occupied
    return s.cities[s.city_on[beside.bit_length() - 1]].spare == 1


@shows("R23")
def r23_market_without_spare(step: Transition) -> object:
    """a market in a city without a spare citizen"""
    event, s = step.event, step.before
    if not (isinstance(event, Build) and event.building == "market"):
        return False
    beside = s.board.neighbours[s.board.hex_at[event.at]] & s.occupied
    return not s.cities[s.city_on[beside.bit_length() - 1]].spare


show(
    "R24 a fountain or bath beside a lake",
    lambda step: isinstance(step.event, Build) and step.event.building in ("fountain", "bath"),
)


@shows("R24")
def r24_hospital_anywhere(step: Transition) -> object:
    """a hospital away from every lake"""
    event, s = step.event, step.before
    return (
        isinstance(event, Build)
        and event.building == "hospital"
        and not s.land.lakes >> s.board.hex_at[event.at] & 1
    )


show(
    "R25 a seat takes down no more than it has to",
    lambda step: isinstance(step.event, Demolish) and "demolish" in step.before.awaiting.values(),
)
