"""Political turns (R16–R32): what each action card and politics card does."""

from __future__ import annotations

from engine import effects
from engine.effects import EffectSink
from engine.material.numbers import POLITICS_INDEX, SERVICE_INDEX, SERVICES, Kind, cost_by
from engine.rules.setup import add_city
from engine.rules.year import gain_gold
from engine.state import City, State
from events.types import (
    Build,
    CallGoldenTimes,
    FoundCity,
    HoldGames,
    Pass,
    Poll,
    ReapHarvest,
    TakeGold,
)


def take_card(s: State, seat: int, card: int, place: int) -> None:
    """R32: a card leaves the display for the player's place; its own is refilled at once.

    A place need only be named when cards age and two are alike; the oldest is meant otherwise.
    """
    index = place - 1 if place else s.display.index(card)
    s.players[seat].played.append(card)
    if s.rules.display == "ageing":
        del s.display[index]
        s.display.append(-1)
        index = len(s.display) - 1
    else:
        s.display[index] = -1
    s.draws.append(index)


def pay(s: State, seat: int, gold: int, sink: EffectSink) -> None:
    if gold:
        s.players[seat].gold -= gold
        if sink is not None:
            sink.append(effects.GoldPaid(seat=seat, gold=gold))


def take_gold(s: State, e: TakeGold, sink: EffectSink) -> None:
    """R18."""
    gain_gold(s, e.seat, sink)


def found_city(s: State, e: FoundCity, sink: EffectSink) -> None:
    """R19: one spare citizen of a castle and some from the supply."""
    player = s.players[e.seat]
    player.action_cards -= 1
    player.founded = True
    s.cities[s.city_on[s.board.hex_at[e.source]]].citizens -= 1
    s.supply -= s.numbers.new_city_citizens
    citizens = 1 + s.numbers.new_city_citizens
    add_city(s, e.seat, s.board.hex_at[e.at], citizens)
    if sink is not None:
        sink.append(effects.CityFounded(seat=e.seat, city=e.at, citizens=citizens, source=e.source))


def build(s: State, e: Build, sink: EffectSink) -> None:
    """R20, R26, R27: by an action card, by the building's own card, or by the master builder."""
    kind = s.numbers.kind[e.building]
    if e.card == "action":
        s.players[e.seat].action_cards -= 1
        if kind.card_cost:
            pay(s, e.seat, kind.card_cost, sink)
    else:
        pay(s, e.seat, cost_by(e.card, kind) or 0, sink)
        take_card(s, e.seat, POLITICS_INDEX[e.card], e.place)
    hex_ = s.board.hex_at[e.at]
    city = city_beside(s, hex_)
    raise_building(s, city, kind, hex_)
    if sink is not None:
        sink.append(
            effects.BuildingRaised(
                seat=e.seat,
                city=s.board.label[city.castle],
                building=e.building,
                at=e.at,
                card=e.card,
            )
        )


def city_beside(s: State, hex_: int) -> City:
    """The one city that a building site touches (R21)."""
    built = s.board.neighbours[hex_] & s.occupied
    return s.cities[s.city_on[built.bit_length() - 1]]


def raise_building(s: State, city: City, kind: Kind, hex_: int) -> None:
    """R22, R23: a spare citizen moves in, or for a market those that it brings from the supply."""
    s.pools[kind.pool] -= 1
    s.city_on[hex_] = city.number
    s.stands_on[hex_] = kind.name
    s.occupied |= 1 << hex_
    city.raise_building(kind, hex_, s.land)
    if kind.name == "market":
        city.citizens += s.numbers.market_citizens
        s.supply -= s.numbers.market_citizens


def hold_games(s: State, e: HoldGames, sink: EffectSink) -> None:
    """R28: bread and games."""
    pay(s, e.seat, s.numbers.figure_prices[e.figures], sink)
    take_card(s, e.seat, POLITICS_INDEX["bread-and-games"], e.place)
    hex_ = s.board.hex_at[e.at]
    for service, count in enumerate(figures_by_service(e)):
        if count:
            put_figures(s, e.seat, hex_, service, count)
            s.cities[s.city_on[hex_]].figures[service] += count
            if sink is not None:
                sink.append(
                    effects.FiguresPlaced(seat=e.seat, at=e.at, figures=count, on=SERVICES[service])
                )


def figures_by_service(e: HoldGames) -> list[int]:
    """R28: how many figures stand for each service; where they may be split, for several.

    >>> figures_by_service(
    ...     HoldGames(seat=1, figures=3, at="c4", service="education", others=("health",))
    ... )
    [0, 2, 1]
    """
    found = [0, 0, 0]
    found[SERVICE_INDEX[e.service]] = e.figures - len(e.others)
    for service in e.others:
        found[SERVICE_INDEX[service]] += 1
    return found


def put_figures(s: State, seat: int, hex_: int, where: int, count: int) -> None:
    s.figures_on.setdefault(hex_, [0, 0, 0, 0])[where] += count
    s.players[seat].figures -= count


def call_golden_times(s: State, e: CallGoldenTimes, sink: EffectSink) -> None:
    """R29."""
    pay(s, e.seat, s.numbers.citizen_prices[e.citizens], sink)
    take_card(s, e.seat, POLITICS_INDEX["golden-times"], e.place)
    s.cities[s.city_on[s.board.hex_at[e.city]]].citizens += e.citizens
    s.supply -= e.citizens
    if sink is not None:
        sink.append(
            effects.CitizensCame(seat=e.seat, city=e.city, citizens=e.citizens, why="golden-times")
        )


def reap_harvest(s: State, e: ReapHarvest, sink: EffectSink) -> None:
    """R30: rich harvest."""
    take_card(s, e.seat, POLITICS_INDEX["rich-harvest"], e.place)
    put_figures(s, e.seat, s.board.hex_at[e.at], 3, 1)
    if sink is not None:
        sink.append(effects.FiguresPlaced(seat=e.seat, at=e.at, figures=1, on="harvest"))


def poll(s: State, e: Poll, sink: EffectSink) -> None:
    """R31: only this seat learns what it sees."""
    pay(s, e.seat, s.numbers.poll_cost(len(e.look)), sink)
    take_card(s, e.seat, POLITICS_INDEX["polling"], e.place)
    first = s.numbers.voice_cards * (s.year - 1)
    for place in e.look:
        s.players[e.seat].polled_voice |= 1 << (first + place - 1)
    s.last_reveal = len(s.trail)
    if sink is not None:
        sink.append(effects.VoicePolled(seat=e.seat, places=e.look))


def pass_turn(s: State, e: Pass, sink: EffectSink) -> None:
    """R32: the top card of the pile, face down and unseen."""
    s.draws.append(-e.seat)
    if sink is not None:
        sink.append(effects.TurnPassed(seat=e.seat, why="chosen"))
