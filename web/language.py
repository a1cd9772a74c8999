"""Which language a page speaks: the reader's choice, or what the browser asks for."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, has_request_context, request
from flask_babel import Babel, gettext

LANGUAGES = {"en": "English", "de": "Deutsch"}
COOKIE = "lacitta-language"


def chosen() -> str:
    """The language of this answer."""
    if not has_request_context():
        return "en"
    wanted = request.args.get("lang") or request.cookies.get(COOKIE, "")
    if wanted in LANGUAGES:
        return wanted
    return request.accept_languages.best_match(list(LANGUAGES), "en")


def init_app(app: Flask) -> None:
    folder = Path(__file__).parent / "translations"
    Babel(
        app,
        default_locale="en",
        default_translation_directories=str(folder),
        locale_selector=chosen,
    )
    app.jinja_env.globals.update(languages=LANGUAGES, language=chosen)


def words(text: str) -> str:
    """A translated text whose parameters are filled in later."""
    return gettext(text)
