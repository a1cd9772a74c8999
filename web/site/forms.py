"""What people type into forms: kept when something is wrong, with the reason beside the field."""

from __future__ import annotations

import re

from flask import request

from web.settings import ADDRESS
from web.site.names import is_readable
from web.words.language import gettext as _

SECRET = frozenset({"password", "old", "csrf_token"})


class Form:
    """The fields of a form as they were sent. Passwords are never sent back."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.values: dict[str, str] = {}
        self.errors: dict[str, str] = {}

    @classmethod
    def sent(cls, name: str = "") -> Form:
        form = cls(name)
        form.values = {key: value for key, value in request.form.items() if key != "csrf_token"}
        return form

    def text(self, field: str) -> str:
        return self.values.get(field, "")

    def value(self, field: str, otherwise: object = "") -> str:
        """What a field shows again."""
        return "" if field in SECRET else self.values.get(field, str(otherwise))

    def number(self, field: str, least: int, most: int, otherwise: int) -> int:
        text = self.values.get(field, str(otherwise))
        if text.isascii() and text.isdecimal() and len(text) < 4 and least <= int(text) <= most:
            return int(text)
        self.errors[field] = _("Please choose a number from {least} to {most}.").format(
            least=least, most=most
        )
        return otherwise

    def wrong(self, field: str, sentence: str) -> None:
        self.errors.setdefault(field, sentence)


def person_name(form: Form, *, required: bool) -> str:
    """A name of one to thirty characters."""
    name = " ".join(form.text("name").split())
    if required and not name:
        form.wrong("name", _("Please give a name."))
    elif len(name) > 30:
        form.wrong("name", _("Please choose a name of at most 30 characters."))
    elif name and not is_readable(name):
        form.wrong("name", _("Please choose a name that can be read."))
    return name


def new_password(form: Form) -> str:
    password = form.text("password")
    if len(password) < 8:
        form.wrong("password", _("A password has at least 8 characters."))
    elif len(password) > 200:
        form.wrong("password", _("A password has at most 200 characters."))
    return password


def email(form: Form) -> str:
    """An address, or nothing. Whether it can be reached shows only when something is sent."""
    address = form.text("email").strip()
    if address and not is_address(address):
        form.wrong("email", _("This does not look like an e-mail address."))
    return address


def is_address(text: str) -> bool:
    """Whether mail can be sent there as it stands; nothing in it could end a header.

    >>> is_address("anna@example.org"), is_address("anna@example.org\\nBcc: eve@example.org")
    (True, False)
    """
    return len(text) <= 200 and re.fullmatch(ADDRESS, text) is not None
