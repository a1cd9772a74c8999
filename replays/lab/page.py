"""The report as one HTML page that needs nothing else: no script, no file beside it, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from projections.words.effects import ENGLISH, Translator
from replays.estimates import Estimate
from replays.lab import charts
from replays.lab.balance import Figure, Report, TableReport
from replays.lab.charts import ChartRow
from replays.lab.measures import BY_ORDER, BY_SEAT, POINTS, POINTS_BY_SEAT, ROTTED, SECTIONS, TAKEN
from replays.lab.wording import (
    between,
    chance,
    choices,
    evenness,
    figure,
    how,
    name_of,
    sentence,
    table_title,
    title,
)

STYLE = """
:root { color-scheme: light dark; --paper: #fbf7ef; --ink: #2a2520; --soft: #6b6157;
  --line: #d8cfc0; --first: #a03c1c; --second: #1d5a8c; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #1c1a18; --ink: #efe8dc;
  --soft: #b3a898; --line: #4a443c; --first: #f0955f; --second: #86bdf0; --card: #262320; } }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; font-family: Georgia, serif; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
p, li { max-width: 44rem; }
section { display: grid; gap: 1rem 2rem; align-items: start; margin: 1rem 0; }
section > h3 { margin: 1rem 0 0; }
@media (min-width: 60rem) { section { grid-template-columns: 1fr 1fr; }
  section > h3 { grid-column: 1 / -1; } }
figure { margin: 0; background: var(--card); border: 1px solid var(--line);
  border-radius: .4rem; padding: .5rem; }
figure + figure { margin-top: 1rem; }
svg { display: block; width: 100%; max-width: 34rem; margin: auto; }
figcaption, small, .key, .how { color: var(--soft); font-size: .875rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
section > div:empty { display: none; }
caption { text-align: left; color: var(--soft); font-size: .875rem; }
th, td { text-align: right; vertical-align: top; padding: .25rem .3rem;
  border-bottom: 1px solid var(--line); font-weight: normal; line-height: 1.3; }
th:first-child { text-align: left; }
thead th { font-weight: bold; vertical-align: bottom; }
td small { display: block; font-size: .75rem; white-space: nowrap; }
@media (max-width: 30rem) { table { font-size: .875rem; } td small { font-size: .6875rem; }
  th, td { padding: .25rem .15rem; } thead th { overflow-wrap: break-word; hyphens: auto; } }
tr.clear td:last-child { font-weight: bold; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
svg .tick { text-anchor: middle; fill: var(--soft); font-size: 10px; }
svg .label { text-anchor: end; }
svg .grid { stroke: var(--line); }
svg .fair { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .reach { stroke-width: 2; fill: none; }
svg path.first, svg circle.first { stroke: var(--first); }
svg .first.mark, svg rect.first { fill: var(--first); }
svg .second { stroke: var(--second); fill: none; }
svg .second.mark { fill: var(--card); stroke-width: 2; }
svg .steps { stroke-width: 1.5; }
"""


def page(report: Report, translator: Translator = ENGLISH, language: str = "en") -> str:
    """The whole page."""
    about = escape(title(report, translator))
    head = translator.gettext("Balance: {title}").format(title=about)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{about}</h1>\n{''.join(_parts(report, translator))}</main>\n"
        "</body>\n</html>\n"
    )


def _parts(report: Report, translator: Translator) -> Iterator[str]:
    say = translator.gettext
    if report.against:
        differ = say("The difference: {choices}.").format(choices=choices(report, translator))
        yield f"<p>{escape(differ)}</p>\n"
        key = say(
            "In the charts a filled disc with bars is {ruleset}, an open square with steps is"
            " {other}; lines show the 95 % ranges."
        )
        names = {
            "ruleset": f"<b>{escape(report.ruleset)}</b>",
            "other": f"<b>{escape(report.against)}</b>",
        }
        yield f'<p class="key">{escape(key).format(**names)}</p>\n'
    seeds = say("Seeds: {seeds}.").format(seeds=", ".join(map(str, report.seeds)))
    yield f'<p class="how">{escape(how(report, translator))} {seeds}</p>\n'
    for table in report.tables:
        yield f"<h2>{escape(table_title(table, translator))}</h2>\n"
        yield from _found(report, table, translator)
        for section in SECTIONS:
            yield _section(report, table, section, translator)


def _found(report: Report, table: TableReport, translator: Translator) -> Iterator[str]:
    say = translator.gettext
    if report.against:
        clear = [f"<li>{escape(sentence(line, translator))}</li>\n" for line in table.clear]
        known, nothing = say("What is clear"), say("Nothing yet.")
        yield f"<h3>{known}</h3>\n"
        yield f"<ul>\n{''.join(clear)}</ul>\n" if clear else f"<p>{nothing}</p>\n"
    sides = [f"<li>{escape(evenness(side, translator))}</li>\n" for side in table.sides]
    even = say("Are the seats even?")
    yield f"<h3>{even}</h3>\n<ul>\n{''.join(sides)}</ul>\n"


def _section(report: Report, table: TableReport, section: str, translator: Translator) -> str:
    lines = table.section(section)
    drawn = _chart(table, section, lines, translator)
    if section == POINTS:
        caption = translator.gettext("How often a seat reached so many points")
        histogram = charts.scores(caption, [side.scores for side in table.sides])
        drawn += _figure(histogram, caption)
    return (
        f"<section>\n<h3>{escape(translator.gettext(section))}</h3>\n<div>{drawn}</div>\n"
        f"{_figures(report, section, lines, translator)}</section>\n"
    )


def _chart(table: TableReport, section: str, lines: list[Figure], translator: Translator) -> str:
    say, named = translator.gettext, translator.gettext(section)
    rows = [
        ChartRow(name_of(line, translator), [each for each in (line.first, line.second) if each])
        for line in lines
    ]
    heading = say("{section}: the numbers of the table beside it").format(section=named)
    if section in (BY_SEAT, BY_ORDER):
        drawn = charts.whiskers(heading, rows, fair=1 / table.players, share=True)
        return _figure(drawn, say("The dashed line is where all would be even"))
    if section in (POINTS_BY_SEAT, TAKEN, ROTTED):
        return _figure(charts.whiskers(heading, rows, share=False))
    apart = [
        ChartRow(name_of(line, translator), [line.difference])
        for line in lines
        if line.difference is not None
    ]
    if not apart:
        return ""
    caption = say("Less or more than the other ruleset; each row has a scale of its own")
    differ = say("{section}: the differences").format(section=named)
    return _figure(charts.differences(differ, apart), caption)


def _figure(drawn: str, caption: str = "") -> str:
    text = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{drawn}{text}</figure>\n"


def _figures(report: Report, section: str, lines: list[Figure], translator: Translator) -> str:
    names = [report.ruleset]
    if report.against:
        names += [report.against, translator.gettext("difference")]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = "".join(_figure_row(line, translator) for line in lines)
    caption = translator.gettext("{section}, with 95 % ranges").format(
        section=translator.gettext(section)
    )
    return (
        f"<table>\n<caption>{escape(caption)}</caption>\n"
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n"
        "</table>\n"
    )


def _figure_row(line: Figure, translator: Translator) -> str:
    cells = "".join(
        f"<td>{figure(each.value, line.share, translator=translator)}"
        f"<small>{_range(each, line.share, translator)}</small></td>"
        for each in (line.first, line.second)
        if each is not None
    )
    if line.difference is not None and line.p is not None:
        apart = figure(line.difference.value, line.share, sign=True, translator=translator)
        sure = _range(line.difference, line.share, translator, sign=True)
        text = translator.gettext("clear, {chance}") if line.clear else "{chance}"
        verdict = escape(text.format(chance=chance(line.p, translator)))
        cells += f"<td>{apart}<small>{sure}</small><small>{verdict}</small></td>"
    clear = ' class="clear"' if line.clear else ""
    return f'<tr{clear}><th scope="row">{escape(name_of(line, translator))}</th>{cells}</tr>\n'


def _range(estimate: Estimate, share: bool, translator: Translator, sign: bool = False) -> str:
    """Without the unit, for the figure above it has one."""
    return between(estimate, share, sign, translator).removesuffix(" %")
