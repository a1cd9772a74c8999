"""The page behind every report button: what is reported, why, and that it was received."""

from __future__ import annotations

import msgspec
from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from web.accounts.visitor import visitor
from web.moderation.page import is_host
from web.moderation.reports import MAX_TEXT, REASONS
from web.moderation.sending import REPORTING, reporter, send_report
from web.moderation.subjects import LONGEST, Subject, find_for_reader, parse
from web.notes.api import asked_word
from web.services import limiter
from web.site.forms import Form
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.words.language import gettext as _
from web.words.sentences import in_words

bp = Blueprint("reports", __name__)


@bp.get("/report/<path:key>")
def show(key: str) -> ResponseReturnValue:
    """What is to be reported, and a form to say why."""
    if not visitor().person:
        return to_log_in(url_for("reports.show", key=key[:LONGEST]))
    return page(parse(key), Form())


@bp.post("/report/<path:key>")
@limiter.limit(REPORTING, act="report", key_func=reporter)
def send(key: str) -> ResponseReturnValue:
    if not visitor().person:
        return to_log_in(url_for("reports.show", key=key[:LONGEST]))
    subject, form = parse(key), Form.sent()
    text = " ".join(form.text("text").split())
    if form.text("reason") not in REASONS:
        form.wrong("reason", _("Please choose one of these."))
    if len(text) > MAX_TEXT or not text.isprintable():
        form.wrong("text", _("Please use at most {most} characters.").format(most=MAX_TEXT))
    if not form.errors:
        try:
            reason = msgspec.convert(form.text("reason"), str)
            send_report(subject, reason, text, asked_word())  # type: ignore[arg-type]
        except Problem as problem:
            if problem.status != 409:
                raise
            form.wrong("reason", in_words(problem.template, problem.params))
    return page(subject, form, sent=not form.errors)


def page(subject: Subject, form: Form, *, sent: bool = False) -> ResponseReturnValue:
    found = find_for_reader(subject, asked_word())
    shown = render_template(
        "moderation/report.html",
        subject=subject,
        found=found,
        form=form,
        sent=sent,
        reasons={name: _(words) for name, words in REASONS.items()},
        most=MAX_TEXT,
        word=asked_word(),
        host=is_host(),
        yours=bool(found.person) and found.person == visitor().person,
        query=request.query_string.decode("latin-1"),
    )
    return shown, 422 if form.errors else 200
