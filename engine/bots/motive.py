"""Why a bot does something, as facts: the principle that weighed most, or what trials showed."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.bots.principles import ACTION_CARD, SPARE_CITIZEN, WATER, Counsel
from engine.bots.survey import Survey
from engine.bots.weights import weigh
from engine.material.board import Board
from engine.material.numbers import cost_by
from engine.view import View
from events.types import (
    Build,
    Bury,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    Pass,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)

Principle = Literal[
    "land",
    "neighbours",
    "bonus",
    "limit",
    "food",
    "income",
    "city",
    "people",
    "gold",
    "voice",
    "home",
    "relocation",
    "demolition",
    "hunger",
    "nothing",
    "cost",
]
"""What can weigh in favour of an action; `cost` weighs against it."""

Code = Principle | Literal["dice", "better", "worse", "as-good"]

ONE_PRINCIPLE: dict[type[Turn], Principle] = {
    TakeGold: "gold",
    FoundCity: "city",
    CallGoldenTimes: "people",
    ReapHarvest: "food",
    Poll: "voice",
    Pass: "nothing",
    Bury: "nothing",
    PlaceCastle: "home",
    Relocate: "relocation",
    Demolish: "demolition",
    Starve: "hunger",
}


class Reason(msgspec.Struct, frozen=True):
    """A code, what it weighs in points, and where trials were made: how many, against what."""

    code: Code
    points: float = 0.0
    worlds: int = 0
    other: Turn | None = None


def principle(view: View, board: Board, action: Turn) -> Reason:
    """What speaks most for an action, by the steward's principles."""
    survey = Survey(view, board)
    weights = parts(survey, Counsel(survey), action)
    weights.pop("cost", None)
    code = max(weights, key=lambda name: weights[name])
    if isinstance(action, Build) and weights[code] <= 0:
        return Reason("nothing")
    return Reason(code, weights[code])


def parts(survey: Survey, counsel: Counsel, action: Turn) -> dict[Principle, float]:
    """What an action is worth, principle by principle; together as much as `weigh` says."""
    if isinstance(action, Build):
        return _building(survey, counsel, action)
    if isinstance(action, HoldGames):
        cost = counsel.gold(-survey.numbers.figure_prices[action.figures])
        return {"neighbours": counsel.games(action) - cost, "cost": cost}
    return {ONE_PRINCIPLE[type(action)]: weigh(survey, counsel, action)}


def _building(survey: Survey, counsel: Counsel, action: Build) -> dict[Principle, float]:
    kind, hex_ = survey.numbers.kind[action.building], survey.board.hex_at[action.at]
    town = counsel.home[hex_]
    found: dict[Principle, float] = {
        "land": counsel.site(town, hex_, kind.name),
        "neighbours": counsel.contest(town, kind.arches, counsel.pull)
        + counsel.approach(town, kind.arches, hex_),
        "bonus": counsel.bonus(town, kind.name),
        "cost": counsel.price[cost_by(action.card, kind) or 0],
    }
    if action.card == "action":
        found["cost"] -= ACTION_CARD
    if kind.name == "market":
        found["limit"] = counsel.limits(town, market=True, water=False)
    elif counsel.years:
        found["cost"] -= SPARE_CITIZEN
    if kind.name in WATER:
        found["limit"] = counsel.limits(town, market=False, water=True)
    elif kind.name == "farm":
        found["food"] = counsel.people(0, 0, survey.land.wheat[hex_])
    elif kind.name == "quarry":
        found["income"] = counsel.quarry(hex_)
    return found
