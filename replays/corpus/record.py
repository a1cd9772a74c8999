"""From a stored game to a recorded one: nobody's name in it, and proved to hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from events.codec import write_game
from events.errors import EventError
from events.messages.sentence import Sentence
from events.store.errors import NoSuchGame
from events.store.stores import Store, checked_id
from events.types import AnyEvent, GameOpened, Seat
from replays.files.proof import prove


class NotOver(EventError):
    """A game that runs: its log tells what the players must not know yet."""

    def __init__(self, game: str) -> None:
        super().__init__(
            Sentence("game {game} is not over; its log would give the hidden cards away", game=game)
        )


def record(store: Store, game: str, folder: Path, name: str = "") -> Path:
    """Write a finished game into a folder, without names, times, its id and its head."""
    events = [event.decode() for event in store.read(game)]
    if not events:
        raise NoSuchGame(game)
    nameless = without_names(events)
    if not prove(nameless).over:
        raise NotOver(game)
    name = checked_id(name) if name else name_of(nameless)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    with path.open("xb") as file:
        file.write(write_game(name, nameless))
    return path


def without_names(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The same game, played by numbered seats at no time. No digest covers a name or a time.

    >>> from engine.selfplay import new_game
    >>> opening = without_names(new_game(players=2, seed=1).events)[0]
    >>> [seat.name for seat in opening.seats]
    ['Seat 1', 'Seat 2']
    """
    timeless = [msgspec.structs.replace(event, time=0) for event in events]
    return [
        msgspec.structs.replace(event, seats=numbered(event.seats))
        if isinstance(event, GameOpened)
        else event
        for event in timeless
    ]


def numbered(seats: list[Seat]) -> list[Seat]:
    return [
        msgspec.structs.replace(seat, name=f"Seat {number}")
        for number, seat in enumerate(seats, start=1)
    ]


def name_of(events: list[AnyEvent]) -> str:
    """A name that tells the ruleset, the set-up and the number of players, and is hardly twice."""
    opening = events[0]
    assert isinstance(opening, GameOpened)
    content = hashlib.sha256(write_game("x", events)).hexdigest()[:8]
    return f"recorded-{opening.setup}-{len(opening.seats)}p-{content}"
