"""Writing a game as a text. The same game gives the same text, always."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rules.scoring import scores
from engine.rules.take_back import TURNS
from engine.state import State
from engine.walk import Walk
from events.types import AnyEvent, ChanceEvent, GameOpened
from replays.notation.chance import chance_words
from replays.notation.header import header_lines
from replays.notation.model import AnnotatedGame, excerpt
from replays.notation.notes import line_words, note_words
from replays.notation.times import after
from replays.notation.words import action_words
from replays.notes.annotations import Place
from replays.notes.notebook import Line, Note

MAX_INDENT = 20
"""Deeper lines are not moved further to the right."""


def write_text(game: AnnotatedGame, from_number: int = 1) -> str:
    """A game as a text; with `from_number` only from that moment on.

    CannotFold is raised where the log does not hold, for years and rounds follow from it.
    """
    if from_number > game.first:
        game = excerpt(game, from_number)
    marks, result = _marks(game)
    head = "\n".join(header_lines(game, result))
    return f"{head}\n\n" + "".join(f"{line}\n" for line in _Walk(game, marks).lines())


def result_words(s: State) -> str:
    """How a game ended: who won, and everyone's points in order of seats; `*` while it runs."""
    if s.phase != "over":
        return "*"
    points = " ".join(str(each.total) for each in scores(s))
    winners = " and ".join(str(seat) for seat in s.winners)
    return f"{winners} {'wins' if len(s.winners) == 1 else 'share'}: {points}"


def mark_words(s: State) -> tuple[str, ...]:
    """Where a game stands, as it is written above a turn.

    >>> from engine.selfplay import new_game
    >>> mark_words(new_game(players=2, seed=1).state)
    ('Year 1', 'Round 1')
    """
    if s.phase == "castles":
        return ("Castles",)
    part = {"politics": f"Round {s.round}", "relocation": "Relocation", "people": "People"}
    return tuple(filter(None, (f"Year {s.year}", part.get(s.phase, ""))))


def _marks(game: AnnotatedGame) -> tuple[dict[int, list[str]], str]:
    """Per event what is written above it, and the result."""
    found: dict[int, list[str]] = {}
    before: tuple[str, ...] = ()
    walk = Walk(game.events)
    for step, event in zip(walk, [*game.events[1:], None], strict=True):
        if step.number >= game.first and type(event) in TURNS:
            now = mark_words(step.state)
            if now != before:
                same_year = now[:1] == before[:1]
                found[step.number + 1] = [*now[1:]] if same_year else ["", *now]
                before = now
    return found, result_words(walk.state)


class _Walk:
    """The lines of a text, in their order. Nested lines lie on a stack, never on Python's own."""

    def __init__(self, game: AnnotatedGame, marks: dict[int, list[str]]) -> None:
        self.game, self.marks = game, marks
        self.notes: dict[Place, list[Note]] = {}
        self.branches: dict[Place, list[Line]] = {}
        for note in game.book.notes.values():
            self.notes.setdefault(note.at, []).append(note)
        for line in game.book.lines.values():
            self.branches.setdefault(line.at, []).append(line)

    def lines(self) -> Iterator[str]:
        game = self.game
        clock = 0
        for event in game.events[: game.first]:
            clock = event.time or clock
        whole = self._moments("", game.first, game.events[game.first :], clock)
        stack: list[Iterator[str | Line]] = [whole]
        while stack:
            step = next(stack[-1], None)
            indent = "    " * min(len(stack) - 1, MAX_INDENT)
            if step is None:
                stack.pop()
                if stack:
                    yield "    " * min(len(stack) - 1, MAX_INDENT) + "  )"
            elif isinstance(step, Line):
                yield f"{indent}  {line_words(step)}"
                stack.append(self._line(step))
            else:
                yield f"{indent}{step}" if step else ""

    def _line(self, line: Line) -> Iterator[str | Line]:
        for each in line.deals:
            first, *rest = _event_lines(each.event, 0)
            yield f"deal {each.number} {first}"
            yield from rest
        yield from self._moments(line.line, line.at.number, line.events, line.time)

    def _moments(
        self, line: str, number: int, events: list[AnyEvent], clock: int
    ) -> Iterator[str | Line]:
        yield from self._beside(Place(number=number, line=line))
        for event in events:
            number += 1
            if not line:
                yield from self.marks.get(number, ())
            yield from _event_lines(event, clock)
            clock = event.time or clock
            yield from self._beside(Place(number=number, line=line))

    def _beside(self, place: Place) -> Iterator[str | Line]:
        for note in self.notes.get(place, ()):
            yield f"  {note_words(note)}"
        yield from self.branches.get(place, ())


def _event_lines(event: AnyEvent, clock: int) -> list[str]:
    assert not isinstance(event, GameOpened)
    is_chance = isinstance(event, ChanceEvent)
    first, *rest = chance_words(event) if is_chance else [action_words(event)]
    time = after(event.time, clock)
    return [f"{first} {time}" if time else first, *rest]
