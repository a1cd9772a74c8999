"""The JSON API: the pages use it, and so may any program with a token."""

from __future__ import annotations

import functools

from flask import Flask, Response, jsonify

from web.api import (  # noqa: F401  (they declare themselves)
    chat_routes,
    choice_routes,
    game_routes,
    hint_routes,
    note_routes,
    notepad_routes,
    order_routes,
    pace_routes,
    plan_routes,
    replay_routes,
    routes,
    study_routes,
    tour_routes,
)
from web.api.endpoint import register
from web.api.openapi import describe


def init_app(app: Flask) -> None:
    register(app)
    app.add_url_rule("/api/openapi.json", "api_description", description)


def description() -> Response:
    """The API in OpenAPI's words. It is the same for all, so it is put together once."""
    return jsonify(described())


described = functools.cache(describe)
