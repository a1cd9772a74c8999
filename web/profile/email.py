"""The e-mail address of an account, which is confirmed by a letter, and a new password by one."""

from __future__ import annotations

from flask import Flask, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from web.profile.account import done, own_account, show_account
from web.services import limiter, services
from web.site.forms import Form, email, new_password
from web.site.limits.limiter import PROVING
from web.site.problems import Problem
from web.words.language import gettext as _
from web.words.sentences import in_words


def init_app(app: Flask) -> None:
    both = ["GET", "POST"]
    app.add_url_rule("/account/email", "account_email", change_email, methods=["POST"])
    app.add_url_rule("/account/email/again", "ask_again", ask_again, methods=["POST"])
    app.add_url_rule("/confirm/<person>/<secret>", "confirm_page", show_confirm)
    app.add_url_rule("/confirm/<person>/<secret>", "confirm", confirm, methods=["POST"])
    app.add_url_rule("/forgot", "forgot", forgot, methods=both)
    app.add_url_rule("/reset/<person>/<secret>", "reset_page", show_reset)
    app.add_url_rule("/reset/<person>/<secret>", "reset", reset, methods=["POST"])


@limiter.limit("10 per hour")
@limiter.limit(PROVING, act="prove-password")
def change_email() -> ResponseReturnValue:
    """Another address, or none: for who knows the password, since passwords are reset by it."""
    account = own_account()
    form, people, letters = Form.sent("email"), services().people, services().account_letters
    address = email(form)
    if form.errors:
        return show_account(form, 422)
    try:
        people.check_password(account.id, form.text("password")[:1000])
    except Problem as problem:
        form.wrong("password", in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    people.want_email(account.id, address)
    if address == account.email and (account.confirmed or not address):
        return done(_("Saved."), "email")
    if account.email and account.email != address:
        letters.ask("changing" if address else "removed", account.id, account.email)
    if not address:
        return done(_("The address is removed."), "email")
    letters.ask("confirm", account.id)
    return done(_("Please follow the link in the letter that we send there."), "email")


@limiter.limit("10 per hour")
def ask_again() -> ResponseReturnValue:
    """The letter that confirms an address, once more; also for one from before they were."""
    account = own_account()
    address = account.wanted_email or account.email
    if address and not (address == account.email and account.confirmed):
        services().people.want_email(account.id, address)
        services().account_letters.ask("confirm", account.id)
    return done(_("Please follow the link in the letter that we send there."), "email")


NO_LINK = Problem(404, "no-such-link", "This link is used up or too old. Please ask for a new one.")


@limiter.limit("30 per minute")
def show_confirm(person: str, secret: str) -> ResponseReturnValue:
    """A button: programs that look at letters follow links, but press nothing."""
    link, account = services().links.find(person, "confirm", secret), services().people.get(person)
    if link is None or account is None:
        raise NO_LINK
    return render_template("profile/confirm.html", account=account, address=link.address)


@limiter.limit("30 per minute")
def confirm(person: str, secret: str) -> ResponseReturnValue:
    link = services().links.use(person, "confirm", secret)
    if link is None or not services().people.confirm_email(person, link.address):
        raise NO_LINK
    return render_template("profile/confirm.html", account=None, address=link.address)


@limiter.limit("10 per hour", methods=["POST"])
def forgot() -> ResponseReturnValue:
    """Ask for a new password. The answer is the same whoever there is."""
    form = Form.sent()
    about = form.text("name").strip()[:200]
    if about:
        services().account_letters.ask("reset", about=about)
    elif form.values:
        form.wrong("name", _("Please give a name or an address."))
    return render_template(
        "profile/forgot.html",
        form=form,
        asked=bool(about),
        can_send=services().account_letters.can_send,
    )


@limiter.limit("30 per minute")
def show_reset(person: str, secret: str) -> ResponseReturnValue:
    account = services().people.get(person)
    if account is None or services().links.find(person, "reset", secret) is None:
        raise NO_LINK
    return render_template("profile/reset.html", account=account, form=Form())


@limiter.limit("30 per minute")
def reset(person: str, secret: str) -> ResponseReturnValue:
    """A new password by a letter: every session and every token ends with the old one."""
    all_services, form = services(), Form.sent()
    account = all_services.people.get(person)
    if account is None or all_services.links.find(person, "reset", secret) is None:
        raise NO_LINK
    password = new_password(form)
    if form.errors:
        return render_template("profile/reset.html", account=account, form=form), 422
    if all_services.links.use(person, "reset", secret) is None:
        raise NO_LINK
    all_services.people.set_password(person, password)
    all_services.sessions.end_all(person)
    return redirect(url_for("login"), 303)
