"""The ends at a table, each told on a card: of a year, and of the game. Scripts show the card over
the table; whoever follows the link gets a page around it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.actions.check import years_done
from engine.effects import YearEnded
from projections.now.scoreboard import scoreboard
from projections.years.year_end import summarize_year
from web.accounts.visitor import visitor
from web.games.live import Live
from web.games.seats import live_game
from web.services import services
from web.site.problems import Problem
from web.viewer.charts import charts
from web.words import terms
from web.words.sentences import sentences

bp = Blueprint("endings", __name__)
MOST_LOSSES = 40
"""Losses that a card tells one by one; the story has them all."""


def ended_years(live: Live) -> dict[int, int]:
    """The years that have ended and still count, by the version at which they did."""
    found = {
        effect.year: version
        for version, (_, effects) in enumerate(live.story, start=1)
        for effect in effects
        if isinstance(effect, YearEnded)
    }
    done = years_done(live.state)
    return {version: year for year, version in found.items() if year <= done}


@bp.get("/table/<table>/year/<int:year>")
def show_year(table: str, year: int) -> ResponseReturnValue:
    """How a year ended."""
    services().lobby.get(table)
    live = live_game(table)
    with live.lock:
        s = live.state
        opening = live.story[0][0]
        summary = live.keep(("year-end", year), lambda: summarize_year([opening, *s.trail], year))
        if summary is None:
            raise Problem(404, "no-such-year", "This year has not ended.")
        names = [holder.name for holder in s.seats]
        return card(
            "table/year_end.html",
            game=table,
            summary=summary,
            losses=sentences(summary.losses[:MOST_LOSSES], names),
            names=names,
            own_seats=services().lobby.get(table).seats_of(visitor().person),
            last=year == years_done(s),
        )


@bp.get("/table/<table>/end")
def show_end(table: str) -> ResponseReturnValue:
    """How the game ended."""
    held = services().lobby.get(table)
    live = live_game(table)
    with live.lock:
        if live.state.phase != "over":
            raise Problem(409, "still-running", "This game is not over yet.")
        scores = scoreboard(live.state)
    replay = services().replays.get(table)
    course = charts(
        replay.timeline(), replay.names, lambda n: url_for("replay.show", game=table, number=n)
    )
    own = held.seats_of(visitor().person)
    return card(
        "table/game_end.html",
        game=table,
        table=held,
        scores=scores,
        own_seats=own,
        chart=course.charts[0],
        link=address_of(url_for("replay.show_last", game=table)),
        others=[each for each in held.people() if each != visitor().person],
        next_table=services().lobby.find(held.next) if held.next and own else None,
    )


def address_of(path: str) -> str:
    """A path as a link to hand on: at the address that the host names, or where the reader is."""
    return (services().settings.server.url or request.host_url.rstrip("/")) + path


def card(template: str, **shown: Any) -> Response:
    """A card, for scripts alone, for people on a page."""
    page = request.accept_mimetypes.accept_html
    response = make_response(
        render_template(
            "table/card_page.html" if page else template, card=template, terms=terms, **shown
        )
    )
    response.headers["Vary"] = "Accept, Accept-Language, Cookie"
    return response
