"""What was reported and what hosts did, in words."""

from __future__ import annotations

import msgspec

from projections.words.names import marked
from web.moderation.audit import COMMAND_LINE, Numbered
from web.moderation.reports import MAX_EXCERPT, REASONS, Report
from web.moderation.subjects import Found, Subject, find, parse
from web.services import services
from web.site.problems import Problem
from web.words.language import gettext as _

ACTS: dict[str, str] = {
    "host-added": marked("Host appointed"),
    "host-removed": marked("Host dismissed"),
    "account-closed": marked("Account closed"),
    "account-reopened": marked("Account opened again"),
    "invitation-made": marked("Invitation made"),
    "invitation-withdrawn": marked("Invitation withdrawn"),
    "text-removed": marked("Text removed"),
    "name-removed": marked("Name removed"),
    "report-dismissed": marked("Report dismissed"),
}


KINDS: dict[str, str] = {
    "chat": marked("message at a table"),
    "note": marked("note"),
    "line": marked("title of a line"),
    "study": marked("study"),
    "seat": marked("name of a player"),
}


class ReportLine(msgspec.Struct, frozen=True):
    """An open report as hosts read it; `before` is what stood there then, where that differs."""

    subject: Subject
    kind: str
    found: Found | None
    before: str
    reason: str
    text: str
    by: str
    time: int


def report_line(report: Report) -> ReportLine:
    subject = parse(report.subject)
    try:
        found = find(subject)
    except Problem:
        found = None
    changed = found is None or found.text[:MAX_EXCERPT] != report.excerpt
    return ReportLine(
        subject=subject,
        kind=_(KINDS[subject.kind]),
        found=found,
        before=report.excerpt if changed else "",
        reason=_(REASONS[report.reason]),
        text=report.text,
        by=person_words(report.by),
        time=report.time,
    )


class AuditLine(msgspec.Struct, frozen=True):
    """An act as hosts read it."""

    number: int
    time: int
    by: str
    act: str
    subject: str
    reason: str


def audit_line(each: Numbered) -> AuditLine:
    entry = each.entry
    return AuditLine(
        number=each.number,
        time=entry.time,
        by=person_words(entry.by) if entry.by != COMMAND_LINE else _("Command line"),
        act=_(ACTS[entry.act]),
        subject=person_words(entry.subject),
        reason=entry.reason,
    )


def person_words(subject: str) -> str:
    """A person by the name that they have now; whatever else an act was about by its id."""
    if subject.startswith("guest-"):
        return _("a guest")
    if not subject.startswith("person-"):
        return subject
    account = services().people.get(subject)
    return account.name if account else _("a deleted account")
