"""From a stored game to a recorded one: nobody's name in it, and proved to hold."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from events.codec import decode_event, write_game
from events.errors import EventError
from events.messages.sentence import Sentence
from events.store.errors import NoSuchGame
from events.store.names import checked_id
from events.store.protocol import Store
from events.types import GameOpened
from replays.amendments import beside, newest, write_amendments
from replays.files.proof import prove
from replays.files.stores import stored_amendments


class NotOver(EventError):
    """A game that runs: its log tells what the players must not know yet."""

    def __init__(self, game: str) -> None:
        super().__init__(
            Sentence("game {game} is not over; its log would give the hidden cards away", game=game)
        )


def record(store: Store, game: str, folder: Path, name: str = "") -> Path:
    """Write a finished game into a folder, without names, times, its id and its head; beside it
    what was signed for it."""
    nameless = [without_names(stored.event) for stored in store.read(game)]
    if not nameless:
        raise NoSuchGame(game)
    signed = stored_amendments(store, game)
    if not prove([decode_event(event) for event in nameless], newest(signed)).over:
        raise NotOver(game)
    name = checked_id(name) if name else name_of(nameless)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    with path.open("xb") as file:
        file.write(write_game(name, nameless))
    if signed:
        beside(path).write_bytes(write_amendments(name, signed))
    return path


def without_names(event: bytes) -> bytes:
    """A stored event as numbered seats would have played it at no time, in the version that it is
    stored in. No digest covers a name or a time.

    >>> without_names(b'{"type":"gold","time":1767225600000,"seat":2}')
    b'{"type":"gold","seat":2}'
    """
    fields = msgspec.json.decode(event)
    fields.pop("time", None)
    for number, seat in enumerate(fields.get("seats", []), start=1):
        seat["name"] = f"Seat {number}"
    return msgspec.json.encode(fields)


def name_of(events: list[bytes]) -> str:
    """A name that tells the ruleset, the set-up and the number of players, and is hardly twice."""
    opening = decode_event(events[0])
    assert isinstance(opening, GameOpened)
    content = hashlib.sha256(write_game("x", events)).hexdigest()[:8]
    return f"recorded-{opening.setup}-{len(opening.seats)}p-{content}"
