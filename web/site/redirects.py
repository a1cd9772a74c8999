"""Where a page may send the browser next: never off this site."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

HOME = "/"


def local(target: str) -> str:
    """A path of this site, or the lobby when the target leads elsewhere.

    Browsers drop tabs and line ends and take a backslash for a slash, so those are refused, too.

    >>> local("/table/7?seat=2"), local("//evil.example"), local("/\\\\evil.example")
    ('/table/7?seat=2', '/', '/')
    """
    if not target.startswith("/") or target.startswith("//") or "\\" in target:
        return HOME
    if any(character <= " " or character == "\x7f" for character in target):
        return HOME
    try:
        parts = urlsplit(target)
    except ValueError:
        return HOME
    return HOME if parts.scheme or parts.netloc else target


def here() -> str:
    """The page that is shown now, to come back to. A form that was sent is not a page."""
    if request.method not in ("GET", "HEAD"):
        try:
            return local(request.form.get("next", HOME))
        except HTTPException:  # a form that cannot be read: the page that says so is shown now
            return HOME
    query = urlencode(
        [(k, v) for k, v in parse_qsl(request.query_string.decode("latin-1")) if k != "lang"]
    )
    return local(f"{request.path}?{query}" if query else request.path)


def to_log_in(back: str) -> ResponseReturnValue:
    return redirect(url_for("login", next=back), 303)
