"""`lacitta review`: what every decision of a game cost, told in the terminal or as data."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
import msgspec

from engine.walk import checked_fold
from projections.words.advice import tenths
from projections.words.board import printable
from projections.words.chance import what_came
from projections.words.effects import digits, name_of
from projections.words.reviews import LESS, MARKS, MORE, done
from replays.cursor import Cursor
from replays.files.import_ import Handed, load
from replays.lab.cluster import each_on_cluster
from replays.notes.notebook import as_read_by
from replays.review.game import Accuracy, Decision, GameReview
from replays.review.luck import mattered_most
from replays.review.notes import with_review
from replays.review.run import review as run_review
from replays.review.run import review_alone
from web.cli.language import gettext as _
from web.cli.language import language, ngettext, spoken, tell
from web.cli.terminal.progress import bar


class Reviewed(msgspec.Struct, frozen=True):
    """A game that is reviewed, and what came of it."""

    path: Path
    handed: Handed
    found: GameReview


def review(
    games: Sequence[Path],
    seconds: int,
    jobs: int,
    seed: str,
    json: Path | None,
    html: Path | None,
    cluster: str,
) -> None:
    """Judge every decision, first coarsely, then as finely as there is time for: one game after
    the other, or all at once on a cluster."""
    if html is not None and len(games) > 1:
        raise click.UsageError(_("--html shows one game"))
    handed = {path: load(path) for path in games}
    if cluster:
        reviewed = on_the_cluster(handed, seed, seconds, cluster)
    else:
        reviewed = one_by_one(handed, seed, seconds, jobs or os.cpu_count() or 1)
    made: dict[str, GameReview] = {}
    for each in reviewed:
        made[str(each.path)] = each.found
        if len(games) > 1:
            click.echo(str(each.path))
        names = [seat.name for seat in checked_fold(each.handed.file.events).seats]
        tell_review(each.found, [printable(name) for name in names])
        if html is not None:
            html.write_bytes(as_page(each))
    if json is not None:
        whole: object = made if len(games) > 1 else next(iter(made.values()))
        json.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=2))


def one_by_one(
    games: Mapping[Path, Handed], seed: str, seconds: int, jobs: int
) -> Iterator[Reviewed]:
    for path, handed in games.items():
        with bar(_("Reviewing"), 100) as move:

            def watch(done: int, whole: int, move: Callable[[int], None] = move) -> None:
                move(100 * done // whole)

            events = handed.file.events
            *_coarse, found = run_review(events, seed, seconds, jobs, time.monotonic, watch)
        yield Reviewed(path, handed, found)


def on_the_cluster(
    games: Mapping[Path, Handed], seed: str, seconds: int, address: str
) -> Iterator[Reviewed]:
    """Each game on one worker; told in the order in which they were named."""
    work = [(handed.file.events, seed, seconds) for handed in games.values()]
    found: dict[int, GameReview] = {}
    with bar(_("Reviewing"), len(work)) as move:
        for each, made in each_on_cluster(review_alone, work, address):
            # The same game may be there twice.
            found[next(n for n, one in enumerate(work) if one is each)] = made
            move(len(found))
    for number, (path, handed) in enumerate(games.items()):
        yield Reviewed(path, handed, found[number])


def as_page(reviewed: Reviewed) -> bytes:
    """One HTML file that steps through the game, with the review among its notes."""
    from web.share.game_file import share_page

    handed = reviewed.handed
    book = with_review(as_read_by(handed.book, ""), reviewed.found.decisions)
    game = handed.file.header.game
    return share_page(game, Cursor(handed.file.events), book, language=language())


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
            name=name_of(each.seat, names),
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
        name=name_of(each.seat, names),
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
        name=name_of(decision.seat, names),
        played=done(judgement.played, names, spoken()),
        mark=_(MARKS[decision.mark]),
    )
    template = _(MORE if lost > 0 else LESS)
    tell(
        template,
        other=done(judgement.other, names, spoken()),
        win=digits(100 * abs(lost), ".1f", spoken()),
        points=tenths(abs(judgement.points.value), spoken()),
    )
