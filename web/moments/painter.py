"""Turns moments into data that share their pieces: through a seat's view, in a language."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.effects import AnyEffect
from engine.rules.counting import Counting
from engine.rules.scoring import scores
from engine.state import State
from engine.view import SPECTATOR, View, view
from events.types import AnyEvent
from projections.words.effects import Translator, tell_effect
from projections.words.names import marked
from replays.cursor import ended_year
from web.drawing.board import NO_MARKS, draw_layers
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.moments.fragments import Pool, splices
from web.moments.shapes import Moment
from web.words.phases import PHASES


class Frame(msgspec.Struct, frozen=True):
    """A whole moment: what is told of it, and its picture's layers by their pieces' numbers."""

    moment: Moment
    layers: list[list[int]]


class Painter:
    """Paints the moments of one game for one pair of eyes."""

    def __init__(
        self,
        names: Sequence[str],
        translator: Translator,
        seat: int = SPECTATOR,
        *,
        revealed: bool = False,
    ) -> None:
        self.names, self.translator = names, translator
        self.seat, self._revealed = seat, revealed
        self.pool = Pool()
        self.shell: list[str] = []
        self._land: tuple[object, ...] = ()
        self._plain: dict[str, str] = {}
        """Hexes with nothing on them, as they were drawn on this land."""

    def frame(
        self, number: int, s: State, effects: Sequence[AnyEffect], marks: Marks | None = None
    ) -> Frame:
        """A moment in full; `marks` where others than the event's own are to be drawn."""
        shown = view(s, self.seat, revealed=self._revealed)
        moment = Moment(
            number=number,
            heading=self.pool.number(heading(shown, self.translator, effects)),
            sentences=[tell_effect(effect, self.names, self.translator) for effect in effects],
            effects=msgspec.to_builtins(effects),
            scores=[
                [line.total, player.citizens, player.food, player.gold, player.action_cards]
                for line, player in zip(scores(s), shown.players, strict=True)
            ],
            display=shown.display,
            voice=shown.voice[-1] if shown.voice else [],
        )
        return Frame(moment, self._board(s, shown, marks_of(effects) if marks is None else marks))

    def _board(self, s: State, shown: View, marks: Marks) -> list[list[int]]:
        land = s.board, len(shown.players), dict(shown.tiles)
        if land != self._land:
            self._land, self._plain = land, {}
        words = self.translator.gettext
        drawing = draw_layers(s.board, shown, words=words, marks=marks, plain=self._plain)
        self.shell = self.shell or drawing.shell
        if drawing.shell != self.shell:
            raise ValueError("the sheet itself differs between moments")
        return [self.pool.numbers(layer) for layer in drawing.layers]


def news(before: Frame | None, now: Frame) -> Moment:
    """A moment as what it changes; without one before it, all of it, on an empty sheet."""
    moment = now.moment
    if before is None:
        return msgspec.structs.replace(moment, board=splices([[] for _ in now.layers], now.layers))
    old = before.moment
    return msgspec.structs.replace(
        moment,
        board=splices(before.layers, now.layers),
        scores=None if moment.scores == old.scores else moment.scores,
        display=None if moment.display == old.display else moment.display,
        voice=None if moment.voice == old.voice else moment.voice,
    )


def last_marks(story: Sequence[tuple[AnyEvent, Sequence[AnyEffect]]]) -> Marks:
    """What the last event with anything to see on the board changed, of those that still count."""
    counting = Counting()
    for number, (event, effects) in enumerate(story):
        counting.take(number, event, effects)
    found = (marks_of(story[number][1]) for number in reversed(counting.numbers))
    return next((marks for marks in found if marks != NO_MARKS), NO_MARKS)


def heading(shown: View, translator: Translator, effects: Sequence[AnyEffect] = ()) -> str:
    """Where the game stands. What ended a year belongs to it, though the next one has begun."""
    phase = translator.gettext(PHASES[shown.phase])
    if shown.phase == "over" or not shown.year:
        return phase
    if year := ended_year(effects):
        end = translator.gettext(marked("The year ends"))
        return translator.gettext(marked("Year {year} · {phase}")).format(year=year, phase=end)
    if shown.phase == "politics":
        return translator.gettext(marked("Year {year} · {phase}, round {round}")).format(
            year=shown.year, phase=phase, round=shown.round
        )
    return translator.gettext(marked("Year {year} · {phase}")).format(year=shown.year, phase=phase)
