"""Games and studies to take along: pictures, logs, notation, a page that steps by itself, a frame.

Nothing is handed out that the reader may not see. What is costly to make is made in a worker
process, and kept until the game or the notes in it change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, cast

import msgspec
from flask import Blueprint, Flask, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.view import SPECTATOR
from projections.now.scoreboard import scoreboard
from replays.amendments import write_amendments
from replays.files.stores import export_game
from replays.notes.annotations import Place
from replays.notes.notebook import Notebook
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.games.replays import Replay
from web.jobs.requests import compute, is_answered
from web.notes.access import open_notebook, open_page, reviewed_book
from web.notes.api import asked_word
from web.security import POLICY
from web.services import limiter, services
from web.share.making import Refused, make_page, make_png, make_study, make_text
from web.share.still import still
from web.site.problems import Problem
from web.words import terms
from web.words.language import chosen, gettext
from web.words.sentences import sentences

bp = Blueprint("share", __name__)
MOST_WRITTEN = 2_000_000
"""Characters of notes in one file, which can then be brought along again."""
LIGHT, HEAVY = "120 per minute", "30 per minute"
EMBEDDED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
    "form-action 'self'", "form-action 'none'"
)


def init_app(app: Flask) -> None:
    app.register_blueprint(bp)


def handed(
    key: tuple[Hashable, ...], name: str, mimetype: str, make: Callable[[], bytes]
) -> Response:
    """A file to save. Whoever has it already gets nothing again."""
    response = Response(mimetype=mimetype)
    response.set_etag(hashlib.sha256(repr(key).encode()).hexdigest()[:32])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache, private"
    if not request.if_none_match.contains(cast(str, response.get_etag()[0])):
        response.set_data(make())
    response.make_conditional(request)
    return response


def read_along(game: str) -> tuple[Replay, Notebook]:
    """A game, and what the reader may see of the notes beside it, those of its review included."""
    page = open_page("game", game, word=asked_word())
    return page.replay, page.visible


def stamp(visible: Notebook) -> str:
    """Which state of the notes goes into a file, if they are no more than a file can hold."""
    if sum(len(note.content.text) for note in visible.notes.values()) > MOST_WRITTEN:
        raise Problem(409, "too-much", "There are more notes here than a file can hold.")
    return hashlib.sha256(msgspec.json.encode(visible)).hexdigest()[:16]


def finished(game: str) -> Replay:
    """A game whose log may be read: while it runs, the log holds what is hidden."""
    replay = services().replays.get(game)
    if not replay.over:
        raise Problem(
            409,
            "still-running",
            "While the game runs, its log holds hidden cards.",
        )
    return replay


@bp.get("/replay/<game>/<int:number>/picture.svg")
@limiter.limit(LIGHT)
def picture_svg(game: str, number: int) -> ResponseReturnValue:
    """A moment as a drawing."""
    key, name, make = drawn(game, number)
    return handed((*key, "svg"), f"{name}.svg", "image/svg+xml", lambda: make().encode())


@bp.get("/replay/<game>/<int:number>/picture.png")
@limiter.limit(HEAVY, deduct_when=is_answered)
def picture_png(game: str, number: int) -> ResponseReturnValue:
    """A moment as a picture."""
    key, name, make = drawn(game, number)

    def make_picture() -> bytes:
        made: bytes | None = compute(make_png, make())
        if made is None:
            raise Problem(
                501, "no-pictures", "This server draws no PNG pictures. The SVG is there."
            )
        return made

    return handed((*key, "png"), f"{name}.png", "image/png", make_picture)


def drawn(game: str, number: int) -> tuple[tuple[Hashable, ...], str, Callable[[], str]]:
    """A moment's picture: what it depends on, what it is called, and how it is made."""
    replay, visible = read_along(game)
    replay.check(number)
    notes = visible.notes_at(Place(number=number))
    dark = request.args.get("dark") == "1"
    digest = hashlib.sha256(msgspec.json.encode(notes)).hexdigest()
    key = ("picture", game, number, digest, chosen(), dark)
    language = chosen()

    def make() -> str:
        with replay.lock:
            return still(replay.cursor, number, notes=notes, language=language, dark=dark)

    return key, f"lacitta-{game}-{number}", make


@bp.get("/replay/<game>/log.jsonl")
@limiter.limit(LIGHT)
def log(game: str) -> ResponseReturnValue:
    """The event log of a game that is over."""
    replay = finished(game)
    return handed(
        ("log", game, replay.last),
        f"lacitta-{game}.jsonl",
        "application/x-ndjson",
        lambda: export_game(services().store, game),
    )


@bp.get("/replay/<game>/log.amendment.json")
@limiter.limit(LIGHT)
def amendments(game: str) -> ResponseReturnValue:
    """What was signed for a game after a correction of the rules: it belongs beside its log."""
    signed = finished(game).amendments
    if not signed:
        raise Problem(404, "no-amendment", "No correction of the rules has changed this game.")
    return handed(
        ("amendments", game, len(signed)),
        f"lacitta-{game}.amendment.json",
        "application/json",
        lambda: write_amendments(game, signed),
    )


@bp.get("/replay/<game>/game.txt")
@limiter.limit(LIGHT, deduct_when=is_answered)
def text(game: str) -> ResponseReturnValue:
    """A game that is over in notation, with the notes that the reader may see."""
    replay = finished(game)
    _, visible = read_along(game)
    events, signed = replay.cursor.events, replay.amendments
    return handed(
        ("text", game, replay.last, stamp(visible), len(signed)),
        f"lacitta-{game}.txt",
        "text/plain",
        lambda: compute(make_text, game, events, visible, signed),
    )


@bp.get("/replay/<game>/game.html")
@limiter.limit(HEAVY, deduct_when=is_answered)
def page(game: str) -> ResponseReturnValue:
    """A page that steps through the game by itself, as a spectator sees it."""
    replay, visible = read_along(game)
    language, last = chosen(), replay.last

    def make() -> bytes:
        made: bytes | Refused = compute(
            make_page, game, replay.cursor.events[:last], visible, language
        )
        if isinstance(made, Refused):
            raise Problem(409, "too-much", "{why}", why=made.sentence)
        return made

    key = ("page", game, last, stamp(visible), language)
    return handed(key, f"lacitta-{game}.html", "text/html", make)


@bp.get("/study/<id_>/study.json")
@limiter.limit(HEAVY, deduct_when=is_answered)
def study(id_: str) -> ResponseReturnValue:
    """A study with all its games, and what the reader may see of its notes and lines."""
    _stream, _whole, visible = open_notebook("study", id_, asked_word())
    games = {chapter.game: finished(chapter.game) for chapter in visible.chapters.values()}
    visible = reviewed_book(visible, {game: replay.last for game, replay in games.items()})
    lengths = [replay.last for replay in games.values()]
    return handed(
        ("study", id_, stamp(visible), *lengths),
        f"lacitta-study-{id_}.json",
        "application/json",
        lambda: compute(
            make_study,
            id_,
            visible,
            {game: services().replays.log(game) for game in games},
            {game: list(replay.amendments) for game, replay in games.items()},
        ),
    )


@bp.get("/embed/<game>/<int:number>")
@limiter.limit(LIGHT)
def embed(game: str, number: int) -> ResponseReturnValue:
    """A frame for other sites: a moment as everyone sees it, and steps to others."""
    replay = services().replays.get(game)
    s = replay.at(number)
    visible = replay.view(s, SPECTATOR)
    effects = replay.effects_at(number)
    lang = chosen() if request.args.get("lang") else None
    response = Response(
        render_template(
            "share/embed.html",
            **embedded(replay, number),
            game=game,
            view=visible,
            scores=scoreboard(s),
            words=sentences(effects, replay.names),
            board=draw_board(s.board, visible, words=gettext, marks=marks_of(effects)),
            link=lambda n: url_for("share.embed", game=game, number=n, lang=lang),
        )
    )
    response.headers["Content-Security-Policy"] = EMBEDDED
    return response


def embedded(replay: Replay, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "last": replay.last,
        "moment": replay.moment(number),
        "steps": replay.steps(number),
        "terms": terms,
    }
