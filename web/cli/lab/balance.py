"""`lacitta balance`: what a rule does, beside another ruleset on the same deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from engine.material import library
from events.material import Ruleset
from events.messages.sentence import about
from projections.words.effects import ENGLISH, Translator, retold
from replays.lab.balance import Figure, Report, TableReport, report
from replays.lab.measures import SECTIONS
from replays.lab.page import page
from replays.lab.results import open_results
from replays.lab.runner import Run
from replays.lab.wording import (
    between,
    chance,
    choices,
    evenness,
    figure,
    how,
    name_of,
    table_title,
    title,
)
from web.cli.lab.simulate import play
from web.cli.language import gettext as _
from web.cli.language import language, spoken, tell
from web.words.catalogues import tag


def balance(
    order: Run, against: Ruleset, results: Path | None, html: Path | None, json: Path | None
) -> None:
    """Play what is missing, sum up, and write."""
    cells = order.cells
    rules = cells[0].rules
    other = None if library.digest(against) == library.digest(rules) else against
    if other is not None:
        beside = [msgspec.structs.replace(cell, rules=other) for cell in cells]
        order = msgspec.structs.replace(order, cells=[*cells, *beside])
    with open_results(results) as stored:
        play(order, stored)
        found = report(stored, rules, other, cells, order.games)
    for line in text(found, spoken()):
        click.echo(line)
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if html is not None:
        html.write_text(page(found, spoken(), tag(language())), encoding="utf-8")
        tell(_("The page is {file}."), file=html)


def text(found: Report, translator: Translator = ENGLISH) -> Iterator[str]:
    """The report for a terminal."""
    heading = title(found, translator)
    yield (
        retold(about(heading, choices(found, translator)), translator) if found.against else heading
    )
    for table in found.tables:
        yield ""
        yield table_title(table, translator)
        for side in table.sides:
            yield f"  {evenness(side, translator)}"
        for section in SECTIONS:
            yield from _section(found, table, section, translator)
    yield ""
    yield how(found, translator)


def _section(
    found: Report, table: TableReport, section: str, translator: Translator
) -> Iterator[str]:
    yield ""
    columns = f"{found.ruleset:>26}"
    if found.against:
        difference = translator.gettext("difference")
        columns += f"{found.against:>26}{difference:>31}"
    lines = table.section(section)
    names = [name_of(line, translator) for line in lines]
    wide = max(38, *(len(name) + 1 for name in names))
    yield translator.gettext(section)
    yield f"  {'':<{wide}}{columns}"
    for line, name in zip(lines, names, strict=True):
        yield f"  {name:<{wide}}{''.join(_cells(line, translator))}"


def _cells(line: Figure, translator: Translator) -> Iterator[str]:
    for each in (line.first, line.second):
        if each is not None:
            value = figure(each.value, line.share, translator=translator)
            yield f"{f'{value} ({between(each, line.share, translator=translator)})':>26}"
    if line.difference is not None and line.p is not None:
        value = figure(line.difference.value, line.share, sign=True, translator=translator)
        sure = between(line.difference, line.share, sign=True, translator=translator)
        clear = translator.gettext("clear")
        yield f"{f'{value} ({sure})':>31}"
        yield f"  {chance(line.p, translator)}{f' {clear}' if line.clear else ''}"
