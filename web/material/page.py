"""The page on which a board and a box of one's own are checked, drawn and played with.

Nothing is stored until a table is created: the form holds both, to be changed and checked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.bots import BOTS, DEFAULT_BOT
from engine.errors import BadMaterial
from engine.material import library
from engine.material.board import Board
from engine.material.faults import Fault
from engine.material.inspection import (
    MAX_BYTES,
    Faulty,
    board_summary,
    read_board,
    read_box,
    readable_parts,
    setup_remarks,
    write_material,
)
from engine.view import view
from events.material import BoardData, Box
from events.messages.sentence import Sentence
from projections.words.effects import retold
from web.accounts.visitor import be_guest, visitor
from web.drawing.board import draw_board
from web.drawing.sketch import draw_sketch
from web.drawing.speech import TERRAIN
from web.games.seats import start_if_full
from web.material.preview import previewed
from web.seating.new_table import NewTable
from web.services import limiter, services
from web.site.forms import Form
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.words import terms
from web.words.language import gettext as _
from web.words.sentences import READER, in_words

bp = Blueprint("material", __name__)
T = TypeVar("T", BoardData, Box)
FILES: dict[str, Callable[[], bytes]] = {
    "board": lambda: write_material(library.board().data),
    "box": lambda: write_material(library.box()),
}


class Inspected(msgspec.Struct):
    """What somebody sent, as far as it can be read, and what is wrong with it."""

    board: BoardData | None = None
    box: Box | None = None
    faults: dict[str, list[str]] = {}
    """By field of the form."""
    sketch: str = ""
    """Of a board that cannot be played: what can be drawn of it, with its faults marked."""


def usual_board() -> BoardData:
    """The board that new tables here are played on."""
    house = services().lobby.house.board
    return (library.resolve_board(house) if house else library.board()).data


def usual_box() -> Box:
    house = services().lobby.house.box
    return (house.content if house else None) or library.box()


@bp.get("/board")
def show() -> ResponseReturnValue:
    """The board of new tables here or a built-in one, to look at and to begin with."""
    name = request.args.get("board")
    if name and name not in library.BOARDS:
        raise Problem(404, "no-such-board", "There is no such board.")
    board = library.board(name).data if name else usual_board()
    return page(Form(), Inspected(board, usual_box()))


@bp.get("/board/<what>.json")
def download(what: str) -> ResponseReturnValue:
    """The built-in board or box as a file to change."""
    make = FILES.get(what)
    if make is None:
        raise Problem(404, "no-such-file", "There is no such file.")
    answer = Response(make(), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{what}.json"'
    return answer


@bp.post("/board")
@limiter.limit("60 per minute")
def inspect() -> ResponseReturnValue:
    """Say what is wrong with a board and a box, or draw them."""
    form = Form.sent("material")
    found = inspected(form)
    return page(form, found, 422 if found.faults else 200)


@bp.post("/board/table")
@limiter.limit("60 per hour", act="create-table")
def create() -> ResponseReturnValue:
    """A table with them: against bots, or open to others."""
    me = visitor()
    alone = request.form.get("kind") != "open"
    if not me.account and (not alone or not (me.person or services().settings.server.guests)):
        return to_log_in(url_for("material.show"))
    form = Form.sent("material")
    found = inspected(form)
    players = form.number("players", 2, 5, 2)
    level = form.text("level") or DEFAULT_BOT
    if level not in BOTS:
        form.wrong("level", _("Please choose one of these."))
    if found.faults or form.errors:
        return page(form, found, 422)
    wish = NewTable(
        players=players,
        bots=players - 1 if alone else 0,
        level=level,
        setup="expert" if form.text("setup") == "expert" else "beginner",
        ruleset=form.text("rules")[:2000].strip(),
        open=not alone,
        board=found.board,
        box=found.box,
    )
    person = be_guest(me.name or _("Guest")) if alone else me
    try:
        table = services().lobby.create(wish, person.person, person.name or _("Guest"))
    except (Problem, BadMaterial) as problem:
        form.wrong("table", sentence_of(problem))
        return page(form, found, 422)
    return redirect(url_for("table", id_=start_if_full(table).id), 303)


def sentence_of(problem: Problem | BadMaterial) -> str:
    if isinstance(problem, Problem):
        return in_words(problem.template, problem.params)
    found = problem.args[0]
    return retold(found if isinstance(found, Sentence) else Sentence(str(found)), READER)


def inspected(form: Form) -> Inspected:
    """What the form or the files with it say; without, the ones that are usual here."""
    found = Inspected(faults={})
    found.board = _read(form, found, "board", read_board, usual_board())
    found.box = _read(form, found, "box", read_box, usual_box())
    return found


def _read(
    form: Form, found: Inspected, field: str, read: Callable[[bytes], T], usual: T
) -> T | None:
    sent = request.files.get(f"{field}_file")
    data = sent.read(MAX_BYTES + 1) if sent is not None and sent.filename else b""
    data = data or form.text(field).encode()
    form.values[field] = data.decode(errors="replace")
    if not data.strip():
        return usual
    try:
        return read(data)
    except Faulty as error:
        found.faults[field] = [retold(fault, READER) for fault in error.faults]
        if field == "board":
            found.sketch = sketch(data, error.faults)
        return None


def sketch(data: bytes, faults: list[Fault]) -> str:
    """A board that cannot be played as far as it can be drawn, with its faults where they are."""
    by_place: dict[str, list[str]] = {}
    for fault in faults:
        for place in fault.places:
            by_place.setdefault(place, []).append(retold(fault, READER))
    return draw_sketch(readable_parts(data), by_place, _("The board, with what is wrong marked"))


def page(form: Form, found: Inspected, status: int = 200) -> ResponseReturnValue:
    """The form, what is wrong, and a picture where nothing is."""
    players = int(text) if (text := form.text("players")) in ("2", "3", "4", "5") else 4
    board = Board(found.board) if found.board is not None else None
    drawn = ""
    if board is not None and found.box is not None:
        try:
            state = previewed(
                library.custom_board_ref(board.data), library.custom_box_ref(found.box), players
            )
            drawn = draw_board(state.board, view(state), words=_)
        except BadMaterial as error:
            found.faults.setdefault("board", []).append(sentence_of(error))
    return render_template(
        "material/material.html",
        form=form,
        found=found,
        drawn=drawn,
        players=players,
        parts=board_summary(board.data) if board else {},
        given=sorted(board.data.setups) if board else [],
        remarks=[retold(remark, READER) for remark in setup_remarks(board, found.box)]
        if board and found.box
        else [],
        board_text=form.text("board") or write_material(found.board or usual_board()).decode(),
        built_in=library.BOARDS,
        box_text=form.text("box") or write_material(usual_box()).decode(),
        levels=terms.levels(),
        default_level=DEFAULT_BOT,
        terms=terms,
        terrain=lambda tile: _(TERRAIN[tile]),
        rules=form.text("rules") or request.args.get("rules") or services().lobby.house.ruleset,
    ), 422 if found.faults else status
