"""A small server for one person on one machine: it answers on loopback only, to an address that
nobody can guess, and stops when the review is over.

There are no accounts. The token in the address is the key; a page of another site does not know
it, and what claims to be another host (DNS rebinding) or comes from another page is refused.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from events.messages.sentence import message_of
from projections.words.effects import Translator, retold
from replays.rulechange.review.judging import VIEWS
from replays.rulechange.review.settling import tell_settlement
from web.rulechange.page import page_of
from web.rulechange.session import ReviewSession, Stage
from web.words.catalogues import tag, translator

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE.parent / "templates", HERE.parent / "static"
STYLES = (
    *(STATIC / name for name in ("theme.css", "board.css", "causes.css")),
    HERE / "review.css",
)
SCRIPT = HERE / "review.js"
PAGES: dict[Stage, str] = {
    "folding": "waiting",
    "judging": "judging",
    "signing": "signing",
    "storing": "waiting",
    "done": "ended",
    "failed": "ended",
}
MOST_BYTES = 64_000
"""Of a form."""
MOST_WRITTEN = 2000
"""Characters of a name or a reason."""
LOOPBACK = "127.0.0.1"
LINGERS = 10.0
"""Seconds after which a page that nobody looks at any more is not waited for."""


class QuietHandler(WSGIRequestHandler):
    """The terminal belongs to the command."""

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002
        pass


def create_app(session: ReviewSession, token: str, language: str) -> Flask:
    """The pages of one review, all of them under its token."""
    words = translator(language)
    app = Flask("web.rulechange", template_folder=str(TEMPLATES), static_folder=None)
    app.config["TRUSTED_HOSTS"] = [LOOPBACK, "localhost"]
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        words.gettext, words.ngettext, newstyle=True
    )
    app.jinja_env.trim_blocks = True
    style = "\n".join(file.read_text(encoding="utf-8") for file in STYLES)
    script = SCRIPT.read_text(encoding="utf-8")
    app.jinja_env.globals |= {"style": Markup(style), "script": Markup(script)}
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )

    @app.before_request
    def refuse_strangers() -> None:
        shown = (request.view_args or {}).pop("token", "")
        if not secrets.compare_digest(shown.encode(), token.encode()):
            abort(404)
        origin = request.headers.get("Origin")
        if request.method == "POST" and origin not in (None, f"http://{request.host}"):
            abort(403)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = policy
        response.headers["X-Content-Type-Options"] = "nosniff"
        # A form must tell where it comes from, and nobody else may learn the address.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "no-store"
        return response

    app.register_blueprint(_routes(session, token, words, language), url_prefix="/<token>")
    return app


def _routes(session: ReviewSession, token: str, words: Translator, language: str) -> Blueprint:
    bp = Blueprint("review", __name__)

    def here() -> ResponseReturnValue:
        return redirect(url_for("review.show", token=token), 303)

    def page(problem: str = "", status: int = 200) -> Response:
        with session.lock:
            stage = session.stage
            text = render_template(
                f"rulechange/{PAGES[stage]}.html",
                token=token,
                language=tag(language),
                session=session,
                task=session.task,
                views=VIEWS,
                most_written=MOST_WRITTEN,
                problem=problem,
                shown=page_of(session, words) if stage == "judging" else None,
                ending=tell_settlement(session.settlement, words) if session.settlement else [],
                error=_in_words(session, words),
            )
        response = Response(text, status, mimetype="text/html")
        if session.over.is_set() and stage in ("done", "failed"):
            response.call_on_close(session.end_read.set)
        return response

    @bp.get("/")
    def show() -> ResponseReturnValue:
        session.watched.set()
        return page()

    @bp.post("/press")
    def press() -> ResponseReturnValue:
        pressed = session.press(request.form.get("key", ""), request.form.get("cause", ""))
        if not pressed and session.stage == "judging":
            other = words.gettext("Another cause is shown meanwhile; nothing was decided.")
            return page(other, 409)
        return here()

    @bp.post("/go")
    def go() -> ResponseReturnValue:
        session.go_to(request.form.get("place", 0, int))
        return here()

    @bp.post("/sign")
    def sign() -> ResponseReturnValue:
        by, why = (request.form.get(name, "").strip() for name in ("by", "why"))
        if session.stage == "signing":
            if not by or not why:
                return page(words.gettext("Say who decides, and why."), 422)
            if max(len(by), len(why)) > MOST_WRITTEN:
                return page(words.gettext("This is too large."), 422)
            session.sign(by, why)
        return here()

    return bp


def _in_words(session: ReviewSession, words: Translator) -> str:
    problem = session.error or (session.settlement.problem if session.settlement else None)
    return retold(message_of(problem), words) if problem else ""


def _hash(text: str) -> str:
    """What a page's own style or script is known by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def serve_review(
    session: ReviewSession, language: str, tell_address: Callable[[str], None]
) -> None:
    """Show a review until it is over. What came of it stands in the session."""
    token = secrets.token_urlsafe(24)
    app = create_app(session, token, language)
    server: BaseWSGIServer = make_server(
        LOOPBACK, 0, app, threaded=True, request_handler=QuietHandler
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        session.begin()
        tell_address(f"http://{LOOPBACK}:{server.server_port}/{token}/")
        session.over.wait()
        if session.watched.is_set():
            session.end_read.wait(LINGERS)
    finally:
        server.shutdown()
        server.server_close()
