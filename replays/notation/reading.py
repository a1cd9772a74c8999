"""Reading a text, one statement after the other. Whatever cannot be read costs one line."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from events.messages.complaints import complaint
from events.messages.sentence import Sentence, about
from events.types import AnyEvent, Event
from events.upcast import type_of, upcasters
from replays.notation import chance
from replays.notation.draft import Dealt, Draft, DraftNote, DraftStep, Report, Sequence
from replays.notation.header import MAX_TAGS, NotationHeader, is_known, read_header, read_tag
from replays.notation.notes import read_line_head, read_note
from replays.notation.times import read_time
from replays.notation.tokens import TextTooLong, Token, Tokens, Wrong
from replays.notation.words import Fields, is_seat, read_action
from replays.notes.annotations import Deal
from replays.notes.notebook import MAX_LINES, MAX_NOTES

MAX_STEPS = 50_000
"""Of the game and all its lines together. A finished game has some 150 events."""
MARKS = ("year", "round", "castles", "relocation", "people")


KINDS: dict[str, type[Event]] = {type_of(kind): kind for kind in get_args(AnyEvent)}


class DraftReader:
    """Makes a draft of a text. Problems go to `report`, oddities to `warn`."""

    def __init__(self, text: str, report: Report, warn: Report) -> None:
        self.tokens = Tokens(text)
        self.report, self.warn = report, warn
        self.now = Sequence(token=self.tokens.now)
        self.draft = Draft(main=self.now)
        self.header: NotationHeader | None = None
        self.begun = False
        self.steps = 0

    def read(self) -> Draft:
        tokens = self.tokens
        while tokens.now.kind != "end":
            if tokens.now.kind == "newline":
                tokens.take()
                continue
            try:
                self._statement(tokens.now)
            except Wrong as wrong:
                self.report(wrong)
                tokens.skip_line(up_to_close=self.now.parent is not None)
        self._begin(tokens.now)
        while self.now.parent is not None:
            self.report(Wrong(self.now.token, Sentence("this line is not closed: expected )")))
            self.now = self.now.parent
        return self.draft

    def _statement(self, token: Token) -> None:
        if token.kind == "tag":
            self._tag(self.tokens.take())
            return
        self._begin(token)
        if token.kind == "word":
            self._word(token)
        elif token.kind in ("glyph", "text"):
            self._note()
        elif self.tokens.is_sign("("):
            self._open_line()
        elif self.tokens.is_sign(")"):
            self._close_line()
        elif token.kind == "open":
            note = Sentence("nothing closes this note: expected }}")
            text = Sentence('nothing closes this text: expected "')
            raise Wrong(token, note if token.value[0] == "{" else text)
        else:
            raise Wrong(
                token, Sentence("expected a turn, a note or a line, not {found}", found=token.shown)
            )

    def _word(self, token: Token) -> None:
        word = token.value.lower()
        if is_seat(word) or word in chance.READ:
            self._step(token)
        elif word == "note":
            self._note()
        elif word == "deal":
            self._deal()
        elif word in MARKS:
            self._mark()
        else:
            raise Wrong(
                token, Sentence("expected a turn (the seat first), not {found}", found=token.shown)
            )

    def _tag(self, token: Token) -> None:
        tag = read_tag(token)
        tags = self.draft.tags
        if self.begun:
            raise Wrong(
                token, Sentence("a tag stands before the first turn; a text holds one game")
            )
        if tag.name in tags:
            self.warn(
                Wrong(
                    token,
                    Sentence("the tag {tag} stands there already; the first counts", tag=tag.name),
                )
            )
        elif len(tags) >= MAX_TAGS:
            raise TextTooLong(Sentence("more than {most} tags", most=MAX_TAGS))
        else:
            if not is_known(tag.name):
                self.warn(
                    Wrong(
                        token,
                        Sentence("the tag {tag} means nothing here; it is kept", tag=tag.name),
                    )
                )
            tags[tag.name] = tag

    def _begin(self, token: Token) -> None:
        """The tags are complete: what they tell is needed from here on."""
        if self.begun:
            return
        self.begun = True
        self.header = read_header(self.draft.tags, token, self.report)
        for event in self.header.past if self.header else ():
            self.now.clock = event.time or self.now.clock

    def _step(self, token: Token) -> None:
        sequence = self.now
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TextTooLong(Sentence("more than {most} events", most=MAX_STEPS))
        step = DraftStep(event=None, token=token, marks=sequence.marks)
        sequence.marks = []
        sequence.steps.append(step)
        step.event = self._event(sequence.clock)
        sequence.clock = step.event.time or sequence.clock

    def _event(self, clock: int) -> AnyEvent:
        token = self.tokens.now
        read = chance.READ.get(token.value.lower(), read_action)
        fields = read(self.tokens)
        if "time" not in fields and self.tokens.now.kind == "time":
            fields["time"] = self.tokens.take()
        if "time" in fields:
            fields["time"] = _time(fields["time"], clock)
        # The words stand for the first version of a type, so that old texts are read for ever.
        event: AnyEvent = converted(upcasters.upcast(fields), KINDS[fields["type"]], token)
        return event

    def _deal(self) -> None:
        token = self.tokens.take()
        if self.now.parent is None:
            raise Wrong(
                token, Sentence("only a line deals other cards: deal stands inside parentheses")
            )
        number = self.tokens.number(Sentence("the moment of the deal"))
        if not self.tokens.is_word("start", "shuffle"):
            self.tokens.wrong(
                Sentence("expected start or shuffle, not {found}", found=self.tokens.now.shown)
            )
        event = msgspec.to_builtins(self._event(0))
        deal = converted({"number": number, "event": event}, Deal, token)
        self.now.deals.append(Dealt(deal, token))

    def _mark(self) -> None:
        token = self.tokens.take()
        words = token.value.capitalize()
        if words in ("Year", "Round"):
            words += f" {self.tokens.number(Sentence('a number'))}"
        self.now.marks = [*self.now.marks[-1:], (words, token)]

    def _note(self) -> None:
        token = self.tokens.now
        if len(self.draft.notes) >= MAX_NOTES:
            raise TextTooLong(Sentence("more than {most} notes", most=MAX_NOTES))
        fields = read_note(self.tokens)
        for name in ("time", "rewritten"):
            if name in fields:
                fields[name] = _time(fields[name], self.now.clock)
        self.draft.notes.append(DraftNote(fields, self.now, len(self.now.steps), token))

    def _open_line(self) -> None:
        token, parent = self.tokens.take(), self.now
        if len(self.draft.lines) >= MAX_LINES:
            raise TextTooLong(Sentence("more than {most} lines", most=MAX_LINES))
        line = Sequence(token=token, parent=parent, leaves_at=len(parent.steps))
        parent.lines.append(line)
        self.draft.lines.append(line)
        self.now = line
        line.head = read_line_head(self.tokens)
        if "time" in line.head:
            line.head["time"] = line.clock = _time(line.head["time"], parent.clock)

    def _close_line(self) -> None:
        token = self.tokens.take()
        if self.now.parent is None:
            raise Wrong(token, Sentence("there is no line to close"))
        self.now = self.now.parent


def converted(fields: Fields, shape: Any, token: Token) -> Any:
    """Words as the thing they name, or what is wrong with them."""
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError as error:
        what, _, field = str(error).partition(" - at `$.")
        raise Wrong(
            token,
            about(field.rstrip("`"), complaint(what)),
        ) from None


def _time(token: Token, clock: int) -> int:
    time = read_time(token.value, clock)
    if time is None:
        raise Wrong(
            token,
            Sentence("{found} is no time such as 2026-01-31T18:00:00Z or +12.5", found=token.shown),
        )
    return time
