"""A state as text for a terminal: the board drawn with letters, then a line per player."""

from __future__ import annotations

from engine.demolition import shortage
from engine.scoring import scores
from engine.state import City, State
from engine.tables import CASTLE, EMPTY, POLITICS, SERVICES

SIGNS = {
    CASTLE: "#",
    "farm": "f",
    "quarry": "q",
    "school": "s",
    "statue": "t",
    "market": "m",
    "fountain": "o",
    "palace": "P",
    "hospital": "H",
    "bath": "B",
    "cathedral": "C",
    "university": "U",
}
GROUND = {"lake": "~~", "mountain": "/\\", "wasteland": "  "}
LEGEND = (
    "A digit and a sign are a seat's building: # castle, f farm, q quarry, s school, t statue,",
    "m market, o fountain, P palace, H hospital, B bath, C cathedral, U university.",
    "·· free lane hex · 1w 2w 3w farmland · ~~ lake · /\\ mountain",
)
CELL = 3
"""Two characters for a hex and one between; a row is shifted by half of it."""
MARGIN = 3
"""A row's letter and two blanks."""


def draw_board(s: State) -> list[str]:
    """The board row by row, letters at the left, columns by number on top."""
    marks = _lane_marks(s) | _ground_marks(s)
    top = min(r for _, r in marks)
    rows: dict[int, dict[int, str]] = {}
    for (q, r), mark in marks.items():
        rows.setdefault(r, {})[2 * q + r] = mark
    left = min(x for row in rows.values() for x in row)
    letters = {s.board.coordinate[hex_][1]: label[0] for label, hex_ in s.board.hex_at.items()}
    lines = [_column_numbers(s, left)]
    for r in range(top, max(rows) + 1):
        line = ""
        for x, mark in sorted(rows.get(r, {}).items()):
            line = line.ljust((x - left) * CELL // 2) + mark
        lines.append(f"{letters.get(r, ' ')}  {line}".rstrip())
    return lines


def hex_places(s: State) -> dict[str, tuple[int, int]]:
    """Per lane hex the line and the column at which `draw_board` sets it."""
    cells = [*_lane_marks(s), *_ground_marks(s)]
    top, left = min(r for _, r in cells), min(2 * q + r for q, r in cells)
    return {
        label: (r - top + 1, MARGIN + (2 * q + r - left) * CELL // 2)
        for label, (q, r) in _labelled(s)
    }


def _column_numbers(s: State, left: int) -> str:
    """The columns' numbers over the first lettered row; the rows below are shifted from there."""
    hexes = [(2 * q + r, label) for label, (q, r) in _labelled(s) if label[0] == "a"]
    line = ""
    for x, label in sorted(hexes):
        line = line.ljust((x - left) * CELL // 2) + label[1:].rjust(2)
    return f"   {line}"


def _labelled(s: State) -> list[tuple[str, tuple[int, int]]]:
    return [(label, s.board.coordinate[hex_]) for label, hex_ in s.board.hex_at.items()]


def _lane_marks(s: State) -> dict[tuple[int, int], str]:
    marks = {}
    for label, at in _labelled(s):
        hex_ = s.board.hex_at[label]
        building = s.stands_on.get(hex_, EMPTY)
        if building:
            marks[at] = f"{s.cities[s.city_on[hex_]].seat + 1}{SIGNS[building]}"
        elif s.open >> hex_ & 1:
            marks[at] = "··"
        else:
            marks[at] = "  "
    return marks


def _ground_marks(s: State) -> dict[tuple[int, int], str]:
    marks = {}
    for label, field in s.board.data.fields.items():
        for cell in field.cells:
            marks[cell] = _ground(s.tiles.get(label, "wasteland"))
    for edge in s.board.data.edges.values():
        for cell in edge.cells:
            marks[cell] = _ground(edge.terrain)
    return marks


def _ground(terrain: str) -> str:
    return GROUND.get(terrain) or f"{terrain[-1]}w"


def printable(text: str) -> str:
    """What people wrote, without anything that steers a terminal.

    >>> printable("Anna\\x1b[2J")
    'Anna�[2J'
    """
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def describe(s: State) -> str:
    """Everything on the table, hidden cards included, for whoever holds the log."""
    lines = [headline(s), "", *draw_board(s), "", *LEGEND, ""]
    for seat in range(len(s.seats)):
        lines += describe_player(s, seat)
    lines += ["", *describe_cards(s)]
    return "\n".join(lines) + "\n"


def headline(s: State) -> str:
    """Where the game stands and who owes what."""
    if s.phase == "over":
        winners = " and ".join(printable(s.seats[seat].name) for seat in s.winners)
        return f"After year {s.year}: {winners} won."
    if s.chance:
        return f"The dealer owes: {s.chance}."
    owed = ", ".join(
        f"{printable(s.seats[seat].name)} owes: {what}" for seat, what in sorted(s.awaiting.items())
    )
    round_ = f", round {s.round}" if s.phase == "politics" else ""
    return f"Year {s.year}, {s.phase}{round_}. {owed}."


def describe_player(s: State, seat: int) -> list[str]:
    """A seat's line and one line per city."""
    player, line = s.players[seat], scores(s)[seat]
    hungry = shortage(s, seat)
    resigned = " · resigned" if player.resigned else ""
    return [
        f"{seat + 1} {printable(s.seats[seat].name)}: {line.total} points · {player.gold} gold ·"
        f" food {s.food_of(seat)} for {s.citizens_of(seat)} citizens"
        f"{f' ({hungry} hungry)' if hungry else ''} · action cards {player.action_cards} ·"
        f" figures {player.figures} · castles left {player.castles}{resigned}",
        *(f"    {describe_city(s, city)}" for city in s.cities_of(seat)),
    ]


def describe_city(s: State, city: City) -> str:
    services = ", ".join(f"{name} {city.points(i)}" for i, name in enumerate(SERVICES))
    buildings = ", ".join(
        f"{s.stands_on[hex_]} {s.board.label[hex_]}" for hex_ in city.hexes if hex_ != city.castle
    )
    return (
        f"city {s.board.label[city.castle]}: {city.citizens} citizens · {services}"
        f"{f' · {buildings}' if buildings else ''}"
    )


def describe_cards(s: State) -> list[str]:
    """Both rows of cards, the supply and the pools."""
    display = ", ".join(POLITICS[card] if card >= 0 else "–" for card in s.display)
    voice = ", ".join(SERVICES[card] for card in s.voice_cards) if s.year else "–"
    return [
        f"Politics: {display} (pile {len(s.pile)})",
        f"Voice of the people: {voice}",
        f"Supply: {s.supply} citizens",
    ]
