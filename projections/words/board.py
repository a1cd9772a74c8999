"""A state as text for a terminal: the board drawn with letters, then a line per player."""

from __future__ import annotations

from collections.abc import Mapping

from engine.material.numbers import CASTLE, EMPTY, POLITICS, SERVICES
from engine.rules.demolition import shortage
from engine.rules.scoring import score
from engine.state import City, State
from projections.words.effects import ENGLISH, English, Translator, listed
from projections.words.names import BUILDINGS, CARDS, OWED, marked
from projections.words.names import SERVICES as SERVICE_NAMES
from projections.words.positions import PHASES

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
    marked(
        "A digit and a sign are a seat's building: # castle, f farm, q quarry, s school, t statue,"
    ),
    marked("m market, o fountain, P palace, H hospital, B bath, C cathedral, U university."),
    marked("·· free lane hex · 1w 2w 3w farmland · ~~ lake · /\\ mountain"),
)
DEALS = {
    "start": marked("the deal"),
    "shuffle": marked("a shuffle"),
}
"""What chance has to bring."""
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
            marks[at] = f"{s.cities[s.city_on[hex_]].seat}{SIGNS[building]}"
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


def describe(s: State, translator: Translator = ENGLISH) -> str:
    """Everything on the table, hidden cards included, for whoever holds the log."""
    legend = [translator.gettext(line) for line in LEGEND]
    lines = [headline(s, translator), "", *draw_board(s), "", *legend, ""]
    for seat in s.players:
        lines += describe_player(s, seat, translator)
    lines += ["", *describe_cards(s, translator)]
    return "\n".join(lines) + "\n"


def called(word: str, names: Mapping[str, str], translator: Translator) -> str:
    """What the log calls a thing, in English; elsewhere the thing's name."""
    return word if isinstance(translator, English) else translator.gettext(names[word])


def headline(s: State, translator: Translator = ENGLISH) -> str:
    """Where the game stands and who owes what."""
    if s.phase == "over":
        winners = [printable(s.name(seat)) for seat in s.winners]
        won = translator.ngettext(
            "After year {year}: {winners} won.", "After year {year}: {winners} won.", len(winners)
        )
        return won.format(year=s.year, winners=listed(winners, translator))
    if s.chance:
        what = called(s.chance, DEALS, translator)
        return translator.gettext("The dealer owes: {what}.").format(what=what)
    if s.phase == "people" and not s.awaiting:
        return translator.gettext("Year {year} ends.").format(year=s.year)
    owed = ", ".join(
        translator.gettext("{who} owes: {what}").format(
            who=printable(s.name(seat)), what=called(what, OWED, translator)
        )
        for seat, what in sorted(s.awaiting.items())
    )
    text = (
        translator.gettext("Year {year}, {phase}, round {round}. {owed}.")
        if s.phase == "politics"
        else translator.gettext("Year {year}, {phase}. {owed}.")
    )
    phase = called(s.phase, PHASES, translator)
    return text.format(year=s.year, phase=phase, round=s.round, owed=owed)


def describe_player(s: State, seat: int, translator: Translator = ENGLISH) -> list[str]:
    """A seat's line and one line per city."""
    player, line = s.players[seat], score(s, seat)
    hungry = shortage(s, seat)
    text = (
        translator.gettext(
            "{seat} {name}: {points} points · {gold} gold · food {food} for {citizens} citizens"
            " ({hungry} hungry) · action cards {cards} · figures {figures} · castles left {castles}"
        )
        if hungry
        else translator.gettext(
            "{seat} {name}: {points} points · {gold} gold · food {food} for {citizens} citizens"
            " · action cards {cards} · figures {figures} · castles left {castles}"
        )
    )
    player_line = text.format(
        seat=seat,
        name=printable(s.name(seat)),
        points=line.total,
        gold=player.gold,
        food=s.food_of(seat),
        citizens=s.citizens_of(seat),
        hungry=hungry,
        cards=player.action_cards,
        figures=player.figures,
        castles=player.castles,
    )
    if player.resigned:
        player_line = " · ".join([player_line, translator.gettext("resigned")])
    return [
        player_line,
        *(f"    {describe_city(s, city, translator)}" for city in s.cities_of(seat)),
    ]


def describe_city(s: State, city: City, translator: Translator = ENGLISH) -> str:
    services = ", ".join(
        f"{translator.gettext(SERVICE_NAMES[name])} {city.points(i)}"
        for i, name in enumerate(SERVICES)
    )
    buildings = ", ".join(
        f"{translator.gettext(BUILDINGS[s.stands_on[hex_]])} {s.board.label[hex_]}"
        for hex_ in city.hexes
        if hex_ != city.castle
    )
    text = translator.gettext("city {city}: {citizens} citizens · {services}")
    city_line = text.format(
        city=s.board.label[city.castle], citizens=city.citizens, services=services
    )
    return f"{city_line} · {buildings}" if buildings else city_line


def describe_cards(s: State, translator: Translator = ENGLISH) -> list[str]:
    """Both rows of cards, the supply and the pools."""
    display = ", ".join(
        called(POLITICS[card], CARDS, translator) if card >= 0 else "–" for card in s.display
    )
    voice = [translator.gettext(SERVICE_NAMES[SERVICES[card]]) for card in s.voice_cards]
    return [
        translator.gettext("Politics: {cards} (pile {pile})").format(
            cards=display, pile=len(s.pile)
        ),
        translator.gettext("Voice of the people: {cards}").format(
            cards=", ".join(voice) if s.year else "–"
        ),
        translator.gettext("Supply: {citizens} citizens").format(citizens=s.supply),
    ]
