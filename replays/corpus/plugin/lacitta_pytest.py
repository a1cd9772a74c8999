"""A pytest plugin: every recorded game of a folder is a test that compares its chronicle, and every
moment that was saved there as a case (*.case.toml) is a test that what must follow does.

    [tool.pytest.ini_options]
    lacitta_corpus = "games"
    lacitta_chronicles = "games/__snapshots__"    # where they are kept; this is so without
    lacitta_ruleset = "standard"    # a preset or a file; each game's own ruleset without

`pytest --snapshot-update` (or `--lacitta-update`, where syrupy is not installed) writes the
chronicles, `pytest` compares with them, and `pytest --lacitta-ruleset NAME-OR-FILE` tries other
rules. Games that change by one cause are told once, with one example in full. The games are folded
in a process of their own, so a repository may well have an `engine` or a `web` itself. Without
`lacitta_corpus` the plugin does nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__)
ROOT = next((folder for folder in HERE.parents if (folder / "replays").is_dir()), HERE.parent)
"""Where lacitta's packages lie; where an editable install has put this file alone, Python knows."""

TELLER = "import sys; sys.path.insert(0, sys.argv[1]); import runpy; " + (
    "runpy.run_module('replays.rulechange.review.remote', run_name='__main__')"
)
REFUSED = "refused.jsonl"
CASE = ".case.toml"
DECISIONS = "decisions.jsonl"
CHANGED = "changed"
"""How pytest counts games that go another way: they fail, but are told by their cause."""
NOT_COMPARED = "not compared"
"""How it counts games that cannot be folded at all; what many of them fail by is told once."""
SHORT_DIFF = 100
"""Lines of a difference that are printed without being asked for, or none of them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("lacitta_corpus", "Folder of recorded games of La Città (*.jsonl).", default="")
    parser.addini("lacitta_chronicles", "Folder where their chronicles are kept.", default="")
    parser.addini("lacitta_ruleset", "Ruleset to fold them with: a name or a file.", default="")
    group = parser.getgroup("lacitta")
    group.addoption(
        "--lacitta-ruleset",
        metavar="NAME-OR-FILE",
        help="Fold the recorded games with this ruleset instead.",
    )
    group.addoption(
        "--lacitta-update",
        action="store_true",
        help="Write the chronicles of the recorded games, as --snapshot-update does.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Games are collected even where `testpaths` names other folders only."""
    folder = corpus_of(config)
    if folder is None:
        return
    if config.getoption("--lacitta-ruleset") and is_update(config):
        raise pytest.UsageError(
            "--lacitta-ruleset tries other rules; what they make of the games is not to be stored."
            " Leave out --snapshot-update, or name the ruleset in the settings (lacitta_ruleset)."
        )
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


def chronicles_of(config: pytest.Config) -> Path:
    """The folder of their chronicles."""
    name = config.getini("lacitta_chronicles")
    corpus = corpus_of(config)
    assert corpus is not None
    return (base_of(config) / name).resolve() if name else corpus / "__snapshots__"


def base_of(config: pytest.Config) -> Path:
    return config.inipath.parent if config.inipath else config.rootpath


def ruleset_of(config: pytest.Config) -> str:
    """The ruleset's name, or the full path of its file."""
    option = config.getoption("--lacitta-ruleset")
    name = str(option or config.getini("lacitta_ruleset"))
    file = (config.invocation_params.dir if option else base_of(config)) / name
    return str(file) if name and file.is_file() else name


def is_update(config: pytest.Config) -> bool:
    """Whether chronicles are to be written: asked for by our own option, or by syrupy's."""
    return bool(
        config.getoption("--lacitta-update") or config.getoption("update_snapshots", default=False)
    )


class Teller:
    """The process that folds, started with the first question and kept for all."""

    def __init__(self, ruleset: str, code: Path = ROOT) -> None:
        self.ruleset, self.code = ruleset, code
        self.process: subprocess.Popen[str] | None = None
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115  (it is open as long as we are)

    def ask(self, log: Path, stored: Path | None = None) -> dict[str, Any]:
        """The chronicle of a log as `text`, with its `change` if it has one, or an `error`; of a
        case what is wrong with it."""
        return self._ask(log=str(log), ruleset=self.ruleset, stored=str(stored or ""))

    def ask_decisions(self, file: Path) -> list[str]:
        """What was decided about changed games and is not committed yet."""
        found = self._ask(decisions=str(file))
        return str(found.get("text") or found.get("error") or "").splitlines()

    def _ask(self, **question: str) -> dict[str, Any]:
        if self.process is None:
            # -I: neither the caller's folder nor its PYTHONPATH is on the way to our packages.
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", TELLER, str(self.code)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.complaints,
                encoding="utf-8",
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
        except OSError:
            return self._ended()
        line = self.process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else self._ended()
        return found

    def _ended(self) -> dict[str, Any]:
        """Code that cannot be imported, say: the same for every game."""
        self.complaints.seek(0)
        text = self.complaints.read().decode("utf-8", "replace").rstrip()
        last = text.splitlines()[-1:] or ["without a word"]
        reason = f"the process that folds the games has ended ({last[0]})"
        return {"error": reason, "reason": reason, "text": text}

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()
            self.process = None
        self.complaints.close()


TELLING = pytest.StashKey[Teller]()


class GameLog(pytest.File):
    """The file of one game: a single test."""

    def collect(self) -> Iterator[pytest.Item]:
        yield ChronicleTest.from_parent(self, name=self.path.stem)


class ChronicleTest(pytest.Item):
    """The chronicle of one game is what it was."""

    def runtest(self) -> None:
        stored = chronicles_of(self.config) / f"{self.name}.txt"
        found = self.config.stash[TELLING].ask(self.path, stored)
        if error := found.get("error"):
            reason, detail = found.get("reason", ""), found.get("text", "")
            raise NotTold(f"{self.path.name}: {error}", reason, detail)
        if is_update(self.config):
            write(stored, found["text"])
        elif not stored.exists():
            raise NotTold(
                f"{self.path.name}: no chronicle is stored yet; write it with --snapshot-update"
            )
        elif change := found.get("change"):
            raise ChronicleChanged(change)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ChronicleChanged | NotTold):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

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
        if wrong := found.get("error") or found.get("text"):
            pytest.fail(f"{self.path.name}: {wrong}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"moment {self.name}"


class NotTold(Exception):
    """A game of which there is nothing to compare. Says why in one line."""

    def __init__(self, sentence: str, reason: str = "", detail: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.reason, self.detail = sentence, reason, detail


class ChronicleChanged(Exception):
    """A game that goes another way than it did."""

    def __init__(self, change: dict[str, Any]) -> None:
        self.change = change
        super().__init__("\n".join([change["sentence"], *change["description"]]))


def write(stored: Path, text: str) -> None:
    """Keep a chronicle, whole or not at all; one that is as it was is not touched."""
    if stored.exists() and stored.read_text(encoding="utf-8") == text:
        return
    stored.parent.mkdir(parents=True, exist_ok=True)
    part = stored.with_name(f"{stored.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(stored)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    """A change travels with its report, from whichever process it is found in; so does what many
    games fail by."""
    report = yield
    error = call.excinfo.value if call.excinfo is not None else None
    if isinstance(error, ChronicleChanged):
        report.lacitta_change = {"game": item.name, **error.change}
    elif isinstance(error, NotTold) and error.reason:
        report.lacitta_not_told = {"game": item.name, **vars(error)}
    return report


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    if getattr(report, "lacitta_change", None) is not None:
        return CHANGED, "F", "CHANGED"
    if getattr(report, "lacitta_not_told", None) is not None:
        return NOT_COMPARED, "F", "NOT COMPARED"
    return None


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """What a failed test did not come to ask for is not left over: syrupy must not say that it can
    be deleted."""
    syrupy = sys.modules.get("syrupy")
    session = getattr(syrupy, "_syrupy", None)
    if session is not None and report.failed:
        session.ran_item(report.nodeid, "skipped")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if TELLING not in config.stash:
        return
    changed = [report.lacitta_change for report in terminalreporter.stats.get(CHANGED, [])]
    if changed:
        tell_changes(changed, terminalreporter, config)
    broken = [report.lacitta_not_told for report in terminalreporter.stats.get(NOT_COMPARED, [])]
    if broken:
        terminalreporter.write_sep("=", "CHRONICLES NOT COMPARED")
        for line in tell_broken(broken):
            terminalreporter.write_line(line)
    decisions = chronicles_of(config) / DECISIONS
    if decisions.exists() and (lines := config.stash[TELLING].ask_decisions(decisions)):
        terminalreporter.write_sep("-", "decisions about changed rules, to be committed")
        for line in lines:
            terminalreporter.write_line(line)


def tell_changes(changed: list[Any], terminalreporter: Any, config: pytest.Config) -> None:
    """Every cause once, and what to do about it."""
    terminalreporter.write_sep("=", "CHANGED CHRONICLES")
    causes: dict[str, list[dict[str, Any]]] = {}
    for change in changed:
        causes.setdefault(change["cause"], []).append(change)
    for games in sorted(causes.values(), key=lambda games: (-len(games), games[0]["cause"])):
        for line in tell_cause(games, long=config.option.verbose > 0):
            terminalreporter.write_line(line)
        terminalreporter.write_line("")
    for line in advice(config, len(changed)):
        terminalreporter.write_line(line)


def tell_broken(games: list[dict[str, Any]]) -> Iterator[str]:
    """What keeps games from being folded: each reason once, with the first game and all names."""
    reasons: dict[str, list[dict[str, Any]]] = {}
    for each in sorted(games, key=lambda each: str(each["game"])):
        reasons.setdefault(each["reason"], []).append(each)
    for reason, of_it in sorted(reasons.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        first, *others = of_it
        yield f"{reason}: {'1 game' if not others else f'{len(of_it)} games'}"
        yield from first["detail"].splitlines()
        yield first["sentence"]
        if others:
            yield f"By the same cause: {', '.join(each['game'] for each in others)}."
        yield ""


def tell_cause(games: list[dict[str, Any]], *, long: bool) -> Iterator[str]:
    """One cause: how many games it changes, the telling one in full, the others by name."""
    games = sorted(games, key=lambda each: (not each["other_winner"], each["lines"], each["game"]))
    example, *others = games
    winners = sum(each["other_winner"] for each in games)
    count = "1 game" if not others else f"{len(games)} games"
    endings = f"{winners} with another winner" if winners else "no other winner"
    yield f"{example['sentence']}: {count}, {endings}"
    yield from example["description"]
    diff = example["diff"]
    if long or len(diff) <= SHORT_DIFF:
        yield from ["", f"Everything that differs in {example['game']}:", *diff]
    else:
        yield f"{len(diff)} lines differ in {example['game']}; -v prints them all."
    if others:
        yield f"By the same cause: {', '.join(each['game'] for each in others)}."


def advice(config: pytest.Config, count: int) -> Iterator[str]:
    """What to do now."""
    option = config.getoption("--lacitta-ruleset")
    folder = corpus_of(config)
    assert folder is not None
    place = os.path.relpath(folder, config.invocation_params.dir)
    what = "1 game goes" if count == 1 else f"{count} games go"
    if option:
        yield f"{what} another way under these rules. Judge them by their causes:"
        yield f"  lacitta review-rules {place} --ruleset {option}"
    else:
        yield f"{what} another way. Was that meant? Judge it, and store what is accepted:"
        yield f"  lacitta review-rules {place}"
