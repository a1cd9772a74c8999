"""The token that proves that a form was sent from a page of ours, in a mask that is new in each
answer: what a packed page's length tells of the text in it tells nothing of the token."""

from __future__ import annotations

import base64
import binascii
import secrets

from flask import Flask, g
from flask_wtf.csrf import CSRFProtect, generate_csrf


class MaskedCSRF(CSRFProtect):  # type: ignore[misc]  # Flask-WTF has no types
    """Takes a token in its mask or without one: only signed ones have a full stop in them."""

    def init_app(self, app: Flask) -> None:
        super().init_app(app)
        app.jinja_env.globals["csrf_token"] = masked_token
        app.context_processor(lambda: {"csrf_token": masked_token})

    def _get_csrf_token(self) -> str | None:
        token: str | None = super()._get_csrf_token()
        return token if not token or "." in token else unmask(token)


def masked_token() -> str:
    """The session's token as this answer shows it, the same wherever the answer does."""
    if "masked_token" not in g:
        g.masked_token = mask(generate_csrf())
    found: str = g.masked_token
    return found


def mask(token: str) -> str:
    """A token under a random pad, with the pad before it.

    >>> mask("abc.def") == mask("abc.def"), unmask(mask("abc.def"))
    (False, 'abc.def')
    """
    data = token.encode()
    pad = secrets.token_bytes(len(data))
    return base64.urlsafe_b64encode(pad + exclusive_or(pad, data)).decode().rstrip("=")


def unmask(masked: str) -> str:
    """What is under a mask; nothing where there is no mask.

    >>> unmask("?"), unmask("no mask")
    ('', '')
    """
    try:
        data = base64.b64decode(masked + "=" * (-len(masked) % 4), b"-_", validate=True)
        return exclusive_or(data[: len(data) // 2], data[len(data) // 2 :]).decode("ascii")
    except (binascii.Error, ValueError):
        return ""


def exclusive_or(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
