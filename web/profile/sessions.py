"""The forms of the account page about logging in: sessions are ended, passkeys removed."""

from __future__ import annotations

from flask import Flask, redirect, url_for
from flask.typing import ResponseReturnValue

from web.accounts.sessions import session_key
from web.accounts.visitor import log_out, session_word
from web.profile.account import done, own_account
from web.services import services
from web.words.language import gettext as _


def init_app(app: Flask) -> None:
    for path, name, run in (
        ("/account/sessions/<key>/end", "end_session", end_session),
        ("/account/passkeys/<key>/remove", "remove_passkey", remove_passkey),
        ("/account/sessions/end-others", "end_other_sessions", end_other_sessions),
    ):
        app.add_url_rule(path, name, run, methods=["POST"])


def end_session(key: str) -> ResponseReturnValue:
    account = own_account()
    if key == session_key(session_word()):
        log_out()
        return redirect(url_for("lobby"), 303)
    services().sessions.end_one(account.id, key)
    return done(_("You are logged out there."), "sessions")


def end_other_sessions() -> ResponseReturnValue:
    account = own_account()
    services().sessions.end_all(account.id, but=session_word())
    return done(_("You are logged out everywhere else."), "sessions")


def remove_passkey(key: str) -> ResponseReturnValue:
    account = own_account()
    services().people.remove_passkey(account.id, key)
    return done(_("Removed."), "passkeys")
