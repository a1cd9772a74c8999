"""A person with the usual tools sees a game at a glance: real commands on a real file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from events.store.stores import open_store
from events.types import AnyEvent, YearClosed
from tests.events.test_versions import SAMPLES, decode_event

TYPES = ["opened", "started", "build", "year-closed", "gold"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    events: list[AnyEvent] = [decode_event((SAMPLES / f"{t}.json").read_bytes()) for t in TYPES]
    events.insert(4, YearClosed(year=3, digest="ab" * 32))
    with open_store(path) as store:
        store.append("spring", 0, events)
        store.append("autumn", 0, events[:2])
        note = b'{"type":"remark","by":"anna","time":1700000000000,"text":"Why?"}'
        store.notes.append("game/spring", 0, [note, b"\xff\0"])
    return path


def run(*command: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_games(rows: list[dict[str, Any]]) -> None:
    autumn, spring = sorted(rows, key=lambda row: str(row["game"]))
    assert spring["players"] == "Seat 1, Seat 2, Seat 3"
    assert (spring["years"], spring["events"], spring["last_event"]) == (3, 6, "gold")
    assert spring["opened"].startswith("2023-11-14 22:13")
    assert len(spring["head"]) == 64
    assert (autumn["years"], autumn["events"], autumn["last_event"]) == (0, 2, "started")


def check_turns(rows: list[dict[str, Any]]) -> None:
    build, gold = (row for row in rows if row["game"] == "spring")
    assert (build["type"], build["seat"], build["player"]) == ("build", 1, "Seat 1")
    assert json.loads(build["choice"])["building"] == "statue"
    assert gold["type"] == "gold"


def check_notes(rows: list[dict[str, Any]]) -> None:
    remark, rubbish = rows
    assert (remark["stream"], remark["version"], remark["type"]) == ("game/spring", 1, "remark")
    assert (remark["by"], remark["time"]) == ("anna", "2023-11-14 22:13:20")
    assert json.loads(remark["note"])["text"] == "Why?"
    assert (rubbish["version"], rubbish["type"]) == (2, None)


def test_sqlite_utils_shows_the_games(file: Path) -> None:
    check_games(run("sqlite_utils", "rows", str(file), "games"))
    check_turns(run("sqlite_utils", "rows", str(file), "turns"))
    check_notes(run("sqlite_utils", "rows", str(file), "annotations"))
    rows = run("sqlite_utils", "rows", str(file), "events", "--limit", "1")
    assert rows[0]["type"] == "opened"
    tables = {row["table"] for row in run("sqlite_utils", "tables", str(file))}
    assert {"events", "heads"} <= tables


def test_sqlite_utils_cannot_change_a_game(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sqlite_utils", str(file), "DELETE FROM events"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "never deleted" in done.stdout + done.stderr


@pytest.mark.long
def test_datasette_shows_the_games(file: Path) -> None:
    def get(path: str) -> Any:
        return run("datasette", str(file), "--get", path)

    check_games(get("/games/games.json?_shape=array"))
    check_turns(get("/games/turns.json?_shape=array"))
    check_notes(get("/games/annotations.json?_shape=array"))
    rows = get("/games/events.json?_shape=array&game=spring&type=build")
    assert [row["version"] for row in rows] == [3]
