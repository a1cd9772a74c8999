"""The page of a seat's plans, and their panel on the table's page. Both are for who sits there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from engine.material.numbers import EMPTY
from engine.state import State
from engine.view import view
from events.types import Turn
from projections.now.figures import Figures
from projections.now.forecast import Span
from projections.words.names import SERVICES, marked
from replays.whatif.plans import Plan, PlanRow, Unfolded
from web.accounts.visitor import visitor
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.games.seats import seats_at
from web.plans.planner import Planner, planner, state_at
from web.plans.service import MAX_PLANS, Folder
from web.words import terms
from web.words.language import gettext
from web.words.sentences import sentences

bp = Blueprint("plans", __name__)
FIGURES = {
    "points": marked("Points"),
    "projected": marked("Points at the year’s end"),
    "gold": marked("Gold"),
    "income": marked("Income next year"),
    "action_cards": marked("Action cards"),
    "food": marked("Food"),
    "citizens": marked("Citizens"),
    "starving": marked("Go hungry"),
    "culture": SERVICES["culture"],
    "education": SERVICES["education"],
    "health": SERVICES["health"],
}
"""What is compared of one's own seat."""


class Cell(msgspec.Struct, frozen=True):
    """A figure, and how far it is from the one of now, where that can be said in a number."""

    text: str
    more: int = 0
    by: str = ""
    good: bool = False


class StepLine(msgspec.Struct, frozen=True):
    label: str
    cells: list[Cell]
    seat: int = 0


class Column(msgspec.Struct, frozen=True):
    title: str
    figures: list[Figures]


@bp.get("/table/<table>/plans")
def show(table: str) -> ResponseReturnValue:
    """The whole page."""
    return render_template("plans/plans.html", **parts(asked(table)))


@bp.get("/table/<table>/plans/parts")
def show_parts(table: str) -> ResponseReturnValue:
    """What changes on the page, for one that is open already."""
    return render_template("plans/plans_parts.html", **parts(asked(table)))


@bp.get("/table/<table>/plans/panel")
def show_panel(table: str) -> ResponseReturnValue:
    """The plans at a glance, for the table's page."""
    who = asked(table)
    plans = who.folder().plans
    steps = list(zip(plans, who.next_steps(plans), strict=True))
    return render_template("plans/panel_list.html", who=who, game=table, plans=steps)


@bp.app_template_filter("as_sent")
def as_sent(action: Turn) -> str:
    """An action as JSON, for a script to send."""
    return msgspec.json.encode(action).decode()


def asked(table: str) -> Planner:
    """Who asks, at the seat that they ask for."""
    wanted = request.args.get("seat", "")
    seat = int(wanted) if wanted in ("1", "2", "3", "4", "5") else 0
    return planner(table, seat)


def parts(who: Planner) -> dict[str, Any]:
    """What the page is made of."""
    folder = who.folder()
    found = {
        "who": who,
        "game": who.game,
        "terms": terms,
        "folder": folder,
        "room": not who.over and len(folder.plans) < MAX_PLANS,
        "mine": seats_at(who.game, visitor()),
        "gone": just_deleted(folder),
        "plan": None,
        "at": 0,
        "last": 0,
    }
    plan = wanted_plan(folder)
    if plan is None:
        return found | moment_parts(who, who.unfolded(Plan(0, "", who.version)), 0)
    unfolded = who.unfolded(plan)
    at = wanted_moment(unfolded)
    others = [each for each in folder.plans if each.id != plan.id]
    against = next((p for p in others if str(p.id) == request.args.get("against")), None)
    return (
        found
        | {
            "plan": who.show(plan),
            "at": at,
            "last": unfolded.last,
            "against": against,
            "others": others,
            "numbers": numbers(who, unfolded, at, against),
        }
        | moment_parts(who, unfolded, at)
    )


def moment_parts(who: Planner, unfolded: Unfolded, at: int) -> dict[str, Any]:
    """The table at a moment of a plan, and who is to decide there."""
    s, row = unfolded.states[at], unfolded.row_at(at)
    return {
        "board": board_at(who, s, row),
        "words": sentences(row.effects, who.names) if row else [],
        "view": view(s, who.seat),
        "random": at_random(who, s),
        "awaiting": sorted(s.awaiting),
    }


def wanted_plan(folder: Folder) -> Plan | None:
    """The plan that is asked for, else the last one."""
    wanted = [plan for plan in folder.plans if str(plan.id) == request.args.get("plan", "")]
    return next(iter([*wanted, *reversed(folder.plans)]), None)


def just_deleted(folder: Folder) -> Plan | None:
    """The plan that the reader threw away a moment ago."""
    gone = request.args.get("gone", "")
    return next((plan for plan in folder.deleted if str(plan.id) == gone), None)


def wanted_moment(unfolded: Unfolded) -> int:
    """The moment that is asked for, else the plan's end."""
    number = moment_number(request.args.get("at", ""))
    return number if 0 <= number <= unfolded.last else unfolded.last


def moment_number(text: str) -> int:
    """A moment's number in a plan, from 0 on; -1 for what is no number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1


def board_at(who: Planner, s: State, row: PlanRow | None) -> str:
    """The board at a moment of a plan, what is new marked."""
    marks = marks_of(row.effects) if row else None
    return draw_board(s.board, view(s, who.seat), words=gettext, marks=marks)


def at_random(who: Planner, s: State) -> list[str]:
    """The cards that lie open at a moment of a plan and do not now: chance dealt them there."""
    there, now = (Counter(view(each, who.seat).display) for each in (s, who.world))
    return sorted(card for card in (there - now).elements() if card != EMPTY)


def numbers(who: Planner, unfolded: Unfolded, at: int, against: Plan | None) -> dict[str, Any]:
    """One's own figures now, here, at the plan's end and at another plan's; and all the others'
    points."""
    now = who.figures(who.world)
    columns = [Column(gettext("Now"), now)]
    if 0 < at < unfolded.last:
        title = gettext("After step {number}").format(number=at)
        columns.append(Column(title, who.figures(state_at(unfolded, at))))
    if unfolded.last:
        columns.append(Column(gettext("At the end"), who.figures(unfolded.states[-1])))
    if against is not None:
        columns.append(Column(against.name, who.figures(who.unfolded(against).states[-1])))
    own = [
        StepLine(
            gettext(label),
            cells(columns, who.seat, key, less_is_good=key == "starving"),
            who.seat,
        )
        for key, label in FIGURES.items()
    ]
    others = [
        StepLine(name, cells(columns, seat, "projected", less_is_good=True), seat)
        for seat, name in enumerate(who.names, start=1)
        if seat != who.seat
    ]
    return {"titles": [column.title for column in columns], "own": own, "others": others}


def cells(columns: list[Column], seat: int, key: str, *, less_is_good: bool) -> list[Cell]:
    values = [
        getattr(figures, key)
        for column in columns
        for figures in column.figures
        if figures.seat == seat
    ]
    return [cell(value, values[0], less_is_good=less_is_good) for value in values]


def cell(value: int | Span, now: int | Span, *, less_is_good: bool = False) -> Cell:
    """A figure beside the one of now.

    >>> cell(Span(8, 9), Span(7, 8))
    Cell(text='8–9', more=2, by='+1', good=True)
    """
    least, most = ends(value)
    first, last = least - ends(now)[0], most - ends(now)[1]
    text = str(least) if least == most else f"{least}–{most}"
    by = f"{first:+d}".replace("-", "−") if first and first == last else ""
    return Cell(text, first + last, by, (first + last > 0) != less_is_good)


def ends(value: int | Span) -> tuple[int, int]:
    return (value.least, value.most) if isinstance(value, Span) else (value, value)
