"""What shows the year's end, the game's end (R42–R45), house rules and events of the table."""

from __future__ import annotations

from itertools import compress

from engine import effects
from engine.material.numbers import CULTURE, EDUCATION, HEALTH, LIMIT_WITHOUT_MARKET
from engine.rules.scoring import has_all_services, scores
from engine.state import City, State
from events.types import AskTakeBack, Build, Bury, HandOver, HoldGames, Resign
from replays.corpus.coverage.steps import Transition, effects_of, shows


@shows("R42")
def r42_all_returns(step: Transition) -> object:
    """figures and cards return at the year's end"""
    s = step.before
    return (
        effects_of(step, effects.YearEnded)
        and s.figures_on
        and any(p.played for p in s.players.values())
    )


@shows("R43")
def r43_complete_city(step: Transition) -> object:
    """a city with all three services scores three more"""
    return any(e.cities for e in effects_of(step, effects.Scored))


@shows("R43")
def r43_hunger(step: Transition) -> object:
    """hunger in the last year costs five points"""
    return any(e.hunger for e in effects_of(step, effects.Scored))


def lacking(step: Transition, service: int) -> bool:
    """Whether at the end a city lacks just this one service."""
    return bool(effects_of(step, effects.Scored)) and any(
        [not arches for arches in city.arches] == [kind == service for kind in range(3)]
        for city in step.after.cities.values()
    )


@shows("R43")
def r43_lacks_culture(step: Transition) -> object:
    """a city lacks only culture"""
    return lacking(step, CULTURE)


@shows("R43")
def r43_lacks_education(step: Transition) -> object:
    """a city lacks only education"""
    return lacking(step, EDUCATION)


@shows("R43")
def r43_lacks_health(step: Transition) -> object:
    """a city lacks only health"""
    return lacking(step, HEALTH)


@shows("R43")
def r43_hospital_as_education(step: Transition) -> object:
    """a hospital is all the education of a complete city"""
    return step.after.rules.hospital_bonus == "education" and hospital_decides(step)


@shows("R43")
def r43_hospital_as_culture(step: Transition) -> object:
    """a hospital is all the culture of a complete city, in the editions that read it so"""
    return step.after.rules.hospital_bonus == "culture" and hospital_decides(step)


def hospital_decides(step: Transition) -> bool:
    s = step.after
    return bool(effects_of(step, effects.Scored)) and any(
        has_all_services(s, city) and not complete_without_hospitals(s, city)
        for city in s.cities.values()
    )


def complete_without_hospitals(s: State, city: City) -> bool:
    hospitals = sum(s.stands_on[hex_] == "hospital" for hex_ in city.hexes)
    culture, education, _ = city.arches
    return bool(culture) and education > hospitals


@shows("R44")
def r44_gold_decides(step: Transition) -> object:
    """most gold decides between equal points"""
    won = effects_of(step, effects.GameWon)
    if not won:
        return False
    playing = [not player.resigned for player in step.after.players.values()]
    totals = [line.total for line in compress(scores(step.after), playing)]
    return totals.count(max(totals)) > len(won[0].seats)


@shows("R44")
def r44_shared(step: Transition) -> object:
    """a win is shared"""
    return any(len(e.seats) > 1 for e in effects_of(step, effects.GameWon))


@shows("R45")
def r45_without_a_city(step: Transition) -> object:
    """a seat without a city plays on"""
    seat = getattr(step.event, "seat", 0)
    return (
        seat
        and step.before.awaiting.get(seat) == "politics"
        and not (step.before.players[seat].cities)
    )


@shows("ageing-display")
def house_buried(step: Transition) -> object:
    """the start player buries the oldest card"""
    return isinstance(step.event, Bury) and step.event.bury


@shows("ageing-display")
def house_not_buried(step: Transition) -> object:
    """the start player buries no card"""
    return isinstance(step.event, Bury) and not step.event.bury


@shows("ageing-display")
def house_younger_card(step: Transition) -> object:
    """the younger of two like cards is taken"""
    return getattr(step.event, "place", 0)


@shows("flush")
def house_flushed(step: Transition) -> object:
    """seven new cards at a year's start"""
    return effects_of(step, effects.DisplayFlushed)


@shows("short-evening")
def house_ends_early(step: Transition) -> object:
    """the game ends after year 5"""
    return (
        step.after.year == 5
        and effects_of(step, effects.GameWon)
        and effects_of(step, effects.YearEnded)
    )


@shows("short-evening")
def house_hunger_in_year_five(step: Transition) -> object:
    """hunger in year 5 costs five points"""
    return step.after.year == 5 and any(e.hunger for e in effects_of(step, effects.Scored))


@shows("no-limits")
def house_no_limits(step: Transition) -> object:
    """a city without a market grows past five"""
    s = step.before
    if s.rules.limits:
        return False
    return any(
        city is not None and not city.market and city.citizens >= LIMIT_WITHOUT_MARKET
        for e in effects_of(step, effects.CitizensCame)
        for city in [s.cities.get(s.city_on[s.board.hex_at[e.city]])]
    )


@shows("table")
def table_handed_over(step: Transition) -> object:
    """a seat is handed over to a bot"""
    return isinstance(step.event, HandOver) and step.event.bot


@shows("table")
def table_handed_back(step: Transition) -> object:
    """a seat is given back to its player"""
    return isinstance(step.event, HandOver) and not step.event.bot


@shows("table")
def table_taken_back_at_once(step: Transition) -> object:
    """an action that showed nothing is taken back at once"""
    return isinstance(step.event, AskTakeBack) and effects_of(step, effects.TakenBack)


@shows("table")
def table_taken_back_by_leave(step: Transition) -> object:
    """an action is taken back because all agree"""
    return effects_of(step, effects.TakenBack) and not isinstance(step.event, AskTakeBack)


@shows("table")
def table_year_taken_back(step: Transition) -> object:
    """the action that ended a year is taken back"""
    return step.after.year < step.before.year


@shows("table")
def table_lapsed(step: Transition) -> object:
    """a question lapses because the game goes on"""
    return step.before.take_back and isinstance(step.event, Build | HoldGames)


def resigned_owing(step: Transition, owed: str) -> bool:
    event = step.event
    return isinstance(event, Resign) and step.before.awaiting.get(event.seat) == owed


@shows("table")
def table_resigned_castle(step: Transition) -> object:
    """a seat resigns instead of placing a castle"""
    return resigned_owing(step, "castle")


@shows("table")
def table_resigned_politics(step: Transition) -> object:
    """a seat resigns on its turn"""
    return resigned_owing(step, "politics")


@shows("table")
def table_resigned_relocate(step: Transition) -> object:
    """a seat resigns instead of relocating"""
    return resigned_owing(step, "relocate")


@shows("table")
def table_resigned_people(step: Transition) -> object:
    """a seat resigns instead of caring for its people"""
    return resigned_owing(step, "demolish") or resigned_owing(step, "starve")


@shows("table")
def table_resigned_bury(step: Transition) -> object:
    """a start player resigns instead of burying"""
    return resigned_owing(step, "bury")


@shows("table")
def table_resigned_out_of_turn(step: Transition) -> object:
    """a seat resigns while others owe something"""
    event = step.event
    return isinstance(event, Resign) and event.seat not in step.before.awaiting


@shows("table")
def table_last_one_left(step: Transition) -> object:
    """the last seat left wins"""
    return isinstance(step.event, Resign) and step.after.phase == "over"
