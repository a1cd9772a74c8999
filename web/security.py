"""How every answer leaves: strict headers, cross-site requests refused, problems in words."""

from __future__ import annotations

from collections.abc import Sequence

from flask import (
    Flask,
    Response,
    current_app,
    g,
    jsonify,
    make_response,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from engine.material.faults import Fault
from events.errors import BadLog
from events.store.errors import StoreError
from projections.words.effects import retold
from projections.words.names import marked
from web.accounts.visitor import check_scope, visitor_shows_token
from web.api.endpoint import scope_of
from web.api.scopes import Need, need_of_page
from web.rules.links import link_of
from web.services import csrf
from web.site.assets.installed import reader_key
from web.site.broken import report_link
from web.site.problems import Problem
from web.words.language import gettext as _
from web.words.sentences import READER, error_in_words, in_words

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
        "worker-src 'self'",
    )
)
OPEN = frozenset({"unsubscribe", "health", "metrics"})
"""What needs no page before it: the link in a letter is its own proof, and servers have none."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SENTENCES = {
    400: marked("This request cannot be understood."),
    401: marked("Please log in first."),
    403: marked("This is not for you."),
    404: marked("There is nothing here."),
    405: marked("This cannot be done here."),
    413: marked("This is too large."),
    415: marked("Please send JSON."),
    429: marked("Too many requests. Please wait a little."),
    500: marked("Something went wrong on our side."),
}


def init_app(app: Flask) -> None:
    app.jinja_env.globals["report_link"] = report_link
    app.before_request(refuse_cross_site)
    app.after_request(add_headers)
    app.register_error_handler(Problem, show_problem)
    app.register_error_handler(BadLog, show_bad_request)
    app.register_error_handler(StoreError, show_store_error)
    app.register_error_handler(CSRFError, show_cross_site)
    app.register_error_handler(HTTPException, show_http_error)


def refuse_cross_site() -> None:
    """A cookie alone does not let anyone write: the page's own token must come with it.

    A program's token is proof enough; one that is not known is refused wherever it is shown.
    """
    if request.endpoint in OPEN:
        return
    if visitor_shows_token():
        check_scope(needed())
    elif request.method not in SAFE_METHODS:
        csrf.protect()


def needed() -> Need:
    """What a request needs of a token, by its endpoint's declaration or by its page."""
    name, writes = request.endpoint or "", request.method not in SAFE_METHODS
    declared = scope_of(name)
    return declared or need_of_page(name, request.path, writes and bool(name))


def add_headers(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
    if current_app.config["SESSION_COOKIE_SECURE"]:
        # Served by HTTPS: browsers shall never try without. Other hosts of the domain are not ours.
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if response.mimetype in ("text/html", "application/json"):
        headers.setdefault("Cache-Control", "no-cache, private")
        if "visitor" in g:
            headers["X-Reader"] = reader_key(g.visitor.person)
    headers.setdefault("Vary", "Cookie, Accept-Language")
    return response


def answer(
    status: int,
    code: str,
    sentence: str,
    rule: str = "",
    link: str = "",
    faults: Sequence[Fault] = (),
    test: str = "",
) -> ResponseReturnValue:
    """A problem as JSON for programs, as a page for people, with the rule that stands behind it."""
    if request.path.startswith("/api/"):
        body: dict[str, object] = {"code": code, "sentence": sentence, "rule": rule, "link": link}
        body["test"] = test
        body["faults"] = [{"code": each.code, "sentence": retold(each, READER)} for each in faults]
        return jsonify({name: value for name, value in body.items() if value}), status
    shown = render_template(
        "site/problem.html",
        code=code,
        sentence=sentence,
        status=status,
        rule=rule,
        link=link,
        test=test,
    )
    return shown, status


def show_problem(problem: Problem) -> ResponseReturnValue:
    sentence = in_words(problem.template, problem.params)
    g.retry = problem.retry
    link = link_of(problem)
    rule, faults, test = problem.rule, problem.faults, problem.test
    return answer(problem.status, problem.code, sentence, rule, link, faults, test)


def show_bad_request(error: BadLog) -> ResponseReturnValue:
    return answer(422, "bad-body", error_in_words(error))


def show_store_error(error: StoreError) -> ResponseReturnValue:
    return answer(503, "store", _("The games cannot be reached now. Please try again."))


def show_cross_site(error: CSRFError) -> ResponseReturnValue:
    return answer(403, "cross-site", _("This page is out of date. Please load it again."))


def show_http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if 300 <= status < 400:
        return error.get_response()
    sentence = SENTENCES.get(status, SENTENCES[400] if status < 500 else SENTENCES[500])
    report = report_link() if status >= 500 else ""
    response = make_response(answer(status, f"http-{status}", _(sentence), link=report))
    for name in ("Allow", "Retry-After"):
        if value := error.get_response().headers.get(name):
            response.headers[name] = value
    return response
