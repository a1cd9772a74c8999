"""The endpoints of a person's own notepad beside a game."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from web.accounts.visitor import visitor
from web.api.endpoint import endpoint
from web.games.seats import seated
from web.notepad.service import Notepad, PadText
from web.services import limiter, services

PATH = "/api/games/<game>/notepad"


class NewText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole text, and the version that it was written over."""

    text: PadText
    version: Annotated[int, Meta(ge=0, le=2**53)]


@endpoint(
    "GET",
    PATH,
    "Your own notepad beside a game of yours",
    who="seat",
    answer=Notepad,
    problems=(403, 404),
)
def get_notepad(game: str) -> Notepad:
    seated(game)
    return services().notepads.get(visitor().person, game)


@endpoint(
    "POST",
    PATH,
    "Save your notepad; refused when it was changed since the version that you have seen",
    who="seat",
    body=NewText,
    answer=Notepad,
    problems=(404, 409, 429),
)
@limiter.limit("120 per minute")
def save_notepad(game: str, body: Any) -> Notepad:
    seated(game)
    return services().notepads.save(visitor().person, game, body.text, body.version)
