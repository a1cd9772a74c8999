"""Whose notebook, which game, which moment: what every page and endpoint about notes asks first."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import request

from engine.state import State
from engine.view import SPECTATOR, view
from projections.now.scoreboard import scoreboard
from replays.cursor import Cursor
from replays.notes.annotations import Author, Place, SeatStanding, TableSnapshot, cities_then
from replays.notes.notebook import Notebook, as_read_by
from replays.review.notes import with_review
from replays.whatif.lines import dealt_anew
from web.accounts.visitor import Visitor, be_guest, visitor
from web.games.replays import Replay
from web.services import services
from web.site.problems import Problem

KINDS = ("game", "study")
REDEAL = 1
"""The seed of every redeal: the cards follow from what the seat knew, and from nothing hidden."""


class Page(msgspec.Struct, frozen=True):
    """A notebook opened at a game: all that is in it, and what the reader may see of it."""

    stream: str
    chapter: str
    game: str
    replay: Replay
    whole: Notebook
    visible: Notebook


def stream_of(kind: str, id_: str) -> str:
    if kind not in KINDS:
        raise Problem(404, "no-such-notebook", "There is no such notebook.")
    return f"{kind}/{id_}"


def open_notebook(kind: str, id_: str, word: str = "") -> tuple[str, Notebook, Notebook]:
    """A notebook's stream, the whole of it, and what the reader may see. A study that the reader
    may not see does not exist for them."""
    stream = stream_of(kind, id_)
    if kind == "game":
        services().replays.check(id_)
    whole = services().notebooks.get(stream)
    reader = visitor().person
    linked = services().notebooks.linked(stream, whole, word)
    if kind == "study":
        own = bool(reader) and whole.by.person == reader
        by_link = whole.seen_by == "link" and whole.by.person in linked
        if not whole.by.person or not (own or by_link or whole.seen_by == "all"):
            raise Problem(404, "no-such-study", "There is no such study.")
    return stream, whole, as_read_by(whole, reader, linked)


def open_page(kind: str, id_: str, chapter: str = "", word: str = "") -> Page:
    """A notebook at its game, or a study at one of its chapters, with what its review found."""
    stream, whole, visible = open_notebook(kind, id_, word)
    if kind == "game":
        return reviewed(Page(stream, "", id_, services().replays.get(id_), whole, visible))
    if chapter not in whole.chapters:
        raise Problem(404, "no-such-chapter", "The study has no such chapter.")
    game = whole.chapters[chapter].game
    return reviewed(Page(stream, chapter, game, services().replays.get(game), whole, visible))


def reviewed(page: Page) -> Page:
    """The same with notes of the game's review, once the game is over; without any, whoever wrote
    them down, for readers who want none."""
    if reviews_off():
        books = page.whole.without_reviews(), page.visible.without_reviews()
    elif page.replay.over and (found := services().reviews.of_game(page.game, page.replay.last)):
        books = (
            with_review(page.whole, found.decisions, page.chapter),
            with_review(page.visible, found.decisions, page.chapter),
        )
    else:
        return page
    return msgspec.structs.replace(page, whole=books[0], visible=books[1])


def reviews_off() -> bool:
    """Whether the reader wants nothing of what reviews found."""
    return request.args.get("reviews") == "off"


def reviewed_book(study: Notebook, games: Mapping[str, int]) -> Notebook:
    """A study with what the reviews of its games found; by game, how many events it has."""
    if reviews_off():
        return study.without_reviews()
    for chapter in study.chapters.values():
        found = services().reviews.of_game(chapter.game, games[chapter.game])
        if found is not None:
            study = with_review(study, found.decisions, chapter.chapter)
    return study


def writer(guest: str = "") -> Visitor:
    """Who writes has to have an identity, so that it stays theirs. Somebody new who names
    themselves becomes a guest of that name."""
    found = visitor()
    if not found.person and guest.strip():
        return be_guest(guest.strip())
    if not found.person:
        raise Problem(401, "say-who", "Please log in or give a name, so that it is yours.")
    return found


def author(of: Visitor) -> Author:
    return Author(name=of.name[:40], person=of.person)


def seats_of(game: str) -> list[int]:
    """The reader's seats in a game; imported games have no table and nobody's seats."""
    table = services().lobby.find(game)
    return table.seats_of(visitor().person) if table else []


def check_seat(game: str, replay: Replay, seat: int) -> int:
    """As whom somebody may look: at a running game only as a seat of their own or a spectator."""
    if seat and not replay.over and seat not in seats_of(game):
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    return seat


def cursor_of(page: Page, place: Place) -> Cursor:
    """Where a place lies: in the game, or in a line that the reader sees."""
    if place.line and place.line not in page.visible.lines:
        raise Problem(404, "no-such-line", "There is no such line.")
    cursor = services().branches.cursor(page.stream, page.whole, page.replay.cursor, place)
    if place.number > cursor.last:
        raise Problem(404, "no-such-moment", "The game has no such moment.")
    return cursor


def world_at(page: Page, place: Place, seat: int) -> State:
    """A state to try things out on: a line's own, or the game's. While a game runs, the hidden
    cards are dealt anew, for what can be tried out must not tell of them."""
    cursor = cursor_of(page, place)
    if place.line or page.replay.over:
        return cursor.at(place.number)
    return dealt_anew(cursor, place.number, seat or SPECTATOR, REDEAL)


def table_now(state: State) -> TableSnapshot:
    """What lies on the table for all to see."""
    shown = view(state)
    lines = scoreboard(state).lines
    return TableSnapshot(
        year=shown.year,
        round=shown.round,
        phase=shown.phase,
        cities=cities_then(shown.cities),
        players=[
            SeatStanding(
                seat=player.seat,
                points=line.total,
                gold=player.gold,
                food=player.food,
                citizens=player.citizens,
            )
            for player, line in zip(shown.players, lines, strict=True)
        ],
    )
