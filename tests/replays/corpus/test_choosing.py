"""The developer's way of making recorded games: told where to, it keeps what still serves."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from events.codec import load_game
from events.types import PlaceCastle
from replays.amendments import amend, as_signed, sign
from replays.corpus.choosing import __main__ as choosing
from replays.corpus.choosing import search
from replays.corpus.choosing.__main__ import main, make, serves
from replays.corpus.choosing.recipes import RECIPES
from replays.corpus.games import CORPUS, followed_games
from tests.amounts import one_in
from tests.replays.rulechange.review.making import forge_digest

NAME, TWO = "the-worked-example", "two-beginners"
RECIPE = {recipe.name: recipe for recipe in RECIPES}


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
    words = ["--out", str(tmp_path), "--only", TWO]
    assert main(words) == 0
    assert f"{TWO}: seed 1" in capsys.readouterr().out
    file = tmp_path / f"{TWO}.jsonl"
    made = file.stat().st_mtime_ns
    assert main(words) == 0
    assert f"{TWO}: kept" in capsys.readouterr().out
    assert file.stat().st_mtime_ns == made
    assert main([*words, "--again"]) == 0
    assert f"{TWO}: seed 1" in capsys.readouterr().out
    file.write_bytes(file.read_bytes()[:-20])
    assert main(words) == 0
    assert f"{TWO}: seed 1" in capsys.readouterr().out


def test_a_game_that_was_signed_for_serves_unless_it_ends_early(tmp_path: Path) -> None:
    """And what was signed for a game goes when another takes its place."""
    log = tmp_path / f"{TWO}.jsonl"
    shutil.copy(CORPUS / log.name, log)
    forge_digest(log)
    recorded = load_game(log).events
    assert not serves(log, RECIPE[TWO])
    signed = amend(recorded, "bonus", "Anna", "2026-11-18", "A mistake.")
    assert signed is not None
    assert sign(log, TWO, signed)
    assert serves(log, RECIPE[TWO])
    assert followed_games(tmp_path)[TWO] == as_signed(recorded, signed) != recorded
    cut = msgspec.structs.replace(signed, ends=len(recorded), reason="digest-differs")
    sign(log, TWO, cut)
    assert not serves(log, RECIPE[TWO])
    assert make(tmp_path, TWO, RECIPE[TWO], again=False)
    assert [file.name for file in tmp_path.iterdir()] == [log.name]
    assert log.read_bytes() == (CORPUS / log.name).read_bytes()


def test_a_recipe_that_no_game_comes_out_of_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever lies there stays, and the others are made all the same."""
    monkeypatch.setattr(search, "MOST_SEEDS", 1)
    (tmp_path / "a-shared-win.jsonl").write_bytes(b"as it was")
    assert not make(tmp_path, "a-shared-win", RECIPE["a-shared-win"], again=False)
    assert capsys.readouterr().err == "choosing: a-shared-win: no game within 1 seeds\n"
    assert (tmp_path / "a-shared-win.jsonl").read_bytes() == b"as it was"


def test_a_game_that_the_rules_refuse_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The worked example is the books'; other rules do not follow it."""
    wrong = [each for each in choosing.worked_example() if not isinstance(each, PlaceCastle)]
    monkeypatch.setattr(choosing, "worked_example", lambda: wrong)
    assert not make(tmp_path, NAME, None, again=False)
    assert capsys.readouterr().err.startswith(f"choosing: {NAME}: event ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("recipe", one_in(6, RECIPES), ids=lambda recipe: recipe.name)
def test_the_recorded_games_serve(recipe: object, tmp_path: Path) -> None:
    file = CORPUS / f"{recipe.name}.jsonl"  # type: ignore[attr-defined]
    assert serves(file, recipe)  # type: ignore[arg-type]
    other = next(each for each in RECIPES if each.ruleset != recipe.ruleset)  # type: ignore[attr-defined]
    assert not serves(file, other)
    shutil.copy(file, tmp_path / "x.jsonl")
    assert not serves(tmp_path / "none.jsonl", recipe)  # type: ignore[arg-type]
