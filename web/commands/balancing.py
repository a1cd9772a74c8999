"""`lacitta balance`: what a rule does, beside another ruleset on the same deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from engine import library
from events.material import Ruleset
from replays.lab.balance import Line, Report, TableReport, report
from replays.lab.measures import SECTIONS
from replays.lab.page import page
from replays.lab.results import open_results
from replays.lab.runner import Run
from replays.lab.wording import between, chance, choices, evenness, figure, how, table_title
from web.commands.simulating import play


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
    with open_results(results) as kept:
        play(order, kept)
        found = report(kept, rules, other, cells, order.games)
    for line in text(found):
        click.echo(line)
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if html is not None:
        html.write_text(page(found), encoding="utf-8")
        click.echo(f"The page is {html}.")


def text(found: Report) -> Iterator[str]:
    """The report for a terminal."""
    if found.against:
        yield f"{found.ruleset} beside {found.against}: {choices(found)}"
    else:
        yield found.ruleset
    for table in found.tables:
        yield ""
        yield table_title(table)
        for side in table.sides:
            yield f"  {evenness(side)}"
        for section in SECTIONS:
            yield from _section(found, table, section)
    yield ""
    yield how(found)


def _section(found: Report, table: TableReport, section: str) -> Iterator[str]:
    yield ""
    columns = f"{found.ruleset:>24}"
    if found.against:
        columns += f"{found.against:>24}{'difference':>29}"
    yield section
    yield f"  {'':<38}{columns}"
    for line in table.section(section):
        yield f"  {line.name:<38}{''.join(_cells(line))}"


def _cells(line: Line) -> Iterator[str]:
    for each in (line.first, line.second):
        if each is not None:
            value = figure(each.value, line.share)
            yield f"{f'{value} ({between(each, line.share)})':>24}"
    if line.difference is not None and line.p is not None:
        value = figure(line.difference.value, line.share, sign=True)
        yield f"{f'{value} ({between(line.difference, line.share, sign=True)})':>29}"
        yield f"  {chance(line.p)}{' clear' if line.clear else ''}"
