"""A text cut into tokens, one after the other, each with its place. Cutting never fails."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NoReturn

import msgspec

from events.messages.sentence import Sentence
from replays.notation.quoting import unescaped

_token = re.compile(
    r"""(?P<space>[ \t,\u00a0\ufeff]+|;[^\n]*)
    |(?P<newline>\n)
    |(?P<string>"(?:[^"\\\n]|\\[^\n])*+"|“[^”\n]*”)
    |(?P<glyph>[!?]+|\$[A-Za-z]*|[☺☹↻])
    |(?P<time>@[0-9A-Za-z:.+-]*)
    |(?P<arrow>->|→|>)
    |(?P<sign>[():])
    |(?P<word>(?:[^\s"“;,!?$☺☹↻@>→():{}\[\]-]|-(?!>))+)
    |(?P<open>["“{][^\n]*)
    |(?P<stray>.)""",
    re.VERBOSE | re.DOTALL,
)
_braces = re.compile(r"\{((?:[^\\}]|\\.)*+)\}", re.DOTALL)
_tag = re.compile(r"[ \t]*\[[^\n]*")


MAX_TOKENS = 1_000_000
"""A game of 150 events has some thousand."""


class TextTooLong(Exception):
    """A text that goes on beyond what a game can have; reading stops there."""


class Token(msgspec.Struct, frozen=True):
    """A piece of text. `value` is what it says, without quotation marks, braces or `@`."""

    kind: str
    value: str
    start: int

    @property
    def shown(self) -> str:
        """How a message names it."""
        if self.kind in ("newline", "end"):
            line, text = Sentence("the end of the line"), Sentence("the end of the text")
            return line if self.kind == "newline" else text
        return self.value if len(self.value) <= 40 else self.value[:40] + "…"


class Wrong(Exception):
    """Something in a text that cannot be read; the reader goes on with the next line."""

    def __init__(self, token: Token, message: str) -> None:
        self.start, self.message = token.start, message
        super().__init__(message)


def cut(text: str) -> Iterator[Token]:
    """The tokens of a text. Line ends that follow one another are one token."""
    start, at_line_start, closed = 0, True, True
    while start < len(text):
        if at_line_start and (match := _tag.match(text, start)) is not None:
            yield Token("tag", match[0].strip(), start)
            start, at_line_start = match.end(), False
            continue
        if text[start] == "{" and closed:
            # Once a brace is found to be open to the end, no later one needs to be looked at.
            if (match := _braces.match(text, start)) is not None:
                yield Token("text", unescaped(match[1]), start)
                start, at_line_start = match.end(), False
                continue
            closed = False
        match = _token.match(text, start)
        assert match is not None
        kind = str(match.lastgroup)
        if kind == "newline":
            if not at_line_start:
                yield Token("newline", "", start)
            at_line_start = True
        elif kind != "space":
            at_line_start = False
            yield Token(kind, _unwrapped(kind, match[0]), start)
        start = match.end()
    yield Token("end", "", len(text))


def _unwrapped(kind: str, piece: str) -> str:
    if kind == "string":
        return unescaped(piece[1:-1])
    return piece[1:] if kind == "time" else piece


class Places:
    """Line and column of any place in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def of(self, start: int) -> tuple[int, int]:
        line = bisect_right(self._starts, start)
        return line, start - self._starts[line - 1] + 1


class Tokens:
    """The token to be read next, and the two after it."""

    def __init__(self, text: str) -> None:
        self._rest = cut(text)
        self._end = Token("end", "", len(text))
        self.now, self.then, self.later = (next(self._rest, self._end) for _ in range(3))
        self._taken = 0

    def take(self) -> Token:
        taken, self.now, self.then = self.now, self.then, self.later
        self.later = next(self._rest, self._end)
        self._taken += 1
        if self._taken > MAX_TOKENS:
            raise TextTooLong(Sentence("more than {most} words and signs", most=MAX_TOKENS))
        return taken

    def skip_line(self, *, up_to_close: bool) -> None:
        """On to the end of the line, or to the parenthesis that closes what was begun before."""
        opened = 0
        while self.now.kind not in ("newline", "end"):
            if self.is_sign(")") and up_to_close and not opened:
                return
            opened += self.is_sign("(") - self.is_sign(")")
            self.take()

    def wrong(self, message: str) -> NoReturn:
        raise Wrong(self.now, message)

    def is_word(self, *words: str) -> bool:
        return self.now.kind == "word" and self.now.value.lower() in words

    def is_sign(self, sign: str) -> bool:
        return self.now.kind == "sign" and self.now.value == sign

    def took(self, *words: str) -> bool:
        """Whether one of these words came, which is then read."""
        if self.is_word(*words):
            self.take()
            return True
        return False

    def sign(self, sign: str) -> None:
        if not self.is_sign(sign):
            self.wrong(Sentence("expected {sign}, not {found}", sign=sign, found=self.now.shown))
        self.take()

    def number(self, what: str) -> int:
        value = self.now.value
        is_number = self.now.kind == "word" and value.isascii() and value.isdigit()
        if not is_number or len(value) > 9:
            self.wrong(Sentence("expected {what}, not {found}", what=what, found=self.now.shown))
        return int(self.take().value)

    def one_of(self, words: Iterable[str], what: str) -> str:
        known = tuple(words)
        if not self.is_word(*known):
            self.wrong(
                Sentence(
                    "expected {what} ({known}), not {found}",
                    what=what,
                    known=", ".join(known),
                    found=self.now.shown,
                )
            )
        return self.take().value.lower()

    def name(self, what: str) -> str:
        """A word as it is written, or anything in quotation marks."""
        if self.now.kind not in ("word", "string"):
            self.wrong(Sentence("expected {what}, not {found}", what=what, found=self.now.shown))
        return self.take().value

    def string(self, what: str) -> str:
        return self.name(Sentence("{what} in quotation marks", what=what))

    def goes_on_with(self, words: Iterable[str]) -> bool:
        """Whether one of these words comes next, here or at the start of the next line."""
        known = tuple(words)
        if self.now.kind == "newline" and self.then.kind == "word":
            if self.then.value.lower() not in known:
                return False
            self.take()
        return self.is_word(*known)
