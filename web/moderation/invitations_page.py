"""The page of invitations: for hosts, and for members where the host lets them invite."""

from __future__ import annotations

import msgspec
from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from web.accounts.visitor import visitor
from web.moderation.invitations import MOST_DAYS, MOST_OF_A_MEMBER, MOST_OPEN, MOST_USES
from web.moderation.page import is_host
from web.moderation.words import person_words
from web.services import limiter, services
from web.site.forms import Form
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.words.language import gettext as _

NEW = "new-invitation"
"""Where a session keeps a link until the next page shows it, once."""
DONE = "invitation-done"
USUAL_DAYS = 7
bp = Blueprint("invitations", __name__, url_prefix="/invitations")


class InvitationLine(msgspec.Struct, frozen=True):
    """An invitation as its maker and hosts see it."""

    key: str
    by: str
    until: int
    left: int
    holds: bool
    used_by: list[str]


@bp.before_request
def who_may_invite() -> ResponseReturnValue | None:
    me = visitor()
    if not me.account:
        return to_log_in(url_for("invitations.show"))
    if me.scopes is not None or not (is_host() or services().settings.server.members_invite):
        raise Problem(403, "hosts-only", "This is for the hosts of this server.")
    return None


@bp.get("")
def show() -> ResponseReturnValue:
    return page(Form())


def page(form: Form, status: int = 200) -> ResponseReturnValue:
    shown = render_template(
        "moderation/invitations.html",
        part="invitations",
        form=form,
        said=session.pop(DONE, ""),
        link=session.pop(NEW, ""),
        lines=lines(),
        registration=services().settings.server.registration,
        most_uses=MOST_USES,
        most_days=MOST_DAYS,
        usual_days=USUAL_DAYS,
    )
    return shown, status, {"Cache-Control": "no-store"}


def lines() -> list[InvitationLine]:
    """A host sees everyone's, a member the own ones."""
    invitations = services().invitations
    return [
        InvitationLine(
            key=key,
            by=person_words(each.by) or _("Command line"),
            until=each.until,
            left=each.left,
            holds=invitations.holds(each),
            used_by=[person_words(who) for who in each.used_by if who.startswith("person-")],
        )
        for key, each in invitations.all(None if is_host() else visitor().person)
    ]


@bp.post("")
@limiter.limit("30 per hour")
def make() -> ResponseReturnValue:
    form, me = Form.sent(), visitor().person
    uses = form.number("uses", 1, MOST_USES, 1)
    days = form.number("days", 1, MOST_DAYS, USUAL_DAYS)
    if form.errors:
        return page(form, 422)
    most = MOST_OPEN if is_host() else MOST_OF_A_MEMBER
    # Nobody has the link before the act is written down.
    code, key = services().invitations.make(me, uses, days, most)
    services().audit.record("invitation-made", me, key, "")
    address = services().settings.server.url or request.host_url.rstrip("/")
    session[NEW] = address + url_for("register", invitation=code)
    return redirect(url_for("invitations.show"), 303)


@bp.post("/<key>/withdraw")
@limiter.limit("60 per minute")
def withdraw(key: str) -> ResponseReturnValue:
    me = visitor().person
    services().invitations.find(key, None if is_host() else me)
    services().audit.record("invitation-withdrawn", me, key, "")
    services().invitations.withdraw(key)
    session[DONE] = _("The invitation holds no more.")
    return redirect(url_for("invitations.show"), 303)
