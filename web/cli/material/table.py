"""A table by house rules on a server somewhere, made through its JSON API."""

from __future__ import annotations

import json
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click

from engine.material import library
from events.material import Ruleset
from replays.files.rulesets import own_choices
from web.cli.language import gettext as _

SECONDS = 30


class _Nowhere(HTTPRedirectHandler):
    """A token is for the server that was named, and for none that it points to."""

    def redirect_request(self, *_: object) -> None:
        return None


def open_table(rules: Ruleset, server: str, token: str, players: int) -> None:
    """Create an open table with some rules and a seat for whoever owns the token; says where."""
    if urlsplit(server).scheme not in ("http", "https"):
        raise click.ClickException(
            _("{server} is no address of a server: http://… or https://…").format(server=server)
        )
    if not token:
        raise click.ClickException(
            _("a table needs a token from the account page there: --token, or LACITTA_TOKEN")
        )
    server = server.rstrip("/")
    own = {"name": rules.name, **own_choices(library.DEFAULT_RULESET, rules)}
    wish = {"players": players, "ruleset": library.DEFAULT_RULESET, "choices": own}
    request = Request(
        f"{server}/api/tables",
        json.dumps(wish).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with build_opener(_Nowhere).open(request, timeout=SECONDS) as answer:
            table = json.load(answer)["id"]
    except HTTPError as error:
        raise click.ClickException(f"{server}: {_refusal(error)}") from None
    except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"{server}: {error}") from None
    click.echo(f"{server}/table/{table}")


def _refusal(error: HTTPError) -> str:
    """What the server has to say, in its own words where it has any."""
    try:
        return str(json.load(error)["sentence"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return str(error)
