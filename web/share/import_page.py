"""Bring a game or a study along: a log, notation, or a study's file, proved before it is stored."""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import msgspec
from flask import Blueprint, Flask, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.codec import MAX_BYTES
from events.errors import EventError
from events.messages.sentence import about, message_of
from events.store.scratch import Scratch
from projections.words.effects import retold
from replays.amendments import MAX_BYTES as MAX_AMENDMENT
from replays.files.import_ import import_new, import_new_study
from replays.files.study import Study
from web.accounts.visitor import visitor
from web.jobs.job import Computing
from web.jobs.requests import compute
from web.notes.access import author
from web.services import limiter, services
from web.share.making import ReadGame, Refused, read_upload
from web.site.cache import Cache
from web.site.forms import Form
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.words.language import gettext as _
from web.words.sentences import READER

bp = Blueprint("bring", __name__)
AROUND = 16 * 1024
"""What a form takes around the file that it sends."""
PATH = "/import"
MOST_SENT = MAX_BYTES + MAX_AMENDMENT + AROUND
NAME_SHOWN = 80
ROOM = 64 * 1024 * 1024
"""Bytes of files that wait to be read."""
WAITS = 600.0
"""Seconds that a file waits."""


class Upload(msgspec.Struct, frozen=True):
    """A file that somebody sent, until it is read, with that of its amendments if it has any."""

    person: str
    name: str
    data: bytes
    signed_name: str = ""
    signed: bytes = b""

    @property
    def key(self) -> str:
        return hashlib.sha256(msgspec.msgpack.encode(self)).hexdigest()


def init_app(app: Flask) -> None:
    app.extensions["lacitta.uploads"] = Cache[str, Upload](ROOM, getsizeof=lambda u: len(u.data))
    app.register_blueprint(bp)


class Uploads(Protocol):
    """Where files wait to be read; `drop` gives each to one who asks."""

    def put(self, key: str, value: Upload) -> None: ...

    def get(self, key: str) -> Upload | None: ...

    def drop(self, key: str) -> Upload | None: ...


class SharedUploads:
    """Where every process on the store finds them."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch

    def put(self, key: str, value: Upload) -> None:
        self._scratch.put(f"upload/{key}", msgspec.msgpack.encode(value), WAITS)

    def get(self, key: str) -> Upload | None:
        return self._decoded(self._scratch.get(f"upload/{key}"))

    def drop(self, key: str) -> Upload | None:
        return self._decoded(self._scratch.drop(f"upload/{key}"))

    def _decoded(self, body: bytes | None) -> Upload | None:
        return None if body is None else msgspec.msgpack.decode(body, type=Upload)


def uploads() -> Uploads:
    if services().settings.server.is_shared:
        return SharedUploads(services().store.scratch)
    found: Cache[str, Upload] = current_app.extensions["lacitta.uploads"]
    return found


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
@limiter.limit("5 per minute;30 per hour")
def bring() -> ResponseReturnValue:
    """Take a file in. It is read elsewhere; whoever sent it waits on a page of its own."""
    me = visitor()
    if not me.account:
        return to_log_in(url_for("bring.show"))
    form = Form.sent("import")
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return refused(form, _("Please choose a file."))
    upload = Upload(me.person, sent.filename[-NAME_SHOWN:], sent.read(MAX_BYTES + 1))
    signed = request.files.get("amendment")
    if signed is not None and signed.filename:
        upload = msgspec.structs.replace(
            upload,
            signed_name=signed.filename[-NAME_SHOWN:],
            signed=signed.read(MAX_AMENDMENT + 1),
        )
    uploads().put(upload.key, upload)
    try:
        return finish(upload)
    except Computing:
        return redirect(url_for("bring.wait", key=upload.key), 303)


@bp.get(f"{PATH}/<key>")
def wait(key: str) -> ResponseReturnValue:
    """Store what a file holds under a new id, once it is read, and show it."""
    me = visitor()
    if not me.account:
        return to_log_in(url_for("bring.show"))
    upload = uploads().get(key)
    if upload is None or upload.person != me.person:
        raise gone()
    return finish(upload)


def gone() -> Problem:
    return Problem(404, "no-such-upload", "This file is not here any more. Please send it again.")


def finish(upload: Upload) -> ResponseReturnValue:
    """To what was imported, or to what is wrong with it."""
    found: ReadGame | Study | Refused = compute(
        read_upload, upload.name, upload.data, upload.signed_name, upload.signed
    )
    if uploads().drop(upload.key) is None:
        raise gone()
    if isinstance(found, Refused):
        return refused(Form.sent("import"), retold(found.sentence, READER))
    store = services().store
    try:
        if isinstance(found, Study):
            id_ = import_new_study(store, found, author(visitor()))
            return redirect(url_for("study.show", id_=id_), 303)
        game = import_new(store, found.events, found.book, upload.person, found.amendments)
    except EventError as error:
        return refused(Form.sent("import"), retold(about(upload.name, message_of(error)), READER))
    return redirect(url_for("replay.show", game=game, number=1), 303)


def refused(form: Form, sentence: str) -> ResponseReturnValue:
    form.wrong("file", sentence)
    return render_template("share/import.html", form=form), 422
