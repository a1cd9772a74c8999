"""Why a number is what it is: asked at any moment, told in the reader's language."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, make_response, render_template, request
from flask.typing import ResponseReturnValue

from projections.why.account import Account, NoSuchNumber
from web.games.replays import Replay
from web.notes.scene import find
from web.site.problems import Problem
from web.words.sentences import READER

bp = Blueprint("why", __name__)


def account_at(game: str, number: int | None, what: str) -> Account:
    """The account of a number at a moment, the last one when none is named.

    It is the same for every reader: effects and numbers lie open, whoever looks.
    """
    return account_of(find(game).notes.replay, number, what)


def account_of(replay: Replay, number: int | None, what: str) -> Account:
    """The same of a game or a line that is stepped through."""
    if number is not None:
        replay.check(number)
    try:
        return replay.why(number or replay.last, what, READER)
    except NoSuchNumber:
        raise Problem(
            404, "no-such-number", "There is no such number on the table at this moment."
        ) from None


@bp.get("/replay/<game>/<int:number>/why/<path:what>")
def show_why(game: str, number: int, what: str) -> ResponseReturnValue:
    """An account to read, what came last on top."""
    scene = find(game)
    account = account_of(scene.replay, number, what)
    years = groupby(reversed(account.entries), key=lambda entry: entry.year)
    # Scripts ask for the account alone; whoever follows the link gets a page around it.
    page = request.accept_mimetypes.accept_html
    response = make_response(
        render_template(
            "viewer/why_page.html" if page else "viewer/why.html",
            account=account,
            years=[(year, list(entries)) for year, entries in years],
            game=game,
            page=page,
            moment_address=lambda _game, at: scene.link(at),
        )
    )
    response.headers["Vary"] = "Accept, Accept-Language, Cookie"
    return response
