"""Bring a game or a study along: a log, notation, or a study's file, proved before it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.codec import MAX_BYTES
from events.errors import EventError
from events.messages.sentence import about, message_of
from projections.words.effects import retold
from replays.files.import_ import (
    BadFile,
    checked_data,
    import_new,
    import_new_study,
    kind_of,
    read_handed,
    read_handed_study,
)
from web.accounts.visitor import visitor
from web.notes.access import author
from web.services import limiter, services
from web.site.forms import Form
from web.site.language import gettext as _
from web.site.redirects import to_log_in
from web.site.sentences import READER, error_in_words

bp = Blueprint("bring", __name__)
AROUND = 16 * 1024
"""What a form takes around the file that it sends."""
PATH = "/import"
MOST_SENT = MAX_BYTES + AROUND
NAME_SHOWN = 80


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Here, and for people with an account, a request may be as large as a file of ours."""
    if request.method == "POST" and visitor().account:
        request.max_content_length = MOST_SENT


@bp.get(PATH)
def show() -> ResponseReturnValue:
    if not visitor().account:
        return to_log_in(url_for("bring.show"))
    return render_template("share/import.html", form=Form())


@bp.post(PATH)
@limiter.limit("30 per hour")
def bring() -> ResponseReturnValue:
    """Store what a file holds under a new id, and show it."""
    me = visitor()
    if not me.account:
        return to_log_in(url_for("bring.show"))
    form = Form.sent("import")
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return refused(form, _("Please choose a file."))
    name = Path(sent.filename[-NAME_SHOWN:])
    store = services().store
    try:
        data = checked_data(name, sent.read(MAX_BYTES + 1))
        if kind_of(data) == "study":
            found = read_handed_study(name, data)
            id_ = import_new_study(store, found, author(me))
            return redirect(url_for("study.show", id_=id_), 303)
        game = import_new(store, read_handed(name, data), me.person)
    except BadFile as error:
        return refused(form, error_in_words(error))
    except EventError as error:
        return refused(form, retold(about(name, message_of(error)), READER))
    return redirect(url_for("replay.show", game=game, number=1), 303)


def refused(form: Form, sentence: str) -> ResponseReturnValue:
    form.wrong("file", sentence)
    return render_template("share/import.html", form=form), 422
