"""`lacitta review`: what every decision of a game cost, told in the terminal or as data."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click
import msgspec

from engine.walk import checked_fold
from events.codec import load_game
from projections.words.advice import tenths
from projections.words.board import printable
from projections.words.chance import what_came
from projections.words.effects import digits
from projections.words.reviews import MARKS, done
from replays.review.game import Accuracy, Decision, GameReview
from replays.review.luck import mattered_most
from replays.review.run import review as run_review
from web.cli.language import gettext as _
from web.cli.language import ngettext, spoken, tell
from web.cli.terminal.progress import bar


def review(file: Path, seconds: int, jobs: int, seed: str, json: Path | None) -> None:
    """Judge every decision, first coarsely, then as finely as there is time for."""
    events = load_game(file).events
    names = [printable(seat.name) for seat in checked_fold(events).seats]
    jobs = jobs or os.cpu_count() or 1
    with bar(_("Reviewing"), 100) as move:

        def watch(done: int, whole: int) -> None:
            move(100 * done // whole)

        *_coarse, found = run_review(events, seed, seconds, jobs, time.monotonic, watch)
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))
    tell_review(found, names)


def tell_review(found: GameReview, names: list[str]) -> None:
    for each in found.accuracy:
        tell_accuracy(each, names)
    for decision in found.decisions:
        if decision.mark:
            tell_decision(decision, names)
    if found.deciding:
        tell(
            _("What decided the game: events {events}"),
            events=", ".join(map(str, sorted(found.deciding))),
        )
    tell_luck(found, names)
    n = len(found.decisions)
    tell(
        ngettext(
            "{n} decision, each judged by {budget} others in worlds that its seat could not rule"
            " out",
            "{n} decisions, each judged by {budget} others in worlds that its seat could not rule"
            " out",
            n,
        ),
        n=n,
        budget=found.budget,
    )


def tell_luck(found: GameReview, names: list[str]) -> None:
    for each in found.luck:
        tell(
            _("{name}: luck brought {win} % of the win and {points} points; without it: {rest}"),
            name=names[each.seat - 1],
            win=digits(100 * each.win, "+.1f", spoken()),
            points=digits(each.points, "+.1f", spoken()),
            rest=digits(each.adjusted_points, ".1f", spoken()),
        )
    for number, draw in mattered_most(found.chance):
        tell(
            _("{number}. year {year}, {came} – {win} % of the win for {name}"),
            number=number,
            year=draw.year,
            came=what_came(draw.chance, draw.came, names, spoken()),
            win=digits(100 * max(draw.win), "+.1f", spoken()),
            name=names[draw.win.index(max(draw.win))],
        )


def tell_accuracy(each: Accuracy, names: list[str]) -> None:
    counted = [
        f"{each.marks[mark]} × {_(name)}" for mark, name in MARKS.items() if mark in each.marks
    ]
    tell(
        _("{name}: accuracy {accuracy}"),
        name=names[each.seat - 1],
        accuracy=digits(each.whole, ".1f", spoken()),
    )
    if counted:
        click.echo("  " + ", ".join(counted))


def tell_decision(decision: Decision, names: list[str]) -> None:
    judgement = decision.judgement
    assert judgement is not None
    lost = judgement.win.value
    tell(
        _("{number}. year {year}, {name}: {played} – {mark}"),
        number=decision.number,
        year=decision.year,
        name=names[decision.seat - 1],
        played=done(judgement.played, names, spoken()),
        mark=_(MARKS[decision.mark]),
    )
    template = (
        _("   {other}: {win} % more of the win, {points} points more")
        if lost > 0
        else _("   the next best, {other}: {win} % less of the win, {points} points less")
    )
    tell(
        template,
        other=done(judgement.other, names, spoken()),
        win=digits(100 * abs(lost), ".1f", spoken()),
        points=tenths(abs(judgement.points.value), spoken()),
    )
