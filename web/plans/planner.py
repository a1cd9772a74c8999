"""Somebody plans at their seat: the table as the seat may know it, and its plans upon it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from engine.bots import DEFAULT_BOT
from engine.copying import copy_state
from engine.refusals import Refusal
from engine.snapshot import snapshot
from engine.state import State
from events.types import Turn
from projections.now.figures import Figures, figures
from projections.words.events import tell_event, tell_refusal
from replays.cursor import Cursor
from replays.whatif.lines import dealt_anew
from replays.whatif.plans import (
    MAX_STEPS,
    Plan,
    PlanFull,
    PlanRow,
    PlanStep,
    Story,
    Unfolded,
    bare,
    followed,
    guesses_until,
    next_own_step,
    with_steps,
)
from web.accounts.visitor import visitor
from web.games.live import Live
from web.games.seats import live_game, seats_at
from web.jobs.requests import compute
from web.notes.access import REDEAL
from web.plans.service import Folder
from web.plans.unfolding import Outline, outline, outline_plans, unfold_plan
from web.services import services
from web.site.problems import Problem
from web.words.language import gettext as _
from web.words.sentences import READER

By = Literal["me", "guess", "bot"]
Standing = Literal["came", "otherwise", "open", "refused"]


class Reason(msgspec.Struct, frozen=True):
    """Why a step is not possible any more: a code, a sentence, the game's rule."""

    code: str
    sentence: str
    rule: str


class StepSeen(msgspec.Struct, frozen=True):
    """A step as it stands. `moment` is where in the plan it is played, 0 for nowhere; `version`
    when it came true or otherwise, and then `instead` tells how. A step without an id is not in
    the plan: it is what somebody is guessed to do in between."""

    id: int
    seat: int
    by: By
    standing: Standing
    action: Turn
    sentence: str
    moment: int = 0
    version: int = 0
    instead: str = ""
    reason: Reason | None = None


class PlanSeen(msgspec.Struct, frozen=True):
    """A plan as it stands: its steps, how many moments it leads to, and which action of yours
    comes first, where it can be sent now."""

    plan: int
    name: str
    steps: list[StepSeen]
    last: int
    do_now: Turn | None = None


class Planner(msgspec.Struct, frozen=True):
    """A seat of the asker's at a table, with what its plans are made from."""

    game: str
    seat: int
    version: int
    story: Story
    world: State
    table: bytes
    """The world as a snapshot."""
    names: list[str]
    unfoldings: dict[bytes, Unfolded] = msgspec.field(default_factory=dict)
    """The plans that this request has played through."""

    @property
    def over(self) -> bool:
        return self.world.phase == "over"

    def folder(self) -> Folder:
        """The seat's plans, matched with the game."""
        return self._matched(services().plans.get(visitor().person, self.game, self.seat))

    def change(self, edit: Callable[[Folder], Folder]) -> Folder:
        """Save a change to the plans, matched with the game."""
        return services().plans.change(
            visitor().person, self.game, self.seat, lambda folder: edit(self._matched(folder))
        )

    def _matched(self, folder: Folder) -> Folder:
        def match(plans: list[Plan]) -> list[Plan]:
            return [
                followed(plan, self.seat, self.story) if plan.since < self.version else plan
                for plan in plans
            ]

        return msgspec.structs.replace(
            folder, plans=match(folder.plans), deleted=match(folder.deleted)
        )

    def check_running(self) -> None:
        if self.over:
            raise Problem(409, "game-over", "The game is over.")

    def unfolded(self, plan: Plan) -> Unfolded:
        """A plan played through. Its tables are shared: read them only."""
        key = msgspec.json.encode(plan)
        if key not in self.unfoldings:
            self.unfoldings[key] = compute(unfold_plan, plan, self.table, self.seat)
        return self.unfoldings[key]

    def at(self, plan: Plan, number: int) -> State:
        """The table at a moment of a plan. It is the caller's own."""
        return copy_state(state_at(self.unfolded(plan), number))

    def figures(self, s: State) -> list[Figures]:
        return figures(s, self.seat)

    def next_steps(self, plans: Sequence[Plan]) -> list[Turn | None]:
        """The action of each plan that can be sent now, if there is one."""
        return [next_own_step(each.rows, self.seat, self.world) for each in self._outlines(plans)]

    def show(self, plan: Plan) -> PlanSeen:
        """A plan in the reader's words."""
        return self._show(plan, outline(self.unfolded(plan)))

    def show_all(self, plans: Sequence[Plan]) -> list[PlanSeen]:
        """Several plans in the reader's words."""
        return [
            self._show(plan, each) for plan, each in zip(plans, self._outlines(plans), strict=True)
        ]

    def _outlines(self, plans: Sequence[Plan]) -> list[Outline]:
        found: list[Outline] = compute(outline_plans, plans, self.table, self.seat) if plans else []
        return found

    def _show(self, plan: Plan, coming: Outline) -> PlanSeen:
        past = [self._past(step) for step in plan.steps if step.past]
        steps = [*past, *(self._coming(row) for row in coming.rows)]
        first = next_own_step(coming.rows, self.seat, self.world)
        return PlanSeen(plan.id, plan.name, steps, coming.last, first)

    def _past(self, step: PlanStep) -> StepSeen:
        version = step.came or step.otherwise
        event = self.story[version - 1][0]
        return StepSeen(
            id=step.id,
            seat=step.action.seat,
            by=self._by(step, step.action.seat),
            standing="came" if step.came else "otherwise",
            action=step.action,
            sentence=self.tell(step.action),
            version=version,
            instead="" if step.came else tell_event(event, self.names, READER),
        )

    def _coming(self, row: PlanRow) -> StepSeen:
        return StepSeen(
            id=row.step.id if row.step else 0,
            seat=row.action.seat,
            by=self._by(row.step, row.action.seat),
            standing="refused" if row.refusal else "open",
            action=row.action,
            sentence=self.tell(row.action),
            moment=row.moment,
            reason=reason(row.refusal) if row.refusal else None,
        )

    def _by(self, step: PlanStep | None, seat: int) -> By:
        if seat == self.seat:
            return "me"
        return "bot" if step is None or step.bot else "guess"

    def tell(self, action: Turn) -> str:
        return tell_event(action, self.names, READER)


def reason(refusal: Refusal) -> Reason:
    return Reason(refusal.code, tell_refusal(refusal, READER), refusal.rule)


def planner(game: str, seat: int) -> Planner:
    """The asker at one of their seats; 0 where they have only one."""
    seats = seats_at(game, visitor())
    if not seats:
        raise Problem(403, "no-seat", "You do not sit at this table.")
    if seat and seat not in seats:
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    live = live_game(game)
    with live.lock:
        seat = seat or next((each for each in seats if each in live.state.awaiting), seats[0])
        world, table = live.keep(("plans", seat), lambda: world_of(live, seat))
        return Planner(
            game=game,
            seat=seat,
            version=live.version,
            story=list(live.story),
            world=world,
            table=table,
            names=[holder.name for holder in live.state.seats],
        )


def world_of(live: Live, seat: int) -> tuple[State, bytes]:
    """The table now, dealt anew from what a seat may know, and as a snapshot; nothing is hidden
    once it is over."""
    if live.state.phase == "over":
        world = copy_state(live.state)
    else:
        cursor = Cursor(event for event, _ in live.story)
        world = dealt_anew(cursor, cursor.last, seat, REDEAL)
    return world, snapshot(world)


def state_at(unfolded: Unfolded, number: int) -> State:
    if not 0 <= number <= unfolded.last:
        raise Problem(404, "no-such-moment", "The plan has no such moment.")
    return unfolded.states[number]


def named(folder: Folder, name: str) -> str:
    """The name somebody gives a plan, or the next number."""
    return name.strip() or _("Plan {number}").format(number=folder.last_id + 1)


def go_further(
    who: Planner, plan: Plan, after: int | None, action: Turn | None
) -> tuple[Plan, int]:
    """A plan with an action after one of its moments, or without one with what all the others are
    guessed to do until the seat is asked again. Gives the moment that it leads to, too."""
    unfolded = who.unfolded(plan)
    number = unfolded.last if after is None else after
    s = copy_state(state_at(unfolded, number))
    new = [PlanStep(0, bare(action))] if action else guessed(s, who.seat)
    try:
        longer = with_steps(plan, unfolded, number, new)
    except PlanFull:
        raise Problem(
            409, "plan-full", "A plan has room for {most} steps.", most=MAX_STEPS
        ) from None
    return longer, moment_of(who.unfolded(longer), longer.last_id)


def guessed(s: State, seat: int) -> Sequence[PlanStep]:
    found = guesses_until(s, seat)
    if not found:
        raise Problem(409, "your-turn-there", "Nobody else decides anything before you there.")
    return [PlanStep(0, action, bot=DEFAULT_BOT) for action in found]


def moment_of(unfolded: Unfolded, step: int) -> int:
    """At which moment a step is played."""
    return next((row.moment for row in unfolded.rows if row.step and row.step.id == step), 0)
