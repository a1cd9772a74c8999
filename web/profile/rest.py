"""The forms of the account page about rest: the time zone, sleep hours, holidays."""

from __future__ import annotations

import re
from datetime import date

from flask import Flask
from flask.typing import ResponseReturnValue

from web.profile.account import done, own_account, show_account
from web.services import limiter, services
from web.site.forms import Form
from web.site.problems import Problem
from web.words.language import gettext as _
from web.words.sentences import in_words

_clock = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


def init_app(app: Flask) -> None:
    for path, name, run in (
        ("/account/rest", "account_rest", change_rest),
        ("/account/holidays", "add_holiday", add_holiday),
        ("/account/holidays/<int:begins>/end", "end_holiday", end_holiday),
    ):
        app.add_url_rule(path, name, run, methods=["POST"])


def minute(form: Form, field: str) -> int | None:
    """A time of the day, or nothing; what makes no sense is said beside the field."""
    text = form.text(field).strip()
    if not text:
        return None
    if (found := _clock.fullmatch(text)) is None:
        form.wrong(field, _("Please give a time such as 23:00."))
        return None
    return int(found[1]) * 60 + int(found[2])


@limiter.limit("30 per hour")
def change_rest() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("rest")
    begins, ends = minute(form, "begins"), minute(form, "ends")
    if not form.errors and (begins is None) != (ends is None):
        form.wrong("begins" if begins is None else "ends", _("Please give both, or neither."))
    if form.errors:
        return show_account(form, 422)
    try:
        services().rests.choose(account.id, form.text("zone"), begins or 0, ends or 0)
    except Problem as problem:
        field = "zone" if problem.code == "no-such-zone" else "begins"
        form.wrong(field, in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    return done(_("Saved. It holds from now on."), "rest")


@limiter.limit("30 per hour")
def add_holiday() -> ResponseReturnValue:
    account = own_account()
    form = Form.sent("holiday")
    days = []
    for field in ("first", "last"):
        try:
            days.append(date.fromisoformat(form.text(field)[:10]))
        except ValueError:
            form.wrong(field, _("Please give a day."))
    if form.errors:
        return show_account(form, 422)
    try:
        services().rests.go(account.id, days[0], days[1])
    except Problem as problem:
        form.wrong("first", in_words(problem.template, problem.params))
        return show_account(form, problem.status)
    return done(_("Saved. Your clocks stand then."), "rest")


def end_holiday(begins: int) -> ResponseReturnValue:
    """One is back, or does not go."""
    account = own_account()
    services().rests.come_back(account.id, begins)
    return done(_("Saved. Your clocks run again."), "rest")
