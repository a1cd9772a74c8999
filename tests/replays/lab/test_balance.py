"""The report: right figures, differences by pairs, and a page that everyone can read."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean

import msgspec
import pytest

from replays.lab.balance import Report, report
from replays.lab.measures import BY_SEAT, PEOPLE, POINTS_BY_SEAT, SECTIONS
from replays.lab.page import page
from replays.lab.results import Results
from replays.lab.rows import Row
from replays.lab.runner import Run, run
from tests.replays.lab.running import cells, unwatched

GAMES = 12


@pytest.fixture(scope="module")
def results() -> Results:
    """Two rulesets on the same deals; more games than the report is asked for."""
    kept = Results()
    order = cells(["no-limits", "standard"], ["steward"], [2])
    run(Run(order, GAMES + 1, jobs=1), kept, unwatched)
    return kept


@pytest.fixture(scope="module")
def found(results: Results) -> Report:
    ours, theirs = cells(["no-limits", "standard"], ["steward"], [2])
    return report(results, ours.rules, theirs.rules, [ours], GAMES)


def rows(results: Results, ruleset: str) -> list[Row]:
    return [
        row for row in results.rows() if row["ruleset"] == ruleset and int(row["number"]) <= GAMES
    ]


def test_the_figures_are_those_of_the_rows(results: Results, found: Report) -> None:
    [table] = found.tables
    assert (found.ruleset, found.against, table.games) == ("no-limits", "standard", GAMES)
    assert found.differs == {"limits": ("false", "true")}
    ours, theirs = rows(results, "no-limits"), rows(results, "standard")
    second = [float(row["win"]) for row in ours if row["seat"] == 2]
    assert table.section(BY_SEAT)[1].first.value == pytest.approx(mean(second))
    points = table.section(POINTS_BY_SEAT)[0]
    for side, estimate in ((ours, points.first), (theirs, points.second)):
        assert estimate is not None
        assert estimate.value == pytest.approx(
            mean(float(row["points"]) for row in side if row["seat"] == 1)
        )
        assert estimate.low < estimate.value < estimate.high
    moved = next(line for line in table.section(PEOPLE) if line.name == "citizens who moved")
    assert moved.first.value == pytest.approx(sum(int(row["went"]) for row in ours) / GAMES)
    assert sum(table.sides[0].scores.values()) == 2 * GAMES


def test_differences_are_taken_game_by_game(results: Results, found: Report) -> None:
    homeless = {
        ruleset: [int(row["homeless"]) for row in rows(results, ruleset) if row["seat"] == 1]
        for ruleset in ("no-limits", "standard")
    }
    line = next(
        line for line in found.tables[0].section(PEOPLE) if line.name == "of them found no room"
    )
    assert line.difference is not None
    assert homeless["no-limits"] == [0] * GAMES
    pairs = zip(homeless["no-limits"], homeless["standard"], strict=True)
    assert line.difference.value == pytest.approx(mean(ours - theirs for ours, theirs in pairs))
    assert line.p is not None
    assert all(other.p is not None and 0 <= other.p <= 1 for other in found.tables[0].lines)


def test_a_ruleset_alone_has_no_differences(results: Results) -> None:
    [cell] = cells(["standard"], ["steward"], [2])
    alone = report(results, cell.rules, None, [cell], GAMES)
    assert all(line.difference is None for line in alone.tables[0].lines)
    assert "difference</th>" not in page(alone)
    assert "What is clear" not in page(alone)


def test_a_report_goes_through_json(found: Report) -> None:
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report).tables == found.tables


class Outline(HTMLParser):
    """Headings, tables and pictures of a page, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "path", "rect", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_the_page_stands_alone_and_is_built_for_everyone(found: Report) -> None:
    text = page(found)
    outline = Outline(text)
    assert outline.open == []
    assert outline.all("html") == [{"lang": "en"}]
    assert len(outline.all("h1")) == 1
    assert len(outline.all("main")) == 1
    assert not outline.all("script") + outline.all("link") + outline.all("img")
    assert not re.search(r"https?://|url\(|@import", text)
    assert "prefers-color-scheme: dark" in text
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in outline.all(
        "meta"
    )
    assert len(outline.all("table")) == len(outline.all("caption")) == len(SECTIONS)
    assert all(each["scope"] in ("row", "col") for each in outline.all("th"))
    pictures = outline.all("svg")
    assert len(pictures) == len(SECTIONS) + 1
    assert all(each["role"] == "img" and each["aria-label"] for each in pictures)
    for section in SECTIONS:
        assert f"<h3>{section}</h3>" in text
    assert "test for pairs" in text


def test_the_page_tells_rulesets_apart_by_shape(found: Report) -> None:
    text = page(found)
    assert text.count('<circle class="first mark"') > 10
    assert text.count('<rect class="second mark"') > 10


def test_names_are_escaped(found: Report) -> None:
    odd = msgspec.structs.replace(found, ruleset="<b>&")
    assert "<b>&<" not in page(odd)
    assert "&lt;b&gt;&amp;" in page(odd)


def test_figures_do_not_depend_on_where_the_results_are_kept(
    results: Results, found: Report, tmp_path: Path
) -> None:
    ours, theirs = cells(["no-limits", "standard"], ["steward"], [2])
    with Results(tmp_path / "copy.db") as copy:
        copy.add(results.rows())
        assert report(copy, ours.rules, theirs.rules, [ours], GAMES) == found
