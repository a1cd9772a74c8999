"""The endpoints that stay open: news is pushed to a page as server-sent events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from flask import Response, request

from web.accounts.visitor import session_word, visitor, visitor_shows_token
from web.api.endpoint import endpoint
from web.news.service import first_words
from web.services import services
from web.site.limits.addresses import network_of
from web.site.problems import Problem
from web.site.streams import holder

EVENT_STREAM = "text/event-stream"
LONGEST_ID = 60


class StreamEvent(msgspec.Struct, frozen=True):
    """What is pushed: `data` is JSON with the versions of the game and of the talk at its table,
    where the stream is about a game, and with how many games wait for you. What is 0 is left out.
    An event called beat is a sign of life."""

    event: Literal["news", "beat"]
    data: str
    id: str = ""


@endpoint(
    "GET",
    "/api/games/<game>/stream",
    "How far the game is, and how many games wait for you: pushed as server-sent events",
    who="viewer",
    answer=StreamEvent,
    media=EVENT_STREAM,
    problems=(404,),
)
def stream_game(game: str) -> Response:
    if services().store.game(game) is None:
        raise Problem(404, "no-such-game", "There is no such game.")
    return stream(game)


@endpoint(
    "GET",
    "/api/me/stream",
    "How many games wait for you: pushed as server-sent events",
    who="anyone",
    answer=StreamEvent,
    media=EVENT_STREAM,
)
def stream_me() -> Response:
    return stream("")


def stream(game: str) -> Response:
    """An answer that stays open where the server can hold it; elsewhere it says how things stand,
    and the browser asks again."""
    hold, asker = holder(request.environ), visitor()
    known = request.headers.get("Last-Event-ID", "")[:LONGEST_ID]
    network = network_of(request.remote_addr or "")
    streams = services().news_streams
    if hold is None:
        first = first_words(streams.standing(game, asker.person), known)
    else:
        page = streams.add(game, asker.person, network, lasting(asker.person))
        if game and asker.scopes is None:
            page.be_in_sight()
        try:
            first = page.begin(known)
        except BaseException:
            page.close()
            raise
        hold(page)
    # A proxy must not wait until it has a buffer full of news.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(first, mimetype=EVENT_STREAM, headers=headers)


def lasting(person: str) -> Callable[[], bool]:
    """Whether whoever asks is still who they are, to be asked later and elsewhere."""
    people, sessions = services().people, services().sessions
    if not person:
        return lambda: True
    if visitor_shows_token():
        token = request.headers["Authorization"].partition(" ")[2].strip()

        def holds() -> bool:
            found = people.by_token(token)
            return found is not None and found[0].closed is None

        return holds
    word = session_word()

    def lasts() -> bool:
        session = sessions.get(word)
        return session is not None and session.person == person

    return lasts
