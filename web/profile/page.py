"""The pages of a person: logging in and out, an account, its tokens, the language."""

from __future__ import annotations

import msgspec
from flask import (
    Flask,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from web.accounts.visitor import log_out, visitor
from web.api.scopes import SCOPES
from web.profile import devices as device_pages
from web.profile import email as email_pages
from web.profile import rest as rest_pages
from web.profile import sessions as session_pages
from web.profile import settings as account_care
from web.profile.account import NEW_TOKEN, show_account
from web.profile.inheritance import log_in_with_everything
from web.profile.registration import make_account, may_register
from web.services import limiter, services
from web.site.forms import Form, email, new_password, person_name
from web.site.problems import Problem
from web.site.redirects import local
from web.words.language import LANGUAGES, keep_choice
from web.words.language import gettext as _
from web.words.sentences import in_words

TOKEN_DAYS = ("30", "365")
"""How long a token may be valid, besides for as long as the password."""


def init_app(app: Flask) -> None:
    both = ["GET", "POST"]
    app.add_url_rule("/login", "login", login, methods=both)
    app.add_url_rule("/register", "register", register, methods=both)
    app.add_url_rule("/logout", "logout", logout, methods=["POST"])
    app.add_url_rule("/account", "account", account)
    app.add_url_rule("/account/tokens", "add_token", add_token, methods=["POST"])
    app.add_url_rule("/account/tokens/<key>/remove", "remove_token", remove_token, methods=["POST"])
    account_care.init_app(app)
    rest_pages.init_app(app)
    session_pages.init_app(app)
    email_pages.init_app(app)
    device_pages.init_app(app)
    app.add_url_rule("/language", "language", switch_language, methods=["POST"])


@limiter.log_in
def login() -> ResponseReturnValue:
    back = local(request.values.get("next", "/"))
    if request.method == "GET":
        return render_template("profile/login.html", form=Form(), back=back)
    form = Form.sent()
    try:
        # An absurdly long password costs time to hash and is wrong in any case.
        found = services().people.log_in(form.text("name")[:100], form.text("password")[:1000])
        log_in_with_everything(found)
    except Problem as problem:
        form.wrong("password", in_words(problem.template, problem.params))
        return render_template("profile/login.html", form=form, back=back), problem.status
    response = redirect(back, 303)
    if found.language in LANGUAGES:
        keep_choice(response, found.language)
    return response


@limiter.register
def register() -> ResponseReturnValue:
    back = local(request.values.get("next", "/"))
    invitation = request.values.get("invitation", "")
    page = {"back": back, "invitation": invitation, "allowed": may_register(invitation)}
    if request.method == "GET":
        return render_template("profile/register.html", form=Form(), **page)
    form = Form.sent()
    name, password = person_name(form, required=True), new_password(form)
    address = email(form)
    if not form.errors:
        try:
            make_account(name, password, address, invitation)
            return redirect(back, 303)
        except Problem as problem:
            form.wrong("name", in_words(problem.template, problem.params))
    return render_template("profile/register.html", form=form, **page), 422


def logout() -> ResponseReturnValue:
    log_out()
    return redirect(url_for("lobby"), 303)


def account() -> ResponseReturnValue:
    if not visitor().account:
        return redirect(url_for("login", next=url_for("account")), 303)
    return show_account(Form())


@limiter.limit("30 per hour", act="make-token")
def add_token() -> ResponseReturnValue:
    me = visitor()
    if not me.account:
        return redirect(url_for("login", next=url_for("account")), 303)
    form = Form.sent()
    label = " ".join(form.text("label").split())
    if not label:
        form.wrong("label", _("Please say what the token is for."))
    elif len(label) > 40 or not label.isprintable():
        form.wrong("label", _("Please use at most 40 characters."))
    if form.errors:
        return show_account(form, 422)
    days = int(form.text("days")) if form.text("days") in TOKEN_DAYS else 0
    scopes = [scope for scope in SCOPES if form.text(scope)]
    try:
        # Shown once, on the page that follows; the server keeps a hash alone.
        session[NEW_TOKEN] = services().people.add_token(me.person, label, scopes, days)
    except Problem as problem:
        form.wrong("label", in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    return redirect(url_for("account", _anchor="tokens"), 303)


def remove_token(key: str) -> ResponseReturnValue:
    me = visitor()
    if not me.account:
        return redirect(url_for("login", next=url_for("account")), 303)
    services().people.remove_token(me.person, key)
    return redirect(url_for("account", _anchor="tokens"), 303)


def switch_language() -> ResponseReturnValue:
    response = redirect(local(request.form.get("next", "/")), 303)
    wanted = request.form.get("language", "")
    if wanted in LANGUAGES:
        keep_choice(response, wanted)
        # Letters speak the language that the pages speak.
        if (me := visitor()).account:
            services().people.change(
                me.person, lambda account: msgspec.structs.replace(account, language=wanted)
            )
    return response
