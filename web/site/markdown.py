"""What people write, as HTML that can do no harm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token

from web.site.cache import Cache

TAGS = {
    *("a", "b", "blockquote", "br", "code", "del", "em", "h4", "h5", "h6", "hr", "i", "li", "ol"),
    *("p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
REL = "nofollow noopener ugc"
LOWER = 3
"""A note's first heading comes below those of the page around it."""
MAX_MARKS = 1000
"""Characters that mean something in Markdown, ends of lines among them: each costs time."""
MAX_CELLS = 600
"""In all tables of a text. A short row has as many cells as its table's first one."""
MAX_HTML = 100_000
CACHED = 32_000_000
"""Characters of HTML that are held ready."""
_mark = re.compile(r"[\[\]!*_~<`&|\\\r\n]")


def safe_html(text: str) -> str:
    """Markdown as HTML without scripts, pictures, styles, or links that are not to the web. What
    would be too intricate or too long is shown as it was written.

    >>> safe_html("**Too early** <script>alert(1)</script>")
    '<p><strong>Too early</strong> </p>'
    """
    return _rendered.get_or_make(sha256(text.encode()).digest(), lambda: _bounded(text))


def _bounded(text: str) -> str:
    if len(_mark.findall(text)) <= MAX_MARKS:
        html = _clean(text)
        if len(html) <= MAX_HTML:
            return html
    return plain_html(text)


def plain_html(text: str) -> str:
    """Text as it was written.

    >>> plain_html("*a*\\n<b>")
    '<p>*a*<br>\\n&lt;b&gt;</p>'
    """
    return f"<p>{escapeHtml(text.strip())}</p>".replace("\n", "<br>\n")


def _clean(text: str) -> str:
    cleaned: str = nh3.clean(
        _MARKDOWN.render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel=REL,
    )
    return cleaned.strip()


def _alternative(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any
) -> str:
    """A picture would be fetched from elsewhere: its words stay."""
    return escapeHtml(tokens[place].content)


def _lower(state: Any) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + LOWER)}"


def _bounded_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table, as long as all of them together have few enough cells; else its lines are text."""
    before = state.env.get("cells", 0)
    if before >= MAX_CELLS or not table(state, start, end, True):
        return False
    if silent:
        return True
    columns = state.src.count("|", state.bMarks[start + 1], state.eMarks[start + 1]) + 1
    rows = next((row for row in range(start, end) if state.isEmpty(row)), end) - start
    # Once there are too many, no line after this one is counted again.
    state.env["cells"] = min(before + rows * columns, MAX_CELLS)
    return before + rows * columns <= MAX_CELLS and table(state, start, end, silent)


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    markdown.block.ruler.at("table", _bounded_table, {"alt": ["paragraph", "reference"]})
    markdown.add_render_rule("image", _alternative)
    markdown.core.ruler.push("lower_headings", _lower)
    return markdown


_MARKDOWN = _markdown()
_rendered: Cache[bytes, str] = Cache(CACHED, getsizeof=len)
