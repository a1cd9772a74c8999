"""The summary's Markdown as HTML. It knows what we write ourselves, and nothing more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby


def to_html(lines: Iterable[str]) -> str:
    """Headings, lists, tables, paragraphs and code.

    >>> to_html(["### a → b", "", "- `flush` <1>"])
    '<h2>a → b</h2><ul><li><code>flush</code> &lt;1&gt;</li></ul>'
    """
    return "".join(
        _block(kind, list(block)) for kind, block in groupby(lines, key=_kind) if kind != "gap"
    )


def _kind(line: str) -> str:
    if not line:
        return "gap"
    for start, kind in (("### ", "heading"), ("- ", "list"), ("|", "table")):
        if line.startswith(start):
            return kind
    return "paragraph"


def _block(kind: str, lines: list[str]) -> str:
    if kind == "heading":
        return "".join(f"<h2>{_inline(line[4:])}</h2>" for line in lines)
    if kind == "list":
        return f"<ul>{''.join(f'<li>{_inline(line[2:])}</li>' for line in lines)}</ul>"
    if kind == "table":
        return f'<div class="scroll" tabindex="0"><table>{"".join(_rows(lines))}</table></div>'
    return "".join(f"<p>{_inline(line)}</p>" for line in lines)


def _rows(lines: list[str]) -> Iterator[str]:
    head, _, *body = [
        [cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines
    ]
    cells = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in head)
    yield f"<thead><tr>{cells}</tr></thead><tbody>"
    for row in body:
        yield f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody>"


def _inline(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
