"""The developer's way of making recorded games: told where to, it keeps what still serves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from replays.corpus.choosing.__main__ import main, serves
from replays.corpus.choosing.recipes import RECIPES
from replays.corpus.games import CORPUS
from tests.amounts import one_in

NAME = "the-worked-example"


def test_nothing_is_written_without_being_told_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = {file.name: file.stat().st_mtime_ns for file in CORPUS.iterdir()}
    assert main([]) == 2
    assert capsys.readouterr().err == "choosing: name the folder to write to with --out\n"
    assert main(["--out", str(tmp_path / "x"), "--only", "nothing"]) == 2
    assert "there is no recipe nothing" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["--nonsense"])
    assert ended.value.code == 2
    assert list(tmp_path.iterdir()) == []
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.split() == [NAME, *(recipe.name for recipe in RECIPES)]
    assert before == {file.name: file.stat().st_mtime_ns for file in CORPUS.iterdir()}


def test_a_game_that_serves_is_kept_and_another_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--out", str(tmp_path), "--only", NAME]
    assert main(words) == 0
    assert f"{NAME}: seed 0" in capsys.readouterr().out
    file = tmp_path / f"{NAME}.jsonl"
    made = file.stat().st_mtime_ns
    assert main(words) == 0
    assert f"{NAME}: kept" in capsys.readouterr().out
    assert file.stat().st_mtime_ns == made
    assert main([*words, "--again"]) == 0
    assert f"{NAME}: seed 0" in capsys.readouterr().out
    file.write_bytes(file.read_bytes()[:-20])
    assert main(words) == 0
    assert f"{NAME}: seed 0" in capsys.readouterr().out


@pytest.mark.parametrize("recipe", one_in(6, RECIPES), ids=lambda recipe: recipe.name)
def test_the_recorded_games_serve(recipe: object, tmp_path: Path) -> None:
    file = CORPUS / f"{recipe.name}.jsonl"  # type: ignore[attr-defined]
    assert serves(file, recipe)  # type: ignore[arg-type]
    other = next(each for each in RECIPES if each.ruleset != recipe.ruleset)  # type: ignore[attr-defined]
    assert not serves(file, other)
    shutil.copy(file, tmp_path / "x.jsonl")
    assert not serves(tmp_path / "none.jsonl", recipe)  # type: ignore[arg-type]
