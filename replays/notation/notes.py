"""The words of notes and of the heads of lines."""

from __future__ import annotations

import re
from typing import get_args

from events.messages.sentence import Sentence
from replays.notation.quoting import braced, quoted, word
from replays.notation.times import in_full
from replays.notation.tokens import Token, Tokens
from replays.notation.words import Fields, action_words, is_seat, read_action
from replays.notes.annotations import GLYPHS, Finding, ReviewMark
from replays.notes.notebook import Line, Note

COLOURS = ("red", "green", "blue", "yellow")
READERS = ("me", "link", "all")
BY_SIGN = {sign: glyph for glyph, (sign, _) in GLYPHS.items()}


def glyph_word(glyph: str) -> str:
    """A glyph as everyone can type it.

    >>> glyph_word("!?"), glyph_word("hunger")
    ('!?', '$hunger')
    """
    return f"${glyph}" if glyph.isalpha() else glyph


def note_words(note: Note) -> str:
    """A note as it is written; only its text may go over several lines."""
    content = note.content
    words = [f"note #{note.note}"]
    words += [f"to #{note.answers}"] if note.answers else []
    words += _common(note)
    words += [f"rewritten @{in_full(note.rewritten)}"] if note.rewritten else []
    words += ["withdrawn"] if note.withdrawn else []
    words += [glyph_word(content.glyph)] if content.glyph else []
    words += [f"city {word(content.city)}"] if content.city else []
    if content.hexes:
        words += ["hexes", *(f"{word(at)}:{colour}" for at, colour in content.hexes.items())]
    if content.arrows:
        words.append("arrows")
        words += [f"{word(a.start)}>{word(a.end)}:{a.colour}" for a in content.arrows]
    words += [finding_words(note.finding)] if note.finding else []
    words += [braced(content.text)] if content.text else []
    return " ".join(words)


def finding_words(found: Finding) -> str:
    """What a review found, as it is written: last of a note's words, for its action ends them.

    >>> from events.types import TakeGold
    >>> finding_words(Finding(mark="blunder", other=TakeGold(seat=2), win=125, points=-40))
    'review blunder 12.5% -0.40 other 2 gold'
    """
    win, points = f"{found.win / 10:.1f}%", f"{found.points / 100:.2f}"
    return f"review {found.mark} {win} {points} other {action_words(found.other)}"


def line_words(line: Line) -> str:
    """The head of a line as it is written."""
    words = [f"(line #{line.line}"]
    words += [f"titled {quoted(line.title)}"] if line.title else []
    words += _common(line)
    words += [f"seat {line.seat}"] if line.seat else []
    return " ".join(words)


def _common(thing: Note | Line) -> list[str]:
    words = [f"by {quoted(thing.by.name)}"] if thing.by.name else []
    words += [f"for {thing.seen_by}"] if thing.seen_by != "all" else []
    words += [f"@{in_full(thing.time)}"] if thing.time else []
    return words


def read_note(tokens: Tokens) -> Fields:
    """A note's fields, times still as tokens: all on one line, in any order, ended by its text."""
    fields: Fields = {}
    content: Fields = {}
    tokens.took("note")
    if (id_ := read_id(tokens)) is not None:
        fields["note"] = id_
    while tokens.now.kind != "text":
        if tokens.now.kind == "glyph" and "glyph" not in content:
            content["glyph"] = _glyph(tokens)
        elif tokens.took("city", "about"):
            content["city"] = tokens.name(Sentence("a city"))
        elif tokens.took("hexes"):
            content["hexes"] = _hexes(tokens)
        elif tokens.took("arrows"):
            content["arrows"] = _arrows(tokens)
        elif tokens.took("to", "answers"):
            fields["answers"] = _an_id(tokens)
        elif tokens.took("review"):
            fields["finding"] = _finding(tokens)
        elif tokens.took("rewritten"):
            fields["rewritten"] = _time(tokens)
        elif tokens.took("withdrawn"):
            fields["withdrawn"] = True
        elif not _read_common(tokens, fields):
            break
    if tokens.now.kind == "text":
        content["text"] = tokens.take().value
    return {**fields, "content": content}


def read_line_head(tokens: Tokens) -> Fields:
    """What stands behind a parenthesis, up to the line's first event."""
    fields: Fields = {}
    tokens.took("line")
    if (id_ := read_id(tokens)) is not None:
        fields["line"] = id_
    while True:
        if tokens.now.kind == "string":
            fields["title"] = tokens.take().value
        elif tokens.took("titled"):
            fields["title"] = tokens.string(Sentence("a title"))
        elif tokens.took("seat"):
            fields["seat"] = tokens.number(Sentence("a seat, 0 for a spectator"))
        elif not _read_common(tokens, fields):
            return fields


def _read_common(tokens: Tokens, fields: Fields) -> bool:
    if tokens.took("by"):
        fields["by"] = tokens.string(Sentence("a name"))
    elif tokens.took("for"):
        fields["seen_by"] = tokens.one_of(READERS, Sentence("who may read it"))
    elif tokens.now.kind == "time" and "time" not in fields:
        fields["time"] = tokens.take()
    else:
        return False
    return True


def _finding(tokens: Tokens) -> Fields:
    found: Fields = {"mark": tokens.one_of(get_args(ReviewMark), Sentence("a mark"))}
    found["win"] = _decimal(tokens, Sentence("a share of the win, such as 6.5%"), 1)
    found["points"] = _decimal(tokens, Sentence("points"), 2)
    tokens.took("other")
    if tokens.now.kind != "word" or not is_seat(tokens.now.value):
        tokens.wrong(
            Sentence(
                "expected {what}, not {found}", what=Sentence("an action"), found=tokens.now.shown
            )
        )
    found["other"] = read_action(tokens)
    return found


def _decimal(tokens: Tokens, what: str, places: int) -> int:
    """A number with some decimal places, as so many of the last."""
    value = tokens.now.value.removesuffix("%")
    if tokens.now.kind != "word" or not re.fullmatch(r"-?[0-9]{1,4}(\.[0-9]{1,2})?", value):
        tokens.wrong(Sentence("expected {what}, not {found}", what=what, found=tokens.now.shown))
    tokens.take()
    return round(float(value) * (10 if places == 1 else 100))


def read_id(tokens: Tokens) -> str | None:
    is_id = tokens.now.kind == "word" and tokens.now.value.startswith("#")
    return tokens.take().value[1:].lower() if is_id else None


def _an_id(tokens: Tokens) -> str:
    id_ = read_id(tokens)
    return id_ or tokens.wrong(
        Sentence("expected a note such as #n1, not {found}", found=tokens.now.shown)
    )


def _time(tokens: Tokens) -> Token:
    if tokens.now.kind != "time":
        tokens.wrong(Sentence("expected a time, not {found}", found=tokens.now.shown))
    return tokens.take()


def _glyph(tokens: Tokens) -> str:
    sign = tokens.now.value
    glyph = BY_SIGN.get(sign, sign.removeprefix("$").lower())
    if glyph not in GLYPHS:
        known = " ".join(glyph_word(each) for each in GLYPHS)
        tokens.wrong(
            Sentence(
                "there is no glyph {found}; there are {known}", found=tokens.now.shown, known=known
            )
        )
    tokens.take()
    return glyph


def _hexes(tokens: Tokens) -> Fields:
    found: Fields = {}
    while tokens.then.value == ":":
        at = tokens.name(Sentence("a hex"))
        tokens.sign(":")
        found[at] = tokens.one_of(COLOURS, Sentence("a colour"))
    return found


def _arrows(tokens: Tokens) -> list[Fields]:
    found = []
    while tokens.then.kind == "arrow":
        start = tokens.name(Sentence("a hex"))
        tokens.take()
        end = tokens.name(Sentence("a hex"))
        tokens.sign(":")
        found.append(
            {"start": start, "end": end, "colour": tokens.one_of(COLOURS, Sentence("a colour"))}
        )
    return found
