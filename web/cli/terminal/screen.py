"""One moment as lines for a terminal of any size: the board in colours, the story, the players."""

from __future__ import annotations

import textwrap

import msgspec
from rich.text import Text

from engine.material.numbers import EMPTY
from engine.rules.scoring import scores
from engine.state import State
from projections.words.board import draw_board, headline, hex_places, printable
from projections.words.effects import ENGLISH, Translator, tell_effect
from projections.words.names import marked
from replays.cursor import Cursor
from web.drawing.changes import marks_of

SEATS = {
    1: "bold red",
    2: "bold bright_blue",
    3: "bold green",
    4: "bold magenta",
    5: "bold yellow",
}
"""A colour per seat; its digit stands beside it all the same."""
BY_TURNS = marked("←→ turn  ↑↓ year  Home End  e by events  q quits")
BY_EVENTS = marked("←→ event  ↑↓ year  Home End  e by turns  q quits")
BESIDE = 36
"""So many columns next to the board are enough for the story."""
FEW = 3
"""Lines for the story that even a low terminal keeps under the board."""


class Size(msgspec.Struct, frozen=True):
    """A terminal's columns and lines."""

    width: int
    height: int


def frame(
    cursor: Cursor,
    number: int,
    size: Size,
    translator: Translator = ENGLISH,
    *,
    by_event: bool = False,
) -> list[Text]:
    """The whole screen, as many lines as it has at most, none wider than it is."""
    s = cursor.at(number)
    top = Text(f"{number}/{cursor.last}  {headline(s, translator)}", style="bold")
    bottom = Text(translator.gettext(BY_EVENTS if by_event else BY_TURNS), style="dim")
    room = Size(size.width, size.height - 2)
    lines = [top, *_middle(cursor, number, s, room, translator)[: max(0, room.height)], bottom]
    return [_cut(line, size.width) for line in lines[: size.height]]


def _middle(
    cursor: Cursor, number: int, s: State, room: Size, translator: Translator
) -> list[Text]:
    changed = _changed(cursor, number)
    board = board_lines(s, changed)
    wide = max(line.cell_len for line in board)
    if room.width >= wide + BESIDE:
        story = _story(cursor, number, room.width - wide - 2, translator)
        beside = [*story, Text(), *_players(s, translator)]
        return _side_by_side(_window(board, s, changed, room), beside, wide + 2)
    story = _story(cursor, number, room.width, translator)
    height = min(len(board), max(room.height - max(FEW, len(story)), room.height * 2 // 3))
    window = _window(board, s, changed, Size(room.width, height))
    return [*window, *story, *_players(s, translator)]


def board_lines(s: State, changed: list[str]) -> list[Text]:
    """The board of `projections.words.board` in colours, what changed in reverse."""
    lines = [Text(line) for line in draw_board(s)]
    for line in lines[1:]:
        line.highlight_regex(r"\dw", "yellow")
        line.highlight_regex(r"~~", "cyan")
        line.highlight_regex(r"··", "dim")
    for label, (row, column) in hex_places(s).items():
        hex_ = s.board.hex_at[label]
        if s.stands_on.get(hex_, EMPTY):
            lines[row].stylize(SEATS[s.cities[s.city_on[hex_]].seat], column, column + 2)
        if label in changed:
            lines[row].stylize("reverse", column, column + 2)
    return lines


def _changed(cursor: Cursor, number: int) -> list[str]:
    marks = marks_of(cursor.effects[number - 1])
    ends = [label for move in marks.moves for label in move]
    return [*sorted(marks.new), *marks.gone, *ends]


def _story(cursor: Cursor, number: int, width: int, translator: Translator) -> list[Text]:
    names = [printable(seat.name) for seat in cursor.at(1).seats]
    sentences = [tell_effect(effect, names, translator) for effect in cursor.effects[number - 1]]
    return [
        Text(line)
        for sentence in sentences
        for line in textwrap.wrap(sentence, max(10, width), subsequent_indent="  ")
    ]


def _players(s: State, translator: Translator) -> list[Text]:
    """A line per seat."""
    text = translator.gettext(
        "{seat} {name}: {points} points, {gold} gold, food {food} for {citizens}"
    )
    return [
        Text(
            text.format(
                seat=line.seat,
                name=printable(s.name(line.seat)),
                points=line.total,
                gold=line.gold,
                food=s.food_of(line.seat),
                citizens=s.citizens_of(line.seat),
            ),
            style=SEATS[line.seat],
        )
        for line in scores(s)
    ]


def _window(board: list[Text], s: State, changed: list[str], room: Size) -> list[Text]:
    """As much of the board as there is room for, around what changed."""
    places = hex_places(s)
    rows = [places[label][0] for label in changed if label in places]
    columns = [places[label][1] for label in changed if label in places]
    wide = max(line.cell_len for line in board)
    top = _start(rows, len(board), room.height)
    left = _start(columns, wide, room.width)
    shown = board[top : top + max(0, room.height)]
    return [line[left : left + room.width] if left < len(line) else Text() for line in shown]


def _start(places: list[int], whole: int, room: int) -> int:
    """Where a window begins so that what matters is in its middle."""
    if whole <= room or room <= 0:
        return 0
    middle = places[0] if places else 0
    return max(0, min(middle - room // 2, whole - room))


def _side_by_side(left: list[Text], right: list[Text], width: int) -> list[Text]:
    lines = []
    for place in range(max(len(left), len(right))):
        line = left[place].copy() if place < len(left) else Text()
        line.pad_right(max(0, width - line.cell_len))
        lines.append(line + right[place] if place < len(right) else line)
    return lines


def _cut(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(max(1, width))
    return line
