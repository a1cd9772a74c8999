"""Commands for who has the database: hosts, invitations, the audit log of what hosts did."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from web.cli.language import gettext as _
from web.cli.language import tell
from web.cli.options import DB
from web.cli.translated import Command, Group, Whole

if TYPE_CHECKING:
    from web.accounts.account import Account
    from web.accounts.service import People
    from web.moderation.audit import AuditLog
    from web.moderation.hosts import Hosts


class Moderation(NamedTuple):
    """What the commands work with."""

    people: People
    hosts: Hosts
    audit: AuditLog

    def account(self, name: str) -> Account:
        account = self.people.by_name(name)
        if account is None:
            raise click.UsageError(_("there is no account {name}").format(name=name))
        return account


@contextmanager
def moderation(db: str) -> Iterator[Moderation]:
    from argon2 import PasswordHasher

    from events.store.stores import open_store
    from web.accounts.service import People
    from web.moderation.audit import AuditLog
    from web.moderation.hosts import Hosts
    from web.services import now

    with open_store(db, create=False) as store:
        yield Moderation(People(store, PasswordHasher()), Hosts(store), AuditLog(store, now))


@click.group(cls=Group)
def host() -> None:
    """Who may close accounts, invite, and remove what somebody wrote."""


@host.command()
@click.argument("name")
@DB
def add(name: str, db: str) -> None:
    """Make the account NAME a host."""
    from web.moderation.audit import COMMAND_LINE
    from web.services import now

    with moderation(db) as site:
        account = site.account(name)
        if account.id not in site.hosts:
            site.audit.record("host-added", COMMAND_LINE, account.id, "")
            site.hosts.add(account.id, now())
    tell(_("{name} is a host."), name=account.name)


@host.command()
@click.argument("name")
@DB
def remove(name: str, db: str) -> None:
    """Make the account NAME a host no more."""
    from web.moderation.audit import COMMAND_LINE

    with moderation(db) as site:
        account = site.account(name)
        if account.id in site.hosts:
            site.audit.record("host-removed", COMMAND_LINE, account.id, "")
            site.hosts.remove(account.id)
    tell(_("{name} is no host."), name=account.name)


@host.command("list")
@DB
def list_(db: str) -> None:
    """List the hosts by name."""
    with moderation(db) as site:
        accounts = map(site.people.get, site.hosts.all())
        for name in sorted(account.name for account in accounts if account):
            click.echo(name)


@click.command(cls=Command)
@click.option("--uses", default=1, show_default=True, type=Whole(1, 100), help="For how many.")
@click.option("--days", default=7, show_default=True, type=Whole(1, 90), help="For how long.")
@click.option("--url", help="The address of the server; the setting server.url without.")
@DB
def invite(uses: int, days: int, url: str | None, db: str) -> None:
    """Make a link by which people can make an account."""
    from events.store.stores import open_store
    from web.moderation.audit import COMMAND_LINE, AuditLog
    from web.moderation.invitations import Invitations
    from web.services import now
    from web.settings import load
    from web.site.problems import Problem

    address = load(None, os.environ, {"server": {"url": url}}).server.url
    with open_store(db) as store:
        try:
            code, key = Invitations(store, now).make(COMMAND_LINE, uses, days)
        except Problem as problem:
            raise click.ClickException(_(problem.template).format(**problem.params)) from None
        AuditLog(store, now).record("invitation-made", COMMAND_LINE, key, "")
    click.echo(f"{address}/register?invitation={code}")


@click.command(cls=Command)
@DB
def audit(db: str) -> None:
    """Print what hosts did as JSON, one line for each act, the oldest first."""
    import msgspec

    with moderation(db) as site:
        for each in site.audit.all():
            line = {"number": each.number} | msgspec.to_builtins(each.entry)
            click.echo(msgspec.json.encode(line))


COMMANDS = (host, invite, audit)
