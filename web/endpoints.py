"""The JSON API as a whole: every room's endpoints, and their description.

An endpoint enters itself where it is declared; this module only brings all of them together.
"""

from __future__ import annotations

import functools

from flask import Flask, Response, jsonify

import web.chat.api
import web.lobby.api
import web.lobby.passkeys_api
import web.moderation.api
import web.news.api
import web.notepad.api
import web.notes.api
import web.notes.tries_api
import web.orders.api
import web.pace.api
import web.plans.api
import web.profile.api
import web.review.api
import web.share.api
import web.studies.api
import web.table.api
import web.table.hint_api
import web.table.moments_api
import web.table.tour_api
import web.viewer.api  # noqa: F401  (they declare themselves)
from web.api.endpoint import register
from web.api.openapi import describe


def init_app(app: Flask) -> None:
    register(app)
    app.add_url_rule("/api/openapi.json", "api_description", description)


def description() -> Response:
    """The API in OpenAPI's words. It is the same for all, so it is put together once."""
    return jsonify(described())


described = functools.cache(describe)
