"""`lacitta corpus` and `lacitta record`: what recorded games exercise, and recording one more."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from engine.errors import CannotFold
from events.errors import BadLog
from events.messages.sentence import Sentence, about, message_of
from events.store.stores import open_store
from replays.amendments import amendments_in, as_signed
from replays.corpus.coverage.table import as_text, cover, missing
from replays.corpus.games import CORPUS, REFUSED, check_attempts, load_attempts, load_games
from replays.corpus.record import record as record_game
from replays.files.proof import prove
from web.cli.language import clauses, ngettext, spoken


def corpus(folder: Path | None, as_json: bool) -> int:
    """Print the table of coverage; 1 when something is not covered, else 0."""
    folder = folder or CORPUS
    games = {name: file.events for name, file in load_games(folder)}
    if not games:
        raise BadLog(Sentence("{folder}: there is no game here", folder=folder))
    attempts, amendments = load_attempts(folder), amendments_in(folder)
    if strange := [attempt.game for attempt in attempts if attempt.game not in games]:
        raise BadLog(
            Sentence(
                "{refused}: there is no game {strange} here", refused=REFUSED, strange=strange[0]
            )
        )
    followed = {name: as_signed(events, amendments.get(name)) for name, events in games.items()}
    for name, events in games.items():
        try:
            prove(events, amendments.get(name))
        except CannotFold as error:
            raise BadLog(about(name, message_of(error))) from None
        check_attempts(followed[name], [each for each in attempts if each.game == name])
    table = cover(followed, attempts)
    lacking = missing(table)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode({"covered": table, "missing": lacking}) + b"\n")
    else:
        click.echo(as_text(table, translator=spoken()))
        count = ngettext("{n} game", "{n} games", len(games)).format(n=len(games))
        bare = ngettext(
            "{n} thing is not covered.", "{n} things are not covered.", len(lacking)
        ).format(n=len(lacking))
        click.echo(clauses([count, bare]))
    return 1 if lacking else 0


def record(db: str, game: str, folder: Path, name: str) -> None:
    """Write a stored game, without names, into a folder of recorded ones."""
    with open_store(db, create=False) as store:
        click.echo(record_game(store, game, folder, name))
