"""The lists of running games: all of them, and those that wait for a bot or for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from events.store.errors import ListsBehind, ReadModelConflict
from events.store.lists import FIRST
from events.store.read_models import ReadModels
from projections.now.waiting import Waiting

WaitingList = Literal["running", "bots", "people"]
NAME, RULE = "waiting", "1"
BATCH = 500
_waiting = msgspec.json.Decoder(list[Waiting])


def lists_of(body: bytes | None) -> dict[str, int]:
    """The lists that a running game stands in, by what the read model says of it."""
    if body is None:
        return {}
    owed = _waiting.decode(body)
    lists = {"running": 0}
    if any(each.bot for each in owed):
        lists["bots"] = 0
    if any(not each.bot for each in owed):
        lists["people"] = 0
    return lists


def make_lists(models: ReadModels) -> None:
    """Make the lists anew where they do not hold, as in a store from before them."""
    while not models.are_listed(NAME, RULE):
        position = models.position(NAME)
        lists = {game: lists_of(body) for game, body in models.items(NAME)}
        try:
            models.relist(NAME, position, RULE, lists)
        except ReadModelConflict:
            continue


def save_entries(
    models: ReadModels, name: str, start: int, end: int, entries: Mapping[str, bytes | None]
) -> None:
    """Save entries of a read model, and the lists with them where it has some."""
    if name != NAME:
        return models.save(name, start, end, entries)
    lists = {game: lists_of(body) for game, body in entries.items()}
    while True:
        try:
            return models.save(NAME, start, end, entries, lists, RULE)
        except ListsBehind:
            make_lists(models)


def listed_games(models: ReadModels, list_: WaitingList) -> Iterator[str]:
    """The running games of a list."""
    place = FIRST
    while places := models.listed(NAME, list_, BATCH, place):
        for place in places:
            yield place.key


def count_games(models: ReadModels, list_: WaitingList) -> int:
    return models.count_listed(NAME, list_, 10_000_000)
