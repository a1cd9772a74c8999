"""From a text that anybody may have typed to a game, or to all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Several
from contextlib import contextmanager
from itertools import count

import msgspec

from events.codec import MAX_BYTES
from events.messages.sentence import Sentence, message_of
from events.types import AnyEvent
from replays.amendments import Amendment, newest
from replays.notation.checking import Checker, TooLong
from replays.notation.draft import Draft, DraftNote, Sequence
from replays.notation.header import NotationHeader
from replays.notation.model import AnnotatedGame, Parsed, TextProblem
from replays.notation.reading import DraftReader, converted
from replays.notation.tokens import Places, TextTooLong, Token, Wrong
from replays.notation.words import Fields
from replays.notation.writing import result_words
from replays.notes.annotations import LineBegun, Noted, written_upcasters
from replays.notes.notebook import BadNote, Notebook, write_down

MAX_PROBLEMS = 100


class _EnoughProblems(Exception):
    """Nobody mends more of them at once."""


class _Problems:
    def __init__(self, text: str) -> None:
        self._places = Places(text)
        self.errors: list[TextProblem] = []
        self.warnings: list[TextProblem] = []

    def report(self, wrong: Wrong) -> None:
        self.errors.append(self._problem(wrong))
        if len(self.errors) >= MAX_PROBLEMS:
            raise _EnoughProblems

    def warn(self, wrong: Wrong) -> None:
        if len(self.warnings) < MAX_PROBLEMS:
            self.warnings.append(self._problem(wrong))

    def stop(self, start: int, message: str) -> None:
        line, column = self._places.of(start)
        self.errors.append(TextProblem(line, column, message))

    @contextmanager
    def told_at(self, token: Token) -> Iterator[None]:
        """What the notebook refuses is a problem like any other."""
        try:
            yield
        except BadNote as error:
            self.report(Wrong(token, message_of(error)))
        except Wrong as wrong:
            self.report(wrong)

    def _problem(self, wrong: Wrong) -> TextProblem:
        return TextProblem(*self._places.of(wrong.start), wrong.message)


def parse_text(text: str | bytes, amendments: Several[Amendment] = ()) -> Parsed:
    """Read a text: a game, or the problems with their lines. It never raises. `amendments` are
    those beside it, if the text has none of its own.

    >>> parse_text('[Seat1 "Anna"]\\n[Seat2 "Bob"]\\n1 gold').errors[0].message
    'The cards have not been dealt yet. (not-started, R7)'
    """
    if len(text) > MAX_BYTES:
        return Parsed(
            None,
            [
                TextProblem(
                    1,
                    1,
                    Sentence("larger than {bytes} bytes: not one game", bytes=MAX_BYTES),
                )
            ],
        )
    if isinstance(text, bytes):
        try:
            decoded = text.decode()
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            column = error.start - text.rfind(b"\n", 0, error.start)
            return Parsed(None, [TextProblem(line, column, Sentence("this is no UTF-8 text"))])
    else:
        decoded = text
    return _parse(decoded.replace("\r\n", "\n").replace("\r", "\n"), amendments)


def _parse(text: str, amendments: Several[Amendment]) -> Parsed:
    problems = _Problems(text)
    reader = DraftReader(text, problems.report, problems.warn)
    game = None
    try:
        draft = reader.read()
        header = reader.header
        if header is not None and not header.amendments:
            header = msgspec.structs.replace(header, amendments=tuple(amendments))
        game = _made(header, draft, problems) if header else None
    except _EnoughProblems:
        problems.stop(reader.tokens.now.start, Sentence("no further problems are looked for"))
    except TextTooLong as error:
        problems.stop(
            reader.tokens.now.start, Sentence("{reason}: not one game", reason=message_of(error))
        )
    except TooLong:
        problems.stop(0, Sentence("the lines and take-backs are more than any game has"))
    errors, warnings = sorted(problems.errors), sorted(problems.warnings)
    return Parsed(None if errors else game, errors, warnings)


def _made(header: NotationHeader, draft: Draft, problems: _Problems) -> AnnotatedGame | None:
    signed = newest(header.amendments)
    state = Checker(header.past, draft, problems.report, problems.warn, signed).check()
    _name_lines(draft)
    _write_down(header, draft, problems)
    if state is None or problems.errors:
        return None
    if header.result is not None and header.result.value != (found := result_words(state)):
        problems.warn(Wrong(header.result.token, Sentence("the result is {found}", found=found)))
    return AnnotatedGame(
        game=header.game,
        events=header.past + _events(draft.main),
        book=header.book,
        first=len(header.past),
        older=header.older,
        tags=header.tags,
        amendments=header.amendments,
    )


def _events(sequence: Sequence) -> list[AnyEvent]:
    return [step.event for step in sequence.steps if step.event is not None]


def _name_lines(draft: Draft) -> None:
    free = _free_ids("l", (line.head.get("line", "") for line in draft.lines))
    for line in draft.lines:
        line.line = line.head.get("line") or next(free)


def _free_ids(letter: str, taken: Iterable[str]) -> Iterator[str]:
    """Ids for what was given none, in the order of the text."""
    known = frozenset(taken)
    return (name for number in count(1) if (name := f"{letter}{number}") not in known)


def _write_down(header: NotationHeader, draft: Draft, problems: _Problems) -> None:
    """Lines, then notes, enter the notebook as if they were just written."""
    numbers = {id(draft.main): len(header.past)}
    for line in draft.lines:
        number = numbers[id(line)] = numbers[id(line.parent)] + line.leaves_at
        with problems.told_at(line.token):
            _line(header.book, line, number)
    free = _free_ids("n", (note.fields.get("note", "") for note in draft.notes))
    for note in draft.notes:
        name = note.fields.get("note") or next(free)
        with problems.told_at(note.token):
            _note(header.book, note, name, numbers[id(note.within)] + note.behind)


def _common(fields: Fields, number: int, line: str) -> Fields:
    return {
        "by": {"name": fields.get("by", "")},
        "time": fields.get("time", 0),
        "at": {"number": number, "line": line} if line else {"number": number},
        "seen_by": fields.get("seen_by", "all"),
    }


def _line(book: Notebook, line: Sequence, number: int) -> None:
    assert line.parent is not None
    fields = {
        "type": "line-begun",
        "line": line.line,
        "events": [],
        "title": line.head.get("title", ""),
        "seat": line.head.get("seat", 0),
        **_common(line.head, number, line.parent.line),
    }
    write_down(book, converted(written_upcasters.upcast(fields), LineBegun, line.token))
    book.lines[line.line] = msgspec.structs.replace(
        book.lines[line.line], events=_events(line), deals=[dealt.deal for dealt in line.deals]
    )


def _note(book: Notebook, note: DraftNote, name: str, number: int) -> None:
    fields: Fields = {
        "type": "noted",
        "note": name,
        "content": note.fields["content"],
        **_common(note.fields, number, note.within.line),
    }
    if "finding" in note.fields:
        fields["finding"] = note.fields["finding"]
    if "answers" in note.fields:
        fields["answers"] = note.fields["answers"]
    write_down(book, converted(written_upcasters.upcast(fields), Noted, note.token))
    book.notes[name] = msgspec.structs.replace(
        book.notes[name],
        rewritten=note.fields.get("rewritten", 0),
        withdrawn=note.fields.get("withdrawn", False),
    )
