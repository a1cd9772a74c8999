"""`lacitta case`: a moment of a game as a test, and the test run."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner, Result

from engine.selfplay import new_game
from events.codec import write_game
from replays.corpus.case_file import load_case
from replays.corpus.games import CORPUS
from web.cli.main import main

GAME = str(CORPUS / "four-experts.jsonl")


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_a_moment_is_written_and_run_and_renewed(tmp_path: Path) -> None:
    file = tmp_path / "market.case.toml"
    assert lacitta("case", GAME, "--at", "60", "--out", str(file)).exit_code == 0
    result = lacitta("case", str(file))
    assert (result.exit_code, result.output) == (0, "Seat 4 builds a market on a9.\nIt holds.\n")
    good = file.read_bytes()
    found = re.search(rb'  "(Seat 2: (\d+) points)', good)
    assert found is not None
    now, otherwise = found[1].decode(), f"Seat 2: {int(found[2]) + 1} points"
    file.write_bytes(good.replace(f'"{now}'.encode(), f'"{otherwise}'.encode()))
    result = lacitta("case", str(file))
    assert result.exit_code == 1
    assert f"-{otherwise}, 0 gold\n" in result.output
    assert f"+{now}, 0 gold\n" in result.output
    assert lacitta("case", str(file), "--renew").exit_code == 0
    assert file.read_bytes() == good


def test_an_action_can_be_tried(tmp_path: Path) -> None:
    file = tmp_path / "no.case.toml"
    action = '{"type":"gold","seat":3}'
    made = lacitta("case", GAME, "--at", "60", "--action", action, "--out", str(file))
    assert made.exit_code == 0
    case = load_case(file)
    assert (case.then.legal, case.then.refused) == (False, "not-awaited")
    assert case.then.because == "Seat 3 has nothing to decide now."


def test_a_running_game_tells_only_what_a_seat_knows(tmp_path: Path) -> None:
    log = tmp_path / "running.jsonl"
    game = new_game(2, "case")
    log.write_bytes(write_game("running", game.events))
    shown = lacitta("case", str(log), "--at", "2").output
    assert game.events[1].secret not in shown  # type: ignore[union-attr]
    result = lacitta("case", str(log), "--seat", "3")
    assert (result.exit_code, result.output) == (2, "lacitta: there is no seat 3\n")


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    for words, message in (
        (["--at", "9999"], "event 9999: the game has only"),
        (["--action", "{}"], "type"),
        (["--out", str(tmp_path / "x.toml")], "the name of a test ends in .case.toml"),
    ):
        result = lacitta("case", GAME, *words)
        assert result.exit_code == 2
        assert result.output.startswith("lacitta: ")
        assert message in result.output
        assert result.output.count("\n") == 1
