"""Any text as part of a text: names in quotation marks, notes in braces, and back."""

from __future__ import annotations

import re

_UNSEEN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff"
"""What an editor would swallow or change on the way. A line feed is dealt with by itself."""
_in_quotes = re.compile(rf'[\\"\n{_UNSEEN}]')
_in_braces = re.compile(rf"[\\}}{_UNSEEN}]")
_escape = re.compile(r'\\(?:([\\"{}])|(n)|u([0-9A-Fa-f]{4}))')
_plain = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")


def quoted(text: str) -> str:
    r"""A text on one line.

    >>> print(quoted('Anna "the Duke"'))
    "Anna \"the Duke\""
    """
    return f'"{_in_quotes.sub(_escaped, text)}"'


def braced(text: str) -> str:
    r"""A text that may go over several lines.

    >>> print(braced("{a set}"))
    {{a set\}}
    """
    return f"{{{_in_braces.sub(_escaped, text)}}}"


def word(text: str) -> str:
    """A label or name as it is where that is clear, otherwise in quotation marks.

    >>> print(word("c7"), word("c 7"))
    c7 "c 7"
    """
    return text if _plain.fullmatch(text) else quoted(text)


def unescaped(text: str) -> str:
    """What stood there before it was put in quotation marks or braces."""
    return _escape.sub(_meant, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    sign = match[0]
    if sign in '\\"}':
        return "\\" + sign
    return "\\n" if sign == "\n" else f"\\u{ord(sign):04x}"


def _meant(match: re.Match[str]) -> str:
    sign, line_feed, code = match.groups()
    if sign:
        return str(sign)
    if line_feed:
        return "\n"
    number = int(code, 16)
    is_half = 0xD800 <= number < 0xE000
    return match[0] if is_half else chr(number)
