"""Notes in Markdown: what people mean comes through, what would harm readers does not."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest

from web.site.markdown import ATTRIBUTES, TAGS, safe_html

NASTY = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/track.png)",
    '![x](x "y" onerror=alert(1))',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "<a href=' javascript:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](/account/delete)",
    "[x](//evil.example)",
    "<a href=https://example.org onclick=alert(1) target=_top rel=opener>x</a>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></math>",
    "<style>body{display:none}</style><p style='position:fixed'>x</p>",
    "<iframe src=https://evil.example></iframe><object data=x></object><embed src=x>",
    "<form action=https://evil.example><input name=password></form>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'><base href=//evil.example>",
    "<div id=game class=lc>x</div>",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<b onmouseover=alert(1)>x",
    "\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "<x-y onclick=alert(1)>x</x-y>",
]


class Elements(HTMLParser):
    """What a browser would make of it: elements with attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(html)
    parser.close()
    return parser.found


@pytest.mark.parametrize("text", NASTY)
def test_nothing_harmful_is_left(text: str) -> None:
    for tag, attributes in elements(safe_html(f"Before.\n\n{text}\n\nAfter.")):
        assert tag in TAGS
        allowed = ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set())
        assert set(attributes) <= allowed
        if "href" in attributes:
            assert str(attributes["href"]).startswith(("http://", "https://", "mailto:"))


def test_links_tell_the_other_side_nothing() -> None:
    [(_, link)] = [e for e in elements(safe_html("<https://example.org>")) if e[0] == "a"]
    assert link == {"href": "https://example.org", "rel": "nofollow noopener ugc"}


def test_what_people_mean_comes_through() -> None:
    html = safe_html(
        "# Plan\n\n1. *one*\n2. **two**\n\n> a < b\n\n`x`, ~~no~~\n\n|a|b|\n|-|-|\n|1|2|"
    )
    for part in ("<h4>Plan</h4>", "<em>one</em>", "<strong>two</strong>", "a &lt; b", "<code>x"):
        assert part in html
    assert "<table>" in html
    assert "<s>no</s>" in html
    assert safe_html("![the harbour](https://example.org/x.png)") == "<p>the harbour</p>"


@pytest.mark.parametrize("text", ["[", ">", "*a ", "`", "<", "- ", "![[", "a**b", "[a](b", "|"])
def test_no_text_takes_long(text: str) -> None:
    begun = time.thread_time()
    safe_html((text * 10_000)[:10_000])
    assert time.thread_time() - begun < 3
