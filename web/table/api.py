"""The endpoints of a game: see it, its story and its news; choose, preview and act."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.actions.check import check
from engine.view import SPECTATOR, view, view_event
from events.types import PlayerAction, Turn
from projections.now.comparison import Comparison, compare
from projections.now.forecast import Forecast, forecast
from projections.now.suggestion import Preview, preview
from projections.why.account import Account
from web.accounts.visitor import visitor
from web.api.endpoint import Answer, Query, Word, endpoint
from web.api.parameters import SEAT
from web.games.pictures import preview_board
from web.games.seats import act, live_game, seats_at
from web.rules.links import test_of
from web.services import limiter, services
from web.site.problems import Problem, refused
from web.table.offers import offered
from web.table.shapes import ActionsAnswer, Done, GameAnswer, News, StoryAnswer, StoryLine
from web.viewer.why import account_at
from web.words.sentences import sentences


class PreviewAnswer(msgspec.Struct, frozen=True):
    """What an action would do: as facts, in words, and drawn on the board."""

    version: int
    preview: Preview
    sentences: list[str]
    board: str


class Advice(msgspec.Struct, frozen=True):
    """What the table shows beside the board: neighbours compared, the voice's odds, a forecast."""

    version: int
    comparison: Comparison
    forecast: Forecast


AFTER = Query("after", "The version that you know; what came later is told")
VERSION = Query(
    "version",
    "The version that you know. When your seat has acted after it, this is refused:"
    " so an action can be sent again when no answer came",
)

AT = Query("at", "The moment that you ask about: a version of the log; none: the last one")
WHAT = Word(
    "what",
    "The number that you ask about: gold/2, food/2, points/2, action-cards/2, figures/2, castles/2"
    " or score/2/citizens, score/2/cities, score/2/hunger for seat 2; citizens/d4 or"
    " service/d4/culture for the city whose castle stands on d4; supply; pool/farm",
    "[a-z-]{2,20}(/[^/]{1,12}){0,2}",
)


def viewer(game: str, wanted: int | None) -> int:
    """As which seat the asker looks: one of their own, 0 for somebody who watches."""
    own_seats = seats_at(game, visitor())
    if wanted:
        if wanted not in own_seats:
            raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=wanted)
        return wanted
    return own_seats[0] if len(own_seats) == 1 else SPECTATOR


@endpoint(
    "GET",
    "/api/games/<game>",
    "The game as you may know it",
    who="viewer",
    query=(SEAT,),
    answer=GameAnswer,
    problems=(304, 403, 404, 409, 422),
)
def get_game(game: str, seat: int | None) -> Answer:
    seat = viewer(game, seat)
    live = live_game(game)
    with live.lock:
        body = GameAnswer(
            game=game,
            version=live.version,
            head=live.head,
            seats=seats_at(game, visitor()),
            view=view(live.state, seat),
        )
    return Answer(body, f"{body.version}-{seat}")


@endpoint(
    "GET",
    "/api/games/<game>/news",
    "How far the game is; cheap to ask again and again",
    who="viewer",
    answer=News,
    problems=(304, 404),
)
def get_news(game: str) -> Answer:
    info = services().store.game(game)
    if info is None:
        raise Problem(404, "no-such-game", "There is no such game.")
    chat = 0
    if sits_there(game):
        chat = services().chats.version(game)
        # Only a page in sight asks; a program has no eyes.
        if visitor().scopes is None:
            services().presence.see(visitor().person, game)
    return Answer(News(info.version, chat), f"{info.version}-{chat}")


def sits_there(game: str) -> bool:
    table = services().lobby.find(game) if visitor().person else None
    return table is not None and bool(table.seats_of(visitor().person))


@endpoint(
    "GET",
    "/api/games/<game>/story",
    "What happened after a version, in words",
    who="viewer",
    query=(AFTER,),
    answer=StoryAnswer,
    problems=(404, 409, 422),
)
def get_story(game: str, after: int | None) -> StoryAnswer:
    after = after or 0
    live = live_game(game)
    with live.lock:
        over = live.state.phase == "over"
        names = [seat.name for seat in live.state.seats]
        lines = [
            StoryLine(
                version=version,
                time=event.time,
                event=view_event(event, live.state.numbers, over=over),
                sentences=sentences(effects, names),
                effects=msgspec.to_builtins(effects),
            )
            for version, (event, effects) in enumerate(live.story[after:], start=after + 1)
        ]
        return StoryAnswer(version=live.version, lines=lines)


@endpoint(
    "GET",
    "/api/games/<game>/why",
    "Why a number is what it is: the events and rules that add up to it",
    who="viewer",
    query=(WHAT, AT),
    answer=Account,
    problems=(404, 409, 422),
)
def get_why(game: str, what: str, at: int | None) -> Account:
    return account_at(game, at, what)


@endpoint(
    "GET",
    "/api/games/<game>/actions",
    "What your seat can do now, with a suggestion where one is sensible",
    who="seat",
    query=(SEAT,),
    answer=ActionsAnswer,
    problems=(403, 404, 409, 422),
)
def get_actions(game: str, seat: int | None) -> ActionsAnswer:
    seat = viewer(game, seat)
    if not seat:
        raise Problem(403, "no-seat", "You do not sit at this table.")
    live = live_game(game)
    with live.lock:
        return offered(live, seat)


@endpoint(
    "GET",
    "/api/games/<game>/advice",
    "Neighbours compared, the odds of the voice, and the year's end if it were now",
    who="viewer",
    query=(SEAT,),
    answer=Advice,
    problems=(304, 403, 404, 409, 422),
)
def get_advice(game: str, seat: int | None) -> Answer:
    seat = viewer(game, seat)
    live = live_game(game)
    with live.lock:
        s = live.state
        body = Advice(
            live.version,
            live.keep(("comparison", seat), lambda: compare(s, seat)),
            live.keep(("forecast", seat), lambda: forecast(s, seat)),
        )
    return Answer(body, f"{body.version}-{seat}-advice")


@endpoint(
    "POST",
    "/api/games/<game>/preview",
    "What an action would do, without doing it",
    who="seat",
    body=Turn,
    answer=PreviewAnswer,
    problems=(404, 409),
)
def preview_action(game: str, body: Any) -> PreviewAnswer:
    if body.seat not in seats_at(game, visitor()):
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=body.seat)
    live = live_game(game)
    with live.lock:
        if (refusal := check(live.state, body)) is not None:
            raise refused(refusal, test=test_of(body, live.version, game=game))
        s = live.state
        planned = preview(s, body)
        return PreviewAnswer(
            version=live.version,
            preview=planned,
            sentences=sentences(planned.effects, [seat.name for seat in s.seats]),
            board=preview_board(s, view(s, body.seat), planned),
        )


@endpoint(
    "POST",
    "/api/games/<game>/actions",
    "Act for your seat",
    who="seat",
    body=PlayerAction,
    query=(VERSION,),
    answer=Done,
    status=201,
    problems=(404, 409, 429),
)
@limiter.limit("240 per minute")
def take_action(game: str, version: int | None, body: Any) -> Done:
    live = act(game, msgspec.structs.replace(body, time=0, by=""), visitor(), version)
    return Done(version=live.version, head=live.head)
