"""The forecast: exact small cases, and what the next year really brings."""

from __future__ import annotations

import msgspec
import pytest

from engine import effects
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.fold import apply, apply_own
from engine.material.numbers import SERVICE_INDEX
from engine.rules.scoring import score
from engine.selfplay import play_out
from engine.snapshot import snapshot
from engine.state import State
from events.types import Build, FoundCity, Pass, TakeGold
from projections.now.forecast import Span, forecast
from projections.now.outlook import outcomes, run_year_end
from projections.now.suggestion import suggest
from tests.projections.cases import begun, face_to_face
from tests.projections.now.hidden import dealt_otherwise

encode = msgspec.json.encode


def test_two_players_at_the_start() -> None:
    s = face_to_face()
    found = forecast(s, 1)
    assert [(city.city, city.citizens, city.limit, city.growth) for city in found.cities] == [
        ("f6", 4, 5, 1),
        ("f10", 4, 5, 1),
        ("j6", 4, 5, 1),
        ("b6", 4, 5, 1),
    ]
    one, two = found.players
    assert (one.food, one.citizens, one.hungry, one.next_citizens, one.points) == (10, 8, 0, 10, 8)
    assert (two.food, two.citizens, two.hungry, two.next_citizens, two.points) == (8, 8, 0, 10, 8)
    assert one.leaving == one.coming == one.starving == Span(least=0, most=0)
    assert two.projected == Span(least=8, most=8)


def test_a_statue_puts_a_citizen_at_risk_unless_the_voice_is_another() -> None:
    s = face_to_face()
    apply(s, TakeGold(seat=2))
    apply(s, Build(seat=1, building="statue", at="f7", card="action"))
    one, two = forecast(s, 1).players
    assert (one.coming, two.leaving) == (Span(least=0, most=1), Span(least=0, most=1))
    assert (one.projected, two.projected) == (Span(least=8, most=9), Span(least=7, most=8))
    # Who has polled nothing but culture knows better.
    s.players[1].polled_voice = 0b1110
    one, two = forecast(s, 1).players
    assert (one.coming, two.leaving) == (Span(least=1, most=1), Span(least=1, most=1))
    assert forecast(s, 2).players[1].leaving == Span(least=0, most=1)


def test_a_city_without_food_makes_people_hungry() -> None:
    """R39: a city on barren land brings three citizens, two from the supply, and no food."""
    s = face_to_face()
    apply(s, FoundCity(seat=2, at="p3", source="f10"))
    two = forecast(s, 2).players[1]
    assert (two.food, two.citizens, two.hungry) == (8, 10, 2)
    assert two.starving == Span(least=2, most=2)
    assert two.projected == Span(least=8, most=8)


def test_no_growth_at_the_limit_and_from_an_empty_supply() -> None:
    s = face_to_face()
    apply(s, TakeGold(seat=2))
    apply(s, Build(seat=1, building="quarry", at="f7", card="action"))
    while s.year == 1:
        seat = min(s.awaiting)
        more = s.players[seat].action_cards
        apply(s, TakeGold(seat=seat) if more else Pass(seat=seat))
    assert {city.stopped for city in forecast(s, 1).cities} == {"limit"}
    s.cities[1].citizens -= 1
    s.cities[2].citizens -= 1
    s.supply = 1
    # Seat 1 started year 2, so seat 2 starts year 3 and takes the last citizen.
    assert [(c.growth, c.stopped) for c in forecast(s, 1).cities[:2]] == [(0, "supply"), (1, "")]


def brought(told: list[AnyEffect], seats: int) -> tuple[list[int], dict[str, int]]:
    """What a new year gave: gold per seat and growth per city."""
    begun_at = next(i for i, e in enumerate(told) if isinstance(e, effects.YearBegan))
    gold, growth = [0] * seats, {}
    for effect in told[begun_at:]:
        match effect:
            case effects.GoldGained(seat=seat, gold=coins, why="quarries"):
                gold[seat - 1] += coins
            case effects.CitizensCame(city=city, citizens=citizens, why="growth"):
                growth[city] = citizens
            case effects.GrowthStopped(city=city):
                growth[city] = 0
    return gold, growth


@pytest.mark.parametrize("chunk", range(4))
def test_the_next_year_brings_what_was_forecast(chunk: int) -> None:
    """Income and growth at every year's end, and the points when all do what is suggested."""
    years = due = earned = 0
    for seed in range(chunk * 5, chunk * 5 + 5):
        game, bot = begun(seed), RandomBot(seed)
        s = game.state
        due += s.numbers.years
        spoken: list[int] = []
        expected: list[int] = []
        while s.awaiting:
            seat = min(s.awaiting)
            action = suggest(s, seat) or bot.pick(legal_actions(s, seat))
            before, year = copy_state(s), s.year
            told: list[AnyEffect] = []
            game.add(action, told)
            if not year:
                continue
            apply_own(before, action)
            for effect in told:
                if isinstance(effect, effects.VoiceSpoke):
                    spoken = [SERVICE_INDEX[service] for service in effect.services]
                    (end,) = [o for o in outcomes(before, 0) if o.services == effect.services]
                    expected = [player.points for player in end.players]
                    for line, points in zip(forecast(before, 0).players, expected, strict=True):
                        assert line.projected.least <= points <= line.projected.most
            if s.year == year and s.phase != "over":
                continue
            cards = list(before.voice)
            run_year_end(before, spoken, [])
            before.voice = cards
            check_points(s, told, expected)
            years += 1
            found = forecast(before, 0)
            if year == s.numbers.years:
                assert found.last
                assert all(city.stopped == "no-year" for city in found.cities)
                continue
            gold, growth = brought(told, len(s.seats))
            assert [player.income for player in found.players] == gold
            assert {city.city: city.growth for city in found.cities} == growth
            earned += sum(gold)
    assert years == due
    assert earned >= 5


def check_points(s: State, told: list[AnyEffect], expected: list[int]) -> None:
    """The points of a year's end: those of now without what the next year began with."""
    _, growth = brought(told, len(s.seats)) if s.phase != "over" else ([], {})
    for seat, points in enumerate(expected, start=1):
        grown = sum(growth.get(s.board.label[city.castle], 0) for city in s.cities_of(seat))
        assert score(s, seat).total - grown == points


@pytest.mark.parametrize("seed", range(8))
def test_a_forecast_does_not_depend_on_hidden_cards(seed: int) -> None:
    events = play_out(begun(seed), RandomBot(seed)).events
    for real, other, seat in dealt_otherwise(events, seed):
        before = snapshot(real)
        assert encode(forecast(real, seat)) == encode(forecast(other, seat))
        assert snapshot(real) == before
