"""The endpoints at which bots are asked: for a hint, and for why one of them did something."""

from __future__ import annotations

from engine.bots import BOTS, DEFAULT_BOT
from web.api.endpoint import Choice, endpoint
from web.api.parameters import SEAT
from web.games.hints import explanation, question
from web.games.seats import live_game
from web.games.thinking import Explanation, Hint
from web.jobs.requests import is_answered
from web.notes.api import BASE
from web.notes.scene import find
from web.notes.tries_api import NUMBER, world
from web.notes.tries_api import SEAT as AS_SEAT
from web.services import limiter
from web.site.problems import Problem
from web.table.api import viewer
from web.viewer.page import moment_number

BOT = Choice("bot", "Which bot is asked", tuple(BOTS), DEFAULT_BOT)
ASKING = "30 per minute"


@endpoint(
    "GET",
    "/api/games/<game>/hint",
    "What a bot would do in your place, and in one sentence why",
    who="seat",
    query=(SEAT, BOT),
    answer=Hint,
    problems=(403, 404, 409, 422, 429),
    computes=True,
)
@limiter.limit(ASKING, deduct_when=is_answered)
def get_hint(game: str, seat: int | None, bot: str) -> Hint:
    seat = viewer(game, seat)
    if not seat:
        raise Problem(403, "no-seat", "You do not sit at this table.")
    live = live_game(game)
    with live.lock:
        asked = question(live.state, game, live.version, seat, seat)
    # Thinking takes its time; the table is not locked meanwhile.
    return asked.answer(bot)


@endpoint(
    "GET",
    f"{BASE}/choices/<chapter>/<line>/hint",
    "What a bot would do at a moment of the game (line -) or of a line, and why",
    who="viewer",
    query=(NUMBER, AS_SEAT, BOT),
    answer=Hint,
    problems=(403, 404, 409, 422, 429),
    computes=True,
)
@limiter.limit(ASKING, deduct_when=is_answered)
def get_line_hint(
    kind: str, id_: str, chapter: str, line: str, number: int | None, seat: int | None, bot: str
) -> Hint:
    state, looker = world(kind, id_, chapter, line, number, seat)
    first = min(state.awaiting, default=0)
    return question(state, f"{id_}/{line}", number or 1, first, looker).answer(bot)


@endpoint(
    "GET",
    "/api/games/<game>/explanations/<number>",
    "Why a bot decided an event as it did, in one sentence",
    who="viewer",
    answer=Explanation,
    problems=(404, 409, 429),
    computes=True,
)
@limiter.limit(ASKING, deduct_when=is_answered)
def get_explanation(game: str, number: str) -> Explanation:
    scene = find(game)
    return explanation(scene.notes.replay, game, moment_number(number), scene.own_seats)
