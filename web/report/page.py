"""The report as one HTML file: rulesets side by side, the sum of each, every changed game with both
its boards, and how every game ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import jinja2
import msgspec
from markupsafe import Markup

from projections.words.effects import Translator, digits
from replays.rulechange.comparison import Comparison, GameOutcome
from replays.rulechange.divergence import Finding, LineResult
from replays.rulechange.frames import frames_of
from replays.rulechange.revision.versions import Versions
from replays.rulechange.summary import (
    KINDS,
    TREATMENT,
    Compared,
    ending,
    points,
    side_by_side,
    sums,
)
from replays.rulechange.tally import CorpusTally
from replays.rulechange.verify import Task
from web.report.boards import Boards, Strip
from web.report.prose import to_html
from web.words.catalogues import tag, translator

DRAWN = 100
"""Changed games that are drawn; the rest is listed."""
LISTED = 1000
HERE = Path(__file__).parent
STATIC = HERE.parent / "static"


class GameBoards(msgspec.Struct, frozen=True):
    """A changed game with its boards, ready for the page."""

    finding: Finding
    name: str
    boards: list[tuple[str, str, Strip]]
    """Per side its title, its name on the page and its strip."""
    rows: list[tuple[str, str, str]]
    ending: str
    another: bool
    """Whether somebody else wins."""


class RulesReport(msgspec.Struct, frozen=True):
    """What one ruleset, or other code, does: a part of the page."""

    name: str
    compared: Compared
    tally: CorpusTally
    summary: str
    drawn: list[GameBoards]
    listed: list[Finding]
    unlisted: int
    treatment: str


class OutcomeRow(msgspec.Struct, frozen=True):
    """One game in the table of all: how it ended each way."""

    game: str
    names: str
    before: str
    afters: list[str]
    """Nothing where it is as before."""


def write_page(
    results: Sequence[Comparison],
    ways: Sequence[Task | Versions],
    viewer: str = "",
    language: str = "en",
) -> str:
    """The whole page, for one comparison or for several side by side."""
    words = translator(language)
    boards = Boards(words.gettext)
    parts = [
        _part(boards, result, how, f"r{number}", max(1, DRAWN // len(results)), words)
        for number, (result, how) in enumerate(zip(results, ways, strict=True), start=1)
    ]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=False,
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        words.gettext, words.ngettext, newstyle=True
    )
    sides = [(each.compared, each.tally) for each in results]
    table = side_by_side(sides, words).splitlines() if len(results) > 1 else []
    rows = zip(*(each.outcomes[:LISTED] for each in results), strict=True)
    return environment.get_template("report.html").render(
        parts=parts,
        table=Markup(to_html(table)),
        outcomes=[_outcome_row(row) for row in rows],
        untold=max(0, len(results[0].outcomes) - LISTED),
        language=tag(language),
        counted=lambda number: digits(number, ",", words),
        steps=Markup(_steps(boards, [game for part in parts for game in part.drawn])),
        shared=Markup(boards.definitions()),
        kinds={kind: words.gettext(text) for kind, text in KINDS.items()},
        points=lambda finding: points(finding.before, finding.after),
        code=results[0].compared.code,
        link=lambda finding, number: _link(viewer, finding, number),
        style=Markup(_styles()),
        script=Markup((HERE / "report.js").read_text(encoding="utf-8")),
    )


def _part(
    boards: Boards,
    result: Comparison,
    how: Task | Versions,
    name: str,
    most: int,
    words: Translator,
) -> RulesReport:
    compared, changed = result.compared, result.changed
    return RulesReport(
        name=name,
        compared=compared,
        tally=result.tally,
        summary=Markup(to_html(sums(compared, result.tally, words))),
        drawn=[
            _drawn(boards, compared, finding, how, f"{name}-game{number}", words)
            for number, finding in enumerate(changed[:most], start=1)
        ],
        listed=changed[most:LISTED],
        unlisted=max(0, len(changed) - LISTED),
        treatment=words.gettext(TREATMENT[compared.when_illegal]),
    )


def _outcome_row(row: Sequence[GameOutcome]) -> OutcomeRow:
    first = row[0]
    before = _points(first.before) if first.before else ""
    afters = [_points(each.after) for each in row]
    names = ", ".join(place.name for place in first.after.places)
    changed = ["" if each == before else each for each in afters]
    return OutcomeRow(first.game, names, before, changed)


def _points(outcome: LineResult) -> str:
    """The points of the seats in order, the winners with a star; in brackets where it was not
    over."""
    seats = " · ".join(
        f"{place.points}{' ★' if place.seat in outcome.winners else ''}" for place in outcome.places
    )
    return seats if outcome.over else f"({seats})"


def _styles() -> str:
    files = (STATIC / "theme.css", STATIC / "board.css", HERE / "report.css")
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _steps(boards: Boards, drawn: Sequence[GameBoards]) -> str:
    """All steps of all boards, and the pieces they are made of, as data for the script."""
    sides = {side: strip for game in drawn for _, side, strip in game.boards}
    whole = {"pieces": list(boards.pieces), "shared": boards.shared, "sides": sides}
    data = msgspec.json.encode(whole).decode()
    # Nothing in a script may look like its end, like another one, or like a comment.
    return re.sub(r"<(?=[!sS])", r"\\u003c", data.replace("</", "<\\/"))


def _link(viewer: str, finding: Finding, number: int) -> str:
    if not viewer:
        return ""
    return f"{viewer.rstrip('/')}/replay/{quote(finding.game, safe='')}/{number}"


def _drawn(
    boards: Boards,
    compared: Compared,
    finding: Finding,
    how: Task | Versions,
    name: str,
    words: Translator,
) -> GameBoards:
    number = finding.divergence.number if finding.divergence else 0
    strips = frames_of(finding, how)
    opening = strips.opening
    boards.forget()
    sides: list[tuple[str, str, Strip]] = []
    for title, frames, others in (
        (compared.before, strips.before, strips.after),
        (compared.after, strips.after, strips.before),
    ):
        if frames:
            side = f"{name}-{len(sides) + 1}"
            sides.append((title, side, boards.strip(opening, frames, others, number)))
    return GameBoards(
        finding=finding,
        name=name,
        boards=sides,
        rows=_rows(finding.before, finding.after),
        ending=ending(finding.before, finding.after, words)
        if finding.before is not None and finding.both_over
        else "",
        another=finding.before is not None
        and finding.both_over
        and finding.before.winners != finding.after.winners,
    )


def _rows(before: LineResult | None, after: LineResult) -> list[tuple[str, str, str]]:
    """Per seat its name, and its points and place both ways."""

    def cell(outcome: LineResult | None, index: int) -> str:
        if outcome is None:
            return "–"
        place = outcome.places[index]
        crown = " ★" if place.seat in outcome.winners and outcome.over else ""
        return f"{place.points} ({place.place}.){crown}"

    return [
        (place.name, cell(before, index), cell(after, index))
        for index, place in enumerate(after.places)
    ]
