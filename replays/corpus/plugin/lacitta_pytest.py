"""A pytest plugin: every recorded game of a folder is a test that compares its chronicle, and every
moment that was saved there as a case (*.case.toml) is a test that what must follow does.

    [tool.pytest.ini_options]
    lacitta_corpus = "games"
    lacitta_ruleset = "standard"    # a preset or a file; each game's own ruleset without

`pytest --snapshot-update` writes the chronicles into `games/__snapshots__`, `pytest` compares with
them, and `pytest --lacitta-ruleset NAME-OR-FILE` tries other rules. The games are folded in a
process of their own, so a repository may well have an `engine` or a `web` itself. Without
`lacitta_corpus` the plugin does nothing.
"""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__)
ROOT = next((folder for folder in HERE.parents if (folder / "replays").is_dir()), HERE.parent)
"""Where lacitta's packages lie; where an editable install has put this file alone, Python knows."""

TELLER = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; " + (
    "runpy.run_module('replays.corpus.remote_chronicle', run_name='__main__')"
)
REFUSED = "refused.jsonl"
CASE = ".case.toml"
MOST_LINES = 200
"""Of a difference that are shown."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("lacitta_corpus", "Folder of recorded games of La Città (*.jsonl).", default="")
    parser.addini("lacitta_ruleset", "Ruleset to fold them with: a name or a file.", default="")
    parser.getgroup("lacitta").addoption(
        "--lacitta-ruleset",
        metavar="NAME-OR-FILE",
        help="Fold the recorded games with this ruleset instead.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Games are collected even where `testpaths` names other folders only."""
    folder = corpus_of(config)
    if folder is None:
        return
    config.stash[TELLING] = Teller(ruleset_of(config))
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    places = [Path(config.invocation_params.dir, arg.split("::")[0]) for arg in config.args]
    if not named and not any(folder.is_relative_to(place.resolve()) for place in places):
        config.args.append(str(folder))


def pytest_unconfigure(config: pytest.Config) -> None:
    teller = config.stash.get(TELLING, None)
    if teller is not None:
        teller.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    corpus = corpus_of(parent.config)
    if file_path.name.endswith(CASE) and corpus in file_path.resolve().parents:
        return CaseFile.from_parent(parent, path=file_path)
    if file_path.suffix != ".jsonl" or file_path.name == REFUSED:
        return None
    if file_path.parent.resolve() != corpus:
        return None
    return GameLog.from_parent(parent, path=file_path)


def corpus_of(config: pytest.Config) -> Path | None:
    """The folder of games, if one is named."""
    name = config.getini("lacitta_corpus")
    return (base_of(config) / name).resolve() if name else None


def base_of(config: pytest.Config) -> Path:
    return config.inipath.parent if config.inipath else config.rootpath


def ruleset_of(config: pytest.Config) -> str:
    """The ruleset's name, or the full path of its file."""
    option = config.getoption("--lacitta-ruleset")
    name = str(option or config.getini("lacitta_ruleset"))
    file = (config.invocation_params.dir if option else base_of(config)) / name
    return str(file) if name and file.is_file() else name


class Teller:
    """The process that folds, started with the first question and kept for all."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.process: subprocess.Popen[str] | None = None

    def ask(self, log: Path) -> dict[str, str]:
        """The chronicle of a log as `text`, or an `error`."""
        if self.process is None:
            # -I: neither the caller's folder nor its PYTHONPATH is on the way to our packages.
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", TELLER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        question = {"log": str(log), "ruleset": self.ruleset}
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
        except OSError:
            return {"error": "the process that folds the games has ended"}
        line = self.process.stdout.readline()
        found: dict[str, str] = json.loads(line) if line else {"error": "nothing was answered"}
        return found

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()
            self.process = None


TELLING = pytest.StashKey[Teller]()


class GameLog(pytest.File):
    """The file of one game: a single test."""

    def collect(self) -> Iterator[pytest.Item]:
        body = compare if self.config.pluginmanager.hasplugin("syrupy") else explain
        yield ChronicleTest.from_parent(self, name=self.path.stem, callobj=body)


class ChronicleTest(pytest.Function):
    """The chronicle of one game is what it was."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"chronicle of {self.name}"


class CaseFile(pytest.File):
    """The file of one moment: a single test."""

    def collect(self) -> Iterator[pytest.Item]:
        yield CaseTest.from_parent(self, name=self.path.name.removesuffix(CASE))


class CaseTest(pytest.Item):
    """From a moment follows what must follow."""

    def runtest(self) -> None:
        found = self.config.stash[TELLING].ask(self.path)
        if wrong := found.get("error") or found["text"]:
            pytest.fail(f"{self.path.name}: {wrong}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"moment {self.name}"


@cache
def chronicle_extension() -> Any:
    """How syrupy keeps chronicles: one text file per game, named like the game and beside it.

    Made when it is needed: a plugin that nobody uses must not import another one.
    """
    from syrupy.extensions.base import AbstractSyrupyExtension
    from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

    class ChronicleExtension(SingleFileSnapshotExtension):
        _write_mode = WriteMode.TEXT
        file_extension = "txt"

        @classmethod
        def dirname(cls, *, test_location: Any) -> str:
            if isinstance(test_location.item, ChronicleTest):
                return str(AbstractSyrupyExtension.dirname(test_location=test_location))
            return str(super().dirname(test_location=test_location))

    return ChronicleExtension


def compare(request: pytest.FixtureRequest, snapshot: Any) -> None:
    """Fold the game and compare its chronicle with the stored one."""
    found = request.config.stash[TELLING].ask(request.path)
    stored = snapshot.use_extension(chronicle_extension())
    if found.get("error"):
        keep(stored)
        pytest.fail(f"{request.path.name}: {found['error']}", pytrace=False)
    if not stored == found["text"]:  # noqa: SIM201  (that is how a snapshot is asked)
        recalled = next(iter(stored.executions.values())).recalled_data
        pytest.fail(difference(request.path.name, recalled, found["text"]), pytrace=False)


def keep(stored: Any) -> None:
    """A game that cannot be told now keeps its chronicle: unused ones are deleted at an update."""
    place = stored.extension.get_location(test_location=stored.test_location, index=0)
    if Path(place).exists():
        assert stored == Path(place).read_text(encoding="utf-8")


def explain(request: pytest.FixtureRequest) -> None:
    pytest.fail("lacitta_corpus needs syrupy: pip install 'lacitta[pytest]'", pytrace=False)


def difference(name: str, before: str | None, now: str) -> str:
    """What changed, in the words of the game."""
    if before is None:
        return f"{name}: no chronicle is stored yet; write it with --snapshot-update"
    lines = list(
        difflib.unified_diff(
            before.splitlines(), now.splitlines(), "as stored", "as folded now", n=2, lineterm=""
        )
    )
    last = now.splitlines()[-2:]
    ending = last if last[0].startswith("The chronicle ends") else []
    more = [f"… and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    return "\n".join([f"{name}: the chronicle differs", *ending, *lines[:MOST_LINES], *more])
