"""Small wrong edits to the rules: a moment that somebody saves as a test on the page of the viewer
fails under each of them, and holds without."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Download, Page

from events.codec import encode_event
from replays.corpus.games import followed_games, load_attempts
from tests.amounts import one_in
from tests.browser.serving import Server, serving
from tests.browser.viewer.page import ReplayPage
from tests.replays.corpus.example import run_pytest
from tests.replays.corpus.mutation import finder
from tests.replays.corpus.mutation.mutants import ENGINE, Mutant, edited, load_mutants

ROOT = finder.ROOT
OF_RULES = [mutant for mutant in load_mutants() if not mutant.file.startswith("data/")]
"""A ruleset that was misprinted is no moment: every log carries its own."""
CHOSEN = [OF_RULES[place * len(OF_RULES) // 40] for place in range(40)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that has the recorded games."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        for name, events in followed_games().items():
            running.store.append(name, 0, events)
        yield running


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What follows at every moment of every game by the rules as they are."""
    file = tmp_path_factory.mktemp("expected") / "expected.json"
    file.write_text(json.dumps({game: dict(finder.moments(game)) for game in followed_games()}))
    return file


def edited_code(folder: Path, mutant: Mutant) -> Path:
    """The code with an edited engine."""
    folder.mkdir()
    shutil.copytree(ENGINE, folder / "engine", ignore=shutil.ignore_patterns("__py*"))
    (folder / "engine" / mutant.file).write_text(edited(mutant), encoding="utf-8")
    for package in ("events", "projections", "replays", "web"):
        (folder / package).symlink_to(ROOT / package)
    return folder


def telling_moment(code: Path, expected: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-B", finder.__file__, str(code), str(expected)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout.strip()


def save(page: Page, game: str, kind: str, place: int) -> Download:
    """An event as the viewer offers it under Share. What is refused and cannot be chosen on any
    page (a card polled twice, a forged deck) is tried at its moment by the same address."""
    if kind == "event":
        ReplayPage(page).open(game, place)
        link = page.get_by_role("link", name="Make this moment a test")
        with page.expect_download() as saved:
            link.click()
        return saved.value
    attempt = [each for each in load_attempts() if each.game == game][place]
    ReplayPage(page).open(game, attempt.after)
    link = page.get_by_role("link", name="Make this moment a test")
    tried = quote(encode_event(attempt.event).decode())
    link.evaluate("(link, tried) => { link.href += `?action=${tried}` }", tried)
    with page.expect_download() as saved:
        link.click()
    return saved.value


def run(code: Path, where: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The plugin of one version of the code in a folder with a case."""
    monkeypatch.setenv("PYTHONPATH", str(code))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = run_pytest(sys.executable, where, "-p", "replays.corpus.plugin.lacitta_pytest")
    return done.returncode, done.stdout + done.stderr


def test_forty_are_chosen() -> None:
    assert len(CHOSEN) == 40
    assert len({mutant.file for mutant in CHOSEN}) >= 12


@pytest.mark.parametrize("mutant", one_in(20, CHOSEN), ids=lambda mutant: mutant.name)
def test_a_saved_moment_fails_under(
    mutant: Mutant,
    visit: Callable[..., Page],
    expected: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = edited_code(tmp_path / "code", mutant)
    game, kind, place = telling_moment(code, expected).split()
    club = tmp_path / "club"
    club.mkdir()
    (club / "pyproject.toml").write_text('[tool.pytest.ini_options]\nlacitta_corpus = "."\n')
    save(visit(), game, kind, int(place)).save_as(club / "moment.case.toml")
    status, output = run(ROOT, club, monkeypatch)
    assert status == 0, output
    assert "1 passed" in output
    status, output = run(code, club, monkeypatch)
    assert status == 1, output
    assert "1 failed" in output
