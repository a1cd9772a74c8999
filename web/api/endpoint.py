"""How an endpoint is declared: once, for the route, for its description, and for the tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from flask import Flask, Response, request
from flask.typing import ResponseReturnValue

from events.messages.complaints import complaint_of
from web.api.scopes import Need
from web.site.problems import Problem

Method = Literal["GET", "POST", "PUT", "DELETE"]
JSON = "application/json"
Who = Literal["anyone", "person", "account", "seat", "viewer"]
"""Who may call: anyone; whoever has an identity; accounts; the seats of a table; its viewers."""


class Query(msgspec.Struct, frozen=True):
    """A whole number that may stand in the query."""

    name: str
    meaning: str
    most: int = 1_000_000

    def read(self) -> int | None:
        """What the request says; nothing when it says nothing."""
        text = request.args.get(self.name)
        if text is None:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 9 and int(text) <= self.most):
            raise Problem(422, "bad-query", "{name} must be a whole number.", name=self.name)
        return int(text)

    @property
    def described(self) -> dict[str, Any]:
        """As a parameter in OpenAPI's words."""
        return {"schema": {"type": "integer", "minimum": 0, "maximum": self.most}}


PAGE = Query(
    "page", "Which page of a long list, from 1 on; beyond the last one nothing comes", 10_000
)


class Word(msgspec.Struct, frozen=True):
    """A word that must stand in the query, or may."""

    name: str
    meaning: str
    pattern: str
    required: bool = True

    def read(self) -> str:
        """What the request says; where it need not say anything, perhaps nothing."""
        if self.name not in request.args and not self.required:
            return ""
        text = request.args.get(self.name, "")
        if not re.fullmatch(self.pattern, text):
            raise Problem(422, "bad-query", "{name} is missing or makes no sense.", name=self.name)
        return text

    @property
    def described(self) -> dict[str, Any]:
        """As a parameter in OpenAPI's words."""
        return {
            "required": self.required,
            "schema": {"type": "string", "pattern": f"^{self.pattern}$"},
        }


class Choice(msgspec.Struct, frozen=True):
    """One of a few words that may stand in the query."""

    name: str
    meaning: str
    options: tuple[str, ...]
    default: str

    def read(self) -> str:
        text = request.args.get(self.name, self.default)
        if text not in self.options:
            raise Problem(
                422,
                "bad-query",
                "{name} must be one of: {options}.",
                name=self.name,
                options=", ".join(self.options),
            )
        return text

    @property
    def described(self) -> dict[str, Any]:
        """As a parameter in OpenAPI's words."""
        return {"schema": {"type": "string", "enum": self.options, "default": self.default}}


class Endpoint(msgspec.Struct, frozen=True):
    """One endpoint of the API."""

    method: Method
    path: str
    summary: str
    who: Who
    scope: Need
    answer: Any
    body: Any
    query: tuple[Query | Word | Choice, ...]
    problems: tuple[int, ...]
    status: int
    name: str
    run: Callable[..., Any]
    computes: bool
    """Whether the answer may be 202 first: ask again."""
    media: str
    """Of what kind the answer is."""

    @property
    def all_problems(self) -> list[int]:
        """What may go wrong: what every request risks, and what the endpoint adds."""
        found = {401, 503, *self.problems}
        if self.scope != "read":
            found.add(403)
        if self.method != "GET":
            found |= {403, 413}
        if self.body is not None:
            found |= {415, 422}
        if self.query:
            found.add(422)
        if self.computes:
            found.add(429)
        return sorted(found)


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
    scope: Need | None = None,
    answer: Any,
    body: Any = None,
    query: tuple[Query | Word | Choice, ...] = (),
    problems: tuple[int, ...] = (),
    status: int = 200,
    computes: bool = False,
    media: str = JSON,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as an endpoint. It gets the path's parts, the query's, and the body.

    `scope` is what a token must allow; unless said otherwise, to read for GET and else to play.
    """

    def enter(run: Callable[..., Any]) -> Callable[..., Any]:
        ENDPOINTS.append(
            Endpoint(
                method=method,
                path=path,
                summary=summary,
                who=who,
                scope=scope or ("read" if method == "GET" else "play"),
                answer=answer,
                body=body,
                query=query,
                problems=problems,
                status=status,
                name=run.__name__,
                run=run,
                computes=computes,
                media=media,
            )
        )
        return run

    return enter


def register(app: Flask) -> None:
    for each in ENDPOINTS:
        app.add_url_rule(each.path, f"api_{each.name}", _view(each), methods=[each.method])


def scope_of(name: str) -> Need | None:
    """What the endpoint of this Flask name needs of a token; None when it is not of the API."""
    return next((each.scope for each in ENDPOINTS if f"api_{each.name}" == name), None)


def _view(each: Endpoint) -> Callable[..., ResponseReturnValue]:
    decoder = None if each.body is None else msgspec.json.Decoder(each.body)

    def view(**parts: str) -> ResponseReturnValue:
        asked = {query.name: query.read() for query in each.query}
        if decoder is None:
            return respond(each.run(**parts, **asked), each.status)
        if request.mimetype != "application/json":
            raise Problem(415, "http-415", "Please send JSON.")
        try:
            body = decoder.decode(request.get_data())
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise Problem(422, "bad-body", "{why}", why=complaint_of(error)) from None
        return respond(each.run(**parts, **asked, body=body), each.status)

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


class ComputingAnswer(msgspec.Struct, frozen=True):
    """Not there yet: ask for the same again after `retry` seconds. `place` is the place in the
    queue, 0 where it is being computed."""

    sentence: str
    place: int
    retry: int
    code: Literal["computing"] = "computing"


class FaultLine(msgspec.Struct, frozen=True):
    """One thing that is wrong with a board or a box."""

    code: str
    sentence: str


class ProblemAnswer(msgspec.Struct, frozen=True):
    """What went wrong: a code for programs, a sentence for people, the game's rule if it is one,
    and where that rule can be read; where something broke, where a report of it can be had.
    Of an action that the rules refuse, `test` is the attempt as a file that pytest runs.
    `faults` are all that is wrong with a board or a box that was sent."""

    code: str
    sentence: str
    rule: str = ""
    link: str = ""
    test: str = ""
    faults: list[FaultLine] = []
