"""Plans: one's own coming actions and guesses at the others', tried out and matched with the game.

A plan is unfolded on a table that is dealt anew from what its seat may know, so nothing in it tells
of hidden cards. When the game moves on, `followed` ticks off what came true; the rest is unfolded
again from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.actions.check import OWED, check
from engine.actions.legal import legal_actions
from engine.bots import DEFAULT_BOT, make_bot
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.refusals import NotAllowed, Refusal
from engine.rules.counting import Counting
from engine.rules.take_back import TURNS
from engine.state import State
from engine.turn import play
from engine.view import in_place_of
from events.types import AnyEvent, Poll, Turn
from projections.now.suggestion import suggest

MAX_STEPS = 40
Story = Sequence[tuple[AnyEvent, Sequence[AnyEffect]]]
"""A game's events, each with what followed from it."""
PlanName = Annotated[str, Meta(max_length=60)]


class PlanStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that is planned or guessed. `bot` names who guessed it where the person did not.

    `came` is the version of the game at which it came true, `otherwise` the one at which its seat
    decided something else; both are 0 while it is still to come.
    """

    id: int
    action: Turn
    bot: str = ""
    came: int = 0
    otherwise: int = 0

    @property
    def past(self) -> bool:
        return bool(self.came or self.otherwise)


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's plan, as matched with the game up to version `since`."""

    id: int
    name: PlanName
    since: int
    steps: list[PlanStep] = []
    last_id: int = 0

    @property
    def coming(self) -> list[PlanStep]:
        return [step for step in self.steps if not step.past]


class PlanFull(Exception):
    """A plan holds no more steps."""


class PlanRow(msgspec.Struct, frozen=True):
    """What is still to come of a plan, in its order: a step that is played at a moment, a step
    that the rules refuse there, or, without a step, what somebody was guessed to do in between."""

    action: Turn
    step: PlanStep | None = None
    moment: int = 0
    refusal: Refusal | None = None
    effects: list[AnyEffect] = []


class Unfolded(msgspec.Struct, frozen=True):
    """A plan played through. `states[0]` is the table now, `states[n]` the one after moment n."""

    rows: list[PlanRow]
    states: list[State]

    @property
    def last(self) -> int:
        return len(self.states) - 1

    def row_at(self, moment: int) -> PlanRow | None:
        """What leads to a moment; nothing leads to the present."""
        return next((row for row in self.rows if moment and row.moment == moment), None)


def bare(action: Turn) -> Turn:
    """An action as it is planned: when and how it was sent does not matter."""
    return msgspec.structs.replace(action, time=0, by="")


def alike(one: Turn, other: Turn) -> bool:
    """Whether two actions are the same for whoever plans; which of two like cards is not."""
    if type(one) is not type(other):
        return False
    if hasattr(one, "place"):
        one, other = (msgspec.structs.replace(each, place=0) for each in (one, other))
    return bare(one) == bare(other)


def followed(plan: Plan, seat: int, story: Story) -> Plan:
    """The plan matched with everything that happened by now."""
    steps, log = plan.steps, Counting()
    for version, (event, effects) in enumerate(story, start=1):
        undone = log.take(version, event, effects)
        if version <= plan.since:
            continue
        if type(event) in TURNS:
            steps = _met(steps, seat, event, version)  # type: ignore[arg-type]
        elif undone:
            steps = [_reopened(step, undone) for step in steps]
    return msgspec.structs.replace(plan, steps=steps, since=len(story))


def _met(steps: list[PlanStep], seat: int, action: Turn, version: int) -> list[PlanStep]:
    """What an action of the game makes of the steps: one came true, or a guess was wrong.

    What oneself has put off can still be done, where it is about one's turns.
    """
    of_seat = [
        index
        for index, step in enumerate(steps)
        if not step.past and step.action.seat == action.seat
    ]
    for index in of_seat:
        if alike(steps[index].action, action):
            return _with(steps, index, came=version)
    owed = OWED[type(action)]
    if action.seat == seat and owed == "politics":
        return steps
    for index in of_seat:
        if OWED[type(steps[index].action)] == owed:
            return _with(steps, index, otherwise=version)
    return steps


def _with(steps: list[PlanStep], index: int, **changes: int) -> list[PlanStep]:
    changed = msgspec.structs.replace(steps[index], **changes)
    return [*steps[:index], changed, *steps[index + 1 :]]


def _reopened(step: PlanStep, undone: int) -> PlanStep:
    """A step whose action was taken back is still to come."""
    if undone not in (step.came, step.otherwise):
        return step
    return msgspec.structs.replace(step, came=0, otherwise=0)


def unfold(plan: Plan, world: State, seat: int) -> Unfolded:
    """What comes of a plan on a table that is dealt anew for its seat.

    A step that the rules refuse is passed over. Where it is somebody else's turn before a step,
    they do something plain.
    """
    rows, states = list[PlanRow](), [world]
    for step in plan.coming:
        trial = copy_state(states[-1])
        between, after = _until_asked(trial, step.action.seat, seat)
        try:
            effects = _play(trial, step.action, seat)
        except NotAllowed as error:
            rows.append(PlanRow(step.action, step, refusal=error.refusal))
            continue
        rows += [
            msgspec.structs.replace(row, moment=len(states) + index)
            for index, row in enumerate(between)
        ]
        states += after
        rows.append(PlanRow(step.action, step, len(states), effects=effects))
        states.append(trial)
    return Unfolded(rows, states)


def _until_asked(s: State, asked: int, looker: int) -> tuple[list[PlanRow], list[State]]:
    """Others decide until a seat is asked, never the looker. The state is folded on."""
    rows, states = list[PlanRow](), list[State]()
    while asked not in s.awaiting and len(rows) < MAX_STEPS:
        others = [seat for seat in sorted(s.awaiting) if seat != looker]
        if not others:
            break
        action = plain_guess(s, others[0], looker)
        rows.append(PlanRow(action, effects=_play(s, action, looker)))
        states.append(copy_state(s))
    return rows, states


def _play(s: State, action: Turn, looker: int) -> list[AnyEffect]:
    """Play an action on; gives what follows from it."""
    effects: list[AnyEffect] = []
    known = s.players[looker].polled_voice
    play(s, action, effects)
    if isinstance(action, Poll):
        # What a poll would show is the one thing that a plan cannot know.
        s.players[looker].polled_voice = known
    return effects


def plain_guess(s: State, seat: int, looker: int) -> Turn:
    """What a seat may do, by what the looker knows: what is suggested, or what a bot would do."""
    suggested: Turn | None = suggest(s, seat)
    if suggested is not None:
        return suggested
    actions: list[Turn] = legal_actions(s, seat)
    if len(actions) == 1:
        return actions[0]
    bot = make_bot(DEFAULT_BOT, f"{s.year}/{s.turn}/{seat}")
    return bot.choose(in_place_of(s, seat, looker), s.board, actions)


def guesses_until(s: State, looker: int) -> list[Turn]:
    """What everyone else does until the looker is asked again, or the game is over.

    Empty where the looker is asked already. The state is folded on.
    """
    rows, _ = _until_asked(s, looker, looker)
    return [row.action for row in rows]


def with_steps(plan: Plan, unfolded: Unfolded, after: int, actions: Sequence[PlanStep]) -> Plan:
    """A plan with more steps, right after one of its moments. Their ids are given here."""
    if len(plan.steps) + len(actions) > MAX_STEPS:
        raise PlanFull
    at = _place_after(plan, unfolded, after)
    new = [
        msgspec.structs.replace(step, id=plan.last_id + number)
        for number, step in enumerate(actions, start=1)
    ]
    return msgspec.structs.replace(
        plan, steps=[*plan.steps[:at], *new, *plan.steps[at:]], last_id=plan.last_id + len(new)
    )


def _place_after(plan: Plan, unfolded: Unfolded, moment: int) -> int:
    """Where in the plan a step goes that follows on a moment: before what is refused there, which
    it may make possible."""
    before = [
        row.step.id for row in unfolded.rows if row.step is not None and 0 < row.moment <= moment
    ]
    ids = [step.id for step in plan.steps]
    if before:
        return ids.index(before[-1]) + 1
    return next((at for at, step in enumerate(plan.steps) if not step.past), len(ids))


def rearranged(plan: Plan, ids: Sequence[int]) -> Plan | None:
    """The plan with only these steps, in this order; None where one is not there or twice."""
    steps = {step.id: step for step in plan.steps}
    if len(set(ids)) != len(ids) or not steps.keys() >= set(ids):
        return None
    return msgspec.structs.replace(plan, steps=[steps[id_] for id_ in ids])


def next_own_step(coming: Sequence[PlanRow], seat: int, world: State) -> Turn | None:
    """The next action of its own seat in what is to come of a plan, where it can be sent right now.

    `world` is the table now, dealt anew for the seat: whatever the seat may do there it may do in
    the game. Steps that the rules refuse are passed over.
    """
    own = (row.action for row in coming if row.action.seat == seat and row.moment)
    first = next(own, None)
    return first if first is not None and check(world, first) is None else None
