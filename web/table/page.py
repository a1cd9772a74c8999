"""The table's page: the board, everything around it, and what happened at any moment."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from engine.fold import fold
from engine.state import State
from engine.view import SPECTATOR, view
from events.types import Action
from projections.now.comparison import compare
from projections.now.forecast import forecast
from projections.now.scoreboard import scoreboard
from web.accounts.visitor import visitor
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.drawing.sheet import sheet_of
from web.games.bots import decided_by_bots
from web.games.live import Live
from web.games.pictures import pictures
from web.games.seats import live_game
from web.moments.painter import last_marks
from web.moments.shapes import MomentsAnswer
from web.pace import page as absence
from web.seating.service import Table
from web.services import services
from web.site.problems import Problem
from web.table import tour
from web.table.endings import ended_years
from web.table.moments import MOST, moments_after
from web.table.offers import offered
from web.table.panels import own_panels
from web.table.take_back import can_resign, resigning_ends, take_back_for
from web.words import terms
from web.words.language import chosen, gettext
from web.words.sentences import sentences

bp = Blueprint("table", __name__)
STORY_SHOWN = 60


def viewing_seat(table: Table, state: State) -> int:
    """As which seat the page looks: the one asked for, else one of mine that owes something."""
    own_seats = table.seats_of(visitor().person)
    wanted = request.args.get("seat", "")
    if wanted.isdecimal() and int(wanted[:2]) in own_seats:
        return int(wanted[:2])
    owing = [seat for seat in own_seats if seat in state.awaiting]
    return (owing or own_seats or [SPECTATOR])[0]


def show(table: Table) -> str:
    """The whole page."""
    live = live_game(table.id)
    with live.lock:
        seat = viewing_seat(table, live.state)
        over = live.state.phase == "over"
        return render_template(
            "table/table.html",
            **parts(table, live, seat),
            **own_panels(table),
            tour_steps=tour.steps(),
            tour_offered=bool(seat) and not over and not tour.has_seen(visitor()),
        )


def parts(table: Table, live: Live, seat: int, after: int = 0) -> dict[str, object]:
    """What the page is made of, as the seat may know it. For a page whose board is of the version
    `after` what happened since takes the place of the board, unless that is too much."""
    s = live.state
    seat_view = view(s, seat)
    own_seats = table.seats_of(visitor().person)
    since = last_own_version(live, own_seats)
    happened = news_after(table, live, seat, after)
    return {
        "table": table,
        "game": table.id,
        "version": live.version,
        "seat": seat,
        "own_seats": own_seats,
        "owes": s.awaiting.get(seat, "") if seat else "",
        "offered": as_json(offered(live, seat)) if seat in s.awaiting else "null",
        "acted": last_action_version(live, seat),
        "view": seat_view,
        "happened": as_json(happened) if happened else "null",
        "board": ""
        if happened
        else live.keep(
            ("board", seat, chosen()),
            lambda: draw_board(
                s.board,
                seat_view,
                words=gettext,
                marks=last_marks(live.story),
            ),
        ),
        "board_size": sheet_of(s.board, len(s.seats)).size,
        "scores": scoreboard(s),
        "comparison": live.keep(("comparison", seat), lambda: compare(s, seat)),
        "forecast": live.keep(("forecast", seat), lambda: forecast(s, seat)),
        "story": story_lines(live),
        "ended_years": live.keep("ended years", lambda: ended_years(live)),
        "by_bots": bots_decided(live),
        "take_back": take_back_for(s, own_seats),
        "can_resign": can_resign(s, own_seats),
        "resigning_ends": resigning_ends(s),
        "clocks": services().clocks.all(table, live),
        **absence.panel(table, live),
        "since": since,
        "news": live.version - since if own_seats and since else 0,
        "terms": terms,
        "rules_page": rules_page(table),
        "pictures": live.keep(("pictures", seat, chosen()), lambda: pictures(seat_view)),
    }


def news_after(table: Table, live: Live, seat: int, after: int) -> MomentsAnswer | None:
    """What a page that is open already has to play on its board to be of today."""
    if 0 < after <= live.version <= after + MOST:
        return moments_after(table.id, live, after, seat)
    return None


def rules_page(table: Table) -> str:
    """The rules as they hold at a table."""
    if table.rules or (table.board and table.board.content) or table.box:
        return url_for("rules.show", table=table.id)
    return url_for("rules.show", ruleset=table.ruleset)


def last_own_version(live: Live, own_seats: Sequence[int]) -> int:
    """The version at which one of these seats last decided for itself, 0 for none. Where all was
    decided in its absence, the one before that."""
    away = 0
    for version in range(len(live.story), 0, -1):
        event = live.story[version - 1][0]
        if isinstance(event, Action) and event.seat in own_seats:
            if not event.by:
                return version
            away = version - 1
    return away


def as_json(shape: msgspec.Struct) -> Markup:
    """A shape as the API gives it, key by key: scripts compare actions by their text."""
    return htmlsafe_json_dumps(shape, dumps=lambda each: msgspec.json.encode(each).decode())


def last_action_version(live: Live, seat: int) -> int:
    """The version at which a seat last acted or was decided for, 0 for none."""
    versions = range(len(live.story), 0, -1)
    acted = (v for v in versions if getattr(live.story[v - 1][0], "seat", 0) == seat)
    return next(acted, 0) if seat else 0


def bots_decided(live: Live) -> frozenset[int]:
    """The versions at which a bot decided."""
    return live.keep("bots", lambda: decided_by_bots(event for event, _ in live.story))


def story_lines(live: Live) -> list[tuple[int, list[str]]]:
    """Per event with something to tell its version and its sentences: the last of them."""
    names = [seat.name for seat in live.state.seats]
    eventful = [(n, effects) for n, (_, effects) in enumerate(live.story, start=1) if effects]
    return [(version, sentences(effects, names)) for version, effects in eventful[-STORY_SHOWN:]]


@bp.get("/table/<table>/parts")
def show_parts(table: str) -> ResponseReturnValue:
    """The changing parts of the page, for a page that is open already."""
    held = services().lobby.get(table)
    live = live_game(table)
    drawn = request.args.get("after", "")[:6]
    after = int(drawn) if drawn.isdecimal() else 0
    with live.lock:
        seat = viewing_seat(held, live.state)
        response = Response(render_template("table/parts.html", **parts(held, live, seat, after)))
        response.set_etag(f"{live.version}-{after}-{seat}-{chosen()}")
    return response.make_conditional(request)


@bp.get("/table/<table>/at/<int:version>")
def show_moment(table: str, version: int) -> ResponseReturnValue:
    """One event on the board: what changed and in which words."""
    held = services().lobby.get(table)
    live = live_game(table)
    with live.lock:
        if not 1 <= version <= len(live.story):
            raise Problem(404, "no-such-moment", "The game has no such moment.")
        seat = viewing_seat(held, live.state)
        effects = live.story[version - 1][1]
        then = fold(event for event, _ in live.story[:version])
        names = [holder.name for holder in then.seats]
        # Scripts ask for the moment alone; whoever follows the link gets a page around it.
        page = request.accept_mimetypes.accept_html
        response = make_response(
            render_template(
                "table/moment_page.html" if page else "table/moment.html",
                game=table,
                board=draw_board(
                    then.board,
                    view(then, seat),
                    words=gettext,
                    marks=marks_of(effects),
                    id_prefix="m",
                ),
                sentences=sentences(effects, names),
                by_bot=version in bots_decided(live),
                version=version,
                last=live.version,
            )
        )
    response.headers["Vary"] = "Accept, Accept-Language, Cookie"
    return response
