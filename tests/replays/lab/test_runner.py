"""Runs: the same rows whoever plays, and nothing lost or doubled when something is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from engine.bots import PrinceBot
from engine.errors import BadMaterial
from engine.material import library
from events.codec import load_game
from projections.years.statistics import game_stats
from replays.files.rulesets import load_ruleset
from replays.lab.errors import LabError
from replays.lab.matrix import QUICK_PRINCE, MatrixCell, _bots, matrix, play
from replays.lab.rows import COLUMNS, KEY, Row, rows_of
from replays.lab.runner import Run, run
from tests.amounts import one_in
from tests.replays.lab.running import cells, kept, played, unwatched

ROOT = Path(__file__).parents[3]


def test_one_process_and_two_give_the_same_rows_and_the_same_parquet_bytes(tmp_path: Path) -> None:
    order = Run(cells(bots=("random", "random+steward")), 4)
    one = played(msgspec.structs.replace(order, jobs=1), tmp_path / "one.parquet")
    two = played(msgspec.structs.replace(order, jobs=2), tmp_path / "two.parquet")
    assert len(one) == 2 * 2 * 4 * (2 + 3)
    assert one == two
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.parquet", "two.parquet"]
    assert played(order, tmp_path / "three.db") == one


def test_a_row_says_what_its_log_says(tmp_path: Path) -> None:
    [cell] = cells(["ageing-display"], ["steward+random"], [3])
    rows = played(Run([cell], 2, out=tmp_path), tmp_path / "results.db")
    log = load_game(tmp_path / "ageing-display-beginner-3p-1-00002.jsonl")
    assert rows_of(cell, 2, game_stats(log.events)) == rows[3:]
    assert [row["bot"] for row in rows[3:]] == ["steward", "random", "steward"]
    assert list(rows[0]) == list(COLUMNS)
    assert [tuple(row[name] for name in KEY) for row in rows] == sorted(
        tuple(row[name] for name in KEY) for row in rows
    )


def test_games_that_are_there_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"
    first = played(Run(cells(), 2), file)
    told: list[tuple[int, int]] = []
    more = played(Run(cells(), 3), file, lambda games, rows: told.append((games, len(rows))))
    assert told[0] == (8, 0)
    assert sum(games for games, rows in told if rows) == 4
    assert [row for row in more if int(row["number"]) < 3] == first
    assert more == played(Run(cells(), 3), tmp_path / "at-once.db")


def test_logs_that_are_missing_are_written_again(tmp_path: Path) -> None:
    order = Run(cells(["standard"], players=[2]), 2, out=tmp_path / "logs")
    played(order, tmp_path / "results.db")
    log = tmp_path / "logs" / "standard-beginner-2p-1-00002.jsonl"
    written = log.read_bytes()
    log.unlink()
    played(order, tmp_path / "results.db")
    assert log.read_bytes() == written


COMMAND = ["simulate", "--games", "20", "--players", "2", "--ruleset", "standard,flush"]
ORDER = Run(cells(bots=["steward"], players=[2]), 20, jobs=1)
ROWS = 2 * 2 * 20


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    return played(ORDER, tmp_path_factory.mktemp("lab") / "results.db")


def count(file: Path) -> int:
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file, timeout=30)) as conn:
        try:
            return int(conn.execute("SELECT count(*) FROM results").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


@pytest.mark.parametrize("name", one_in(2, ["results.db", "results.parquet"]))
def test_a_killed_run_goes_on_where_it_stopped(
    name: str, tmp_path: Path, uninterrupted: list[Row]
) -> None:
    gathered = tmp_path / (name if name.endswith(".db") else f"{name}.part")
    command = [sys.executable, "-m", "web.cli", *COMMAND, "--jobs", "2", "--results", name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True)
    patience = time.monotonic() + 120
    while count(gathered) < 8:
        assert process.poll() is None
        assert time.monotonic() < patience
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    some = kept(gathered)
    assert 8 <= len(some) < ROWS
    seats = Counter((row["ruleset"], row["number"]) for row in some)
    assert set(seats.values()) == {2}, "a game is there with all its seats or not at all"
    while lives(process.pid):
        assert time.monotonic() < patience, "the workers outlive their parent"
        time.sleep(0.05)
    new: list[Row] = []
    assert played(ORDER, tmp_path / name, lambda games, rows: new.extend(rows)) == uninterrupted
    assert len(new) == ROWS - len(some)


def lives(group: int) -> bool:
    """Whether some process of a group is still there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    order = Run(cells(bots=["steward"], players=[2]), 8, jobs=2)
    killed: list[int] = []

    def kill_one(games: int, rows: list[Row]) -> None:
        if rows and not killed:
            worker = multiprocessing.active_children()[0]
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            killed.append(worker.pid)

    rows = played(order, tmp_path / "killed.db", kill_one)
    assert killed
    assert rows == played(msgspec.structs.replace(order, jobs=1), tmp_path / "alone.db")


def test_games_of_other_rules_or_bots_are_not_mixed(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    played(Run(cells(["standard"], players=[2]), 2), file)
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("UPDATE results SET points = points + 1 WHERE number = 1")
        conn.commit()
    with pytest.raises(LabError, match="played by other rules or bots"):
        played(Run(cells(["standard"], players=[2]), 3), file)


def test_a_ruleset_of_ones_own_is_told_apart_by_what_it_says(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text('{"name": "mine", "limits": false}')
    one = load_ruleset(str(mine))
    mine.write_text('{"name": "mine", "flush": true}')
    other = load_ruleset(str(mine))
    pair = [MatrixCell(rules, "random", 2, "beginner", 1) for rules in (one, other)]
    rows = played(Run(pair, 1), tmp_path / "results.db")
    assert len({row["rules"] for row in rows}) == 2
    with pytest.raises(LabError, match="rename one"):
        run(Run(pair, 1, out=tmp_path / "logs"), None, unwatched)
    mine.write_text('{"name": "mine", "limit": false}')
    with pytest.raises(BadMaterial, match="limit"):
        load_ruleset(str(mine))


def test_files_that_hold_something_else_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "games.db"
    with closing(sqlite3.connect(other)) as conn:
        conn.execute("CREATE TABLE games (game TEXT)")
    (tmp_path / "text.db").write_text("no database at all, " * 100)
    (tmp_path / "text.parquet").write_text("no Parquet at all")
    for name, message in (
        ("games.db", "does not hold results"),
        ("text.db", "not a database"),
        ("text.parquet", "is no Parquet file"),
        ("results.csv", "ends in .db or .parquet"),
    ):
        with pytest.raises(LabError, match=message):
            played(Run(cells(), 1), tmp_path / name)
    assert (tmp_path / "text.parquet").read_text() == "no Parquet at all"
    assert not (tmp_path / "text.parquet.part").exists()


def test_without_results_nothing_is_kept(tmp_path: Path) -> None:
    told: list[int] = []
    run(Run(cells(), 1, out=tmp_path / "logs"), None, lambda games, rows: told.append(len(rows)))
    assert sum(told) == 10
    assert len(list((tmp_path / "logs").iterdir())) == 4


def test_results_of_the_first_board_are_found_again_and_those_of_others_are_others() -> None:
    rules = [load_ruleset("standard")]
    digests = {}
    for name in library.BOARDS:
        [cell] = matrix(rules, ["random"], [3], ["beginner"], [1], library.board_ref(name))
        digests[name] = cell.fingerprint
        assert play(cell, 1).state.board is library.board(name)
    assert digests[library.FIRST_BOARD] == library.digest(rules[0])[:12]
    assert digests[library.DEFAULT_BOARD] != digests[library.FIRST_BOARD]
    [usual] = matrix(rules, ["random"], [3], ["beginner"], [1])
    assert usual.fingerprint == digests[library.DEFAULT_BOARD]


def test_a_quick_prince_thinks_for_a_tenth_of_the_time() -> None:
    bot = _bots([QUICK_PRINCE] * 2, "x")
    assert isinstance(bot, PrinceBot)
    assert bot._nodes * 10 == PrinceBot("x")._nodes
