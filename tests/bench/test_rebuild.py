"""Read models of a thousand games made anew, beside the bare fold of the same logs; and what a game
takes in a database."""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.codec import write_game
from events.store.stores import open_store
from projections.readmodels.projector import READ_MODELS, Projector
from projections.readmodels.rebuild import rebuild
from tests.events.server import Server

GAMES = 1_000
TIMES_THE_FOLD = 5
TIMES_THE_FILE = 4
"""A game of 12.5 KB may take 50 KB: each event has two hashes beside it."""
ROOM_FOR = 40
"""Games that are stored to see what they take."""


@pytest.mark.long
def test_a_rebuild_of_a_thousand_games(tmp_path: Path) -> None:
    logs = [play_out(new_game(4, f"rebuild/{i}"), RandomBot(i)).events for i in range(20)]
    moved: list[int] = []
    with open_store(tmp_path / "games.db") as store:
        for number in range(GAMES):
            store.append(f"g{number:04}", 0, logs[number % len(logs)])
        # Of the work alone, not of the time that others have the processor.
        begun = time.process_time()
        for log in logs * (GAMES // len(logs)):
            fold(log)
        floor = time.process_time() - begun
        begun = time.process_time()
        rebuild(store, progress=moved.append)
        took = time.process_time() - begun
        total = store.position()
        assert all(store.read_models.position(name) == total for name in READ_MODELS)
    assert moved == sorted(moved)
    assert moved[-1] == GAMES
    print(
        f"\nrebuild of {GAMES} games, {total} events: {took:.1f} s, {total / took:.0f} events/s,"
        f" {took / floor:.1f} times the bare fold"
    )
    assert took < TIMES_THE_FOLD * floor


def test_a_game_takes_little_room(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()
    empty = path.stat().st_size
    written = store_games(str(path))
    check_room(path.stat().st_size - empty, written)


@pytest.mark.long
def test_a_game_takes_little_room_on_a_server() -> None:
    server = Server()
    try:
        url = server.new_schema()
        open_store(url).close()
        empty = room_on_server(url)
        written = store_games(url)
        check_room(room_on_server(url) - empty, written)
    finally:
        server.stop()


def store_games(url: str) -> int:
    """Store some games with their read models; gives how many bytes their files have."""
    logs = [play_out(new_game(4, f"room/{i}"), RandomBot(i)).events for i in range(ROOM_FOR)]
    with open_store(url) as store:
        for number, log in enumerate(logs):
            store.append(f"g{number:04}", 0, log)
        Projector(store).catch_up()
    return sum(len(write_game("game", log)) for log in logs)


def room_on_server(url: str) -> int:
    """Bytes of a schema's tables and indexes, without rows that are dead."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("VACUUM FULL")
        row = conn.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = to_regnamespace(quote_ident(current_schema()))"
        ).fetchone()
    assert row is not None
    return int(row[0])


def check_room(taken: int, written: int) -> None:
    print(f"\n{taken / ROOM_FOR:.0f} bytes a game, {taken / written:.1f} times its file")
    assert taken < TIMES_THE_FILE * written
