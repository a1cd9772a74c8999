"""The words of chance: the start, a shuffle, the close of a year. Long lists go over lines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import get_args

from engine.material.numbers import POLITICS, SERVICES
from events.material import Tile
from events.messages.sentence import Sentence
from events.types import AnyEvent, GameStarted, PoliticsShuffled, YearClosed
from projections.words.names import marked
from replays.notation.quoting import word
from replays.notation.tokens import Tokens
from replays.notation.words import Fields

WIDTH = 100
TILES: tuple[str, ...] = get_args(Tile)
NO_POLITICS = marked("{found} is no politics card")
NO_VOICE = marked("{found} is no voice card")
NO_DIGEST = "0" * 64
"""Stands for a digest that was left out, until the rules tell it."""


def chance_words(event: AnyEvent) -> list[str]:
    """A chance event as lines, without its time.

    >>> chance_words(PoliticsShuffled(cards=["bath", "palace"], salt="ab"))
    ['shuffle', '  cards bath palace', '  salt ab']
    """
    if isinstance(event, GameStarted):
        tiles = (f"{word(field)}:{tile}" for field, tile in event.tiles.items())
        return [
            f"start {event.start}",
            *_list("politics", event.politics),
            *_list("voice", event.voice),
            *_list("tiles", tiles),
            *_secret("secret", event.secret),
            *_secret("commitment", event.commitment),
        ]
    if isinstance(event, PoliticsShuffled):
        return ["shuffle", *_list("cards", event.cards), *_secret("salt", event.salt)]
    assert isinstance(event, YearClosed)
    return [f"close {event.year} {word(event.digest)}"]


def _list(name: str, words: Iterable[str]) -> list[str]:
    whole = " ".join(words)
    if not whole:
        return []
    return textwrap.wrap(
        f"{name} {whole}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _secret(name: str, value: str) -> list[str]:
    return [f"  {name} {word(value)}"] if value else []


def _cards(known: Iterable[str], wrong: str) -> Callable[[Tokens], list[str]]:
    known = tuple(known)

    def read(tokens: Tokens) -> list[str]:
        found = []
        while tokens.goes_on_with(known):
            found.append(tokens.take().value.lower())
        if tokens.now.kind == "word" and not tokens.is_word(*PARTS):
            tokens.wrong(Sentence(wrong, found=tokens.now.shown))
        return found

    return read


def _read_tiles(tokens: Tokens) -> Fields:
    """A tile for each field; the list goes on wherever a label and a colon come next."""
    found: Fields = {}
    while True:
        if tokens.now.kind == "newline" and tokens.later.value == ":":
            tokens.take()
        if tokens.then.value != ":":
            return found
        field = tokens.name(Sentence("a field"))
        tokens.sign(":")
        found[field] = tokens.one_of(TILES, Sentence("a tile"))


PARTS: dict[str, Callable[[Tokens], object]] = {
    "politics": _cards(POLITICS, NO_POLITICS),
    "voice": _cards(SERVICES, NO_VOICE),
    "tiles": _read_tiles,
    "cards": _cards(POLITICS, NO_POLITICS),
    "secret": lambda tokens: tokens.name(Sentence("a secret")),
    "commitment": lambda tokens: tokens.name(Sentence("a commitment")),
    "salt": lambda tokens: tokens.name(Sentence("a salt")),
}
START = ("politics", "voice", "tiles", "secret", "commitment")
SHUFFLE = ("cards", "salt")


def read_start(tokens: Tokens) -> Fields:
    tokens.take()
    fields: Fields = {"type": "started", "start": tokens.number(Sentence("the seat that begins"))}
    return {"politics": [], "voice": [], **fields, **_parts(tokens, START)}


def read_shuffle(tokens: Tokens) -> Fields:
    tokens.take()
    return {"type": "shuffled", "cards": [], **_parts(tokens, SHUFFLE)}


def read_close(tokens: Tokens) -> Fields:
    tokens.take()
    year = tokens.number(Sentence("a year"))
    named = tokens.now.kind in ("word", "string") and len(tokens.now.value) >= len(NO_DIGEST)
    digest = tokens.take().value if named else NO_DIGEST
    return {"type": "year-closed", "year": year, "digest": digest}


def _parts(tokens: Tokens, names: tuple[str, ...]) -> Fields:
    """The parts in any order; a time may stand among them and is left to the caller."""
    fields: Fields = {}
    while True:
        if tokens.now.kind == "time" and "time" not in fields:
            fields["time"] = tokens.take()
        if not tokens.goes_on_with(names):
            return fields
        name = tokens.take().value.lower()
        fields[name] = PARTS[name](tokens)


READ: dict[str, Callable[[Tokens], Fields]] = {
    "start": read_start,
    "shuffle": read_shuffle,
    "close": read_close,
}
