"""The drawings: every hex named, every arch countable, nothing that a strict policy refuses."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

import web
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.material import library
from engine.material.numbers import CASTLE, KINDS, POLITICS, SERVICES, Kind
from engine.material.printed import BLUE
from engine.selfplay import new_game
from engine.snapshot import CityRecord
from engine.view import View, view
from projections.words.places import place_name
from web.drawing.board import draw_board
from web.drawing.box import pieces
from web.drawing.box.cards import Words, action_card, card_back, identity, politics_card, voice_card
from web.drawing.geometry import outline
from web.drawing.marks import NOTES, Marks
from web.drawing.paint import COLOURS

SVG = "{http://www.w3.org/2000/svg}"
BOARD = library.board()
STYLESHEET = (Path(web.__file__).parent / "static" / "board.css").read_text()
LIMIT = 90_000


def all_cards(words: Words = identity) -> dict[str, str]:
    """Every card by a name."""
    cards: dict[str, str] = {card: politics_card(card, words) for card in POLITICS}
    cards["action"] = action_card(words)
    cards |= {f"voice-{service}": voice_card(service, words) for service in SERVICES}
    return cards | {f"back-{kind}": card_back(kind, words) for kind in ("politics", "voice")}


def seen(players: int = 4, events: int = 60, seed: int = 7) -> View:
    """A table after some decisions, seen from the first seat."""
    game, bot = new_game(players=players, seed=seed), RandomBot(seed)
    for _ in range(events):
        if game.state.awaiting:
            game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
    return view(game.state, 1)


def crowded() -> View:
    """A table with every building, figures of all kinds and five seats."""
    table = seen(players=5, events=0)
    row = [f"k{column}" for column in range(1, 22)]
    buildings = {row[0]: CASTLE} | {
        label: kind.name for label, kind in zip(row[1:], KINDS, strict=False)
    }
    where = {what: label for label, what in buildings.items()}
    figures = {where["hospital"]: [0, 2, 1, 0], where["farm"]: [0, 0, 0, 1]}
    city = CityRecord(
        number=1, seat=1, castle=row[0], citizens=14, buildings=buildings, figures=figures
    )
    others = [
        CityRecord(
            number=seat, seat=seat, castle=at, citizens=3, buildings={at: CASTLE}, figures={}
        )
        for seat, at in ((2, "a3"), (3, "a9"), (4, "a15"), (5, "a20"))
    ]
    return msgspec.structs.replace(table, cities=[city, *others])


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def hexes(svg: str) -> dict[str, ElementTree.Element]:
    found = [element for element in parsed(svg).iter() if "data-hex" in element.attrib]
    assert len(found) == len({element.attrib["data-hex"] for element in found})
    return {element.attrib["data-hex"]: element for element in found}


def title(element: ElementTree.Element) -> str:
    return element.findtext(f"{SVG}title") or ""


EVERYTHING = Marks(
    legal=frozenset({"a1", "a2"}),
    chosen=frozenset({"a2"}),
    new=frozenset({"f9"}),
    gone={"f12": "cathedral"},
    moves=(("k1", "a3"),),
    arrows=(("f3", "f9", "red"),),
    coloured={"f4": "blue"},
)
DRAWINGS = {
    **{
        f"{players} players, {events} events": draw_board(BOARD, seen(players, events))
        for players in (2, 3, 4, 5)
        for events in (0, 80)
    },
    "crowded": draw_board(BOARD, crowded()),
    "marked": draw_board(BOARD, crowded(), marks=EVERYTHING),
    **all_cards(),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_strict_policy_accepts_it(name: str) -> None:
    root = parsed(DRAWINGS[name])
    assert root.tag == f"{SVG}svg"
    assert "viewBox" in root.attrib
    assert not {"width", "height"} & set(root.attrib)
    for element in root.iter():
        assert element.tag not in {f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject"}
        assert not [key for key in element.attrib if key == "style" or key.startswith("on")]


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_reference_leads_somewhere_and_no_id_comes_twice(name: str) -> None:
    svg = DRAWINGS[name]
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)) <= {
        pair for name_ in ids for pair in ((name_, ""), ("", name_))
    }


@pytest.mark.parametrize("name", DRAWINGS)
def test_size(name: str) -> None:
    assert len(DRAWINGS[name].encode()) < LIMIT


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_lane_hex_once_with_a_name(players: int) -> None:
    found = hexes(draw_board(BOARD, seen(players)))
    assert set(found) == set(BOARD.hex_at)
    for label, element in found.items():
        assert title(element).startswith(f"{label}, ")


@pytest.mark.parametrize("players", [2, 3])
def test_closed_hexes_can_neither_be_focused_nor_chosen(players: int) -> None:
    marks = Marks(legal=frozenset(BOARD.hex_at))
    found = hexes(draw_board(BOARD, seen(players), marks=marks))
    for label, hex_ in BOARD.hex_at.items():
        open_ = bool(BOARD.open[players] >> hex_ & 1)
        assert ("tabindex" in found[label].attrib) == open_
        assert ("closed" in found[label].attrib["class"].split()) != open_


def test_the_sheet_is_cut_to_what_is_open() -> None:
    widths = [
        float(parsed(draw_board(BOARD, seen(players, 0))).attrib["viewBox"].split()[2])
        for players in (2, 3, 4)
    ]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_arches_as_in_the_table(kind: Kind) -> None:
    element = next(
        element
        for element in hexes(DRAWINGS["crowded"]).values()
        if f", {kind.name} of " in title(element)
    )
    arches = [use.attrib["href"] for use in element.iter() if use.attrib.get("class") == "arch"]
    drawn = tuple(arches.count(f"#arch-{colour}") for colour in pieces.ARCHES)
    assert drawn == kind.arches
    for service, count in zip(SERVICES, drawn, strict=True):
        assert (f"{count} {service} arch" in title(element)) == bool(count)


def test_citizens_in_the_castle_and_in_the_city() -> None:
    castle = hexes(DRAWINGS["crowded"])["k1"]
    assert (
        title(castle) == "k1, Lajatico, castle of Seat 1,"
        " 3 citizens in the castle, 14 citizens in the city"
    )
    assert [text.text for text in castle.iter(f"{SVG}text")] == ["3"]
    plates = [g for g in parsed(DRAWINGS["crowded"]).iter() if g.attrib.get("class") == "total"]
    assert [plate.findtext(f"{SVG}text") for plate in plates] == ["14", "3", "3", "3", "3"]


def test_figures_are_drawn_and_named() -> None:
    figures = [g for g in parsed(DRAWINGS["crowded"]).iter() if g.attrib.get("class") == "figures"]
    assert sorted(g.findtext(f"{SVG}text") or "" for g in figures) == ["1", "1", "2"]
    names = " ".join(title(element) for element in hexes(DRAWINGS["crowded"]).values())
    assert "2 figures on education, 1 figure on health" in names
    assert "rich harvest" in names


def test_wheat_can_be_counted() -> None:
    for group in parsed(DRAWINGS["4 players, 0 events"]).iter():
        if group.attrib.get("class") == "wheat":
            ears = [use for use in group if use.attrib.get("href") == "#ear"]
            assert group.findtext(f"{SVG}text") == str(len(ears))


def test_marks_show_up() -> None:
    root, found = parsed(DRAWINGS["marked"]), hexes(DRAWINGS["marked"])
    assert found["a1"].attrib["class"].split() == ["hex", "legal"]
    assert found["a1"].attrib["role"] == "button"
    assert found["a1"].attrib["tabindex"] == "0"
    assert found["a1"].attrib["aria-label"] == title(found["a1"])
    assert title(found["a1"]).endswith("; possible")
    assert title(found["a2"]).endswith("; possible; chosen")
    assert "new" in found["f9"].attrib["class"].split()
    assert "the cathedral is gone" in title(found["f12"])
    assert any(use.attrib.get("href") == "#cathedral" for use in found["f12"].iter())
    assert "note-blue" in found["f4"].attrib["class"].split()
    for kind in ("move", "arrow"):
        assert sum(g.attrib.get("class") == kind for g in root.iter()) == 1
    focusable = [e.attrib["data-hex"] for e in root.iter() if "tabindex" in e.attrib]
    assert focusable == ["a1", "a2"]


def test_a_note_has_one_of_the_colours() -> None:
    assert Marks(coloured=dict(zip(["a1", "a2", "a3", "a4"], NOTES, strict=True)))
    with pytest.raises(ValueError, match="no such colour"):
        Marks(coloured={"a1": 'red" onload="'})
    with pytest.raises(ValueError, match="no such colour"):
        Marks(arrows=(("a1", "a2", "pink"),))


def test_names_are_harmless() -> None:
    table = crowded()
    bad = '<script>alert("{hex}")</script>'
    players = [msgspec.structs.replace(player, name=bad) for player in table.players]
    svg = draw_board(BOARD, msgspec.structs.replace(table, players=players), marks=EVERYTHING)
    assert "<script" not in svg
    assert bad in title(hexes(svg)["k1"])


def test_all_words_are_asked_for() -> None:
    def shout(text: str) -> str:
        return re.sub(r"\{\w+\}|\w+", lambda m: m[0] if m[0][0] == "{" else m[0].upper(), text)

    svg = draw_board(BOARD, crowded(), marks=EVERYTHING, words=shout)
    for element in hexes(svg).values():
        where, spoken = title(element).replace("Seat ", "").split(", ", 1)
        spoken = spoken.removeprefix(place_name(where))
        assert spoken == spoken.upper()
    for card in all_cards(shout).values():
        assert title(parsed(card)) == title(parsed(card)).upper()


def test_the_same_table_gives_the_same_bytes() -> None:
    marks = Marks(legal=frozenset(f"a{n}" for n in range(1, 22)))
    assert draw_board(BOARD, crowded(), marks=marks) == draw_board(BOARD, crowded(), marks=marks)


def test_two_drawings_on_one_page_keep_their_ids_apart() -> None:
    ids = [
        set(re.findall(r'\bid="([^"]+)"', draw_board(BOARD, crowded(), id_prefix=prefix)))
        for prefix in ("now-", "then-")
    ]
    assert not ids[0] & ids[1]


def test_a_drawing_by_itself_has_the_light_colours_of_the_stylesheet() -> None:
    declared = re.findall(r"--lc-([\w-]+): (?:light-dark\()?(#\w+)", STYLESHEET)
    light = dict(declared)
    assert len(light) == len(declared)
    assert light == COLOURS
    for name in COLOURS:
        assert f".f-{name} {{ fill: var(--lc-{name}); }}" in STYLESHEET
        assert f".s-{name} {{ stroke: var(--lc-{name}); }}" in STYLESHEET


def test_the_dark_is_chosen_by_the_device_or_by_the_reader() -> None:
    theme = (Path(web.__file__).parent / "static" / "theme.css").read_text()
    assert theme.startswith(":root {\n  color-scheme: light dark;", theme.index(":root"))
    for choice in ("light", "dark"):
        assert f':root[data-theme="{choice}"] {{ color-scheme: {choice}; }}' in theme
    assert "color-scheme" not in STYLESHEET


def test_there_is_a_card_for_everything() -> None:
    assert set(POLITICS) <= set(all_cards())
    assert len({title(parsed(card)) for card in all_cards().values()}) == len(all_cards())


def test_an_outline_around_a_hole_has_two_lines() -> None:
    ring = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
    assert sorted(len(loop) for loop in outline(ring)) == [6, 18]


def test_blue_is_the_seat_that_the_rulebooks_example_is_about() -> None:
    red, green, blue = bytes.fromhex(COLOURS[f"seat{BLUE}"][1:])
    assert blue > green > red
