"""Small wrong edits to the rules: a moment saved from the viewer fails under each, else holds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.codec import encode_event
from replays.corpus.games import followed_games, load_attempts
from tests.amounts import one_in
from tests.replays.corpus.example import run_pytest
from tests.replays.corpus.mutation import finder
from tests.replays.corpus.mutation.mutants import Mutant, judged, load_mutants
from tests.web.world import World

ROOT = finder.ROOT
OF_RULES = [mutant for mutant in load_mutants() if not mutant.file.startswith("data/")]
"""A ruleset that was misprinted is no moment: every log carries its own."""
CHOSEN = [OF_RULES[place * len(OF_RULES) // 40] for place in range(40)]
GAMES = followed_games()


class Viewer(World):
    """A server that has the recorded games."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name, events in GAMES.items():
            self.store.append(name, 0, events)

    def save(self, game: str, moment: str) -> bytes:
        """A moment as the viewer gives it: of an event, or of what is tried there."""
        kind, place = moment.split()
        address = f"/replay/{game}/{place}/moment.case.toml"
        if kind == "attempt":
            attempt = [each for each in load_attempts() if each.game == game][int(place)]
            tried = encode_event(attempt.event).decode()
            address = f"/replay/{game}/{attempt.after}/moment.case.toml?action={tried}"
        got = self.nobody().get(address)
        assert got.status_code == 200, got.text
        return got.data


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    made = Viewer(tmp_path_factory.mktemp("viewer"))
    yield made
    made.close()


def project(folder: Path, case: bytes) -> Path:
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\nlacitta_corpus = "."\n')
    (folder / "moment.case.toml").write_bytes(case)
    return folder


def run(code: Path, where: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The plugin of one version of the code in a folder with a case."""
    monkeypatch.setenv("PYTHONPATH", str(code))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = run_pytest(sys.executable, where, "-p", "replays.corpus.plugin.lacitta_pytest")
    return done.returncode, done.stdout + done.stderr


def telling_moment(found: str, code: Path, folder: Path) -> tuple[str, str]:
    """A game and a moment of it by which edited code is found out: of the game that the corpus
    names first, or where it names none of the first one that has such a moment."""
    named = [name for name in GAMES if f": {name}," in found or f": {name}:" in found]
    for game in named or GAMES:
        if moment := moment_of(game, code, folder):
            return game, moment
    return "", ""


def moment_of(game: str, code: Path, folder: Path) -> str:
    file = folder / "expected.json"
    file.write_text(json.dumps(dict(finder.moments(game))), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-B", finder.__file__, str(code), game, str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout.strip()


def test_forty_are_chosen() -> None:
    assert len(CHOSEN) == 40
    assert len({mutant.file for mutant in CHOSEN}) >= 12


@pytest.mark.parametrize("mutant", one_in(20, CHOSEN), ids=lambda mutant: mutant.name)
def test_a_saved_moment_fails_under(
    mutant: Mutant, viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    found = judged(code, mutant)
    for package in ("events", "projections", "replays", "web"):
        (code / package).symlink_to(ROOT / package)
    game, moment = telling_moment(found, code, tmp_path)
    assert moment, f"no moment tells: {found}"
    where = project(tmp_path / "club", viewer.save(game, moment))
    status, output = run(ROOT, where, monkeypatch)
    assert status == 0, output
    status, output = run(code, where, monkeypatch)
    assert status == 1, output
    assert "1 failed" in output
