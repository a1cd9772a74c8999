"""`lacitta verify` on the command line: exit codes, errors in one line, data and the page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.codec import load_game, write_game
from tests.replays.made import by_dice, write_corpus
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
        (("--against", "HEAD", "--when-illegal", "bot"), "--when-illegal goes with rulesets"),
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
    assert page.ranges == 8
    number = re.search(r"after event (\d+) of", text)
    assert number is not None
    assert f"https://example.org/replay/g0/{number[1]}" in page.links
    script = re.search(r'id="steps">(.*?)</script>', text, re.DOTALL)
    assert script is not None
    data = json.loads(script[1])
    assert len(data["sides"]) == 8
    listed = [
        piece for strip in data["sides"].values() for step in strip for piece in step["hexes"]
    ]
    assert max(listed) < len(data["pieces"])
    assert len(text) < 1_000_000


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
