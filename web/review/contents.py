"""What the page of a review says: accuracy and luck, the marked decisions and the one that is
looked at, and the moments that decided the game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from engine.bots.worlds import world
from engine.effects import AnyEffect
from engine.fold import apply_own
from engine.state import of_seat
from engine.view import view
from projections.words.advice import tenths
from projections.words.effects import digits, name_of
from projections.words.reviews import MARKS, done
from replays.estimates import Estimate
from replays.review.game import Accuracy, Decision, GameReview
from replays.review.judging import Judgement
from replays.review.luck import SeatLuck
from replays.review.marks import LOST
from replays.review.practice import mistakes
from replays.review.running import SeatReview
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.games.replays import Replay
from web.review.graph import SIGNS
from web.words import terms
from web.words.language import gettext
from web.words.sentences import READER, sentences


class LuckCells(msgspec.Struct, frozen=True):
    """Luck in points and in the win; the result, and without the luck."""

    points: str
    win: str
    result: str
    adjusted: str


class SeatRow(msgspec.Struct, frozen=True):
    """A seat's accuracy, what it is made of, and its luck, where that was looked at."""

    seat: int
    name: str
    accuracy: str
    marks: list[int]
    luck: LuckCells | None


class Breakdown(msgspec.Struct, frozen=True):
    """Accuracy by year, or by kind of decision: a row for each seat."""

    title: str
    columns: list[str]
    rows: list[tuple[int, str, list[str]]]


class Entry(msgspec.Struct, frozen=True):
    """A marked decision in the list of all."""

    number: int
    seat: int
    name: str
    year: int
    sign: str
    mark: str
    lost: bool
    played: str
    other: str
    win: str


class DecidingMoment(msgspec.Struct, frozen=True):
    """One of the moments that decided the game: what happened, and what it did to the winner's
    share."""

    number: int
    year: int
    words: str
    before: str
    after: str


class Shown(msgspec.Struct, frozen=True):
    """The decision that is looked at, what it cost, and the board on which it was taken."""

    entry: Entry
    sentences: list[str]
    board: str
    pick: str
    """Which action the board shows: the other one, what was played, or neither."""
    mistake: int
    """Which of its seat's mistakes it is, from 1 on; 0: none."""


def seat_rows(
    accuracy: Sequence[Accuracy], luck: Sequence[SeatLuck], names: Sequence[str]
) -> list[SeatRow]:
    by_seat = {each.seat: luck_cells(each) for each in luck}
    return [
        SeatRow(
            each.seat,
            name_of(each.seat, names),
            tenths(each.whole, READER),
            [each.marks.get(mark, 0) for mark in MARKS],
            by_seat.get(each.seat),
        )
        for each in accuracy
    ]


def luck_cells(luck: SeatLuck) -> LuckCells:
    return LuckCells(
        points=signed(luck.points),
        win=f"{signed(100 * luck.win, '.0f')} %",
        result=shown(luck.result_points, ".0f"),
        adjusted=shown(luck.adjusted_points, ".1f"),
    )


def signed(value: float, form: str = ".1f") -> str:
    """
    >>> signed(-0.04), signed(2.0)
    ('±0.0', '+2.0')
    """
    if not float(f"{value:{form}}"):
        return f"±{shown(abs(value), form)}"
    return shown(value, f"+{form}")


def shown(value: float, form: str) -> str:
    """
    >>> shown(-2.9, ".1f")
    '−2.9'
    """
    return digits(value, form, READER).replace("-", "−")


def breakdowns(accuracy: Sequence[Accuracy], names: Sequence[str]) -> list[Breakdown]:
    years = sorted({year for each in accuracy for year in each.by_year})
    kinds = sorted({kind for each in accuracy for kind in each.by_kind})

    def cell(value: float | None) -> str:
        return "–" if value is None else tenths(value, READER)

    return [
        Breakdown(
            gettext("Accuracy by year"),
            [str(year) if year else gettext("Set-up") for year in years],
            [
                (each.seat, name_of(each.seat, names), [cell(each.by_year.get(y)) for y in years])
                for each in accuracy
            ],
        ),
        Breakdown(
            gettext("Accuracy by kind of decision"),
            [terms.owed(kind) for kind in kinds],
            [
                (each.seat, name_of(each.seat, names), [cell(each.by_kind.get(k)) for k in kinds])
                for each in accuracy
            ],
        ),
    ]


def marked_decisions(review: GameReview | SeatReview, of: int = 0) -> list[Decision]:
    """The decisions with a mark, of a seat or of all."""
    return [
        decision
        for decision in review.decisions
        if decision.mark and decision.judgement is not None and of in (0, decision.seat)
    ]


def entry(decision: Decision, names: Sequence[str]) -> Entry:
    judgement = judged(decision)
    return Entry(
        number=decision.number,
        seat=decision.seat,
        name=name_of(decision.seat, names),
        year=decision.year,
        sign=SIGNS[decision.mark],
        mark=gettext(MARKS[decision.mark]),
        lost=decision.mark in LOST,
        played=done(judgement.played, names, READER),
        other=done(judgement.other, names, READER),
        win=digits(100 * abs(judgement.win.value), ".0f", READER),
    )


def judged(decision: Decision) -> Judgement:
    assert decision.judgement is not None
    return decision.judgement


def what_it_cost(decision: Decision, name: str) -> list[str]:
    """The loss in words that need no knowledge of statistics."""
    judgement, lost = judged(decision), decision.mark in LOST
    win, points = (
        (judgement.win, judgement.points)
        if lost
        else (turned(judgement.win), turned(judgement.points))
    )
    wins = (
        gettext(
            "Of 100 games that go on from here, {name} would win {more} more with the better move:"
            " between {low} and {high}, as far as that can be said."
        )
        if lost
        else gettext(
            "Of 100 games that go on from here, {name} would win {more} fewer with the next best"
            " move: between {low} and {high}, as far as that can be said."
        )
    )
    ends = (
        gettext("On average {name} would end {more} points better (between {low} and {high}).")
        if lost
        else gettext("On average {name} would end {more} points worse (between {low} and {high}).")
    )
    return [
        wins.format(name=name, **figures(win, 100, ".0f")),
        ends.format(name=name, **figures(points, 1, ".1f")),
    ]


def turned(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


def figures(estimate: Estimate, scale: int, form: str) -> dict[str, str]:
    """An estimate's three numbers."""
    return {
        "more": shown(scale * estimate.value, form),
        "low": shown(scale * estimate.low, form),
        "high": shown(scale * estimate.high, form),
    }


def show_decision(
    replay: Replay, review: GameReview | SeatReview, decision: Decision, pick: str
) -> Shown:
    """A decision with its board; `pick` says which action is put on it."""
    found = entry(decision, replay.names)
    own = [each.number for each in mistakes(review.decisions, decision.seat)]
    return Shown(
        found,
        what_it_cost(decision, found.name),
        board_of(replay, decision, pick),
        pick,
        own.index(decision.number) + 1 if decision.number in own else 0,
    )


def board_of(replay: Replay, decision: Decision, pick: str) -> str:
    """The table before a decision as its seat knew it, and on it what an action would change, as
    suggestions show that. Where something was hidden it is dealt anew."""
    s, seat = replay.at(decision.number - 1), decision.seat
    known = view(s, seat)
    judgement = judged(decision)
    marks = Marks()
    if pick != "before":
        there = world(known, s.board, random.Random(f"review/{decision.number}"))
        effects: list[AnyEffect] = []
        apply_own(there, judgement.played if pick == "played" else judgement.other, effects)
        marks = marks_of(effects)
    return draw_board(s.board, known, words=gettext, marks=marks)


def deciding_moments(review: GameReview, replay: Replay) -> list[DecidingMoment]:
    """What moved the winner's share most, in the order in which it came."""
    moved = {before.number + 1: (before, after) for before, after in pairwise(review.graph)}
    winner = min(replay.at(replay.last).winners, default=0)
    found = []
    for number in sorted(review.deciding):
        if number not in moved or not winner:
            continue
        before, after = moved[number]
        found.append(
            DecidingMoment(
                number=number,
                year=replay.moment(number).year,
                words=" ".join(sentences(replay.effects_at(number), replay.names)),
                before=digits(100 * before.win[winner - 1], ".0f", READER),
                after=digits(100 * after.win[winner - 1], ".0f", READER),
            )
        )
    return found


def shares_by_year(review: GameReview, replay: Replay) -> Breakdown:
    """The graph as a table: every seat's share where a year begins, and at the end."""
    years = replay.years()
    points = [
        next((each for each in reversed(review.graph) if each.number <= at), review.graph[0])
        for at, _ in years
    ] + [review.graph[-1]]
    return Breakdown(
        gettext("Share of the win"),
        [gettext("Year %(year)s") % {"year": year} for _, year in years] + [gettext("End")],
        [
            (
                seat,
                name,
                [digits(100 * of_seat(point.win, seat), ".0f", READER) + " %" for point in points],
            )
            for seat, name in enumerate(replay.names, start=1)
        ],
    )
