"""Which language a page speaks: the reader's choice, or what the browser asks for."""

from __future__ import annotations

import functools
from pathlib import Path

import flask_babel
from flask import Flask, current_app, g, has_request_context, request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from werkzeug.wrappers import Response

from web.words.catalogues import BOOK, tag

LANGUAGES = {
    "en": "English",
    BOOK: "English (the book’s words)",
    "de": "Deutsch",
    "fr": "Français",
    "nl": "Nederlands",
    "fi": "Suomi",
}
COOKIE = "lacitta-language"
A_YEAR = 365 * 24 * 3600


def chosen() -> str:
    """The language of this answer."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        g.language = _wanted()
    found: str = g.language
    return found


def _wanted() -> str:
    wanted = request.args.get("lang") or request.cookies.get(COOKIE, "")
    if wanted in LANGUAGES:
        return wanted
    # Somebody from Austria who also reads English wants German, though no page says de-AT.
    for asked in request.accept_languages.values():
        if (plain := asked.partition("-")[0].lower()) in LANGUAGES:
            return plain
    return "en"


def keep_choice(response: Response, language: str) -> None:
    """Remember a reader's choice in the browser."""
    response.set_cookie(
        COOKIE,
        language,
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]),
    )


def init_app(app: Flask) -> None:
    folder = Path(__file__).parents[1] / "translations"
    flask_babel.Babel(
        app,
        default_locale="en",
        default_translation_directories=str(folder),
        locale_selector=chosen,
    )
    app.jinja_env.globals.update(languages=LANGUAGES, language=chosen)
    app.jinja_env.filters.update(colon=colon, tag=tag)


@pass_context
def colon(_context: Context, text: str) -> Markup:
    """A label with the colon behind it, which some languages set off by a blank. It asks for the
    context: otherwise Jinja would work out a constant label once, in the first reader's language.
    """
    return Markup(gettext("{label}:")).format(label=text)


def gettext(text: str) -> str:
    """A text in the reader's language; its parameters, in braces, are filled in later."""
    return _translated(str(flask_babel.get_locale()), text)


@functools.lru_cache(maxsize=8192)
def _translated(language: str, text: str) -> str:
    """Looked up once: a board alone has some nine hundred texts. Babel knows the language."""
    return str(flask_babel.gettext(text))


def ngettext(one: str, many: str, number: int) -> str:
    """The form of a text that goes with a number."""
    return str(flask_babel.ngettext(one, many, number))
