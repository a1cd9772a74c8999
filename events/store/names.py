"""What a game, and a stream of notes, may be called."""

from __future__ import annotations

import re

from events.store.errors import BadGameId, BadStream

LAST = "\U0010ffff"
"""Sorts after everything that a name begins with."""

_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_stream = re.compile(rf"(?:game|study|chat|amendment|audit|store)/{_id.pattern}")


def is_id(game: str) -> bool:
    """Can this be the id of a game?"""
    return _id.fullmatch(game) is not None


def checked_id(game: str) -> str:
    """The id, when it can be one. It stands in file names, URLs and hashed lines.

    >>> checked_id("spring-2024_1")
    'spring-2024_1'
    """
    if not is_id(game):
        raise BadGameId(game)
    return game


def is_stream(stream: str) -> bool:
    """Can this be the name of a stream of notes?"""
    return _stream.fullmatch(stream) is not None


def checked_stream(stream: str) -> str:
    """The name of a stream, when it can be one: notes on a game or of a study, talk at a table,
    what was signed for a game, what hosts did.

    >>> checked_stream("game/spring-2024_1")
    'game/spring-2024_1'
    >>> checked_stream("spring")
    Traceback (most recent call last):
    events.store.errors.BadStream: 'spring' cannot be the name of a stream of notes: \
game/, study/, chat/ or audit/, then up to 64 letters, digits, _ and -
    """
    if not is_stream(stream):
        raise BadStream(stream)
    return stream


def place_of(url: str) -> str:
    """A URL as it may be shown: without its password.

    >>> place_of("postgresql://anna:secret@db.example.org/games?sslmode=require")
    'postgresql://anna@db.example.org/games'
    """
    bare = url.split("?", 1)[0]
    return re.sub(r"(?<=://)([^/@:]*):[^/]*@", r"\1@", bare)
