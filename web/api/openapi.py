"""The API's description, made from the endpoints and their shapes."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from web.api.endpoint import ENDPOINTS, ComputingAnswer, Endpoint, ProblemAnswer

_part = re.compile(r"<(\w+)>")
COOKIE = "lacitta_session"
ABOUT = """La Città by the web. A problem has a code and a sentence.

A program shows a token from the account page: `Authorization: Bearer TOKEN`. It needs nothing else.

A browser, or a program that acts like one, keeps its cookies: it gets a page such as `/login`,
takes the content of `<meta name="csrf-token">` from it, and sends that as `X-CSRFToken` with every
request that is not a GET, `POST /api/session` to log in included. Who has just logged in or out
takes it from a page anew. Without it such a request is answered with 403 and the code `cross-site`.
"""


def describe() -> dict[str, Any]:
    """OpenAPI 3.1."""
    shapes = [each.answer for each in ENDPOINTS]
    shapes += [each.body for each in ENDPOINTS if each.body is not None]
    schemas, components = msgspec.json.schema_components(
        [*shapes, ComputingAnswer, ProblemAnswer], ref_template="#/components/schemas/{name}"
    )
    answers = dict(zip([id(e) for e in ENDPOINTS], schemas, strict=False))
    bodies = dict(
        zip(
            [id(e) for e in ENDPOINTS if e.body is not None],
            schemas[len(ENDPOINTS) :],
            strict=False,
        )
    )
    computing, problem = schemas[-2:]
    paths: dict[str, dict[str, Any]] = {}
    for each in ENDPOINTS:
        path = _part.sub(r"{\1}", each.path)
        paths.setdefault(path, {})[each.method.lower()] = _operation(
            each, answers[id(each)], bodies.get(id(each)), problem, computing
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "lacitta",
            "version": "1",
            "description": ABOUT,
        },
        "paths": paths,
        "components": {
            "schemas": _in_ecma(components),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token from the account page. It may read, and further what"
                    " it was made for: play, write. What is about the account itself needs a"
                    " session.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": "Set by `POST /api/session`. Without it a browser is a guest"
                    " or nobody.",
                },
                "csrf": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-CSRFToken",
                    "description": "The `csrf-token` that any page, such as"
                    " `/login`, has in its head; sent with the cookies that came with that page.",
                },
            },
        },
    }


def _in_ecma(schema: Any) -> Any:
    """Python's end of a text as JSON Schema says it: there, no line feed may follow a `$`."""
    if isinstance(schema, list):
        return [_in_ecma(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: part.replace(r"\Z", "$")
        if key == "pattern" and isinstance(part, str)
        else _in_ecma(part)
        for key, part in schema.items()
    }


def _operation(
    each: Endpoint, answer: Any, body: Any, problem: Any, computing: Any
) -> dict[str, Any]:
    by_token = each.scope != "account"
    # Who need not be anybody proves where the request comes from all the same, unless it reads.
    browser: dict[str, list[str]] = {} if each.method == "GET" else {"csrf": []}
    security = [browser] if each.who == "anyone" else []
    security += [{"session": [], **browser}]
    security += [{"token": [each.scope]}] if by_token else []
    operation: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.summary,
        "description": "" if by_token else "For the owner's browser alone, by its session.",
        "security": security,
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in _part.findall(each.path)
            ),
            *(
                {
                    "name": query.name,
                    "in": "query",
                    "description": query.meaning,
                    **query.described,
                }
                for query in each.query
            ),
        ],
        "responses": {
            str(each.status): {
                "description": each.summary,
                "content": {each.media: {"schema": answer}},
            }
        },
    }
    if each.computes:
        operation["responses"]["202"] = {
            "description": "It is being computed: ask for the same again.",
            "content": {"application/json": {"schema": computing}},
        }
    for status in each.all_problems:
        operation["responses"][str(status)] = (
            {"description": "You have this version already."}
            if status == 304
            else {
                "description": "A problem",
                "content": {"application/json": {"schema": problem}},
            }
        )
    if body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body}},
        }
    return operation
