"""`lacitta verify` on the command line: exit codes, errors in one line, data and the page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.codec import load_game, write_game
from replays.rulechange import cache as caching
from replays.rulechange import verify as verifying
from replays.rulechange.revision.checkout import HERE, PACKAGES
from replays.rulechange.revision.code import code_digest
from tests.replays.made import by_dice, write_corpus
from tests.waiting import PATIENCE
from tests.web.cli.terminal.test_step import Terminal
from web.cli.main import main


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("games") / "corpus", games=4)


def test_logs_that_hold_are_the_same(corpus: Path) -> None:
    for words in ((), ("--ruleset", "standard"), ("--ruleset", "en", "--against", "standard")):
        result = lacitta("verify", str(corpus), *words)
        assert result.exit_code == 0, result.output
        assert "| 4 | the same at every event |" in result.output
    assert lacitta("verify", str(corpus / "g1.jsonl")).exit_code == 0


def test_a_change_is_told_and_gives_one(corpus: Path) -> None:
    result = lacitta("verify", str(corpus), "--ruleset", "flush", "--when-illegal", "bot")
    assert result.exit_code == 1
    assert result.output.startswith("### as recorded → flush\n")
    assert "- `flush` (R32): as recorded → true" in result.output
    assert "- made by: `flush` 4" in result.output
    assert "came to their end both ways" in result.output
    assert "`g0`, event " in result.output


def test_many_processes_give_the_same_as_one(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "many", games=25, players=2)
    one, two = (
        lacitta("verify", str(folder), "--ruleset", "no-limits", "--jobs", jobs)
        for jobs in ("1", "2")
    )
    assert one.exit_code == two.exit_code == 1
    assert one.output == two.output


def test_the_data_say_the_same(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    lacitta(
        "verify",
        str(corpus),
        "--ruleset",
        "straight-distance",
        "--json",
        str(file),
        "--when-illegal",
        "skip",
    )
    found = json.loads(file.read_text())
    assert found["compared"]["after"] == "straight-distance"
    assert found["summary"]["games"] == 4
    assert found["summary"]["changed"] == len(found["games"]) == 3
    game = found["games"][0]
    assert game["divergence"]["rules"]
    assert len(game["before"]["places"]) == len(game["after"]["places"]) == 3
    assert "mean" in found["summary"]["all_shifts"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ruleset", "klingon"), "no ruleset named klingon; there are standard"),
        (("--ruleset", "no/such.json"), "no/such.json: No such file or directory"),
        (("--against", "no-such-revision"), "no ruleset and no"),
        (("--against", "nothing.whl"), "nothing.whl"),
        (
            ("--against", "HEAD", "--ruleset", "flush", "--ruleset", "de"),
            "several rulesets are compared with one",
        ),
        (("--viewer", "javascript:alert(1)"), "--viewer has to be an address"),
    ],
)
def test_errors_are_one_line(corpus: Path, words: tuple[str, ...], message: str) -> None:
    result = lacitta("verify", str(corpus), *words)
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("lacitta: ")
    assert message in lines[0]


def test_a_file_of_house_rules(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "Our house"\nflush = true\n')
    result = lacitta("verify", str(corpus), "--ruleset", str(file))
    assert result.exit_code == 1
    assert "→ Our house" in result.output
    out = tmp_path / "out"
    result = lacitta("simulate", "--ruleset", str(file), "--players", "2", "--out", str(out))
    assert result.exit_code == 0, result.output
    game = load_game(next(out.iterdir()))
    assert game.header.game == "Our-house-beginner-2p-1-00001"
    assert game.events[0].ruleset.flush  # type: ignore[union-attr]
    assert lacitta("verify", str(out)).exit_code == 0
    file.write_text('name = "mine"\ndisplay = "foo"\n')
    result = lacitta("simulate", "--ruleset", str(file))
    assert result.exit_code == 2
    assert 'choice display must be one of refill, ageing, not "foo"' in result.output


def test_a_broken_log_is_named(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "games", games=2)
    (folder / "broken.jsonl").write_text('{"format":"lacitta-game","version":1,"game":"x"}\n{"a"')
    result = lacitta("verify", str(folder), "--ruleset", "flush")
    assert result.exit_code == 2
    assert "broken.jsonl: line 2: " in result.output
    (folder / "broken.jsonl").write_bytes(write_game("x", by_dice(0, 3)[1:]))
    assert "broken.jsonl: event 1: a game begins" in lacitta("verify", str(folder)).output


def test_an_empty_folder(tmp_path: Path) -> None:
    result = lacitta("verify", str(tmp_path))
    assert result.exit_code == 2
    assert "no logs of games" in result.output


class Page(HTMLParser):
    """What the page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.references: list[str] = []
        self.ranges = 0
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "use":
            self.references.append(found["href"].removeprefix("#"))
        if tag == "a":
            self.links.append(found["href"])
        self.ranges += found.get("type") == "range"
        assert tag not in ("link", "img", "iframe")
        assert "src" not in found


def test_the_page_is_whole_in_itself(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    words = ("--html", str(file), "--viewer", "https://example.org/")
    result = lacitta("verify", str(corpus), "--ruleset", "no-limits", *words)
    assert result.exit_code == 1
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.references) <= set(page.ids)
    assert page.ranges == 1  # in the template: a board is drawn when somebody opens it
    number = re.search(r"after event (\d+) of", text)
    assert number is not None
    assert f"https://example.org/replay/g0/{number[1]}" in page.links
    script = re.search(r'id="steps">(.*?)</script>', text, re.DOTALL)
    assert script is not None
    data = json.loads(script[1])
    assert len(data["sides"]) == 8
    listed = [
        piece
        for strip in data["sides"].values()
        for step in strip["steps"]
        for piece in step["hexes"]
    ]
    for strip in data["sides"].values():
        needed = re.findall(r'<use href="#((?:ground|rim)-[^"]*)"', strip["svg"])
        assert len(needed) == 2
        assert set(needed) <= set(data["shared"])
    assert max(listed) < len(data["pieces"])
    assert len(text) < 1_000_000


def test_a_hundred_games_are_a_page_of_few_elements(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(100):
        (folder / f"g{number}.jsonl").write_bytes(write_game(f"g{number}", by_dice(number % 5, 3)))
    file = tmp_path / "report.html"
    words = ("--ruleset", "no-limits", "--html", str(file))
    assert lacitta("verify", str(folder), *words).exit_code == 1
    text = file.read_text(encoding="utf-8")
    counting = Counting(text)
    assert counting.articles == 100
    assert counting.elements < 8_000
    assert len(text) < 2_000_000
    words = ("--ruleset", "service_bonus=0", "--ruleset", "flush", *words)
    assert lacitta("verify", str(folder), *words).exit_code == 1
    text = file.read_text(encoding="utf-8")
    counting = Counting(text)
    assert 80 < counting.articles <= 100
    assert counting.elements < 8_000
    assert len(text) < 2_000_000


class Counting(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements = self.articles = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += 1
        self.articles += tag == "article"


def test_several_rulesets_in_one_pass_say_what_each_says_alone(
    corpus: Path, tmp_path: Path
) -> None:
    names = ("flush", "no-limits", "de", "standard")
    words = [word for name in names for word in ("--ruleset", name)]
    file = tmp_path / "all.json"
    options = ("--when-illegal", "bot", "--no-cache")
    result = lacitta("verify", str(corpus), *words, *options, "--json", str(file))
    assert result.exit_code == 1
    together = json.loads(file.read_text())
    for name, whole in zip(names, together, strict=True):
        alone = lacitta("verify", str(corpus), "--ruleset", name, *options, "--json", str(file))
        assert json.loads(file.read_text()) == whole
        assert alone.output in result.output
    assert result.output.startswith("| ruleset | the same at every event |")
    assert "\n| standard | 4 | 0 | 0 | 0 | – | – | – |\n" in result.output
    assert re.search(r"\n\| flush \| .* \| R32 4 \|\n", result.output)


def test_every_game_has_its_points_and_winners_in_the_data(corpus: Path, tmp_path: Path) -> None:
    """Also those that nothing happened to."""
    file = tmp_path / "found.json"
    lacitta("verify", str(corpus), "--ruleset", "straight-distance", "--json", str(file))
    found = json.loads(file.read_text())
    assert [each["game"] for each in found["outcomes"]] == ["g0", "g1", "g2", "g3"]
    same = [each for each in found["outcomes"] if each["kind"] == "same"]
    assert len(same) == 4 - len(found["games"]) == 1
    assert same[0]["before"] == same[0]["after"]
    assert same[0]["after"]["winners"]
    assert len(same[0]["after"]["places"]) == 3


def test_several_rulesets_on_one_page(corpus: Path, tmp_path: Path) -> None:
    names = ("flush", "no-limits", "standard")
    words = [word for name in names for word in ("--ruleset", name)]
    file = tmp_path / "report.html"
    result = lacitta("verify", str(corpus), *words, "--when-illegal", "bot", "--html", str(file))
    assert result.exit_code == 1, result.output
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.references) <= set(page.ids)
    assert page.links[1:] == ["#r1", "#r2", "#r3"]
    table = text.partition('id="side-by-side"')[2].partition("</table>")[0]
    assert [table.count(f"<td>{name}</td>") for name in names] == [1, 1, 1]
    assert "R32 4" in table
    every = text.partition('class="every"')[2]
    assert every.count("<tr>") == 1 + 4
    for row in re.findall(r"<tr>.*?</tr>", every)[1:]:
        *_, flush, _no_limits, standard = re.findall(r"<td[^>]*>(.*?)</td>", row)
        assert standard == "the same"
        assert "★" in row.partition("<td>")[2].partition("</td>")[0]
    assert "★" in flush or flush == "the same"


def test_which_code_ran_is_said(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = lacitta("verify", str(corpus))
    assert result.output.endswith(f"Judged by the code in {HERE} (digest {code_digest()}).\n")
    checkout = tmp_path / "checkout"
    for package in PACKAGES:
        shutil.copytree(HERE / package, checkout / package)
    subprocess.run(["git", "init", "-q", str(checkout)], check=True)
    monkeypatch.chdir(checkout)
    assert lacitta("verify", str(corpus)).stderr == ""
    numbers = checkout / "engine" / "material" / "numbers.py"
    numbers.write_text(numbers.read_text(encoding="utf-8") + "\n# another\n", encoding="utf-8")
    code_digest.cache_clear()
    warned = lacitta("verify", str(corpus))
    assert warned.stderr.startswith(f"lacitta: the code in {checkout} is another one")
    assert warned.exit_code == 0


def test_a_terminal_is_shown_how_far_it_is(corpus: Path) -> None:
    """And whoever reads the summary from a pipe is not."""
    opened = Terminal(["verify", str(corpus), "--no-cache"], 30, 100)
    try:
        end = time.monotonic() + PATIENCE
        while b"Judged by" not in opened.output and time.monotonic() < end:
            opened.listen()
        assert opened.process.wait(PATIENCE) == 0
    finally:
        opened.process.kill()
        os.close(opened.screen)
        os.close(opened.inside)
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", opened.output).decode(errors="replace")
    assert re.search(r"Verifying .* 4/4 ", plain)
    assert "Verifying" not in lacitta("verify", str(corpus)).stderr


def test_what_was_folded_once_is_not_folded_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded: list[Path] = []
    fold = verifying.verify_log_under

    def counted(file: Path, tasks: object) -> object:
        folded.append(file)
        return fold(file, tasks)  # type: ignore[arg-type]

    monkeypatch.setattr(verifying, "verify_log_under", counted)
    kept = tmp_path / "cache"
    words = ("verify", str(corpus), "--ruleset", "flush", "--cache", str(kept))
    first = lacitta(*words)
    assert len(folded) == 4
    assert lacitta(*words).output == first.output
    assert len(folded) == 4
    lacitta(*words, "--ruleset", "no-limits")
    assert len(folded) == 8
    lacitta(*words, "--when-illegal", "bot")
    assert len(folded) == 12
    # Other code: nothing that was kept counts.
    monkeypatch.setattr(caching, "reaching_digest", lambda when: "another")
    assert lacitta(*words).output == first.output
    assert len(folded) == 16
    for file in kept.iterdir():
        file.write_bytes(b"nonsense")
    assert lacitta(*words).output == first.output
    assert len(folded) == 20
    lacitta(*words, "--no-cache")
    assert len(folded) == 24


def test_a_clubs_repository_compares_its_rules_with_those_of_a_revision(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has an `engine` of its own, but not the code that folds."""
    club = tmp_path / "club"
    (club / "engine").mkdir(parents=True)
    rules = club / "ours.toml"
    who = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org")
    for text, message in (("", "as ever"), ("flush = true\n", "another display")):
        rules.write_text('name = "ours"\n' + text)
        for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", message)):
            subprocess.run(["git", *words], cwd=club, check=True, capture_output=True)
    monkeypatch.chdir(club)
    same = lacitta("verify", str(corpus), "--ruleset", "ours.toml", "--against", "HEAD")
    assert same.exit_code == 0, same.output
    result = lacitta("verify", str(corpus), "--ruleset", "ours.toml", "--against", "HEAD~1")
    assert result.exit_code == 1
    assert result.output.startswith("### ours (HEAD~1) → ours\n")
    assert "- `flush` (R32): false → true" in result.output
    alone = lacitta("verify", str(corpus), "--against", "HEAD")
    assert alone.exit_code == 2
    assert "has no packages events, engine" in alone.output


def test_two_files_that_say_the_same_do_not_mix_up_the_others(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "games", games=3)
    shutil.copy(folder / "g0.jsonl", folder / "g0-again.jsonl")
    words = ("verify", str(folder), "--ruleset", "no-limits")
    cold = lacitta(*words, "--cache", str(tmp_path / "cache")).output
    assert cold == lacitta(*words, "--no-cache").output
    assert cold == lacitta(*words, "--cache", str(tmp_path / "cache")).output


def test_a_changed_log_is_folded_again(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "games", games=2)
    words = ("verify", str(folder), "--ruleset", "flush", "--cache", str(tmp_path / "cache"))
    first = lacitta(*words).output
    events = load_game(folder / "g0.jsonl").events
    (folder / "g0.jsonl").write_bytes(write_game("other", events))
    assert "`other`, event" in lacitta(*words).output
    assert "`other`" not in first


def test_names_are_harmless_on_the_page_and_in_the_summary(tmp_path: Path) -> None:
    bad = "</script><script>alert(1)//"
    folder = tmp_path / "games"
    folder.mkdir()
    opening, *rest = by_dice(0, 2)
    seats = [{"name": bad}, {"name": "*\x1b[2J|"}]
    whole = write_game("g", [opening, *rest]).decode()
    head, first, others = whole.split("\n", 2)
    fields = json.loads(first) | {"seats": seats}
    (folder / "g.jsonl").write_text("\n".join([head, json.dumps(fields), others]))
    file = tmp_path / "report.html"
    result = lacitta("verify", str(folder), "--ruleset", "no-limits", "--html", str(file))
    assert result.exit_code == 1, result.output
    assert "\x1b" not in result.output
    assert "<script" not in result.output.replace("\\<script", "")
    text = file.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert text.count("</script>") == 2
