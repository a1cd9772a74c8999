"""The forms of the account page about pushes: a device is tried or removed, a game is muted."""

from __future__ import annotations

from flask import Flask, redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.games.seats import seated
from web.profile.account import done, own_account
from web.services import limiter, services
from web.site.problems import Problem
from web.site.redirects import local
from web.words.language import gettext as _
from web.words.sentences import in_words


def init_app(app: Flask) -> None:
    for path, name, run in (
        ("/account/devices/<key>/remove", "remove_device", remove_device),
        ("/account/devices/<key>/test", "test_device", test_device),
        ("/account/muted/<game>", "mute_game", mute_game),
    ):
        app.add_url_rule(path, name, run, methods=["POST"])


def remove_device(key: str) -> ResponseReturnValue:
    account = own_account()
    if not services().people.remove_subscription(account.id, key):
        raise Problem(404, "no-such-device", "There is no such device.")
    return done(_("Removed."), "devices")


@limiter.limit("10 per minute")
def test_device(key: str) -> ResponseReturnValue:
    """Send a word to a device; the page says how that went when it is known."""
    account = own_account()
    subscription = account.subscriptions.get(key)
    if subscription is None:
        raise Problem(404, "no-such-device", "There is no such device.")
    if not services().settings.notices.push:
        raise Problem(403, "no-push", "This server sends no pushes.")
    text = _("Hello {name}, La Città can reach you here.").format(name=account.name)
    try:
        services().courier.test_device(account, key, subscription, text)
    except Problem as problem:
        return done(in_words(problem.template, problem.params), "devices")
    return redirect(url_for("account", _anchor="devices"), 303)


@limiter.limit("60 per minute")
def mute_game(game: str) -> ResponseReturnValue:
    """Tell the reader nothing of a game any more, or again; back to where that was asked."""
    account = own_account()
    on = bool(request.form.get("muted"))
    if on:
        seated(game)
    services().people.mute(account.id, game, on)
    if "next" in request.form:
        return redirect(local(request.form["next"]), 303)
    return done(_("Saved."), "notices")
