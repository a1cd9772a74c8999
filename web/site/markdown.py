"""What people write, as HTML that can do no harm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

TAGS = {
    *("a", "b", "blockquote", "br", "code", "del", "em", "h4", "h5", "h6", "hr", "i", "li", "ol"),
    *("p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
REL = "nofollow noopener ugc"
LOWER = 3
"""A note's first heading comes below those of the page around it."""


def safe_html(text: str) -> str:
    """Markdown as HTML without scripts, pictures, styles, or links that are not to the web.

    >>> safe_html("**Too early** <script>alert(1)</script>")
    '<p><strong>Too early</strong> </p>'
    """
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


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    markdown.add_render_rule("image", _alternative)
    markdown.core.ruler.push("lower_headings", _lower)
    return markdown


_MARKDOWN = _markdown()
