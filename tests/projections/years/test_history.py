"""Year by year: the numbers add up from one year to the next."""

from __future__ import annotations

import pytest

from engine import effects
from engine.bots import RandomBot
from engine.effects import AnyEffect
from engine.fold import fold
from engine.rules.scoring import score
from engine.selfplay import new_game, play_out
from engine.walk import Walk
from engine.year_end import YearEffects
from events.types import AnyEvent
from projections.words.effects import tell_effect
from projections.years.history import History, Year


def history(log: list[AnyEvent]) -> tuple[list[Year], list[AnyEffect]]:
    walk = Walk(log, make_sink=YearEffects)
    gathered = History(len(walk.state.seats))
    all_told: list[AnyEffect] = []
    for step in walk:
        gathered.note(step.effects)
        all_told += step.effects
    return gathered.years, all_told


@pytest.mark.parametrize("seed", range(12))
def test_the_years_add_up(seed: int) -> None:
    setup = ("beginner", "expert")[seed % 2]
    game = new_game(2 + seed % 4, f"history/{seed}", setup=setup)  # type: ignore[arg-type]
    log = play_out(game, RandomBot(seed)).events
    years, told = history(log)
    assert [year.year for year in years] == [1, 2, 3, 4, 5, 6]
    start = {
        e.city: e.citizens for e in told if isinstance(e, effects.CityFounded) and not e.source
    }
    before = dict(start)
    for year in years:
        for city in year.cities:
            held = before.get(city.city, 0)
            assert city.citizens == held + city.gained - city.lost, (year.year, city)
        before = {city.city: city.citizens for city in year.cities}
        for player in year.players:
            own = [city for city in year.cities if city.seat == player.seat]
            assert player.citizens == sum(city.citizens for city in own)
            assert player.starved == sum(city.starved for city in own)
    final = fold(log)
    for player in years[-1].players:
        line = score(final, player.seat)
        assert (player.points, player.gold) == (line.total, line.gold)
    moved = [e for e in told if isinstance(e, effects.CitizenMoved)]
    assert sum(len(year.moves) for year in years) == len(moved)


def test_every_effect_has_its_words() -> None:
    names = ["Anna", "Bob", "Carla", "Dario", "Elena"]
    seen: set[type] = set()
    for seed in range(40):
        ruleset = ("standard", "flush", "ageing-display", "harsh-people")[seed % 4]
        game = new_game(5, f"words/{seed}", ruleset, ("beginner", "expert")[seed % 2])  # type: ignore[arg-type]
        _, told = history(play_out(game, RandomBot(seed)).events)
        for effect in told:
            assert tell_effect(effect, names).endswith(".")
            seen.add(type(effect))
    rare: list[effects.AnyEffect] = [
        effects.CastleSkipped(seat=1),
        effects.DecidedAway(seat=1, by="order"),
        effects.TakeBackAsked(seat=1),
        effects.TakeBackAnswered(seat=1, agreed=True),
        effects.TakenBack(seat=1),
        effects.SeatHandedOver(seat=1, bot="steward"),
        effects.SeatResigned(seat=1),
    ]
    every = set(effects.AnyEffect.__args__)  # type: ignore[attr-defined]
    assert every - seen <= set(map(type, rare))
    for effect in rare:
        assert "Anna" in tell_effect(effect, names)
