"""The endpoints of reports: tell the hosts of a text or a name, and what became of it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from web.accounts.visitor import visitor
from web.api.endpoint import endpoint
from web.moderation.reports import MAX_TEXT, Reason, State
from web.moderation.sending import REPORTING, reporter, send_report
from web.moderation.subjects import LONGEST, parse
from web.notes.api import asked_word
from web.services import limiter, services

PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*\Z"


class NewReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is reported, and why: `chat/GAME/SAID`, `note/game/GAME/NOTE`, `note/study/STUDY/NOTE`,
    `line/…` for the title of a line, `study/STUDY`, or `seat/GAME/NUMBER` for a player's name."""

    subject: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    reason: Reason
    text: Annotated[str, Meta(max_length=MAX_TEXT, pattern=PRINTABLE)] = ""


class ReportLine(msgspec.Struct, frozen=True):
    """A report of yours."""

    subject: str
    reason: Reason
    time: int
    state: State


@endpoint("GET", "/api/reports", "What you have reported", who="anyone", answer=list[ReportLine])
def list_reports() -> list[ReportLine]:
    me = visitor().person
    found = services().reports.of(me) if me else []
    return [ReportLine(each.subject, each.reason, each.time, each.state) for each in found]


@endpoint(
    "POST",
    "/api/reports",
    "Tell the hosts of a message, a note, a study or a name",
    who="person",
    body=NewReport,
    answer=list[ReportLine],
    status=201,
    problems=(404, 409, 429),
)
@limiter.limit(REPORTING, act="report", key_func=reporter)
def send_new_report(body: NewReport) -> list[ReportLine]:
    send_report(parse(body.subject), body.reason, body.text, asked_word())
    reports: list[ReportLine] = list_reports()
    return reports
