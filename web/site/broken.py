"""Where something breaks: which game it is about, and where a report of that can be had."""

from __future__ import annotations

from flask import request, url_for

GAMES_BY_ID = ("table", "join", "leave", "rematch")
"""Pages of a game whose address calls it an id."""


def report_link() -> str:
    """The report of the game, or of the chapter of a study, that the request is about; nothing
    where it is about none."""
    asked = request.view_args or {}
    blueprint = request.blueprints[0] if request.blueprints else ""
    of_study = blueprint == "study" or asked.get("kind") == "study"
    if of_study and asked.get("chapter", "-") != "-":
        by = request.args.get("by")
        return url_for("case.chapter_report", id_=asked["id_"], chapter=asked["chapter"], by=by)
    game = asked.get("game") or asked.get("table")
    if request.endpoint in GAMES_BY_ID or asked.get("kind") == "game":
        game = asked.get("id_")
    return url_for("case.report", game=game) if game else ""
