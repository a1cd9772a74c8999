"""Somebody makes an account: a guest's games, turns, words, notes and plans go along."""

from __future__ import annotations

from web.accounts.account import Account
from web.accounts.visitor import log_in, visitor
from web.services import services
from web.site.problems import Problem
from web.table import tour
from web.words.language import chosen


def may_register(invitation: str) -> bool:
    """Whether somebody who comes with this invitation, or none, can make an account."""
    registration = services().settings.server.registration
    if registration == "invited":
        return services().invitations.get(invitation) is not None
    return registration == "open"


def make_account(name: str, password: str, email: str, invitation: str = "") -> Account:
    """A new account, logged in. Who played as a guest before plays on with it."""
    registration = services().settings.server.registration
    if registration == "closed":
        raise Problem(403, "registration-closed", "No accounts are made here now.")
    if registration == "open":
        return _make_account(name, password, email)
    with services().invitations.use(invitation) as came:
        account = _make_account(name, password, email)
        came(account.id)
    return account


def _make_account(name: str, password: str, email: str) -> Account:
    before = visitor()
    toured = tour.has_seen(before)
    account = services().people.register(name, password, email, chosen())
    if before.person and not before.account:
        services().lobby.reseat(before.person, account.id)
        services().outbox.move(before.person, account.id)
        services().plans.move(before.person, account.id)
        services().notepads.move(before.person, account.id)
        tables = services().lobby.ids_of(account.id)
        services().chats.inherit(before.person, account.id, tables)
    if account.wanted_email:
        services().account_letters.ask("confirm", account.id)
    log_in(account)
    if toured:
        tour.remember(visitor())
    return account
