"""The JSON API: the pages use it, and so may any program with a token."""

from __future__ import annotations

import functools

from flask import Flask, Response, jsonify

from web.api.endpoint import register
from web.api.openapi import describe
from web.chat import api as chat_routes  # noqa: F401  (they declare themselves)
from web.lobby import api as routes  # noqa: F401  (they declare themselves)
from web.notepad import api as notepad_routes  # noqa: F401  (they declare themselves)
from web.notes import api as note_routes
from web.notes import tries_api as choice_routes  # noqa: F401  (they declare themselves)
from web.orders import api as order_routes  # noqa: F401  (they declare themselves)
from web.pace import api as pace_routes  # noqa: F401  (they declare themselves)
from web.plans import api as plan_routes  # noqa: F401  (they declare themselves)
from web.studies import api as study_routes  # noqa: F401  (they declare themselves)
from web.table import api as game_routes  # noqa: F401  (they declare themselves)
from web.table import hint_api as hint_routes
from web.table import tour_api as tour_routes
from web.viewer import api as replay_routes  # noqa: F401  (they declare themselves)


def init_app(app: Flask) -> None:
    register(app)
    app.add_url_rule("/api/openapi.json", "api_description", description)


def description() -> Response:
    """The API in OpenAPI's words. It is the same for all, so it is put together once."""
    return jsonify(described())


described = functools.cache(describe)
