"""The endpoints of private plans: make them, try steps out in them, keep them, throw them away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.state import State
from engine.view import view
from events.types import Turn
from projections.now.suggestion import preview, suggest
from replays.whatif.plans import Plan, rearranged
from web.api.endpoint import Query, endpoint
from web.api.parameters import SEAT
from web.games.hints import question
from web.games.pictures import preview_board
from web.games.thinking import Hint
from web.jobs.requests import is_answered
from web.notes.shapes import Tried
from web.plans.page import at_random, board_at, moment_number
from web.plans.planner import Planner, PlanSeen, go_further, named, planner, state_at
from web.plans.service import Folder
from web.plans.shapes import (
    Added,
    ChangedPlan,
    Deleted,
    NewPlan,
    NewStep,
    PlanAnswer,
    PlanChoices,
    PlanMoment,
    PlansAnswer,
)
from web.services import limiter
from web.site.problems import Problem, refused
from web.table.hint_api import ASKING, BOT
from web.words.sentences import sentences

BASE = "/api/games/<game>/plans"
ONE = f"{BASE}/<plan>"
OF = Query("of", "Whose decision it is about: yours or one that is guessed; none: whose is next", 5)
PROBLEMS = (403, 404, 409, 422)
WRITING = "120 per minute"


@endpoint(
    "GET",
    BASE,
    "Your plans at a seat, as they stand now; nobody else sees them",
    who="seat",
    query=(SEAT,),
    answer=PlansAnswer,
    problems=PROBLEMS,
    computes=True,
)
def get_plans(game: str, seat: int | None) -> PlansAnswer:
    return answered(who := planner(game, seat or 0), who.folder())


def answered(who: Planner, folder: Folder) -> PlansAnswer:
    return PlansAnswer(
        version=who.version,
        seat=who.seat,
        over=who.over,
        plans=who.show_all(folder.plans),
        deleted=[Deleted(plan.id, plan.name) for plan in folder.deleted],
    )


@endpoint(
    "POST",
    BASE,
    "Begin a plan at the present moment, or copy one",
    who="seat",
    query=(SEAT,),
    body=NewPlan,
    answer=PlanSeen,
    status=201,
    problems=(*PROBLEMS, 429),
    computes=True,
)
@limiter.limit(WRITING, deduct_when=is_answered)
def begin_plan(game: str, seat: int | None, body: Any) -> PlanSeen:
    who = planner(game, seat or 0)
    who.check_running()

    def begun(folder: Folder) -> Folder:
        start = folder.find(body.copy_of) if body.copy_of else Plan(0, "", who.version)
        plan = msgspec.structs.replace(start, name=named(folder, body.name))
        return folder.added(plan)

    return saved(who, begun, lambda folder: folder.plans[-1])


def saved(
    who: Planner, edit: Callable[[Folder], Folder], find: Callable[[Folder], Plan]
) -> PlanSeen:
    """Save a change to the plans. What comes of it is computed first: whoever is told to ask again
    has changed nothing yet."""
    who.show(find(edit(who.folder())))
    return who.show(find(who.change(edit)))


@endpoint(
    "GET",
    ONE,
    "A plan, and everyone's figures now and at its end",
    who="seat",
    query=(SEAT,),
    answer=PlanAnswer,
    problems=PROBLEMS,
    computes=True,
)
def get_plan(game: str, plan: str, seat: int | None) -> PlanAnswer:
    who = planner(game, seat or 0)
    found = who.folder().find(plan)
    end = who.unfolded(found).states[-1]
    return PlanAnswer(who.version, who.show(found), who.figures(who.world), who.figures(end))


@endpoint(
    "POST",
    ONE,
    "Rename a plan, put its steps into another order, or take some away",
    who="seat",
    query=(SEAT,),
    body=ChangedPlan,
    answer=PlanSeen,
    problems=(*PROBLEMS, 429),
    computes=True,
)
@limiter.limit(WRITING, deduct_when=is_answered)
def change_plan(game: str, plan: str, seat: int | None, body: Any) -> PlanSeen:
    who = planner(game, seat or 0)

    def changed(folder: Folder) -> Folder:
        found: Plan | None = folder.find(plan)
        if body.steps is not None:
            found = rearranged(folder.find(plan), body.steps)
        if found is None:
            raise Problem(409, "no-such-step", "The plan has no such step.")
        if body.name is not None:
            found = msgspec.structs.replace(found, name=body.name.strip() or found.name)
        return folder.changed(found)

    return saved(who, changed, lambda folder: folder.find(plan))


@endpoint(
    "DELETE",
    ONE,
    "Throw a plan away; the last ones can be taken back",
    who="seat",
    query=(SEAT,),
    answer=PlansAnswer,
    problems=PROBLEMS,
    computes=True,
)
def delete_plan(game: str, plan: str, seat: int | None) -> PlansAnswer:
    who = planner(game, seat or 0)
    answered(who, who.folder().without(plan))
    return answered(who, who.change(lambda folder: folder.without(plan)))


@endpoint(
    "POST",
    f"{ONE}/restore",
    "Take a deleted plan back",
    who="seat",
    query=(SEAT,),
    answer=PlanSeen,
    problems=PROBLEMS,
    computes=True,
)
def restore_plan(game: str, plan: str, seat: int | None) -> PlanSeen:
    who = planner(game, seat or 0)
    return saved(who, lambda folder: folder.restored(plan), lambda folder: folder.find(plan))


@endpoint(
    "POST",
    f"{ONE}/steps",
    "Go on in a plan: by an action of yours, a guess, or up to your next turn",
    who="seat",
    query=(SEAT,),
    body=NewStep,
    answer=Added,
    status=201,
    problems=(*PROBLEMS, 429),
    computes=True,
)
@limiter.limit(WRITING, deduct_when=is_answered)
def add_step(game: str, plan: str, seat: int | None, body: Any) -> Added:
    who = planner(game, seat or 0)
    who.check_running()
    reached = 0

    def longer(folder: Folder) -> Folder:
        nonlocal reached
        found = folder.find(plan)
        if body.action is not None:
            check_there(who, found, body.after, body.action)
        found, reached = go_further(who, found, body.after, body.action)
        return folder.changed(found)

    return Added(saved(who, longer, lambda folder: folder.find(plan)), reached)


def check_there(who: Planner, plan: Plan, after: int | None, action: Turn) -> None:
    """Only what is legal at that moment of the plan goes into it."""
    unfolded = who.unfolded(plan)
    s = state_at(unfolded, unfolded.last if after is None else after)
    if (refusal := check(s, action)) is not None:
        raise refused(refusal, to_you=action.seat == who.seat)


@endpoint(
    "GET",
    f"{ONE}/moments/<number>",
    "The table after a step of a plan (0: now), drawn and in figures",
    who="seat",
    query=(SEAT,),
    answer=PlanMoment,
    problems=PROBLEMS,
    computes=True,
)
def get_plan_moment(game: str, plan: str, number: str, seat: int | None) -> PlanMoment:
    who = planner(game, seat or 0)
    unfolded = who.unfolded(who.folder().find(plan))
    at = moment_number(number)
    s, row = state_at(unfolded, at), unfolded.row_at(at)
    return PlanMoment(
        number=at,
        last=unfolded.last,
        sentences=sentences(row.effects, who.names) if row else [],
        board=board_at(who, s, row),
        display=view(s, who.seat).display,
        at_random=at_random(who, s),
        now=who.figures(who.world),
        figures=who.figures(s),
    )


@endpoint(
    "GET",
    f"{ONE}/choices/<number>",
    "Who is to decide at a moment of a plan, and what one of them can do",
    who="seat",
    query=(SEAT, OF),
    answer=PlanChoices,
    problems=PROBLEMS,
    computes=True,
)
def get_plan_choices(
    game: str, plan: str, number: str, seat: int | None, of: int | None
) -> PlanChoices:
    who, s = world(game, plan, number, seat)
    if not s.awaiting:
        return PlanChoices([], 0, "", [])
    asked = decider(who, s, of)
    return PlanChoices(
        sorted(s.awaiting),
        asked,
        str(s.awaiting[asked]),
        legal_actions(s, asked),
        suggest(s, asked),
    )


@endpoint(
    "POST",
    f"{ONE}/choices/<number>",
    "What an action would do at a moment of a plan, without putting it in",
    who="seat",
    query=(SEAT,),
    body=Turn,
    answer=Tried,
    problems=(*PROBLEMS, 429),
    computes=True,
)
@limiter.limit("240 per minute", deduct_when=is_answered)
def try_plan_step(game: str, plan: str, number: str, seat: int | None, body: Any) -> Tried:
    who, s = world(game, plan, number, seat)
    if (refusal := check(s, body)) is not None:
        raise refused(refusal, to_you=body.seat == who.seat)
    planned = preview(s, body)
    return Tried(
        sentences=sentences(planned.effects, who.names),
        board=preview_board(s, view(s, who.seat), planned),
    )


@endpoint(
    "GET",
    f"{ONE}/choices/<number>/hint",
    "What a bot would do at a moment of a plan, by what you know, and why",
    who="seat",
    query=(SEAT, OF, BOT),
    answer=Hint,
    problems=(*PROBLEMS, 429),
    computes=True,
)
@limiter.limit(ASKING, deduct_when=is_answered)
def get_plan_hint(
    game: str, plan: str, number: str, seat: int | None, of: int | None, bot: str
) -> Hint:
    who, s = world(game, plan, number, seat)
    at = moment_number(number)
    return question(s, f"{game}/{plan}", at, decider(who, s, of), who.seat).answer(bot)


def world(game: str, plan: str, number: str, seat: int | None) -> tuple[Planner, State]:
    """Who plans, and the table at a moment of the plan."""
    who = planner(game, seat or 0)
    return who, who.at(who.folder().find(plan), moment_number(number))


def decider(who: Planner, s: State, wanted: int | None) -> int:
    """Whose decision is meant: who is asked for, else the planner's own, else the first."""
    awaited = sorted(s.awaiting)
    if wanted:
        if wanted not in awaited:
            raise Problem(409, "nothing-to-decide", "This seat has nothing to decide now.")
        return wanted
    return who.seat if who.seat in awaited else next(iter(awaited), 0)
