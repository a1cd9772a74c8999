"""`lacitta review-rules`: by keys at a terminal, by words without one, and as data."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from replays.corpus.games import CORPUS
from replays.files.rulesets import load_ruleset
from replays.rulechange.review.decisions import Decision, load_decisions
from replays.rulechange.review.judging import Judging
from replays.rulechange.review.sources import review_rulesets
from tests.replays.rulechange.review.making import forge_digest, make_project
from tests.waiting import PATIENCE
from tests.web.cli.terminal.test_step import DOWN, RIGHT, Terminal
from web.cli.main import main
from web.cli.terminal.review import frame
from web.cli.terminal.screen import Size

BONUS = "R43 / points on the table / the end of a year"


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    return tmp_path


def test_without_a_terminal_every_cause_is_printed(project: Path) -> None:
    result = lacitta("review-rules")
    assert result.exit_code == 1
    assert "R43: points on the table at the end of a year: 4 games" in result.output
    assert "  was: " in result.output
    assert "The table after it" in result.output
    assert not (project / "told" / "decisions.jsonl").exists()


def test_a_cause_is_accepted_by_name_and_stored(project: Path) -> None:
    words = ("review-rules", "games", "--accept", BONUS, "--by", "Anna", "--why", "It was meant.")
    result = lacitta(*words)
    assert result.exit_code == 0, result.output
    assert f"{BONUS}: accepted by Anna on " in result.output
    assert "Renewed: " in result.output
    assert (project / "renewed").exists()
    (decision,) = load_decisions(project / "told" / "decisions.jsonl")
    assert (decision.verdict, decision.games, decision.why) == ("accept", 4, "It was meant.")
    again = lacitta("review-rules", "games")
    assert again.exit_code == 0
    assert "4 games, and nothing differs." in again.output


def test_a_rejected_cause_is_written_down_and_stores_nothing(project: Path) -> None:
    before = {file: file.read_bytes() for file in (project / "told").iterdir()}
    result = lacitta("review-rules", "--reject", "R43", "--by", "Bob", "--why", "A mistake.")
    assert result.exit_code == 1
    assert "rejected by Bob" in result.output
    assert {file: file.read_bytes() for file in before} == before
    assert not (project / "renewed").exists()
    assert "rejected by Bob on" in lacitta("review-rules").output


def test_what_is_wrong_is_said_in_one_line(project: Path, tmp_path: Path) -> None:
    for words, message in (
        (("--accept", "all"), "--accept and --reject need --why"),
        (("--accept", "R99", "--why", "so"), "there is no cause R99 here"),
        (("--ruleset", "flush", "--against", "HEAD"), "name a ruleset or a revision, not both"),
    ):
        result = lacitta("review-rules", *words)
        assert result.exit_code == 2
        assert message in result.output
    (tmp_path / "bare").mkdir()
    log = tmp_path / "bare" / "dutch.jsonl"
    log.write_bytes((CORPUS / "dutch.jsonl").read_bytes())
    assert "no chronicles are stored for these games" in lacitta("review-rules", "bare").output


def test_everything_as_data(project: Path) -> None:
    result = lacitta("review-rules", "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)
    assert found["games"] == 4
    (cause,) = found["causes"]
    assert (cause["key"], cause["rule"], cause["decision"]) == (BONUS, "R43", None)
    assert len(cause["games"]) == 4
    assert cause["example"]["diff"][0].startswith("--- as it was")
    assert cause["example"]["table_before"]
    ruleset = json.loads(lacitta("review-rules", "games", "--ruleset", "flush", "--json").output)
    assert {each["rule"] for each in ruleset["causes"]} == {"R32"}


def test_a_ruleset_is_judged_without_storing_anything(project: Path) -> None:
    before = {file: file.read_bytes() for file in (project / "told").iterdir()}
    words = ("--ruleset", "standard+growth=2", "--accept", "all", "--why", "Quicker cities.")
    assert lacitta("review-rules", *words).exit_code == 0
    assert {file: file.read_bytes() for file in before} == before
    assert load_decisions(project / "told" / "decisions.jsonl")[0].change.endswith("(growth)")


def test_check_knows_amendments(project: Path) -> None:
    log = project / "games" / "german.jsonl"
    assert lacitta("import", str(log), "--db", "games.db").exit_code == 0
    assert lacitta("check", "--db", "games.db").exit_code == 0
    forge_digest(log)
    why = ("--accept", "all", "--by", "Anna", "--why", "A slip is mended.")
    assert lacitta("review-rules", *why).exit_code == 0
    result = lacitta("check", "german", "--db", "games.db", "--amendments", "games")
    assert result.exit_code == 0, result.output
    assert "amended by Anna on " in result.output
    assert "A slip is mended." in result.output
    assert lacitta("corpus", "games").exit_code == 1  # all of it holds, though it covers little


def pressed(keys: str, judging: Judging) -> int:
    for count, key in enumerate(keys, start=1):
        judging.press(key, page=10)
        if judging.over:
            return count
    raise AssertionError("never ends")


@pytest.mark.parametrize("rules", ["standard+service_bonus=5", "standard+growth=2", "flush"])
def test_a_changed_rule_takes_at_most_ten_keys(rules: str) -> None:
    """Over all sixty recorded games."""
    review = review_rulesets(CORPUS, load_ruleset(rules), None)
    judging = Judging(review.groups, {})
    assert pressed("AAAAAAAAAA", judging) <= 10
    assert set(judging.verdicts) == {group.cause.key for group in review.groups}


def test_keys_decide_and_change_the_view() -> None:
    review = review_rulesets(CORPUS, load_ruleset("no-limits"), None)
    known = Decision("reject", review.groups[0].cause.key, "", 1, 0, "Bob", "2026-11-18", "No.")
    judging = Judging(review.groups, {known.cause: known})
    size = Size(100, 30)

    def shown() -> str:
        return "\n".join(line.plain for line in frame(judging, size))

    assert "rejected by Bob on 2026-11-18" in shown()
    for key, words in (("o", "Recorded with"), ("n", "Recorded with"), ("d", "--- as it was")):
        judging.press(key, 20)
        assert words in shown()
    judging.press("KEY_DOWN", 3)
    assert "--- as it was" not in shown()
    judging.press("KEY_PGUP", 3)
    assert "--- as it was" in shown()
    first = judging.example.game
    judging.press("KEY_RIGHT", 20)
    assert judging.example.game != first
    assert len(frame(judging, Size(20, 5))) == 5
    judging.press("s", 20)
    assert judging.place == 1
    assert judging.verdicts == {}
    judging.press("r", 20)
    assert list(judging.verdicts.values()) == ["reject"]


def test_a_decision_is_not_asked_for_twice() -> None:
    review = review_rulesets(CORPUS, load_ruleset("straight-distance"), None)
    kinds = [group.cause.kind for group in review.groups]
    assert len(set(kinds)) < len(kinds)
    judging = Judging(review.groups, {})
    seen = []
    while not judging.over:
        seen.append(judging.group.cause.kind)
        judging.press("A", 20)
    assert sorted(seen) == sorted(set(kinds))


def test_at_a_terminal(project: Path) -> None:
    opened = Terminal(["review-rules", "--by", "Anna"], 50, 140)
    try:
        opened.shows("1/1  R43: points on the table at the end of a year: 4 games")
        opened.press(b"d")
        opened.shows("1/1", lines=20)
        opened.press(DOWN, RIGHT, b"t", b"a")
        while b"Why?" not in opened.output:
            opened.listen()
        opened.press(b"A slip is mended.\r")
        while b"Renewed: " not in opened.output:
            opened.listen()
    finally:
        opened.process.wait(timeout=PATIENCE)
        os.close(opened.screen)
        os.close(opened.inside)
    assert opened.process.returncode == 0
    (decision,) = load_decisions(project / "told" / "decisions.jsonl")
    assert (decision.by, decision.why) == ("Anna", "A slip is mended.")


def test_a_revision_is_judged_by_its_own_words(project: Path) -> None:
    """Against the last commit of this repository, whatever is edited here since."""
    root = Path(__file__).parents[4]
    if subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True
    ).returncode:
        pytest.skip("this is no git checkout")
    os.chdir(root)
    result = lacitta("review-rules", str(project / "games"), "--against", "HEAD")
    assert result.exit_code in (0, 1), result.output
    assert re.search(r"4 games, and nothing differs|game", result.output)
