"""The endpoints for trying things out at a moment: who can do what there, and what it would do."""

from __future__ import annotations

from typing import Any

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.state import State
from engine.view import view
from events.types import Turn
from projections.now.suggestion import preview, suggest
from replays.notes.annotations import Place
from web.api.endpoint import Query, endpoint
from web.games.pictures import preview_board
from web.notes.access import check_seat, open_page, world_at
from web.notes.api import BASE, Attempt, asked_word
from web.notes.shapes import Choices, Tried
from web.services import limiter
from web.site.problems import refused
from web.words.sentences import sentences

NUMBER = Query("number", "The moment: after so many events", 100_000)
SEAT = Query("seat", "As which of your seats you look; 0 or none: as a spectator", 5)


@endpoint(
    "GET",
    f"{BASE}/choices/<chapter>/<line>",
    "Who is to decide at a moment of the game (line -) or of a line, and what they can do",
    who="viewer",
    query=(NUMBER, SEAT),
    answer=Choices,
    problems=(403, 404, 422),
    computes=True,
)
def get_choices(
    kind: str, id_: str, chapter: str, line: str, number: int | None, seat: int | None
) -> Choices:
    state, _ = world(kind, id_, chapter, line, number, seat)
    if not state.awaiting:
        return Choices(0, "", [])
    first = min(state.awaiting)
    return Choices(
        first,
        str(state.awaiting[first]),
        legal_actions(state, first),
        suggest(state, first),
    )


@endpoint(
    "POST",
    f"{BASE}/choices/<chapter>/<line>",
    "What an action would do at a moment, without beginning a line",
    who="viewer",
    scope="write",
    body=Turn,
    query=(NUMBER, SEAT),
    answer=Tried,
    problems=(403, 404, 409, 429),
    computes=True,
)
@limiter.limit("240 per minute")
def try_action(
    kind: str, id_: str, chapter: str, line: str, number: int | None, seat: int | None, body: Any
) -> Tried:
    s, viewer = world(kind, id_, chapter, line, number, seat)
    if (refusal := check(s, body)) is not None:
        at = Place(number=max(1, number or 1), line=line.strip("-"))
        test = Attempt(kind, id_, chapter.strip("-"), at).test(body)
        raise refused(refusal, to_you=False, test=test)
    planned = preview(s, body)
    return Tried(
        sentences=sentences(planned.effects, [holder.name for holder in s.seats]),
        board=preview_board(s, view(s, viewer), planned),
    )


def world(
    kind: str, id_: str, chapter: str, line: str, number: int | None, seat: int | None
) -> tuple[State, int]:
    """The state to try things out on, and as which seat the asker looks at it."""
    page = open_page(kind, id_, chapter.strip("-"), asked_word())
    place = Place(number=max(1, number or 1), line=line.strip("-"))
    viewer = check_seat(page.game, page.replay, seat or 0)
    return world_at(page, place, viewer), viewer
