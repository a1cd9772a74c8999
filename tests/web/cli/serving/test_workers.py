"""`lacitta serve --workers`: several processes at one address, looked after by one."""

from __future__ import annotations

import os
import re
import signal
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE, wait_until
from tests.web.cli.serving.test_serve import first_address, serving
from tests.web.sturdy import new_schema

DUTIES = ("orders", "letters", "account letters", "referee", "read models", "checkpoints")
STANDING_BY = re.compile(r'lacitta_worker_standing_by{process="\d",worker="([^"]+)"} (\S+)')


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def next_process(lines: Any) -> int:
    """The process that the next such line names."""
    for line in lines:
        if found := re.search(r"Worker \d is process (\d+)\.", line):
            return int(found[1])
    raise AssertionError("no process is named")


def duties_are_shared(address: str) -> bool:
    """Whether one of both workers does each duty of one process, and the other stands by for it."""
    try:
        with urllib.request.urlopen(f"{address}metrics") as answer:
            found = STANDING_BY.findall(answer.read().decode())
    except OSError:  # it has just been killed
        return False
    standing_by = Counter(duty for duty, value in found if value == "1.0")
    return standing_by == Counter(DUTIES)


def test_several_workers_stop_together(tmp_path: Path) -> None:
    with serving("--workers", "2", "--port", "0", "--db", str(tmp_path / "games.db")) as process:
        address = first_address(process)
        assert process.stdout is not None
        workers = [next_process(process.stdout) for _ in range(2)]
        with urllib.request.urlopen(address) as answer:
            assert "La Città" in answer.read().decode()
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, errors) == (0, "Stopped.\n", "")
    assert not any(map(is_there, workers))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_worker_that_is_killed_is_replaced_and_its_work_goes_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    db = str(tmp_path / "games.db") if kind == "sqlite" else new_schema(request)
    with serving("--workers", "2", "--port", "0", "--db", db) as process:
        address = first_address(process)
        assert process.stdout is not None
        workers = [next_process(process.stdout) for _ in range(2)]
        wait_until(lambda: duties_are_shared(address))
        for number in range(2):
            os.kill(workers[number], signal.SIGKILL)
            workers[number] = next_process(process.stdout)
        wait_until(lambda: duties_are_shared(address))
        process.kill()
        wait_until(lambda: not any(map(is_there, workers)))
