"""The report as one HTML file: the sum, then every changed game with both its boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import jinja2
import msgspec
from markupsafe import Markup

from projections.words.effects import Translator, digits
from replays.rulechange.divergence import Finding, LineResult
from replays.rulechange.frames import frames_of
from replays.rulechange.revision import Versions
from replays.rulechange.summary import KINDS, TREATMENT, Compared, ending, points, sums
from replays.rulechange.tally import CorpusTally
from replays.rulechange.verify import Task
from web.report.boards import Boards, Strip
from web.report.prose import to_html
from web.words.catalogues import translator

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


def write_page(
    compared: Compared,
    tally: CorpusTally,
    changed: Sequence[Finding],
    how: Task | Versions,
    viewer: str = "",
    language: str = "en",
) -> str:
    """The whole page."""
    words = translator(language)
    boards = Boards(words.gettext)
    drawn = [
        _drawn(boards, compared, finding, how, f"game{number}", words)
        for number, finding in enumerate(changed[:DRAWN], start=1)
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
    return environment.get_template("report.html").render(
        compared=compared,
        tally=tally,
        summary=Markup(to_html(sums(compared, tally, words))),
        language=language,
        counted=lambda number: digits(number, ",", words),
        drawn=drawn,
        listed=changed[DRAWN:LISTED],
        unlisted=max(0, len(changed) - LISTED),
        steps=Markup(_steps(boards, drawn)),
        shared=Markup(boards.definitions()),
        kinds={kind: words.gettext(text) for kind, text in KINDS.items()},
        treatment=words.gettext(TREATMENT[compared.when_illegal]),
        outcome=lambda finding: points(finding.before, finding.after),
        code=compared.code,
        link=lambda finding, number: _link(viewer, finding, number),
        style=Markup(_styles()),
        script=Markup((HERE / "report.js").read_text(encoding="utf-8")),
    )


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
