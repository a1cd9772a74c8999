"""What an action is worth by the principles: which of them is asked about which action."""

from __future__ import annotations

from engine.bots import people
from engine.bots.principles import ACTION_CARD, Counsel
from engine.bots.survey import Survey
from events.types import (
    Build,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)


def weigh(survey: Survey, counsel: Counsel, action: Turn) -> float:
    """What an action is worth, in points at the end or so."""
    match action:
        case Build():
            return counsel.build(action)
        case FoundCity():
            return counsel.found(action)
        case TakeGold():
            return counsel.gold(survey.numbers.action_gold) - ACTION_CARD
        case HoldGames():
            return counsel.games(action)
        case CallGoldenTimes():
            return counsel.golden_times(action)
        case ReapHarvest():
            return counsel.harvest(action)
        case Poll():
            return counsel.poll(action)
        case PlaceCastle():
            return counsel.home_site(action.at)
        case _:
            return weigh_people(survey, action)


def weigh_people(survey: Survey, action: Turn) -> float:
    """The same for what is about people, where no counsel is asked."""
    match action:
        case Relocate():
            return people.relocation(survey, action)
        case Demolish():
            return people.demolition(survey, action)
        case Starve():
            return people.hunger(survey, action)
        case _:
            # Passing, and leaving the oldest card where it lies.
            return 0.0
