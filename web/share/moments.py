"""What the file adds to a moment: cards as they look, the notes, what these draw on the board."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.effects import AnyEffect
from engine.material.numbers import numbers_of
from engine.state import State
from engine.view import HIDDEN, view
from projections.words.effects import Translator
from projections.words.names import CARDS, SERVICES, marked
from projections.words.reviews import tell_finding
from replays.cursor import Cursor
from replays.notes.annotations import GLYPHS, Place
from replays.notes.notebook import Note, Notebook
from web.drawing.box.cards import card_back, politics_card, voice_card
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.drawing.paint import text
from web.moments.painter import Frame, Painter, news
from web.moments.shapes import Moment
from web.share.contents import SharedMoment, SharedNote
from web.site.markdown import plain_html, safe_html

MAX_RENDERED = 200_000
"""Characters of notes that a file shows as their Markdown says."""


def marks_at(s: State, effects: Sequence[AnyEffect], notes: Sequence[Note]) -> Marks:
    """What the event changed, and what the notes on the moment draw."""
    known = s.board.hex_at
    return msgspec.structs.replace(
        marks_of(effects),
        coloured={
            label: colour
            for note in notes
            for label, colour in note.content.hexes.items()
            if label in known
        },
        arrows=tuple(
            (arrow.start, arrow.end, arrow.colour)
            for note in notes
            for arrow in note.content.arrows
            if arrow.start in known and arrow.end in known
        ),
    )


class SharedPainter:
    """Paints the moments of a file as a spectator sees them, with notes and cards."""

    def __init__(
        self, game: Cursor, book: Notebook, translator: Translator, chapter: str = ""
    ) -> None:
        self.book, self.translator = book, translator
        last = view(game.at(game.last))
        self.painter = Painter([player.name for player in last.players], translator)
        self._numbers = numbers_of(last.rules)
        self._revealed = last.voice if last.phase == "over" else []
        self.cards: dict[str, str] = {}
        self._to_render = MAX_RENDERED
        self._notes: dict[Place, list[Note]] = {}
        for note in book.notes.values():
            if note.chapter == chapter:
                self._notes.setdefault(note.at, []).append(note)

    def track(
        self, cursor: Cursor, line: str, start: int, leaving: dict[int, list[int]]
    ) -> list[SharedMoment]:
        """The moments of a cursor from `start` on; `leaving` names the tracks that leave each."""
        before: Frame | None = None
        shown = []
        for number in range(start, cursor.last + 1):
            s = cursor.at(number)
            notes = self._notes.get(Place(number=number, line=line), [])
            effects = cursor.effects[number - 1]
            frame = self.painter.frame(number, s, effects, marks_at(s, effects, notes))
            frame = msgspec.structs.replace(frame, moment=self._with_cards(frame.moment, s, line))
            moment = news(before, frame)
            shown.append(
                SharedMoment(
                    **{name: getattr(moment, name) for name in moment.__struct_fields__},
                    notes=[self._note(note) for note in notes],
                    lines=leaving.get(number, []),
                )
            )
            before = frame
        return shown

    def _with_cards(self, moment: Moment, s: State, line: str) -> Moment:
        """A moment with its cards drawn; the voice cards of a finished game in full, though they
        were hidden."""
        then = moment.voice or []
        known = self._revealed[s.year - 1] if self._revealed and not line and then else then
        voice = [
            self._card("voice" if card != HIDDEN or real == card else "later", real)
            for card, real in zip(then, known, strict=True)
        ]
        display = [self._card("politics", card) for card in moment.display or []]
        return msgspec.structs.replace(moment, display=display, voice=voice)

    def _card(self, kind: str, card: str) -> str:
        """The key of a card, which is drawn once."""
        key = f"{kind}/{card}"
        if key not in self.cards:
            self.cards[key] = self._draw_card(kind, card)
        return key

    def _draw_card(self, kind: str, card: str) -> str:
        words = self.translator.gettext
        if not card:
            empty = words(marked("empty place"))
            return f'<li class="card empty">{text(empty)}</li>'
        if kind == "politics":
            picture, name = politics_card(card, words, self._numbers), words(CARDS[card])
        elif card == HIDDEN:
            picture, name = card_back("voice", words), words(marked("face down"))
        else:
            picture, name = voice_card(card, words), words(SERVICES[card])
        hidden = words(marked("hidden until the end")) if kind == "later" else ""
        note = f" <small>{text(hidden)}</small>" if hidden else ""
        return f'<li class="card {kind}">{picture}<span>{text(name)}{note}</span></li>'

    def _note(self, note: Note) -> SharedNote:
        words = self.translator.gettext
        if note.withdrawn:
            gone = marked("This note was withdrawn.")
            sentence = words(marked("Removed by the host.") if note.removed else gone)
            return SharedNote(
                by=note.by.name, html=f"<p>{text(sentence)}</p>", answers=self._depth(note)
            )
        sign, means = GLYPHS.get(note.content.glyph, ("", ""))
        return SharedNote(
            by=words(marked("Review")) if note.finding else note.by.name,
            html=self._html(note.content.text) + self._finding(note),
            sign=sign,
            means=words(means) if means else "",
            about=note.content.city,
            answers=self._depth(note),
            review=note.finding is not None,
        )

    def _finding(self, note: Note) -> str:
        if (found := note.finding) is None:
            return ""
        sentence = tell_finding(
            found.mark,
            found.other,
            found.win / 1000,
            found.points / 100,
            self.painter.names,
            self.translator,
        )
        return f"<p>{text(sentence)}</p>"

    def _html(self, text: str) -> str:
        """The first notes as their Markdown says; a long notebook's others as they were written."""
        self._to_render -= len(text)
        return safe_html(text) if self._to_render >= 0 else plain_html(text)

    def _depth(self, note: Note) -> int:
        depth, above = 0, self.book.notes.get(note.answers)
        while above is not None and depth < 4:
            depth, above = depth + 1, self.book.notes.get(above.answers)
        return depth
