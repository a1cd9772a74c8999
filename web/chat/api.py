"""The endpoints of a table's talk, for those who sit there: read it, say something, withdraw it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from replays.chat import Words
from replays.notes.annotations import NoId
from web.accounts.visitor import visitor
from web.api.endpoint import Answer, Query, endpoint
from web.chat.conversation import ChatLine, lines_after, speak, unsay
from web.games.seats import seated
from web.services import limiter, services
from web.site.limits.limiter import by_address

BASE = "/api/games/<game>/chat"
AFTER = Query(
    "after",
    "The version that you know: what was said later is told, and what has been withdrawn",
)
TALKING = "20 per minute"


class ChatAnswer(msgspec.Struct, frozen=True):
    """What was said at a table, and how far you have read it."""

    version: int
    read: int
    lines: list[ChatLine]


class NewMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say. @Name mentions somebody at the table; a seat only if you have several. With
    an id that you make up it can be sent again when no answer came, and is said once."""

    text: Words
    seat: Annotated[int, Meta(ge=0, le=5)] = 0
    said: NoId = ""


class Spoken(msgspec.Struct, frozen=True):
    """A line by its id, and how far the talk is."""

    said: str
    version: int


class ReadSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=0, le=1_000_000)]


class ReadAnswer(msgspec.Struct, frozen=True):
    """How far you have read."""

    version: int


def speaker() -> str:
    """Whom the limit is for: a person, wherever they are."""
    return visitor().person or by_address()


@endpoint(
    "GET",
    BASE,
    "What was said at your table",
    who="seat",
    query=(AFTER,),
    answer=ChatAnswer,
    problems=(304, 403, 404, 409, 422),
)
def get_chat(game: str, after: int | None) -> Answer:
    seated(game)
    version = services().chats.version(game)
    read = services().chats.read_by(visitor().person, game)
    # Somebody who goes is called otherwise from then on.
    etag = f"{version}-{read}-{after or 0}-{services().anonymity.position()}"
    return Answer(ChatAnswer(version, read, lines_after(game, after or 0)), etag)


@endpoint(
    "POST",
    BASE,
    "Say something at your table",
    who="seat",
    body=NewMessage,
    answer=Spoken,
    status=201,
    problems=(404, 409, 429),
)
@limiter.limit(TALKING, key_func=speaker)
def say_line(game: str, body: Any) -> Spoken:
    said = speak(game, body.text, body.seat, body.said)
    return Spoken(said, services().chats.get(game).lines[said].version)


@endpoint(
    "DELETE",
    f"{BASE}/<said>",
    "Withdraw what you have said",
    who="seat",
    answer=Spoken,
    problems=(404, 409, 429),
)
@limiter.limit(TALKING, key_func=speaker)
def unsay_line(game: str, said: str) -> Spoken:
    unsay(game, said)
    return Spoken(said, services().chats.version(game))


@endpoint(
    "POST",
    f"{BASE}/read",
    "You have read the talk up to a version",
    who="seat",
    body=ReadSoFar,
    answer=ReadAnswer,
    problems=(404, 409, 429),
)
@limiter.limit("120 per minute", key_func=speaker)
def mark_chat_read(game: str, body: Any) -> ReadAnswer:
    seated(game)
    return ReadAnswer(services().chats.mark_read(visitor().person, game, body.version))
