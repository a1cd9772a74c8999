"""Who asks: an account by cookie or token, a guest by cookie, or nobody."""

from __future__ import annotations

import msgspec
from flask import g, request, session

from web.accounts.service import Account, new_guest
from web.services import services
from web.site.problems import Problem


class Visitor(msgspec.Struct, frozen=True):
    """Who a request comes from. `person` is empty for somebody we have never met."""

    person: str = ""
    name: str = ""
    account: bool = False
    by_token: bool = False


def visitor() -> Visitor:
    """Who asks, found once per request."""
    if "visitor" not in g:
        g.visitor = _find()
    found: Visitor = g.visitor
    return found


def visitor_shows_token() -> bool:
    """Does the request carry a program's token? Browsers never add one by themselves."""
    return request.headers.get("Authorization", "").partition(" ")[0].lower() == "bearer"


def _find() -> Visitor:
    if visitor_shows_token():
        token = request.headers["Authorization"].partition(" ")[2]
        account = services().people.by_token(token.strip())
        if account is None:
            raise Problem(401, "bad-token", "This token is not known here.")
        return Visitor(account.id, account.name, account=True, by_token=True)
    person = session.get("person", "")
    if person.startswith("person-"):
        account = services().people.get(person)
        # A new password ends every session of before.
        if account is None or session.get("era", 0) != account.era:
            return Visitor()
        return Visitor(account.id, account.name, account=True)
    return Visitor(person, session.get("name", "")) if person else Visitor()


def log_in(account: Account) -> None:
    """Begin a session of its own for an account: nothing of the one before is kept."""
    session.clear()
    session.permanent = True
    session["person"], session["era"] = account.id, account.era
    g.pop("visitor", None)


def log_out() -> None:
    session.clear()
    g.pop("visitor", None)


def be_guest(name: str) -> Visitor:
    """Give somebody without an account an identity of their own, or keep the one they have."""
    found = visitor()
    if not found.person:
        session.permanent = True
        session["person"] = new_guest()
        session["name"] = name
        g.pop("visitor", None)
        found = visitor()
    return found


def need_account() -> Visitor:
    found = visitor()
    if not found.account:
        raise Problem(401, "log-in-first", "Please log in first.")
    return found
