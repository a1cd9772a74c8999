"""`lacitta case`: a moment of a game made a test, and such a test run."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from events.codec import decode_event, load_game
from events.errors import BadLog
from events.types import AnyEvent
from replays.amendments import as_signed, newest
from replays.corpus.case_file import SUFFIX, load_case, write_case
from replays.corpus.cases import (
    Case,
    case_at,
    foldable,
    judge_case,
    make_case,
    renewed,
    report_case,
)
from replays.cursor import Cursor
from replays.files.import_ import BadFile
from web.cli.language import gettext as _
from web.cli.store.export import moment, source

__all__ = ["SUFFIX", "Wish", "make", "run"]


class Wish(msgspec.Struct, frozen=True):
    """Which moment, what is tried there, and by which seat's knowledge of a running game."""

    at: int | None
    action: str
    seat: int | None


def make(db: str, game: str, out: Path | None, wish: Wish) -> None:
    """Write the test to a file, or to standard output."""
    data = write_case(make_wished(events_of(db, game), wish))
    if out is None:
        sys.stdout.buffer.write(data)
        return
    if not out.name.endswith(SUFFIX):
        raise click.UsageError(_("the name of a test ends in {suffix}").format(suffix=SUFFIX))
    out.write_bytes(data)


def events_of(db: str, game: str) -> list[AnyEvent]:
    """The game's events, with the digests that were signed for. A file is taken as it is where
    these rules do not follow it: that may be what the test is about."""
    try:
        found = source(db, game, "case")
    except BadFile as error:
        try:
            return load_game(Path(game)).events
        except BadLog:
            raise error from None
    return as_signed(found["events"], newest(found["amendments"]))


def make_wished(events: list[AnyEvent], wish: Wish) -> Case:
    """The case of the event asked for, or of an action that is tried there. Where nothing is asked
    for, it is the last event, or the one that cannot be followed."""
    if wish.at is None and not wish.action and foldable(events) < len(events):
        return report_case(events, wish.seat or 0)
    cursor = Cursor(events if wish.at is None else events[: max(wish.at, foldable(events))])
    number, state = moment(cursor, wish.at), cursor.at(cursor.last)
    if wish.seat is not None and wish.seat > len(state.seats):
        raise click.UsageError(_("there is no seat {seat}").format(seat=wish.seat))
    # Whoever holds the store knows all; the file goes to others, perhaps while the game runs.
    knower = (wish.seat or 0) if state.phase != "over" else None
    if not wish.action:
        return case_at(events, number, knower=knower)
    return make_case(events[:number], decode_event(wish.action.encode()), knower=knower)


def run(file: Path, renew: bool) -> int:
    """Whether a test holds, and what is otherwise; or what follows now is written into it."""
    found = load_case(file)
    if renew:
        file.write_bytes(write_case(renewed(found)))
        return 0
    wrong = judge_case(found)
    for line in wrong or [found.title, _("It holds.")]:
        click.echo(line)
    return 1 if wrong else 0
