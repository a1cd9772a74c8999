"""Moments as a page shows them: the board, the words, the points, the cards, the notes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.effects import AnyEffect
from engine.material.numbers import numbers_of
from engine.rules.scoring import scores
from engine.state import State
from engine.view import HIDDEN, View, view
from projections.words.effects import Translator, tell_effect
from projections.words.names import CARDS, SERVICES, marked
from replays.cursor import Cursor
from replays.notes.annotations import GLYPHS, Place
from replays.notes.notebook import Note, Notebook
from web.drawing.board import draw_board
from web.drawing.cards import card_back, politics_card, voice_card
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.drawing.paint import text
from web.share.contents import SharedNote, Shown
from web.share.fragments import Pool, splices, take_apart
from web.site.markdown import plain_html, safe_html
from web.words.phases import PHASES

MAX_RENDERED = 200_000
"""Characters of notes that a file shows as their Markdown says."""


def heading(shown: View, translator: Translator) -> str:
    """Where the game stands."""
    phase = translator.gettext(PHASES[shown.phase])
    if shown.phase == "over":
        return phase
    if not shown.year:
        return phase
    if shown.phase == "politics":
        return translator.gettext(marked("Year {year} · {phase}, round {round}")).format(
            year=shown.year, phase=phase, round=shown.round
        )
    return translator.gettext(marked("Year {year} · {phase}")).format(year=shown.year, phase=phase)


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


class Painter:
    """Turns moments into what the file holds, sharing pieces among all of them."""

    def __init__(
        self, game: Cursor, book: Notebook, translator: Translator, chapter: str = ""
    ) -> None:
        self.book, self.translator = book, translator
        self.pool = Pool()
        self.shell: list[str] = []
        last = view(game.at(game.last))
        self._names = [player.name for player in last.players]
        self._numbers = numbers_of(last.rules)
        self._revealed = last.voice if last.phase == "over" else []
        self._cards: dict[tuple[str, str], str] = {}
        self._to_render = MAX_RENDERED
        self._notes: dict[Place, list[Note]] = {}
        for note in book.notes.values():
            if note.chapter == chapter:
                self._notes.setdefault(note.at, []).append(note)

    def track(
        self, cursor: Cursor, line: str, start: int, leaving: dict[int, list[int]]
    ) -> list[Shown]:
        """The moments of a cursor from `start` on; `leaving` names the tracks that leave each."""
        layers: list[list[int]] = []
        before: Shown | None = None
        shown = []
        for number in range(start, cursor.last + 1):
            s = cursor.at(number)
            notes = self._notes.get(Place(number=number, line=line), [])
            effects = cursor.effects[number - 1]
            drawn = self._board(s, marks_at(s, effects, notes))
            whole = self._shown(s, effects, notes, leaving.get(number, []), not line)
            changes = splices(layers or [[] for _ in drawn], drawn)
            shown.append(msgspec.structs.replace(_news(before, whole), board=changes))
            layers, before = drawn, whole
        return shown

    def _board(self, s: State, marks: Marks) -> list[list[int]]:
        drawing = take_apart(
            draw_board(s.board, view(s), words=self.translator.gettext, marks=marks)
        )
        self.shell = self.shell or drawing.shell
        if drawing.shell != self.shell:
            raise ValueError("the sheet itself differs between moments")
        return [self.pool.numbers(layer) for layer in drawing.layers]

    def _shown(
        self,
        s: State,
        effects: Sequence[AnyEffect],
        notes: Sequence[Note],
        lines: list[int],
        recorded: bool,
    ) -> Shown:
        shown = view(s)
        return Shown(
            heading=self.pool.number(heading(shown, self.translator)),
            told=[tell_effect(effect, self._names, self.translator) for effect in effects],
            scores=[
                [line.total, player.citizens, player.food, player.gold, player.action_cards]
                for line, player in zip(scores(s), shown.players, strict=True)
            ],
            display=self.pool.numbers([self._card("politics", card) for card in shown.display]),
            voice=self.pool.numbers(self._voice(shown, recorded)),
            notes=[self._note(note) for note in notes],
            lines=lines,
        )

    def _voice(self, shown: View, recorded: bool) -> list[str]:
        """This year's voice cards; those of a finished game in full, though they were hidden."""
        if not shown.voice:
            return []
        cards = shown.voice[-1]
        if not recorded or len(self._revealed) < len(shown.voice):
            return [self._card("voice", card) for card in cards]
        return [
            self._card("voice" if then != HIDDEN else "later", card)
            for then, card in zip(cards, self._revealed[len(shown.voice) - 1], strict=True)
        ]

    def _card(self, kind: str, card: str) -> str:
        """A card with its name, made once."""
        key = (kind, card)
        if key not in self._cards:
            self._cards[key] = self._draw_card(kind, card)
        return self._cards[key]

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
            by=note.by.name,
            html=self._html(note.content.text),
            sign=sign,
            means=words(means) if means else "",
            about=note.content.city,
            answers=self._depth(note),
        )

    def _html(self, text: str) -> str:
        """The first notes as their Markdown says; a long notebook's others as they were written."""
        self._to_render -= len(text)
        return safe_html(text) if self._to_render >= 0 else plain_html(text)

    def _depth(self, note: Note) -> int:
        depth, above = 0, self.book.notes.get(note.answers)
        while above is not None and depth < 4:
            depth, above = depth + 1, self.book.notes.get(above.answers)
        return depth


def _news(before: Shown | None, now: Shown) -> Shown:
    """A moment without what is as before."""
    if before is None:
        return now
    return msgspec.structs.replace(
        now,
        scores=None if now.scores == before.scores else now.scores,
        display=None if now.display == before.display else now.display,
        voice=None if now.voice == before.voice else now.voice,
    )
