"""The review of a game: every decision that was a choice, and how the prospects changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from engine.actions.legal import legal_actions
from engine.bots.prince import shortlist
from engine.bots.prospects import prospects
from engine.rules.counting import Counting
from engine.view import view
from events.types import AnyEvent, Turn
from replays.cursor import Cursor
from replays.guess import is_question
from replays.review.chance import reveals
from replays.review.evaluation import play_on
from replays.review.judging import Judge, Judgement
from replays.review.luck import EventLuck, SeatLuck, event_luck, seat_luck
from replays.review.marks import Mark, accuracy_of, mark_of

VERSION = 2
"""Of the reviews that are stored: it grows when what a field says has changed."""
OBVIOUS = 3
"""So many of the steward's first ideas are no surprise."""
DECIDING = 3
"""How many moments are named that decided the game."""


class Decision(msgspec.Struct, frozen=True, tag="decision"):
    """One decision and what was found out about it. `number` is its event's."""

    number: int
    seat: int
    year: int
    kind: str
    judgement: Judgement | None
    mark: Mark
    accuracy: float


class GraphPoint(msgspec.Struct, frozen=True, tag="graph"):
    """Every seat's share of the win after an event: by what all know, and with hindsight."""

    number: int
    year: int
    win: list[float]
    hindsight: list[float]


class Accuracy(msgspec.Struct, frozen=True):
    """How accurately a seat has decided, from 0 to 100: in all, by year, by kind of decision."""

    seat: int
    whole: float
    by_year: dict[int, float]
    by_kind: dict[str, float]
    marks: dict[str, int]


Part = Decision | GraphPoint | EventLuck
"""A review is made of these; each can be worked out by itself, stored, and decoded again."""


class Task(msgspec.Struct, frozen=True):
    """One part that a review of a game needs: what it is about, and at which event."""

    about: Literal["decision", "graph", "luck"]
    number: int


class GameReview(msgspec.Struct, frozen=True):
    """All that is said of a game. It can be stored: what is added later has a default."""

    budget: int
    seed: str
    decisions: list[Decision]
    graph: list[GraphPoint]
    accuracy: list[Accuracy]
    deciding: list[int]
    """The events that moved the winner's share most, the greatest first."""
    luck: list[SeatLuck] = []
    """Per seat; empty where no luck was looked at."""
    chance: list[EventLuck] = []
    """What came to light at which event, and what that was worth to whom."""
    version: int = VERSION


def choices(game: Cursor) -> list[int]:
    """The events at which a seat could have done something else. What was taken back is none."""
    counting = Counting()
    for number, (event, effects) in enumerate(zip(game.events, game.effects, strict=True), start=1):
        counting.take(number, event, effects)
    return [
        number
        for number in counting.numbers
        if is_question(game, game.moments[number - 1].seat, number - 1)
    ]


def review_decision(game: Cursor, number: int, seed: str, budget: int) -> Decision:
    """The decision of an event, by what its seat knew before it."""
    s = game.at(number - 1)
    played: Turn = game.events[number - 1]  # type: ignore[assignment]
    known = view(s, played.seat)
    plain = msgspec.structs.replace(played, time=0, by="")
    actions = legal_actions(s, played.seat)
    judgement = Judge(known, s.board, f"{seed}/{number}", budget).judge(actions, plain)
    obvious = plain in shortlist(known, s.board, actions)[:OBVIOUS]
    return Decision(
        number=number,
        seat=played.seat,
        year=s.year,
        kind=s.awaiting[played.seat],
        judgement=judgement,
        mark=mark_of(judgement.win, len(s.players), obvious=obvious) if judgement else "",
        accuracy=accuracy_of(judgement),
    )


def graph_point(game: Cursor, number: int) -> GraphPoint:
    """What was to be expected before the decision of an event."""
    s = game.at(number - 1)
    now = [prospect.win for prospect in prospects(s).values()]
    played_on, _ = play_on(s, s.year)
    return GraphPoint(number - 1, s.year, now, [each.win for each in played_on.values()])


def tasks(game: Cursor) -> list[Task]:
    """All that there is to work out about a game, in the order of its events."""
    decisions = [Task(about, number) for number in choices(game) for about in ("decision", "graph")]
    lucks = [Task("luck", number) for number in reveals(game.events)]
    return sorted([*decisions, *lucks], key=lambda task: task.number)


def work_out(game: Cursor, task: Task, seed: str, budget: int) -> Part:
    """One part of a review: the same whoever works it out, and in whichever order."""
    if task.about == "decision":
        return review_decision(game, task.number, seed, budget)
    if task.about == "luck":
        return event_luck(game.events, task.number, seed, budget)
    return graph_point(game, task.number)


def assemble(game: Cursor, parts: Iterable[Part], seed: str, budget: int) -> GameReview:
    """A review of what has been worked out; some of it may be missing yet."""
    ordered = sorted(parts, key=lambda part: part.number)
    decisions = [part for part in ordered if isinstance(part, Decision)]
    state = game.at(game.last)
    result = prospects(state)
    end = [prospect.win for prospect in result.values()]
    lucks = [part for part in ordered if isinstance(part, EventLuck)]
    points = [part for part in ordered if isinstance(part, GraphPoint)]
    points.append(GraphPoint(game.last, state.year, end, end))
    return GameReview(
        budget=budget,
        seed=seed,
        decisions=decisions,
        graph=points,
        accuracy=[accuracy(seat, decisions) for seat in state.players],
        deciding=deciding(points, min(state.winners, default=0)),
        luck=seat_luck(result, lucks) if lucks else [],
        chance=lucks,
    )


def accuracy(seat: int, decisions: Iterable[Decision]) -> Accuracy:
    own = [decision for decision in decisions if decision.seat == seat]
    years = sorted({decision.year for decision in own})
    kinds = sorted({decision.kind for decision in own})
    marks = sorted({decision.mark for decision in own if decision.mark})
    return Accuracy(
        seat=seat,
        whole=_mean(own),
        by_year={year: _mean([each for each in own if each.year == year]) for year in years},
        by_kind={kind: _mean([each for each in own if each.kind == kind]) for kind in kinds},
        marks={mark: sum(each.mark == mark for each in own) for mark in marks},
    )


def _mean(decisions: Sequence[Decision]) -> float:
    if not decisions:
        return 100.0
    return sum(decision.accuracy for decision in decisions) / len(decisions)


def deciding(graph: Sequence[GraphPoint], winner: int) -> list[int]:
    """The events after which a winner's share had moved most."""
    if not winner:
        return []
    moved = [
        (abs(after.win[winner - 1] - before.win[winner - 1]), before.number + 1)
        for before, after in pairwise(graph)
    ]
    return [number for _, number in sorted(moved, key=lambda each: (-each[0], each[1]))[:DECIDING]]


def review_game(events: Iterable[AnyEvent], seed: str = "review", budget: int = 200) -> GameReview:
    """All of it in this process."""
    game = Cursor(events)
    return assemble(
        game, [work_out(game, task, seed, budget) for task in tasks(game)], seed, budget
    )
