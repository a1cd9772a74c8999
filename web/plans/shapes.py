"""The shapes of the API about plans."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from events.types import Turn
from projections.now.figures import Figures
from replays.whatif.plans import MAX_STEPS, PlanName
from web.plans.planner import PlanSeen

Count = Annotated[int, Meta(ge=0, le=100_000)]


class Deleted(msgspec.Struct, frozen=True):
    """A deleted plan that can still be taken back."""

    plan: int
    name: str


class PlansAnswer(msgspec.Struct, frozen=True):
    """All plans of a seat, as they stand at this version of the game."""

    version: int
    seat: int
    over: bool
    plans: list[PlanSeen]
    deleted: list[Deleted]


class PlanAnswer(msgspec.Struct, frozen=True):
    """A plan, and everyone's figures now and at its end."""

    version: int
    plan: PlanSeen
    now: list[Figures]
    end: list[Figures]


class NewPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan with a name of yours; with `copy_of` it begins as another one of this seat."""

    name: PlanName = ""
    copy_of: Annotated[str, Meta(max_length=12)] = ""


class ChangedPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another name, or the ids of the steps that stay, in the order in which they shall come."""

    name: Annotated[PlanName, Meta(min_length=1)] | None = None
    steps: Annotated[list[Count], Meta(max_length=MAX_STEPS)] | None = None


class NewStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action of yours or a guess at somebody else's, after a moment of the plan (none: its
    end). Without an action all the others do something plain until you are asked again."""

    action: Turn | None = None
    after: Annotated[int, Meta(ge=0, le=1000)] | None = None


class Added(msgspec.Struct, frozen=True):
    """The plan with its new step, and the moment that it leads to."""

    plan: PlanSeen
    moment: int


class PlanMoment(msgspec.Struct, frozen=True):
    """The table at a moment of a plan; 0 is the table now. `at_random` are the cards of the
    display that a plan cannot know."""

    number: int
    last: int
    sentences: list[str]
    board: str
    display: list[str]
    at_random: list[str]
    now: list[Figures]
    figures: list[Figures]


class PlanChoices(msgspec.Struct, frozen=True):
    """Who is to decide at a moment of a plan, and what one of them can do."""

    awaiting: list[int]
    seat: int
    owes: str
    actions: list[Turn]
    suggestion: Turn | None = None
