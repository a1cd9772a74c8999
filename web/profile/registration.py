"""Somebody makes an account; what they had as a guest goes along."""

from __future__ import annotations

from web.accounts.account import Account
from web.profile.inheritance import log_in_with_everything
from web.services import services
from web.site.problems import Problem
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
    account = services().people.register(name, password, email, chosen())
    if account.wanted_email:
        services().account_letters.ask("confirm", account.id)
    log_in_with_everything(account)
    return account
