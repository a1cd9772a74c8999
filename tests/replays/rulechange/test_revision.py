"""Two versions of the code: a refactoring changes nothing, one changed number is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.fold import fold
from engine.material import library
from engine.rules.scoring import scores
from events.codec import load_game
from replays.corpus.games import CORPUS
from replays.rulechange.divergence import Finding, outcome
from replays.rulechange.revision import worker as side
from replays.rulechange.revision.checkout import HERE, NoRevision, working_code
from replays.rulechange.revision.versions import versions
from replays.rulechange.verify import BrokenLog, find_logs
from tests.replays.made import write_corpus

Edit = Callable[[Path], None]


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def rewrite(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), games=3)


def repository(folder: Path, *edits: Edit) -> Path:
    """A repository whose last revision is the code with edits, and where it lies without them."""
    lay_code(folder)
    for edit in edits:
        edit(folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "The code")
    lay_code(folder)
    return folder


def lay_code(folder: Path) -> None:
    for package in ("events", "engine"):
        shutil.copytree(
            HERE / package,
            folder / package,
            ignore=shutil.ignore_patterns("__pycache__"),
            dirs_exist_ok=True,
        )


def compared(folder: Path, corpus: Path, rev: str = "HEAD") -> list[Finding]:
    with versions(rev, jobs=1, folder=folder) as both:
        return list(both.verify(find_logs(corpus)))


def cut(file: Path, first: str, behind: str) -> str:
    """Take a passage out of a file: from one text up to another."""
    text = file.read_text(encoding="utf-8")
    start, end = text.index(first), text.index(behind)
    file.write_text(text[:start] + text[end:], encoding="utf-8")
    return text[start:end]


def refactor(folder: Path) -> None:
    """Rename functions, put one behind another, and split a module in two."""
    engine = folder / "engine"
    for file in sorted(engine.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        text = text.replace("serve_penalty", "pay_for_hunger").replace("certain_remainder", "rest")
        file.write_text(text, encoding="utf-8")
    moved = cut(engine / "rules" / "year.py", "def gain_gold(", "def pay_for_hunger(")
    rewrite(engine / "rules" / "year.py", "def tally(", f"{moved}def tally(")
    voice = cut(engine / "rules" / "relocation.py", "@cache\ndef loudest(", "def begin_relocation(")
    imports = cut(engine / "rules" / "relocation.py", "from functools import", "Plan = ")
    (engine / "voice.py").write_text(f"{imports}\n{voice}", encoding="utf-8")
    rewrite(
        engine / "rules" / "relocation.py",
        "Plan = ",
        f"{imports}from engine.voice import loudest, voices  # noqa: F401\nPlan = ",
    )


def verify_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command as people give it, in a folder of theirs."""
    return subprocess.run(
        [sys.executable, "-c", "from web.cli.main import main; main()", "verify", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_refactoring_changes_nothing(tmp_path: Path) -> None:
    """The working tree against the revision before, over the corpus, by the command line."""
    folder = repository(tmp_path)
    refactor(folder)
    assert (folder / "engine" / "voice.py").exists()
    done = verify_in(folder, str(CORPUS), "--against", "HEAD")
    assert (done.returncode, done.stderr) == (0, "")
    games = len(find_logs(CORPUS))
    assert f"| {games} | the same at every event |" in done.stdout
    assert "| 0 | same actions, another table |" in done.stdout
    assert "| 0 | an action is no longer legal |" in done.stdout


def test_a_refactoring_with_a_slip_does_not(tmp_path: Path) -> None:
    """Not committed, not installed, and found all the same."""
    folder = repository(tmp_path)
    refactor(folder)
    rewrite(folder / "engine" / "voice.py", "most = max(counts)", "most = 2")
    done = verify_in(folder, str(CORPUS / "two-beginners.jsonl"), "--against", "HEAD")
    assert done.returncode == 1
    assert "| 0 | the same at every event |" in done.stdout


def test_elsewhere_it_is_the_code_that_runs(tmp_path: Path) -> None:
    assert working_code(tmp_path) == HERE
    git(tmp_path, "init", "-q")
    assert working_code(tmp_path) == HERE
    assert working_code(repository(tmp_path)) == tmp_path


def test_one_changed_number_is_found_at_its_event(tmp_path: Path, corpus: Path) -> None:
    def limit(folder: Path) -> None:
        tables = folder / "engine" / "material" / "numbers.py"
        rewrite(tables, "LIMIT_WITHOUT_MARKET = 5", "LIMIT_WITHOUT_MARKET = 4")

    findings = compared(repository(tmp_path, limit), corpus)
    assert "same" not in {finding.kind for finding in findings}
    for finding in findings:
        where = finding.divergence
        assert where is not None
        assert where.year <= 2  # a fifth citizen comes by moving or in the second year
        assert any("4 citizens became 5." in line for line in where.difference)


def test_points_counted_otherwise_are_found(tmp_path: Path, corpus: Path) -> None:
    """No table differs, and so no digest does."""

    def hunger(folder: Path) -> None:
        tables = folder / "engine" / "material" / "numbers.py"
        rewrite(tables, "POINTS_LOST_BY_HUNGER = 5", "POINTS_LOST_BY_HUNGER = 6")

    findings = compared(repository(tmp_path, hunger), corpus)
    changed = [finding for finding in findings if finding.kind == "outcome"]
    assert changed
    for finding in changed:
        assert finding.divergence is not None
        assert finding.divergence.year == 6


def test_whoever_resigned_ranks_behind(tmp_path: Path) -> None:
    """Also with more points than those who played on."""
    file = CORPUS / "one-after-the-other-leaves.jsonl"
    shutil.copy(file, tmp_path)
    [finding] = compared(repository(tmp_path / "code"), tmp_path / file.name)
    final = fold(load_game(file).events)
    assert finding.before == finding.after == outcome(final)
    points = [place.points for place in finding.after.places]
    first = [place.points for place in finding.after.places if place.place == 1]
    assert max(points) > max(first)


def test_what_the_new_code_allows_and_the_old_one_did_not(tmp_path: Path, corpus: Path) -> None:
    def forbid(folder: Path) -> None:
        file = folder / "engine" / "actions" / "check_politics.py"
        rewrite(
            file,
            "    return check_action_card(s, e.seat)\n",
            '    return refuse("no-action-card")\n',
        )

    findings = compared(repository(tmp_path, forbid), corpus)
    illegal = [finding.illegal for finding in findings if finding.illegal is not None]
    assert illegal
    assert {each.code for each in illegal} == {"no-action-card"}
    assert {each.side for each in illegal} == {"before"}


def test_a_ruleset_holds_for_both_versions(tmp_path: Path, corpus: Path) -> None:
    folder = repository(tmp_path)
    with versions("HEAD", library.ruleset("flush"), jobs=2, folder=folder) as both:
        findings = list(both.verify(find_logs(corpus)))
    assert {finding.kind for finding in findings} == {"same"}
    assert not any(finding.after.over for finding in findings)  # they stop at what is not legal


@pytest.mark.parametrize("name", ["no-such-branch", "--help", "-x", "HEAD:engine", ""])
def test_no_such_revision(tmp_path: Path, name: str) -> None:
    folder = repository(tmp_path)
    with (
        pytest.raises(NoRevision, match="no ruleset and no git revision"),
        versions(name, folder=folder),
    ):
        pass


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NoRevision, match="in no git repository"), versions("HEAD", folder=tmp_path):
        pass


def test_a_revision_before_there_was_an_engine(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("so far nothing")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Begin")
    with (
        pytest.raises(NoRevision, match="too old to compare with"),
        versions("HEAD", folder=tmp_path),
    ):
        pass


def test_a_revision_that_cannot_fold(tmp_path: Path) -> None:
    folder = repository(tmp_path, lambda at: (at / "engine" / "fold.py").unlink())
    with (
        pytest.raises(NoRevision, match="too old to fold logs: ModuleNotFoundError"),
        versions("HEAD", folder=folder),
    ):
        pass


def test_code_is_found_where_it_lay_before(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = ("engine.elsewhere.scoring", "engine.rules.scoring")
    monkeypatch.setitem(side.MODULES, "scores", lies)
    assert side.find("scores") is scores
    monkeypatch.setitem(side.MODULES, "scores", lies[::-1])
    assert side.find("scores") is scores


def test_a_log_that_the_old_code_cannot_read(tmp_path: Path, corpus: Path) -> None:
    def forget(folder: Path) -> None:
        rewrite(folder / "events" / "types.py", 'tag="gold"', 'tag="coins"')

    with pytest.raises(BrokenLog, match=r"g0\.jsonl: revision HEAD cannot fold it: BadLog"):
        compared(repository(tmp_path, forget), corpus)


def test_the_rule_is_named_that_the_code_does_otherwise(tmp_path: Path, corpus: Path) -> None:
    def more_points(folder: Path) -> None:
        numbers = folder / "engine" / "material" / "numbers.py"
        rewrite(numbers, "POINTS_FOR_ALL_SERVICES = ", "POINTS_FOR_ALL_SERVICES = 1 + ")

    folder = repository(tmp_path, more_points)
    with versions("HEAD", jobs=1, folder=folder) as both:
        assert both.rules == ["R43"]
        changed = [each for each in both.verify(find_logs(CORPUS)[:8]) if each.kind != "same"]
    assert changed
    for finding in changed:
        assert finding.divergence is not None
        assert finding.divergence.rules == ["R43"]


def test_a_bot_decides_what_other_code_does_not_allow(tmp_path: Path, corpus: Path) -> None:
    def dearer(folder: Path) -> None:
        numbers = folder / "engine" / "material" / "numbers.py"
        rewrite(numbers, "START_GOLD = 1", "START_GOLD = 5")

    earlier, now = tmp_path / "earlier", tmp_path / "now"
    for place in (earlier, now):
        place.mkdir()
    lay_code(earlier)
    repository(now)
    dearer(now)
    with versions(str(earlier), jobs=1, folder=now, when_illegal="bot") as both:
        found = list(both.verify(find_logs(corpus)))
    assert {each.kind for each in found} <= {"illegal", "outcome"}
    assert all(each.both_over for each in found)
    answered = [each.illegal for each in found if each.illegal and each.illegal.answers]
    assert answered
    assert all(each.times >= 1 for each in answered)


def test_a_wheel_is_code_as_well(tmp_path: Path, corpus: Path) -> None:
    wheel = tmp_path / "lacitta-0.0.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for package in ("events", "engine"):
            for file in (HERE / package).rglob("*"):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(HERE))
    with versions(str(wheel), jobs=1, folder=tmp_path) as both:
        assert {each.kind for each in both.verify(find_logs(corpus))} == {"same"}
    wheel.write_bytes(b"nonsense")
    with pytest.raises(NoRevision, match="is no wheel"), versions(str(wheel), folder=tmp_path):
        pass
