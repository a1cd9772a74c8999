"""The steward's care for people: who moves, what falls, who leaves hungry (R35, R38, R39)."""

from __future__ import annotations

from engine.bots.principles import HUNGER_OF_A_YEAR, hunger_at_the_end
from engine.bots.survey import Survey, Town
from engine.material.numbers import CASTLE, SERVICE_INDEX
from engine.rules.relocation import gives
from engine.rules.scoring import bonus_services
from events.types import Demolish, Relocate, Starve

WORTH_OF_A_CASTLE = 20.0
WORTH_OF_A_MARKET = 1.5
WORTH_OF_WATER = 1.0
WORTH_OF_AN_ARCH = 0.4
WORTH_OF_INCOME = 0.4


def relocation(survey: Survey, action: Relocate) -> float:
    """As many citizens as can be fed; beyond that, better nowhere than with a rival."""
    towns = {town.castle: town for town in survey.towns}
    citizens = {castle: town.citizens for castle, town in towns.items()}
    for mover in action.cities:
        town, service = towns[mover.city], SERVICE_INDEX[mover.service]
        for other in town.neighbours:
            if gives(other.points[service], citizens[other.castle], town.points[service]):
                citizens[other.castle] -= 1
                if citizens[town.castle] < town.limit:
                    citizens[town.castle] += 1
    own = sum(citizens[town.castle] for town in survey.own)
    taken = sum(town.citizens - citizens[town.castle] for town in survey.rivals)
    hungry = max(0, own - survey.me.food)
    return own - hungry - 3.0 * (hungry > 0) + 0.3 * taken


def demolition(survey: Survey, action: Demolish) -> float:
    """What is missed least falls first."""
    missed = 0.0
    for at in action.buildings:
        hex_ = survey.board.hex_at[at]
        town = next(town for town in survey.own if hex_ in town.standing())
        missed += building_worth(survey, town, hex_)
    return -missed


def building_worth(survey: Survey, town: Town, hex_: int) -> float:
    """How much a building of one's own would be missed."""
    name = town.standing()[hex_]
    if name == CASTLE:
        return WORTH_OF_A_CASTLE
    last_year = survey.years_left == 0
    if name == "farm":
        wheat = survey.land.wheat[hex_]
        short = survey.me.citizens - survey.me.food + wheat
        # R39: who has starved people this year is not asked again.
        starves = short > 0 and not survey.me.starved
        at_the_end = hunger_at_the_end(survey.numbers)
        hunger = (at_the_end if last_year else HUNGER_OF_A_YEAR) * starves
        return 0.2 * wheat + hunger + 0.8 * min(wheat, max(0, short + survey.years_left))
    if name == "quarry":
        return WORTH_OF_INCOME * survey.land.mountains[hex_] * survey.years_left
    if name == "market":
        return 0.0 if last_year else WORTH_OF_A_MARKET
    kind = survey.numbers.kind[name]
    worth = 0.0 if last_year else WORTH_OF_AN_ARCH * sum(kind.arches)
    if kind.needs_lake and town.water == 1 and not last_year:
        worth += WORTH_OF_WATER
    before = bonus_services(survey.rules, survey.numbers, town.arches, town.hospitals)
    arches = [all_ - its for all_, its in zip(town.arches, kind.arches, strict=True)]
    hospitals = town.hospitals - (name == "hospital")
    after = bonus_services(survey.rules, survey.numbers, arches, hospitals)
    lost = sum(before) - sum(after)
    bonus = float(survey.numbers.service_bonus)
    return worth + (bonus if all(before) else 0.5) * lost


def hunger(survey: Survey, action: Starve) -> float:
    """Spare citizens first; then those whose buildings are missed least."""
    towns = {town.castle: town for town in survey.own}
    return -sum(_missed(survey, towns[loss.city], loss.citizens) for loss in action.losses)


def _missed(survey: Survey, town: Town, citizens: int) -> float:
    """What falls with so many citizens of a city, and a little for each spare one."""
    fall = max(0, citizens - town.spare)
    worths = sorted(building_worth(survey, town, hex_) for hex_ in town.standing())
    # The last spare citizens of a city are worth more than those of a crowded castle.
    return sum(worths[:fall]) + 0.05 * citizens * citizens / (1 + town.spare)
