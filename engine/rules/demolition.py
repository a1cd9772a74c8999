"""Demolition and feeding (R38–R41): each seat settles its own people at its own pace."""

from __future__ import annotations

from collections.abc import Iterator

from engine import effects
from engine.effects import EffectSink
from engine.material.board import bits
from engine.material.numbers import CASTLE
from engine.state import City, State


def settle_everyone(s: State, sink: EffectSink) -> None:
    """R41: take every seat as far as it can go without a decision."""
    for seat, player in s.players.items():
        player.care = "relocated"
        settle(s, seat, sink)


def everyone_settled(s: State) -> bool:
    """A seat that is not settled owes a decision."""
    return not s.awaiting


def settle(s: State, seat: int, sink: EffectSink) -> None:
    """R38, R39, and R38 again, until the seat has to decide or is done."""
    player = s.players[seat]
    if player.care == "relocated":
        if not demolish_without_choice(s, seat, sink):
            return
        player.care = "hungry"
    if player.care == "hungry":
        hungry = shortage(s, seat)
        if not hungry:
            player.care = "settled"
            return
        if not starve_without_choice(s, seat, hungry, sink):
            return
        player.care = "starved"
    if player.care == "starved" and demolish_without_choice(s, seat, sink):
        player.care = "settled"


def shortage(s: State, seat: int) -> int:
    """R39: how many citizens find no food."""
    hungry = -s.harvest_of(seat) if s.figures_on else 0
    for city in s.players[seat].cities:
        hungry += city.citizens - city.food
    return hungry if hungry > 0 else 0


def hungry_now(s: State, seat: int) -> int:
    """R39: who would find no food now; nobody where this year's feeding is over."""
    fed = s.phase == "people" and s.players[seat].care in ("starved", "settled")
    return 0 if fed or s.phase == "over" else shortage(s, seat)


def surplus(city: City) -> int:
    """R38: how many buildings a city has beyond its citizens, castle included."""
    return max(0, len(city.hexes) - city.citizens)


def demolish_without_choice(s: State, seat: int, sink: EffectSink) -> bool:
    """R38 where the outcome is certain. False when the seat has to say what falls."""
    player = s.players[seat]
    crowded = [city for city in player.cities if city.citizens < len(city.hexes)]
    if not crowded:
        return True
    settled = True
    for city in crowded:
        remaining = certain_remainder(s, city)
        if remaining is not None:
            demolish_set(s, city, city.mask & ~remaining, sink)
        elif player.resigned:
            fallen = next(ways_to_demolish(s, city, len(city.hexes) - city.citizens))
            demolish_set(s, city, fallen, sink)
        else:
            settled = False
    if not settled:
        s.awaiting[seat] = "demolish"
    return settled


def certain_remainder(s: State, city: City) -> int | None:
    """R38: what remains of a city with too few citizens, or None when its owner has a choice.

    What remains hangs together, so think of it as growing from the castle. As long as only one
    building stands beside the part that is certain, that one remains as well. Once two do, there
    is a choice: were all answers the same, a building that falls could be exchanged for the last
    one that remains on another branch.
    """
    if s.numbers.falling == "outside-first":
        ways = ways_to_demolish(s, city, surplus(city))
        only = city.mask & ~next(ways)
        return only if next(ways, None) is None else None
    if not city.citizens:
        return 0
    hex_, remaining, neighbours = city.castle, 1 << city.castle, s.board.neighbours
    for _ in range(city.citizens - 1):
        beside = neighbours[hex_] & city.mask & ~remaining
        if beside & (beside - 1):
            return None
        remaining |= beside
        hex_ = beside.bit_length() - 1
    return remaining


def removable(s: State, city: City, mask: int) -> int:
    """R38: the buildings of a part of a city that can fall next: what remains hangs together.

    Where the outside falls first, what has only its own city around it waits, unless all do.
    """
    castle = 1 << city.castle
    if mask == castle:
        return castle
    loose, neighbours = 0, s.board.neighbours
    for hex_ in city.hexes:
        bit = 1 << hex_
        if bit & mask and bit != castle:
            beside = neighbours[hex_] & mask
            if not beside & (beside - 1) or hangs_together(s, mask & ~bit, castle):
                loose |= bit
    if s.numbers.falling == "outside-first":
        return outer(s, loose, mask) or loose
    return loose


def free_but_enclosed(s: State, city: City) -> int:
    """R38: what could fall but for the city all around it."""
    castle = 1 << city.castle
    return sum(
        1 << hex_
        for hex_ in bits(city.mask & ~castle & ~removable(s, city, city.mask))
        if hangs_together(s, city.mask & ~(1 << hex_), castle)
    )


def outer(s: State, loose: int, mask: int) -> int:
    """Those of some buildings beside which a lane hex is not the city's, and ends of lanes."""
    found = 0
    for hex_ in bits(loose):
        beside = s.board.neighbours[hex_]
        if beside & ~mask or not beside & (beside - 1):
            found |= 1 << hex_
    return found


def hangs_together(s: State, mask: int, castle: int) -> bool:
    """Whether every building of a set can be reached from the castle within the set."""
    spread, reached = s.board.spread, castle
    while True:
        wider = reached | spread(reached) & mask
        if wider == reached:
            return reached == mask
        reached = wider


def ways_to_demolish(s: State, city: City, count: int) -> Iterator[int]:
    """Every set of so many buildings that can fall from the outside in, one after the other."""
    if count >= len(city.hexes) - 1:
        yield city.mask if count == len(city.hexes) else city.mask & ~(1 << city.castle)
        return
    visited = {city.mask}
    todo = [city.mask]
    while todo:
        mask = todo.pop()
        if len(city.hexes) - mask.bit_count() == count:
            yield city.mask & ~mask
            continue
        for hex_ in bits(removable(s, city, mask)):
            smaller = mask & ~(1 << hex_)
            if smaller not in visited:
                visited.add(smaller)
                todo.append(smaller)


def demolish_set(s: State, city: City, fallen: int, sink: EffectSink) -> None:
    """Take down a set from the outside in, the castle last."""
    if sink is None:  # nobody sees the order; only the castle, first of the hexes, must wait
        for hex_ in city.hexes[::-1] if fallen == city.mask else bits(fallen):
            demolish_one(s, city, hex_, sink)
        return
    while fallen:
        hex_ = next(bits(removable(s, city, city.mask) & fallen))
        demolish_one(s, city, hex_, sink)
        fallen &= ~(1 << hex_)


def demolish_one(s: State, city: City, hex_: int, sink: EffectSink) -> None:
    """R38: a building goes back to its pool; a last castle back to its owner."""
    building = s.stands_on.pop(hex_)
    s.occupied ^= 1 << hex_
    s.city_on[hex_] = 0
    if hex_ in s.figures_on:
        figures = s.figures_on.pop(hex_)
        s.players[city.seat].figures += sum(figures)
        for service in range(3):
            city.figures[service] -= figures[service]
    if building == CASTLE:
        city.mask, city.hexes = 0, []
        s.players[city.seat].castles += 1
        s.players[city.seat].cities.remove(city)
        del s.cities[city.number]
        s.neighbours.pop(city.number, None)
    else:
        kind = s.numbers.kind[building]
        s.pools[kind.pool] += 1
        city.lower_building(kind, hex_, s.land)
    if sink is not None:
        label = s.board.label
        sink.append(
            effects.BuildingFell(
                seat=city.seat, city=label[city.castle], building=building, at=label[hex_]
            )
        )
        if building == CASTLE:
            sink.append(effects.CityLost(seat=city.seat, city=label[city.castle]))


def starve_without_choice(s: State, seat: int, hungry: int, sink: EffectSink) -> bool:
    """R39 where the outcome is certain. False when the seat has to say who goes hungry."""
    player = s.players[seat]
    populated = [city for city in player.cities if city.citizens]
    if len(populated) > 1 and hungry < s.citizens_of(seat) and not player.resigned:
        s.awaiting[seat] = "starve"
        return False
    for city in populated:
        lost = min(hungry, city.citizens)
        starve(s, city, lost, sink)
        hungry -= lost
    return True


def starve(s: State, city: City, citizens: int, sink: EffectSink) -> None:
    """R39: citizens go back to the supply."""
    if citizens:
        city.citizens -= citizens
        s.supply += citizens
        s.players[city.seat].starved += citizens
        if sink is not None:
            sink.append(
                effects.CitizensStarved(
                    seat=city.seat, city=s.board.label[city.castle], citizens=citizens
                )
            )
