"""`lacitta review`: told for people, written for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.bots import StewardBot
from engine.selfplay import new_game, play_out
from events.codec import write_game
from replays.review import run
from tests.web.cli.test_cli import lacitta


def test_a_review_names_what_was_lost_and_by_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "COARSE", 20)
    game = tmp_path / "game.jsonl"
    played = play_out(new_game(2, 1, "short-evening"), StewardBot(1))
    game.write_bytes(write_game("game", played.events))
    data = tmp_path / "review.json"
    done = lacitta("review", str(game), "--budget", "0", "--jobs", "1", "--json", str(data))
    assert done.exit_code == 0, done.output
    found = json.loads(data.read_bytes())
    marked = [each for each in found["decisions"] if each["mark"]]
    for each in marked:
        assert f"{each['number']}. year {each['year']}, " in done.output
    for each in found["accuracy"]:
        assert f"accuracy {each['whole']:.1f}" in done.output
    assert done.output.count("luck brought ") == 2
    assert len(found["luck"]) == 2
    most = max(max(draw["win"]) for each in found["chance"] for draw in each["draws"])
    assert f"– +{100 * most:.1f} % of the win for Seat " in done.output
    assert "each judged by 20 others" in done.output


def test_what_is_no_game_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("no")
    done = lacitta("review", str(tmp_path / "x.jsonl"))
    assert done.exit_code == 2
    assert done.output.startswith("lacitta: ")
    assert done.output.count("\n") == 1


def test_several_games_and_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "COARSE", 4)
    played = play_out(new_game(2, 1, "short-evening"), StewardBot(1))
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes(write_game(name, played.events))
    data, page = tmp_path / "data.json", tmp_path / "game.html"
    quick = ("--budget", "0", "--jobs", "1")
    done = lacitta("review", str(tmp_path), *quick, "--json", str(data))
    assert done.exit_code == 0, done.output
    one, two = json.loads(data.read_bytes()).values()
    assert one == two
    assert done.output.count("each judged by 4 others") == 2
    both = lacitta("review", str(tmp_path), "--html", str(page))
    assert both.exit_code == 2
    assert "--html shows one game" in both.output
    file = str(tmp_path / "a.jsonl")
    assert lacitta("review", file, *quick, "--html", str(page)).exit_code == 0
    assert "of the win, " in page.read_text()
    (tmp_path / "none").mkdir()
    assert lacitta("review", str(tmp_path / "none")).exit_code == 2
