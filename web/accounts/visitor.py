"""Who asks: an account by session or token, a guest by session, or nobody."""

from __future__ import annotations

import msgspec
from flask import Response, after_this_request, current_app, g, request, session

from web.accounts.account import Account
from web.accounts.keys import new_guest
from web.accounts.sessions import LIFETIME
from web.api.scopes import Need, Scope
from web.services import limiter, services
from web.site.names import is_readable
from web.site.problems import Problem

COOKIE = "lacitta_session"
"""Holds the word of a session on the server; who somebody is stands there alone."""


class Visitor(msgspec.Struct, frozen=True):
    """Who a request comes from. `person` is empty for somebody we have never met."""

    person: str = ""
    name: str = ""
    account: bool = False
    scopes: tuple[Scope, ...] | None = None
    """What the token allows that was shown; None for people themselves."""


def visitor() -> Visitor:
    """Who asks, found once per request."""
    if "visitor" not in g:
        g.visitor = _find()
    found: Visitor = g.visitor
    return found


def visitor_shows_token() -> bool:
    """Does the request carry a program's token? Browsers never add one by themselves."""
    return request.headers.get("Authorization", "").partition(" ")[0].lower() == "bearer"


def check_scope(need: Need) -> None:
    """Problem unless the token allows this, where one is shown."""
    scopes = visitor().scopes
    if scopes is None:
        return
    if need == "account":
        raise Problem(
            403, "not-by-token", "A token is not enough for this. Please log in with a browser."
        )
    if need not in scopes:
        raise Problem(
            403, "scope", "This token is not made for this: it lacks {scope}.", scope=need
        )


def session_word() -> str:
    """The word of the browser's session, or what it takes for one."""
    return request.cookies.get(COOKIE, "")


def _find() -> Visitor:
    if visitor_shows_token():
        token = request.headers["Authorization"].partition(" ")[2]
        known = services().people.by_token(token.strip())
        if known is None:
            raise Problem(401, "bad-token", "This token is not known here.")
        account, shown = known
        check_open(account, 401)
        return Visitor(account.id, account.name, account=True, scopes=shown.scopes)
    word, sessions = session_word(), services().sessions
    found = sessions.get(word)
    if found is None:
        return _carry_over()
    if found.person.startswith("guest-") and not services().settings.server.guests:
        return Visitor()
    if sessions.touch(word, found):
        _hand_out(word)
    return Visitor(found.person, found.name, account=found.person.startswith("person-"))


def _carry_over() -> Visitor:
    """A guest whose cookie is from before there were sessions keeps the games, until the guest
    logs out or makes an account. Accounts log in anew."""
    person, name = session.get("person", ""), session.get("name", "")
    if not person.startswith("guest-") or services().sessions.is_retired(person):
        return Visitor()
    if not services().settings.server.guests:
        return Visitor()
    for key in ("person", "name", "era"):
        session.pop(key, None)
    _begin(person, name)
    return Visitor(person, name)


def _begin(person: str, name: str) -> str:
    word = services().sessions.begin(person, name, request.headers.get("User-Agent", ""))
    _hand_out(word)
    return word


def _hand_out(word: str) -> None:
    """Let the browser keep a session's word; an empty one takes it away."""

    @after_this_request
    def put(response: Response) -> Response:
        response.set_cookie(
            COOKIE,
            word,
            max_age=LIFETIME // 1000 if word else 0,
            httponly=True,
            samesite="Lax",
            secure=current_app.config["SESSION_COOKIE_SECURE"],
        )
        return response


def check_open(account: Account, status: int = 403) -> None:
    """Problem when a host has closed the account."""
    if account.closed is not None:
        raise Problem(
            status,
            "account-closed",
            "A host has closed this account: {reason}",
            reason=account.closed.reason,
        )


def log_in(account: Account) -> str:
    """Begin a session of its own for an account: nothing of the one before is kept. Gives its
    word."""
    check_open(account)
    _end()
    session.clear()
    session.permanent = True
    word = _begin(account.id, account.name)
    # Who changed the password or left meanwhile has ended all sessions but perhaps this one.
    now = services().people.get(account.id)
    if now is None or now.era != account.era:
        services().sessions.end(word)
        raise Problem(401, "log-in-first", "Please log in first.")
    limiter.remember(account.name)
    g.visitor = Visitor(account.id, account.name, account=True)
    return word


def log_out() -> None:
    _end()
    _hand_out("")
    session.clear()
    g.visitor = Visitor()


def _end() -> None:
    """End the browser's session on the server."""
    if visitor_shows_token():
        return
    found = visitor()
    services().sessions.end(session_word())
    if found.person and not found.account:
        services().sessions.end_all(found.person)
        services().sessions.retire(found.person)


def be_guest(name: str) -> Visitor:
    """Give somebody without an account an identity of their own, or keep the one they have."""
    found = visitor()
    if not found.person:
        if not services().settings.server.guests:
            raise Problem(401, "no-guests", "Only people with an account play here.")
        if not is_readable(name):
            raise Problem(422, "bad-name", "Please choose a name that can be read.")
        session.permanent = True
        person = new_guest()
        _begin(person, name)
        found = g.visitor = Visitor(person, name)
    return found


def need_account() -> Visitor:
    found = visitor()
    if not found.account:
        raise Problem(401, "log-in-first", "Please log in first.")
    return found
