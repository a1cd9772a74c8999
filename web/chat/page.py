"""The talk at a table as a part of its page, for a page that is open already."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from web.chat.conversation import chat_for
from web.games.seats import seated

bp = Blueprint("chat", __name__)


@bp.get("/table/<table>/chat")
def show(table: str) -> ResponseReturnValue:
    """The last lines, or those before a version."""
    seated(table)
    wanted = request.args.get("before", "")
    before = int(wanted) if wanted.isdecimal() and wanted.isascii() and len(wanted) < 9 else 0
    return render_template("chat/chat_lines.html", chat=chat_for(table, before), game=table)
