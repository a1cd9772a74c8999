"""The hosts' page: reports, accounts, what hosts did. For hosts who are logged in, not by token."""

from __future__ import annotations

from flask import Blueprint, Flask, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from events.store.errors import StoreError
from web.accounts.visitor import visitor
from web.moderation import accounts
from web.moderation.audit import MAX_REASON, PAGE
from web.moderation.removal import hide_name, remove_name, remove_text
from web.moderation.subjects import find, parse
from web.moderation.words import audit_line, report_line
from web.services import limiter, services
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.words.language import gettext as _

DONE = "host-done"
"""Where a session keeps the sentence that the next page shows once."""
ACTING = "60 per minute"
SHOWN = 50
"""How many reports are shown at once."""
bp = Blueprint("host", __name__, url_prefix="/host")


def init_app(app: Flask) -> None:
    app.register_blueprint(bp)
    app.context_processor(
        lambda: {
            "is_host": is_host,
            "reports_waiting": lambda: len(services().reports.waiting()),
            "server": services().settings.server,
        }
    )


def is_host() -> bool:
    """Whether the reader is one, logged in by a page."""
    try:
        me = visitor()
    except (Problem, StoreError):
        # The page that tells of this very problem must not stumble over it again.
        return False
    return me.account and me.scopes is None and me.person in services().hosts


@bp.before_request
def hosts_only() -> ResponseReturnValue | None:
    if not visitor().account:
        return to_log_in(url_for("host.show"))
    if not is_host():
        raise Problem(403, "hosts-only", "This is for the hosts of this server.")
    return None


@bp.get("")
def show() -> ResponseReturnValue:
    """The open reports, the oldest first."""
    waiting = services().reports.waiting()[:SHOWN]
    return page("reports", lines=[report_line(report) for _, report in waiting])


@bp.post("/acts/<path:key>")
@limiter.limit(ACTING)
def act(key: str) -> ResponseReturnValue:
    """Do something about a subject; open reports about it are settled by that."""
    subject, reason, me = parse(key), sent_reason(), visitor()
    wanted = request.form.get("act", "")
    if wanted == "dismiss":
        services().audit.record("report-dismissed", me.person, subject.key, reason)
        services().reports.settle(subject.key, "dismissed")
        return done("host.show", _("The report is dismissed."))
    if wanted == "remove":
        remove_text(subject, reason, me)
    elif wanted == "name":
        remove_name(subject, find(subject), reason, me)
    elif wanted == "close":
        accounts.close_account(find(subject).person, reason, me.person)
    else:
        raise Problem(422, "no-such-act", "Please choose one of these.")
    services().reports.settle(subject.key, "done")
    return done("host.show", _("Done."))


@bp.get("/accounts")
def show_accounts() -> ResponseReturnValue:
    text = request.args.get("name", "")[:100]
    closed = request.args.get("closed") == "yes"
    found = accounts.search(text, closed=closed)
    return page("accounts", found=found, text=text, closed=closed, most=accounts.SHOWN)


@bp.post("/accounts/<person>/close")
@limiter.limit(ACTING)
def close_account(person: str) -> ResponseReturnValue:
    accounts.close_account(person, sent_reason(), visitor().person)
    return done("host.show_accounts", _("The account is closed."))


@bp.post("/accounts/<person>/name")
@limiter.limit(ACTING)
def remove_account_name(person: str) -> ResponseReturnValue:
    reason = sent_reason()
    accounts.known_account(person)
    services().audit.record("name-removed", visitor().person, person, reason)
    hide_name(person)
    return done("host.show_accounts", _("The name is removed."))


@bp.post("/accounts/<person>/reopen")
@limiter.limit(ACTING)
def reopen_account(person: str) -> ResponseReturnValue:
    accounts.reopen_account(person, sent_reason(), visitor().person)
    return done("host.show_accounts", _("The account is open again."))


@bp.get("/audit")
def show_audit() -> ResponseReturnValue:
    wanted = request.args.get("before", "")
    before = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 9 else 0
    found = services().audit.page(before)
    earlier = found[-1].number if len(found) == PAGE and found[-1].number > 1 else 0
    return page("audit", lines=[audit_line(each) for each in found], earlier=earlier)


def page(part: str, **shown: object) -> ResponseReturnValue:
    message = session.pop(DONE, "")
    return render_template(
        f"moderation/{part}.html", part=part, said=message, most_reason=MAX_REASON, **shown
    )


def sent_reason() -> str:
    """Why a host acts: everyone whom it concerns may ask."""
    reason = " ".join(request.form.get("reason", "").split())
    if not reason or len(reason) > MAX_REASON or not reason.isprintable():
        raise Problem(
            422,
            "bad-reason",
            "Please give a reason of at most {most} characters.",
            most=MAX_REASON,
        )
    return reason


def done(view: str, sentence: str) -> ResponseReturnValue:
    """Back to a part of the page, which says so once."""
    session[DONE] = sentence
    return redirect(url_for(view), 303)
