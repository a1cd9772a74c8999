"""`lacitta case`: a moment of a game as a test, and the test run."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine import fold as folding
from engine.selfplay import new_game
from events.codec import load_game, write_game
from events.types import TakeGold
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


def test_of_a_log_that_breaks_the_breaking_event_is_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that these rules do not follow, and an engine that breaks: both are reports."""
    events = list(load_game(Path(GAME)).events)
    place = next(at for at, event in enumerate(events) if isinstance(event, TakeGold))
    wrong = msgspec.structs.replace(events[place], seat=events[place].seat % 4 + 1)
    log, file = tmp_path / "wrong.jsonl", tmp_path / "wrong.case.toml"
    log.write_bytes(write_game("wrong", [*events[:place], wrong, *events[place + 1 :]]))
    assert lacitta("case", str(log), "--out", str(file)).exit_code == 0
    case = load_case(file)
    assert len(case.events()) == place
    assert case.action == wrong
    result = lacitta("case", str(file))
    assert result.exit_code == 1
    assert "But now: It is refused: " in result.output
    assert lacitta("case", str(log), "--at", "3", "--out", str(file)).exit_code == 0
    assert lacitta("case", str(file)).exit_code == 0
    result = lacitta("case", str(log), "--at", "9999")
    assert (result.exit_code, result.output.count("\n")) == (2, 1)

    own, then = folding.APPLY[TakeGold]
    with monkeypatch.context() as patch:
        patch.setitem(folding.APPLY, TakeGold, (broken, then))
        assert lacitta("case", GAME, "--out", str(file)).exit_code == 0
        assert "KeyError: 'gold' (broken)" in lacitta("case", str(file)).output
    assert own is folding.APPLY[TakeGold][0]
    assert lacitta("case", str(file)).output.endswith("takes 2 gold.\nIt holds.\n")


def broken(*_: object) -> None:
    raise KeyError("gold")


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
