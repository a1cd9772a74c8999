"""Requests that compute: whoever asks waits a moment, or is told the place in the queue and asks
again. Programs and scripts get a 202 with JSON, people a page that asks again by itself."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response, g, make_response, render_template, request

from projections.words.names import marked
from web.accounts.visitor import visitor
from web.api.endpoint import ComputingAnswer
from web.jobs.job import Computing, Owner
from web.jobs.pool import Task
from web.services import services
from web.site.limits.addresses import network_of
from web.words.language import gettext as _

RUNNING = marked("This is being computed.")
WAITING = marked("This waits to be computed, at place {place} in the queue.")


def init_app(app: Flask) -> None:
    app.register_error_handler(Computing, show_computing)
    app.after_request(say_when_to_retry)


def compute(task: Task, *args: Any) -> Any:
    """What a task gives, on behalf of whoever asks. The request ends here unless it is there."""
    return services().jobs.compute(asker(), task, *args)


def asker() -> Owner:
    """Guests can be as many as they like, so all of an address take turns as one."""
    address = network_of(request.remote_addr or "")
    found = visitor()
    return Owner(found.person if found.account else address, address)


def is_answered(response: Response) -> bool:
    """For limits of requests: asking again for what is being computed does not count."""
    return response.status_code != 202


def show_computing(computing: Computing) -> Response:
    sentence = _(WAITING if computing.place else RUNNING).format(place=computing.place)
    answer = ComputingAnswer(sentence, computing.place, computing.retry)
    if request.path.startswith("/api/") or "application/json" in request.accept_mimetypes.values():
        response = Response(msgspec.json.encode(answer), 202, mimetype="application/json")
    else:
        shown = render_template("jobs/waiting.html", answer=answer)
        response = make_response(shown, 202)
    response.headers["Cache-Control"] = "no-store"
    g.retry = computing.retry
    return response


def say_when_to_retry(response: Response) -> Response:
    """After the limits of requests, which would say when those are over."""
    if retry := g.get("retry", 0):
        response.headers["Retry-After"] = str(retry)
    return response
