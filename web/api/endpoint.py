"""How an endpoint is declared: once, for the route, for its description, and for the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from flask import Flask, Response, request
from flask.typing import ResponseReturnValue

from web.problems import Problem

Method = Literal["GET", "POST", "DELETE"]
Who = Literal["anyone", "person", "account", "seat", "viewer"]
"""Who may call: anyone; whoever has an identity; accounts; the seats of a table; its viewers."""


class Endpoint(msgspec.Struct, frozen=True):
    """One endpoint of the API."""

    method: Method
    path: str
    summary: str
    who: Who
    answer: Any
    body: Any
    problems: tuple[int, ...]
    status: int
    name: str
    run: Callable[..., Any]


ENDPOINTS: list[Endpoint] = []


class Answer(msgspec.Struct, frozen=True):
    """An answer with a version: when the asker has it already, nothing is sent again."""

    body: Any
    etag: str


def endpoint(
    method: Method,
    path: str,
    summary: str,
    *,
    who: Who,
    answer: Any,
    body: Any = None,
    problems: tuple[int, ...] = (),
    status: int = 200,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as an endpoint. It gets the path's parts, and the body as `body`."""

    def enter(run: Callable[..., Any]) -> Callable[..., Any]:
        ENDPOINTS.append(
            Endpoint(method, path, summary, who, answer, body, problems, status, run.__name__, run)
        )
        return run

    return enter


def register(app: Flask) -> None:
    for each in ENDPOINTS:
        app.add_url_rule(each.path, f"api_{each.name}", _view(each), methods=[each.method])


def _view(each: Endpoint) -> Callable[..., ResponseReturnValue]:
    decoder = None if each.body is None else msgspec.json.Decoder(each.body)

    def view(**parts: str) -> ResponseReturnValue:
        if decoder is None:
            return respond(each.run(**parts), each.status)
        if request.mimetype != "application/json":
            raise Problem(415, "http-415", "Please send JSON.")
        try:
            body = decoder.decode(request.get_data())
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise Problem(422, "bad-body", "{why}", why=str(error)) from None
        return respond(each.run(**parts, body=body), each.status)

    return view


def respond(result: Any, status: int) -> Response:
    """JSON, or a bare 304 when the asker has this version."""
    if isinstance(result, Response):
        return result
    if not isinstance(result, Answer):
        return Response(msgspec.json.encode(result), status, mimetype="application/json")
    response = Response(msgspec.json.encode(result.body), status, mimetype="application/json")
    response.set_etag(result.etag)
    response.make_conditional(request)
    return response
