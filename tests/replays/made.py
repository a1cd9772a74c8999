"""Recorded games for the comparisons: small ones made by hand, and whole ones by dice."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.bots import RandomBot
from engine.effects import AnyEffect
from engine.fold import apply, begin
from engine.selfplay import play_out
from events.codec import write_game
from events.types import AnyEvent
from tests.first_board import new_game


@cache
def by_dice(seed: int, players: int = 4, setup: str = "beginner", ruleset: str = "standard"):  # type: ignore[no-untyped-def]
    """A whole game by dice, as a tuple so that nobody changes it."""
    return tuple(play_out(new_game(players, seed, ruleset, setup), RandomBot(seed)).events)  # type: ignore[arg-type]


def effects_of(events: list[AnyEvent], number: int) -> list[AnyEffect]:
    """What followed from an event (from 1 on)."""
    state, following = begin(events)
    for index, event in enumerate(following, start=2):
        told: list[AnyEffect] = []
        apply(state, event, told)
        if index == number:
            return told
    raise AssertionError("there is no such event")


def write_corpus(folder: Path, games: int = 4, players: int = 3) -> Path:
    """A folder of games by dice."""
    folder.mkdir(exist_ok=True)
    for seed in range(games):
        events = by_dice(seed, players)
        (folder / f"g{seed}.jsonl").write_bytes(write_game(f"g{seed}", events))
    return folder
