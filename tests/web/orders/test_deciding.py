"""Each kind of order decides as it says, in positions from played games, and by the view alone."""

from __future__ import annotations

import random

import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.chance.resample import resample
from engine.copying import copy_state
from engine.fold import apply, fold
from engine.material.numbers import POLITICS, SERVICES
from engine.rules.demolition import removable, shortage, surplus
from engine.rules.relocation import find_movers, order_matters, voices
from engine.state import State
from engine.view import view
from events.types import Build, Demolish, FoundCity, Pass, Poll, Relocate, Starve, TakeGold
from projections.now.suggestion import suggest
from tests.engine.helpers import tuscany
from tests.engine.rules.test_relocation import order_table
from tests.web.orders.ordering import decided, farm_at, moments, positions
from web.orders.conditions import as_if_in_turn, political_year, strangers, turns_left
from web.orders.shapes import (
    AnyOrder,
    DemolitionOrder,
    Ending,
    Fall,
    HungerOrder,
    Keep,
    Only,
    OrderStep,
    PoliticsOrder,
    RelocationOrder,
    Stop,
    Wish,
)


def politics(*steps: OrderStep, stops: list[Stop] | None = None) -> PoliticsOrder:
    return PoliticsOrder(turns=[list(steps)], stops=stops or [])


@pytest.mark.parametrize(
    ("owed", "order"),
    [
        ("relocate", RelocationOrder()),
        ("demolish", DemolitionOrder()),
        ("starve", HungerOrder()),
    ],
)
def test_as_suggested_is_what_the_table_suggests(owed: str, order: AnyOrder) -> None:
    found = positions(owed, 25)
    for s, seat in found:
        assert decided(s, seat, order) == suggest(s, seat)
    assert found


def two_voices() -> list[tuple[State, int]]:
    return [(s, seat) for s, seat in positions("relocate") if len(voices(s)) == 2]


def test_the_first_service_that_the_people_ask_for_counts() -> None:
    found = two_voices()
    for s, seat in found:
        first, second = (SERVICES[voice] for voice in voices(s))
        (other,) = set(SERVICES) - {first, second}
        for services, counts in (([second, first], second), ([other, first], first)):
            action = decided(s, seat, RelocationOrder(services=services))
            assert isinstance(action, Relocate)
            assert check(s, action) is None
            assert {mover.service for mover in action.cities} == {counts}
    assert found


def test_a_citys_own_wish_comes_before_that_for_all() -> None:
    for s, seat in two_voices():
        first, second = (SERVICES[voice] for voice in voices(s))
        mine = s.board.label[find_movers(s, seat, voices(s))[0].castle]
        order = RelocationOrder(cities=[Wish(city=mine, services=[second])], services=[first])
        action = decided(s, seat, order)
        assert isinstance(action, Relocate)
        for mover in action.cities:
            assert mover.service == (second if mover.city == mine else first)


def test_a_service_that_nobody_asks_for_is_left_to_the_suggestion_or_to_its_owner() -> None:
    s, seat = two_voices()[0]
    (other,) = set(SERVICES) - {SERVICES[voice] for voice in voices(s)}
    assert decided(s, seat, RelocationOrder(services=[other])) == suggest(s, seat)
    ending = decided(s, seat, RelocationOrder(services=[other], otherwise="ask"))
    assert isinstance(ending, Ending)
    assert ending.code == "not-asked-for"


def test_cities_move_in_the_named_order_where_order_matters() -> None:
    """Two cities of seat 1 want the only citizen of f5."""
    s = order_table().state
    assert order_matters(s, find_movers(s, 1, voices(s)), voices(s))
    for named, moves in (
        (["f9", "i5"], ["f9", "i5"]),
        (["i5", "f9"], ["i5", "f9"]),
        (["zz", "i5"], ["i5", "f9"]),
    ):
        order = RelocationOrder(cities=[Wish(city=each) for each in named])
        action = decided(s, 1, order)
        assert isinstance(action, Relocate)
        assert [mover.city for mover in action.cities] == moves


def test_what_is_named_falls_first() -> None:
    by_hex = by_kind = 0
    for s, seat in positions("demolish", 60):
        for action in legal_actions(s, seat):
            assert isinstance(action, Demolish)
            (at,) = action.buildings
            chosen = decided(s, seat, DemolitionOrder(falls=[Fall(at="zz"), Fall(at=at)]))
            assert isinstance(chosen, Demolish)
            assert chosen.buildings[0] == at
            assert check(s, chosen) is None
            by_hex += 1
            kind = s.stands_on[s.board.hex_at[at]]
            chosen = decided(s, seat, DemolitionOrder(falls=[Fall(building=kind)]))
            assert isinstance(chosen, Demolish)
            assert s.stands_on[s.board.hex_at[chosen.buildings[0]]] == kind
            by_kind += 1
            after = copy_state(s)
            apply(after, chosen)
            assert after.awaiting.get(seat) != "demolish"
    assert by_hex > 50
    assert by_kind > 50


def test_where_nothing_named_can_fall_its_owner_is_asked_or_the_suggestion_holds() -> None:
    s, seat = positions("demolish", 1)[0]
    hexes = [hex_ for city in s.cities_of(seat) for hex_ in city.hexes]
    loose = 0
    for city in s.cities_of(seat):
        loose |= removable(s, city, city.mask) if surplus(city) else 0
    (firm, *_) = [hex_ for hex_ in hexes if not loose >> hex_ & 1]
    falls = [Fall(at=s.board.label[firm])]
    assert decided(s, seat, DemolitionOrder(falls=falls, otherwise="ask")) == Ending(
        "nothing-named-falls"
    )
    assert decided(s, seat, DemolitionOrder(falls=falls)) == suggest(s, seat)


def losses(s: State, seat: int, order: HungerOrder) -> dict[str, int]:
    action = decided(s, seat, order)
    assert isinstance(action, Starve), action
    assert check(s, action) is None
    return {loss.city: loss.citizens for loss in action.losses}


def sizes(s: State, seat: int) -> dict[str, int]:
    return {s.board.label[city.castle]: city.citizens for city in s.cities_of(seat)}


def test_the_hungry_leave_the_largest_or_the_smallest_city_first() -> None:
    tried = 0
    for s, seat in positions("starve", 40):
        before, hungry = sizes(s, seat), shortage(s, seat)
        largest = max(before.values())
        gone = losses(s, seat, HungerOrder(first="largest"))
        after = {city: count - gone.get(city, 0) for city, count in before.items()}
        assert max(after.values()) >= largest - hungry
        # Whoever lost somebody was the largest then: nobody is now larger by more than one.
        assert all(max(after.values()) - after[city] <= 1 for city in gone)
        gone = losses(s, seat, HungerOrder(first="smallest"))
        spared = [count for city, count in before.items() if city not in gone]
        assert max((before[city] for city in gone), default=0) <= min(spared, default=99)
        tried += len(before) > 2
    assert tried


def test_the_hungry_leave_the_named_cities_first_and_spare_what_is_to_be_kept() -> None:
    kept = 0
    for s, seat in positions("starve", 40):
        before, hungry = sizes(s, seat), shortage(s, seat)
        for city in before:
            gone = losses(s, seat, HungerOrder(first="named", cities=["zz", city]))
            assert gone[city] == min(hungry, before[city])
            if before[city] < 2:
                continue
            least = before[city] - 1
            order = HungerOrder(
                first="named", cities=[city], keep=[Keep(city=city, citizens=least)]
            )
            others = sum(before.values()) - before[city]
            if hungry - 1 <= others:
                assert losses(s, seat, order)[city] == 1
                kept += 1
    assert kept


def test_a_hunger_order_that_would_break_its_promise_asks() -> None:
    s, seat = positions("starve", 1)[0]
    keep = [Keep(city=city, citizens=130) for city in sizes(s, seat)]
    assert decided(s, seat, HungerOrder(keep=keep, otherwise="ask")) == Ending("nobody-to-spare")
    assert sum(losses(s, seat, HungerOrder(keep=keep)).values()) == shortage(s, seat)
    spared = 0
    for s, seat in positions("starve", 60):
        action = decided(s, seat, HungerOrder(keep_buildings=True, otherwise="ask"))
        spare = sum(city.citizens - len(city.hexes) for city in s.cities_of(seat))
        assert isinstance(action, Ending) == (spare < shortage(s, seat))
        if isinstance(action, Starve):
            apply(s, action)
            assert all(not surplus(city) for city in s.cities_of(seat))
            spared += 1
    assert spared


def test_the_first_possible_step_is_played() -> None:
    s = tuscany(politics=["palace", "bath", "polling", "cathedral"] + ["university"] * 3).state
    no_palace_there = OrderStep(action=Build(seat=1, building="palace", at="i5", card="palace"))
    palace = OrderStep(action=Build(seat=1, building="palace", at="f8", card="palace"))
    found = OrderStep(action=FoundCity(seat=1, at="f9", source="p5"))
    gold = OrderStep(action=TakeGold(seat=1))
    assert decided(s, 1, politics(no_palace_there, palace, gold)) == palace.action
    assert decided(s, 1, politics(no_palace_there, found, gold)) == gold.action
    ending = decided(s, 1, politics(no_palace_there, found, OrderStep(action=Pass(seat=1))))
    assert isinstance(ending, Ending)
    assert ending.code == "impossible"
    assert [tried.code for tried in ending.tried] == [
        "not-beside-city",
        "hex-taken",
        "may-not-pass",
    ]


def test_a_step_counts_only_when_its_conditions_hold() -> None:
    cards = ["palace", "bath", "polling", "cathedral"] + ["university"] * 3
    s = tuscany(politics=cards, voice=["culture"] * 4).state
    palace = Build(seat=1, building="palace", at="f8", card="palace")
    gold = TakeGold(seat=1)
    why = {
        Only(gold=1): "too-little-left",
        Only(card="golden-times"): "card-not-shown",
        Only(voice="health"): "other-voice",
        Only(alone=True): "somebody-near",
    }
    for only, code in why.items():
        step = OrderStep(action=palace, only=only)
        assert decided(s, 1, politics(step, OrderStep(action=gold))) == gold
        ending = decided(s, 1, politics(step))
        assert isinstance(ending, Ending)
        assert [tried.code for tried in ending.tried] == [code]
    holds = Only(gold=3, card="palace", voice="culture", alone=True)
    assert decided(s, 1, politics(OrderStep(action=gold, only=holds))) == gold
    farm = Build(seat=1, building="farm", at="p4", card="action")
    assert decided(s, 1, politics(OrderStep(action=farm, only=Only(alone=True)))) == farm


def test_an_order_stops_when_it_was_to_stop() -> None:
    s = tuscany(politics=["palace", "bath", "polling", "cathedral"] + ["university"] * 3).state
    gold = OrderStep(action=TakeGold(seat=1))
    shown, gone = Stop(when="shown", card="palace"), Stop(when="gone", card="golden-times")
    assert decided(s, 1, politics(gold, stops=[shown])) == Ending("shown", {"card": "palace"})
    assert decided(s, 1, politics(gold, stops=[gone])) == Ending("gone", {"card": "golden-times"})
    quiet = [Stop(when="gone", card="palace"), Stop(when="shown", card="golden-times")]
    assert decided(s, 1, politics(gold, stops=quiet)) == gold.action
    near = [Stop(when="near", city="f9")]
    before = strangers(s, 1)
    apply(s, TakeGold(seat=1))
    apply(s, Build(seat=2, building="farm", at="f6", card="action"))
    assert decided(s, 1, politics(gold, stops=near), before) == Ending(
        "near", {"city": "f9", "at": "f6"}
    )
    assert decided(s, 1, politics(gold, stops=near), [*before, "f6"]) == gold.action
    assert (
        decided(s, 1, politics(gold, stops=[Stop(when="near", city="p5")]), before) == gold.action
    )


def test_no_order_depends_on_hidden_cards() -> None:
    """Exchange what the seat has not seen, and every order decides the same."""
    rng = random.Random(3)
    orders: dict[str, list[AnyOrder]] = {
        "relocate": [RelocationOrder(), RelocationOrder(services=["health"], otherwise="ask")],
        "demolish": [DemolitionOrder(falls=[Fall(building="farm")])],
        "starve": [HungerOrder(), HungerOrder(first="smallest", keep_buildings=True)],
    }
    for owed, given in orders.items():
        for events, seat in moments(owed)[:6]:
            s = fold(events)
            other = fold(resample(events, s, rng, seat))
            for order in given:
                assert decided(s, seat, order) == decided(other, seat, order)
    for events, seat in moments("politics")[10:60:10]:
        s = fold(events)
        other = fold(resample(events, s, rng, seat))
        steps = [
            OrderStep(action=action, only=Only(gold=1, voice="culture"))
            for action in rng.sample(legal_actions(s, seat), 2)
        ]
        steps.append(OrderStep(action=Poll(seat=seat, look=[2, 3])))
        order = politics(*steps, stops=[Stop(when="gone", card=POLITICS[0])])
        assert decided(s, seat, order) == decided(other, seat, order)


def test_what_could_be_ordered_is_what_would_be_legal_in_turn() -> None:
    """In turn it is what is legal; out of turn it is reckoned as if; after steps it goes on."""
    s = tuscany(politics=["palace", "bath", "polling", "cathedral"] + ["university"] * 3).state
    assert legal_actions(as_if_in_turn(view(s, 1), s.board), 1) == legal_actions(s, 1)
    other = legal_actions(as_if_in_turn(view(s, 2), s.board), 2)
    apply(s, TakeGold(seat=1))
    assert other == legal_actions(s, 2)
    farm = farm_at(s, 2)
    after = legal_actions(as_if_in_turn(view(s, 2), s.board, [farm]), 2)
    assert not any(getattr(action, "at", "") == farm.at for action in after)
    apply(s, farm)
    apply(s, TakeGold(seat=1))
    assert after == legal_actions(s, 2)


def test_an_order_is_for_the_year_of_the_next_turn() -> None:
    table = tuscany()
    s = table.state
    assert (turns_left(s, 1), turns_left(s, 2), political_year(s, 1)) == (5, 5, 1)
    apply(s, TakeGold(seat=1))
    assert (turns_left(s, 1), turns_left(s, 2)) == (4, 5)
    for s, seat in positions("starve", 5):
        assert turns_left(s, seat) == 0
        assert political_year(s, seat) == s.year + 1
