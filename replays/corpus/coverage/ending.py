"""What shows the year's end, the game's end (R42–R45), house rules and events of the table."""

from __future__ import annotations

from itertools import compress

from engine import effects
from engine.material.numbers import CULTURE, EDUCATION, HEALTH, LIMIT_WITHOUT_MARKET
from engine.rules.scoring import has_all_services, scores
from engine.state import City, State
from events.types import AskTakeBack, Build, Bury, HandOver, HoldGames, Resign
from replays.corpus.coverage.steps import Transition, effects_of, show, shows


@shows("R42")
def r42_all_returns(step: Transition) -> object:
    """figures and cards return at the year's end"""
    s = step.before
    return (
        effects_of(step, effects.YearEnded)
        and s.figures_on
        and any(p.played for p in s.players.values())
    )


show(
    "R43 a city with all three services scores three more",
    lambda step: any(e.cities for e in effects_of(step, effects.Scored)),
)
show(
    "R43 hunger in the last year costs five points",
    lambda step: any(e.hunger for e in effects_of(step, effects.Scored)),
)


def lacking(step: Transition, service: int) -> bool:
    """Whether at the end a city lacks just this one service."""
    return bool(effects_of(step, effects.Scored)) and any(
        [not arches for arches in city.arches] == [kind == service for kind in range(3)]
        for city in step.after.cities.values()
    )


show("R43 a city lacks only culture", lambda step: lacking(step, CULTURE))
show("R43 a city lacks only education", lambda step: lacking(step, EDUCATION))
show("R43 a city lacks only health", lambda step: lacking(step, HEALTH))
show(
    "R43 a hospital is all the education of a complete city",
    lambda step: step.after.rules.hospital_bonus == "education" and hospital_decides(step),
)
show(
    "R43 a hospital is all the culture of a complete city, in the editions that read it so",
    lambda step: step.after.rules.hospital_bonus == "culture" and hospital_decides(step),
)


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


show(
    "R44 a win is shared",
    lambda step: any(len(e.seats) > 1 for e in effects_of(step, effects.GameWon)),
)


@shows("R45")
def r45_without_a_city(step: Transition) -> object:
    """a seat without a city plays on"""
    seat = getattr(step.event, "seat", 0)
    return (
        seat
        and step.before.awaiting.get(seat) == "politics"
        and not (step.before.players[seat].cities)
    )


show(
    "ageing-display the start player buries the oldest card",
    lambda step: isinstance(step.event, Bury) and step.event.bury,
)
show(
    "ageing-display the start player buries no card",
    lambda step: isinstance(step.event, Bury) and not step.event.bury,
)
show(
    "ageing-display the younger of two like cards is taken",
    lambda step: getattr(step.event, "place", 0),
)
show(
    "flush seven new cards at a year's start", lambda step: effects_of(step, effects.DisplayFlushed)
)
show(
    "short-evening the game ends after year 5",
    lambda step: (
        step.after.year == 5
        and effects_of(step, effects.GameWon)
        and effects_of(step, effects.YearEnded)
    ),
)
show(
    "short-evening hunger in year 5 costs five points",
    lambda step: step.after.year == 5 and any(e.hunger for e in effects_of(step, effects.Scored)),
)


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


show(
    "table a seat is handed over to a bot",
    lambda step: isinstance(step.event, HandOver) and step.event.bot,
)
show(
    "table a seat is given back to its player",
    lambda step: isinstance(step.event, HandOver) and not step.event.bot,
)
show(
    "table an action that showed nothing is taken back at once",
    lambda step: isinstance(step.event, AskTakeBack) and effects_of(step, effects.TakenBack),
)
show(
    "table an action is taken back because all agree",
    lambda step: effects_of(step, effects.TakenBack) and not isinstance(step.event, AskTakeBack),
)
show(
    "table the action that ended a year is taken back",
    lambda step: step.after.year < step.before.year,
)
show(
    "table a question lapses because the game goes on",
    lambda step: step.before.take_back and isinstance(step.event, Build | HoldGames),
)


def resigned_owing(step: Transition, owed: str) -> bool:
    event = step.event
    return isinstance(event, Resign) and step.before.awaiting.get(event.seat) == owed


show(
    "table a seat resigns instead of placing a castle", lambda step: resigned_owing(step, "castle")
)
show("table a seat resigns on its turn", lambda step: resigned_owing(step, "politics"))
show("table a seat resigns instead of relocating", lambda step: resigned_owing(step, "relocate"))
show(
    "table a seat resigns instead of caring for its people",
    lambda step: resigned_owing(step, "demolish") or resigned_owing(step, "starve"),
)
show("table a start player resigns instead of burying", lambda step: resigned_owing(step, "bury"))


@shows("table")
def table_resigned_out_of_turn(step: Transition) -> object:
    """a seat resigns while others owe something"""
    event = step.event
    return isinstance(event, Resign) and event.seat not in step.before.awaiting


show(
    "table the last seat left wins",
    lambda step: isinstance(step.event, Resign) and step.after.phase == "over",
)
