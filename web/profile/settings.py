"""The forms of the account page: language, what one is told and how, password, data, farewell."""

from __future__ import annotations

import msgspec
from flask import Flask, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from web.accounts.account import Webhook, Wishes
from web.accounts.sessions import session_key
from web.accounts.visitor import log_in, log_out, session_word
from web.notices import egress
from web.profile.account import done, own_account, show_account
from web.profile.deletion import everything, leave
from web.services import limiter, services
from web.site.forms import Form, new_password
from web.site.limits.limiter import PROVING
from web.site.problems import Problem
from web.words.language import LANGUAGES, keep_choice
from web.words.language import gettext as _
from web.words.sentences import in_words

WISHES = ("turn", "begins", "ends", "mentioned", "time")


def init_app(app: Flask) -> None:
    for path, name, run in (
        ("/account/language", "account_language", change_language),
        ("/account/notices", "account_notices", change_notices),
        ("/account/webhooks", "add_webhook", add_webhook),
        ("/account/webhooks/<key>/remove", "remove_webhook", remove_webhook),
        ("/account/webhooks/<key>/test", "test_webhook", test_webhook),
        ("/account/password", "account_password", change_password),
        ("/account/delete", "delete_account", delete_account),
    ):
        app.add_url_rule(path, name, run, methods=["POST"])
    app.add_url_rule("/account/export", "export_account", export_account)
    app.add_url_rule("/unsubscribe/<word>", "unsubscribe", unsubscribe, methods=["GET", "POST"])


def change_language() -> ResponseReturnValue:
    account = own_account()
    wanted = request.form.get("language", "")
    if wanted not in LANGUAGES:
        form = Form.sent("language")
        form.wrong("language", _("Please choose one of these."))
        return show_account(form, 422)
    services().people.change(account.id, lambda me: msgspec.structs.replace(me, language=wanted))
    response = redirect(url_for("account"), 303)
    keep_choice(response, wanted)
    return response


def change_notices() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("notices")
    hour = form.text("digest")
    if hour not in ("", *map(str, range(24))):
        form.wrong("digest", _("Please choose one of these."))
        return show_account(form, 422)
    wishes = Wishes(
        mail=bool(form.text("mail")),
        digest=int(hour) if hour else None,
        **{name: bool(form.text(name)) for name in WISHES},
    )
    services().people.change(account.id, lambda me: msgspec.structs.replace(me, wishes=wishes))
    return done(_("Saved."), "notices")


@limiter.limit("30 per hour")
def add_webhook() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("webhook")
    try:
        check_allowed()
        kind = form.text("kind")
        if kind not in ("discord", "slack"):
            form.wrong("kind", _("Please choose one of these."))
            return show_account(form, 422)
        url = form.text("url").strip()
        egress.checked(url)
        services().people.add_webhook(account.id, Webhook(kind=kind, url=url))  # type: ignore[arg-type]
    except Problem as problem:
        form.wrong("url", in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    return done(_("Added. Try it with a test message."), "webhooks")


def remove_webhook(key: str) -> ResponseReturnValue:
    account = own_account()
    services().people.remove_webhook(account.id, key)
    return done(_("Removed."), "webhooks")


@limiter.limit("10 per minute")
def test_webhook(key: str) -> ResponseReturnValue:
    """Send a word to a chat; the page says how that went when it is known."""
    account = own_account()
    check_allowed()
    hook = account.webhooks.get(key)
    if hook is None:
        raise Problem(404, "no-such-webhook", "There is no such webhook.")
    text = _("Hello {name}, La Città can reach you here.").format(name=account.name)
    try:
        services().courier.test(account, key, hook, text)
    except Problem as problem:
        return done(in_words(problem.template, problem.params), "webhooks")
    return redirect(url_for("account", _anchor="webhooks"), 303)


def check_allowed() -> None:
    if not services().settings.notices.webhooks:
        raise Problem(403, "no-webhooks", "This server sends nothing to webhooks.")


@limiter.limit(PROVING, act="prove-password")
def change_password() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("password")
    password = new_password(form)
    if not form.errors:
        try:
            changed = services().people.change_password(
                account.id, form.text("old")[:1000], password
            )
        except Problem as problem:
            form.wrong("old", in_words(problem.template, problem.params))
            return show_account(form, problem.status)
        before = session_key(session_word())
        services().sessions.end_all(account.id)
        # This browser stays, and so do the pushes to it.
        services().people.move_subscriptions(account.id, before, session_key(log_in(changed)))
        return done(
            _("Your password is changed. You are logged out everywhere else; tokens are gone."),
            "password",
        )
    return show_account(form, 422)


@limiter.limit("20 per hour")
def export_account() -> ResponseReturnValue:
    """All that is kept about the reader, as a file."""
    account = own_account()
    response = Response(msgspec.json.encode(everything(account)), mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="lacitta-account.json"'
    response.headers["Cache-Control"] = "no-store"
    return response


@limiter.limit(PROVING, act="prove-password")
def delete_account() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("delete")
    try:
        services().people.check_password(account.id, form.text("password")[:1000])
    except Problem as problem:
        form.wrong("password", in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    leave(account)
    log_out()
    return redirect(url_for("lobby"), 303)


def unsubscribe(word: str) -> ResponseReturnValue:
    """No more letters: a page with a button for people, one request for mail programs."""
    person = services().unsubscribing.person(word)
    if not person or services().people.get(person) is None:
        raise Problem(404, "no-such-letter", "This link is not from a letter of ours.")
    if request.method == "POST":
        services().people.change(
            person,
            lambda me: msgspec.structs.replace(
                me, wishes=msgspec.structs.replace(me.wishes, mail=False)
            ),
        )
    return render_template("profile/unsubscribe.html", word=word, done=request.method == "POST")
