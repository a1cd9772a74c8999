"""Plans: tried out, matched with the real course, unfolded again; and nothing is lost silently."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import StewardBot, ask
from engine.chance.resample import resample
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.fold import apply, begin, fold
from engine.selfplay import Game, new_game
from engine.snapshot import position
from engine.state import State
from engine.view import view
from events.types import AskTakeBack, Build, Poll, Relocate, TakeGold, Turn
from replays.cursor import Cursor
from replays.whatif.lines import dealt_anew
from replays.whatif.plans import (
    MAX_STEPS,
    Plan,
    PlanFull,
    PlanRow,
    PlanStep,
    Story,
    followed,
    guesses_until,
    next_own_step,
    plain_guess,
    rearranged,
    unfold,
    with_steps,
)


def own_step(plan: Plan, seat: int, story: Story, world: State) -> Turn | None:
    return next_own_step(unfold(followed(plan, seat, story), world, seat).rows, seat, world)


def played(players: int, seed: str, reached: Callable[[State], bool]) -> Game:
    game, bot = new_game(players, seed), StewardBot(1)
    while not reached(game.state):
        game.add(ask(bot, game.state, min(game.state.awaiting)))
    return game


def seats_turn(seat: int, year: int = 1) -> Callable[[State], bool]:
    return lambda s: s.phase == "politics" and s.year == year and seat in s.awaiting


def world_of(game: Game, seat: int) -> State:
    cursor = Cursor(game.events)
    return dealt_anew(cursor, cursor.last, seat, 1)


def story_of(game: Game) -> Story:
    state, following = begin(game.events)
    told: list[tuple[object, list[AnyEffect]]] = [(game.events[0], [])]
    for event in following:
        effects: list[AnyEffect] = []
        apply(state, event, effects)
        told.append((event, effects))
    return told  # type: ignore[return-value]


def planned(game: Game, seat: int, actions: list[Turn]) -> Plan:
    steps = [PlanStep(number, action) for number, action in enumerate(actions, start=1)]
    return Plan(1, "Mine", len(game.events), steps, len(steps))


def builds(s: State, seat: int) -> list[Turn]:
    return [a for a in legal_actions(s, seat) if isinstance(a, Build) and a.card == "action"]


def three_steps(game: Game, seat: int) -> list[Turn]:
    """An action of the seat, a guess at the next one, and what the third is guessed to do."""
    s = copy_state(world_of(game, seat))
    actions: list[Turn] = [builds(s, seat)[0]]
    plan = planned(game, seat, actions)
    for _ in range(2):
        s = unfold(plan, world_of(game, seat), seat).states[-1]
        actions.append(plain_guess(s, min(s.awaiting), seat))
        plan = planned(game, seat, actions)
    return actions


def test_a_plan_is_played_through_on_a_table_of_its_own() -> None:
    game = played(3, "plans/a", seats_turn(1))
    world, before = world_of(game, 1), position(world_of(game, 1))
    actions = three_steps(game, 1)
    found = unfold(planned(game, 1, actions), world, 1)
    assert [row.action for row in found.rows] == actions
    assert [row.moment for row in found.rows] == [1, 2, 3]
    assert found.last == 3
    assert all(row.effects for row in found.rows)
    assert position(found.states[0]) == before == position(world)
    assert found.states[1].stands_on != world.stands_on
    assert found.row_at(2) == found.rows[1]
    assert found.row_at(0) is None
    assert set(found.states[3].awaiting) == {1}


def test_others_do_something_plain_where_nobody_guessed() -> None:
    """A plan of one's own actions alone goes on over the others' turns, which are marked."""
    game = played(3, "plans/a", seats_turn(1))
    mine = TakeGold(seat=1)
    found = unfold(planned(game, 1, [mine, mine]), world_of(game, 1), 1)
    assert [(row.action.seat, row.step is None) for row in found.rows] == [
        (1, False),
        (2, True),
        (3, True),
        (1, False),
    ]
    assert [row.moment for row in found.rows] == [1, 2, 3, 4]
    again = unfold(planned(game, 1, [mine, mine]), world_of(game, 1), 1)
    assert [row.action for row in again.rows] == [row.action for row in found.rows]


def test_up_to_my_next_turn() -> None:
    game = played(3, "plans/a", seats_turn(1))
    world = world_of(game, 1)
    assert guesses_until(copy_state(world), 1) == []
    s = unfold(planned(game, 1, [TakeGold(seat=1)]), world, 1).states[-1]
    assert [action.seat for action in guesses_until(copy_state(s), 1)] == [2, 3]
    # Over a year's end, too: relocation, hunger and the new year's first turns are guessed.
    late = played(
        3, "plans/a", lambda s: s.phase == "politics" and s.turn >= 14 and 1 in s.awaiting
    )
    s = unfold(planned(late, 1, [TakeGold(seat=1)]), world_of(late, 1), 1).states[-1]
    guesses_until(s, 1)
    assert 1 in s.awaiting


def test_what_the_rules_refuse_is_marked_with_the_reason_and_passed_over() -> None:
    game = played(3, "plans/a", seats_turn(1))
    here = builds(game.state, 1)[0]
    found = unfold(planned(game, 1, [here, here, TakeGold(seat=1)]), world_of(game, 1), 1)
    refused = [row for row in found.rows if row.refusal]
    assert [(row.step.id, row.refusal.code) for row in refused] == [(2, "hex-taken")]  # type: ignore[union-attr]
    assert refused[0].moment == 0
    last = found.rows[-1]
    assert isinstance(last.action, TakeGold)
    assert last.moment == found.last
    # A guess that waits for an action of one's own is not played without it.
    early = unfold(planned(game, 1, [TakeGold(seat=2)]), world_of(game, 1), 1)
    assert [(row.refusal.code, row.moment) for row in early.rows] == [("not-awaited", 0)]  # type: ignore[union-attr]
    assert early.last == 0


def test_the_plan_follows_the_game() -> None:
    """What came true is ticked off, a wrong guess is marked, the rest goes on from there."""
    game = played(3, "plans/a", seats_turn(1))
    first, guess, other = three_steps(game, 1)
    plan = planned(game, 1, [first, guess, other, TakeGold(seat=1)])
    game.add(first)
    at = len(game.events)
    game.add(next(a for a in builds(game.state, 2) if a != guess))
    now = followed(plan, 1, story_of(game))
    assert [(step.came, step.otherwise) for step in now.steps] == [
        (at, 0),
        (0, at + 1),
        (0, 0),
        (0, 0),
    ]
    assert [step.id for step in now.coming] == [3, 4]
    found = unfold(now, world_of(game, 1), 1)
    assert [(row.action, row.moment) for row in found.rows] == [(other, 1), (TakeGold(seat=1), 2)]


def test_what_i_put_off_stays_in_the_plan() -> None:
    game = played(2, "plans/b", seats_turn(1))
    first = builds(game.state, 1)[0]
    plan = planned(game, 1, [first, TakeGold(seat=1)])
    game.add(TakeGold(seat=1))
    now = followed(plan, 1, story_of(game))
    assert [bool(step.came) for step in now.steps] == [False, True]
    found = unfold(now, world_of(game, 1), 1)
    assert [row.action for row in found.rows if row.step] == [first]
    assert found.rows[-1].moment


def test_relocation_that_came_otherwise_is_over() -> None:
    """Such a decision is not put off: the next one of its kind is another year's."""

    def choice(s: State) -> bool:
        return s.phase == "relocation" and len(legal_actions(s, min(s.awaiting))) > 1

    game = next(
        game
        for seed in range(40)
        if choice(
            (game := played(4, f"plans/{seed}", lambda s: choice(s) or s.phase == "over")).state
        )
    )
    seat = min(game.state.awaiting)
    wanted, done = legal_actions(game.state, seat)[:2]
    assert isinstance(wanted, Relocate)
    plan = planned(game, seat, [wanted])
    game.add(done)
    (step,) = followed(plan, seat, story_of(game)).steps
    assert step.otherwise


def test_a_take_back_opens_the_step_again() -> None:
    game = played(2, "plans/b", seats_turn(1))
    first = builds(game.state, 1)[0]
    plan = planned(game, 1, [first])
    game.add(first)
    ticked = followed(plan, 1, story_of(game))
    assert ticked.steps[0].came
    game.add(AskTakeBack(seat=1))
    for now in (followed(ticked, 1, story_of(game)), followed(plan, 1, story_of(game))):
        assert not now.steps[0].past
        assert own_step(now, 1, story_of(game), world_of(game, 1)) == first


@pytest.mark.parametrize("seed", range(4))
def test_following_step_by_step_is_following_at_once(seed: int) -> None:
    rng = random.Random(seed)
    game = played(3, f"plans/f{seed}", seats_turn(1))
    s, actions = copy_state(world_of(game, 1)), list[Turn]()
    for _ in range(8):
        plan = planned(game, 1, actions)
        s = unfold(plan, world_of(game, 1), 1).states[-1]
        actions.append(plain_guess(s, min(s.awaiting), 1))
    plan = stepwise = planned(game, 1, actions)
    for _ in range(10):
        seat = min(game.state.awaiting)
        steps = [step.action for step in stepwise.coming if check(game.state, step.action) is None]
        game.add(
            steps[0] if steps and rng.random() < 0.6 else ask(StewardBot(seed), game.state, seat)
        )
        stepwise = followed(stepwise, 1, story_of(game))
    assert stepwise == followed(plan, 1, story_of(game))
    assert any(step.came for step in stepwise.steps)
    assert [step.id for step in stepwise.steps] == [step.id for step in plan.steps]


def test_the_next_step_of_ones_own() -> None:
    game = played(2, "plans/b", seats_turn(1))
    first = builds(game.state, 1)[0]
    story, world = story_of(game), world_of(game, 1)
    assert own_step(planned(game, 1, []), 1, story, world) is None
    assert own_step(planned(game, 1, [first]), 1, story, world) == first
    # What is not possible is passed over; what waits for somebody else is not sent.
    gone = Build(seat=1, building="farm", at="zz9", card="action")
    assert own_step(planned(game, 1, [gone, first]), 1, story, world) == first
    game.add(first)
    after = planned(game, 1, [TakeGold(seat=1)])
    assert own_step(after, 1, story_of(game), world_of(game, 1)) is None


def test_steps_go_in_behind_a_moment_and_within_bounds() -> None:
    game = played(3, "plans/a", seats_turn(1))
    actions = three_steps(game, 1)
    plan = planned(game, 1, actions)
    found = unfold(plan, world_of(game, 1), 1)
    new = PlanStep(0, TakeGold(seat=3))
    assert [step.id for step in with_steps(plan, found, 2, [new]).steps] == [1, 2, 4, 3]
    assert [step.id for step in with_steps(plan, found, 0, [new]).steps] == [4, 1, 2, 3]
    assert [step.id for step in with_steps(plan, found, 3, [new, new]).steps] == [1, 2, 3, 4, 5]
    # Before what is refused there: it may become possible by it.
    waiting = planned(game, 1, [TakeGold(seat=2)])
    longer = with_steps(
        waiting, unfold(waiting, world_of(game, 1), 1), 0, [PlanStep(0, actions[0])]
    )
    assert [row.moment for row in unfold(longer, world_of(game, 1), 1).rows] == [1, 2]
    full = planned(game, 1, [TakeGold(seat=1)] * MAX_STEPS)
    with pytest.raises(PlanFull):
        with_steps(full, unfold(full, world_of(game, 1), 1), 0, [new])


def test_steps_are_put_in_order_and_cut() -> None:
    plan = Plan(1, "Mine", 3, [PlanStep(n, TakeGold(seat=1)) for n in (1, 2, 3)], 3)
    for ids in ([2, 1, 3], [1], []):
        changed = rearranged(plan, ids)
        assert changed is not None
        assert [step.id for step in changed.steps] == ids
    assert rearranged(plan, [1, 1]) is None
    assert rearranged(plan, [4]) is None


def rows_and_views(game: Game, seat: int, plan: Plan) -> tuple[list[PlanRow], list[object]]:
    found = unfold(plan, world_of(game, seat), seat)
    return found.rows, [view(s, seat) for s in found.states]


def test_a_plan_does_not_depend_on_what_its_seat_has_not_seen() -> None:
    """Whatever lies hidden, the same plan comes to the same; a poll in it shows nothing."""

    def could(s: State) -> bool:
        early = s.phase == "politics" and s.round < 4 and 1 in s.awaiting
        return early and any(isinstance(action, Poll) for action in legal_actions(s, 1))

    game = next(
        game
        for seed in range(20)
        if could((game := played(3, f"poll/{seed}", lambda s: could(s) or not s.awaiting)).state)
    )
    poll = Poll(seat=1, look=[2, 3])
    plan = planned(game, 1, [poll, *[TakeGold(seat=1)] * 5])
    other = new_game(3, "another")
    other.events = resample(game.events, game.state, random.Random(7), 1)
    other.state = fold(other.events)
    assert position(other.state) != position(game.state)
    mine, theirs = rows_and_views(game, 1, plan), rows_and_views(other, 1, plan)
    assert mine == theirs
    polled = unfold(plan, world_of(game, 1), 1).states[1]
    assert view(polled, 1).voice == view(game.state, 1).voice
