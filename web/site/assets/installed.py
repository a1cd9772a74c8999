"""The site as an app to install: its manifest, its service worker, a page for offline."""

from __future__ import annotations

import hashlib

from flask import Flask, Response, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue

from web.words.language import chosen
from web.words.language import gettext as _

LIGHT, DARK = "#f3e8cf", "#221b14"
"""The paper of the pages (`--paper` in theme.css), by day and by night."""
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("maskable-512.png", "512x512", "maskable"),
)


def init_app(app: Flask) -> None:
    app.add_url_rule("/manifest.webmanifest", "manifest", manifest)
    app.add_url_rule(
        "/service-worker.js",
        "service_worker",
        lambda: service_worker(app.extensions["static"].text("service-worker.js")),
    )
    app.add_url_rule("/offline", "offline", offline)
    app.jinja_env.globals["paper_colours"] = (LIGHT, DARK)


def manifest() -> ResponseReturnValue:
    response = jsonify(
        {
            "id": "/",
            "name": "La Città",
            "short_name": "La Città",
            "description": _("Found cities, feed them, and draw people to them."),
            "lang": chosen(),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": LIGHT,
            "background_color": LIGHT,
            "icons": [
                {
                    "src": url_for("static", filename=f"icons/{name}"),
                    "sizes": sizes,
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, sizes, purpose in ICONS
            ],
            "shortcuts": [{"name": _("Next game"), "url": url_for("next_game")}],
        }
    )
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = "no-cache"
    return response


def service_worker(script: str) -> Response:
    """At the root, so that it serves every page; asked for anew, so that an update is found."""
    response = Response(script, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


def offline() -> str:
    """What is shown when the network is gone and the page was never seen."""
    return render_template("site/offline.html")


def reader_key(person: str) -> str:
    """Whose knowledge an answer holds, from which nobody can be told: a browser keeps what it has
    seen under it, and forgets it when the key changes.

    >>> reader_key("")
    'nobody'
    """
    return hashlib.sha256(f"reader {person}".encode()).hexdigest()[:16] if person else "nobody"
