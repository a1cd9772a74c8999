"""`lacitta board`, `lacitta box`, and commands that take those of one's own."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.material import library
from engine.material.inspection import write_material
from events.codec import load_game
from web.cli.main import main


def lacitta(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def own_board(tmp_path: Path) -> Path:
    """The built-in board under another name, without set-ups for two."""
    data = library.board().data
    setups = {players: setup for players, setup in data.setups.items() if players != "2"}
    file = tmp_path / "mine.json"
    file.write_bytes(write_material(msgspec.structs.replace(data, name="mine", setups=setups)))
    return file


@pytest.fixture
def own_box(tmp_path: Path) -> Path:
    box = library.box()
    politics = {**box.politics, "polling": 4, "palace": 2}
    file = tmp_path / "box.json"
    file.write_bytes(
        write_material(msgspec.structs.replace(box, name="curious", politics=politics))
    )
    return file


def test_a_board_is_described_drawn_and_written(tmp_path: Path, own_board: Path) -> None:
    svg, out = tmp_path / "board.svg", tmp_path / "again.json"
    said = lacitta("board", own_board, "--svg", svg, "--out", out)
    assert said.exit_code == 0, said.output
    assert "mine: 179 lane hexes (96 light, 44 brown, 39 yellow), 22 fields" in said.output
    assert "beginner set-ups: 3, 4, 5" in said.output
    assert out.read_bytes() == own_board.read_bytes()
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    # Where there is no set-up, it is drawn with tiles that chance has laid.
    assert lacitta("board", own_board, "--players", "2", "--svg", svg).exit_code == 0


def test_the_built_in_ones_are_files_to_begin_with(tmp_path: Path) -> None:
    for what in ("board", "box"):
        out = tmp_path / f"{what}.json"
        assert lacitta(what, "--out", out).exit_code == 0
        assert lacitta(what, out).exit_code == 0


def test_what_is_wrong_is_told_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    data = msgspec.to_builtins(library.board().data)
    data["lanes"]["a2"]["at"], data["lanes"]["a3"]["at"] = [1, 1], [2, 1]
    file.write_bytes(msgspec.json.encode(data))
    said = lacitta("board", file)
    assert said.exit_code == 2
    lines = said.output.splitlines()
    assert all(line.startswith("lacitta: ") for line in lines)
    assert any("a2 at (1, 1) is no lane hex" in line for line in lines)
    assert any("a3 at (2, 1) is no lane hex" in line for line in lines)
    for wrong in ("nowhere", tmp_path / "nowhere.json"):
        assert lacitta("box", wrong).exit_code == 2


def test_games_are_played_with_them(tmp_path: Path, own_board: Path, own_box: Path) -> None:
    with_own = ("--board", own_board, "--box", own_box, "--ruleset", "flush+growth=2")
    games = tmp_path / "games"
    said = lacitta(
        *("simulate", "--games", "2", "--players", "3", "--bot", "random", "--jobs", "1"),
        *("--out", games),
        *with_own,
    )
    assert said.exit_code == 0, said.output
    files = sorted(games.glob("*.jsonl"))
    opened = load_game(files[0]).events[0]
    assert (opened.board.name, opened.box.name, opened.ruleset.growth) == ("mine", "curious", 2)
    assert opened.board.content is not None
    assert lacitta("verify", games).exit_code == 0
    text = lacitta("replay", files[0], "--year", "1", "--ruleset", "growth=0")
    assert text.exit_code == 0, text.output
    assert text.output != lacitta("replay", files[0], "--year", "1").output
    assert lacitta("replay", files[0], "--at", "5", "--ruleset", "growth=0").exit_code == 0
    said = lacitta(
        *("arena", "--bots", "random,random", "--games", "2", "--players", "3"), *with_own
    )
    assert said.exit_code == 0, said.output
    said = lacitta(
        *("balance", "growth=2", "--games", "2", "--players", "3", "--bot", "random"),
        *("--jobs", "1", "--board", own_board, "--box", own_box),
    )
    assert said.exit_code == 0, said.output


def test_games_of_two_boards_are_not_mistaken_for_each_other(
    tmp_path: Path, own_board: Path
) -> None:
    results = tmp_path / "results.db"
    words = ("simulate", "--games", "1", "--players", "3", "--bot", "random", "--jobs", "1")
    assert lacitta(*words, "--results", results).exit_code == 0
    said = lacitta(*words, "--results", results, "--board", own_board)
    assert "was there before" not in said.output
    assert "was there before" in lacitta(*words, "--results", results).output


def test_a_board_without_the_set_up_is_a_sentence(own_board: Path) -> None:
    said = lacitta("simulate", "--players", "2", "--board", own_board, "--jobs", "1")
    assert said.exit_code == 2
    assert "has no beginner set-up for 2" in said.output
