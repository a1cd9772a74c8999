"""A game of nothing but take-backs costs what its events cost, not a fold from the start each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.actions.check import check
from engine.bots import RandomBot, ask
from engine.selfplay import new_game, play_out
from events.codec import write_game
from events.store.stores import open_store
from events.types import AnyEvent, AskTakeBack, TakeGold
from projections.readmodels.projector import Projector
from replays.files.import_ import import_file
from replays.files.stores import MAX_EVENTS

pytestmark = pytest.mark.long

MOST = 4.0
"""An event against one of games without a take-back. Folded from the start each time it is 18."""


def take_backs() -> list[AnyEvent]:
    """Late in a game, gold is taken and taken back until nothing more fits in."""
    game, bot = new_game(5, seed=4, bot="random"), RandomBot(4)
    while True:
        seat = min(game.state.awaiting)
        if game.state.year == 6 and check(game.state, TakeGold(seat=seat)) is None:
            break
        game.add(ask(bot, game.state, seat))
    pair = [TakeGold(seat=seat), AskTakeBack(seat=seat)]
    return [*game.events, *pair * ((MAX_EVENTS - len(game.events)) // 2)]


def plain_games(events: int) -> list[list[AnyEvent]]:
    """Games with so many events in all."""
    games: list[list[AnyEvent]] = []
    while sum(map(len, games)) < events:
        games.append(play_out(new_game(5, seed=len(games)), RandomBot(len(games))).events)
    return games


def seconds(folder: Path, games: Sequence[list[AnyEvent]]) -> float:
    """How long it takes to import games, read models and all."""
    folder.mkdir()
    files = [folder / f"g{number}" for number in range(len(games))]
    for file, events in zip(files, games, strict=True):
        file.write_bytes(write_game(file.name, events))
    with open_store(folder / "games.db") as store:
        begun = time.process_time()
        for file in files:
            import_file(store, file)
        Projector(store).catch_up()
        return time.process_time() - begun


def test_the_import_of_take_backs_beside_plain_games(tmp_path: Path) -> None:
    endless = take_backs()
    games = plain_games(len(endless))
    rounds = [
        (seconds(tmp_path / f"{turn}", [endless]), seconds(tmp_path / f"{turn}-plain", games))
        for turn in range(3)
    ]
    undoing, plain = (min(each) for each in zip(*rounds, strict=True))
    ratio = undoing / plain
    print(f"take-backs : plain games = {ratio:.1f}, {undoing:.2f} s for {len(endless)} events")
    assert ratio < MOST
