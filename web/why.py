"""Why a number is what it is: asked at any moment, told in the reader's language."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.state import State
from projections.causes import Account, NoSuchNumber, why
from projections.course import Story
from web.play import live_game
from web.problems import Problem
from web.scenes import Scene, find
from web.storytelling import READER

bp = Blueprint("why", __name__)


def account_at(game: str, number: int | None, what: str) -> Account:
    """The account of a number at a moment, the last one when none is named.

    It is the same for every reader: effects and numbers lie open, whoever looks.
    """
    live = live_game(game)
    with live.lock:
        return told(live.state, live.story, len(live.story) if number is None else number, what)


def account_in_line(scene: Scene, number: int, what: str) -> Account:
    """The account of a number at a moment of a line."""
    cursor = scene.replay.cursor
    story = list(zip(cursor.events, cursor.effects, strict=True))
    return told(cursor.at(cursor.last), story, number, what)


def told(s: State, story: Story, number: int, what: str) -> Account:
    if not 1 <= number <= len(story):
        raise Problem(404, "no-such-moment", "The game has no such moment.")
    try:
        return why(s, story, number, what, READER)
    except NoSuchNumber:
        raise Problem(
            404, "no-such-number", "There is no such number on the table at this moment."
        ) from None


@bp.get("/replay/<game>/<int:number>/why/<path:what>")
def show_why(game: str, number: int, what: str) -> ResponseReturnValue:
    """An account to read, what came last on top."""
    scene = find(game) if request.args.get("line") else None
    account = account_in_line(scene, number, what) if scene else account_at(game, number, what)
    years = groupby(reversed(account.entries), key=lambda entry: entry.year)
    # Scripts ask for the account alone; whoever follows the link gets a page around it.
    page = request.accept_mimetypes.accept_html
    response = make_response(
        render_template(
            "why_page.html" if page else "why.html",
            account=account,
            years=[(year, list(entries)) for year, entries in years],
            game=game,
            page=page,
            moment_address=(lambda _game, at: scene.link(at)) if scene else moment_address,
        )
    )
    response.headers["Vary"] = "Accept, Accept-Language, Cookie"
    return response


def moment_address(game: str, number: int) -> str:
    """Where a moment can be looked at."""
    return url_for("table.show_moment", table=game, version=number)
