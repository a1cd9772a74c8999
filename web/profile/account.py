"""The account page: what it shows, and the way back to it from each of its forms."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import msgspec
from flask import Response, abort, make_response, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date

from projections.clocks.rest import MINUTE, Habit, Rest
from web.accounts.account import Account, Subscription
from web.accounts.sessions import Session, session_key
from web.accounts.visitor import session_word, visitor
from web.api.scopes import MEANINGS
from web.notices.push.pusher import GONE
from web.notices.webhooks import SILENT
from web.pace.rest import MOST_DAYS, days_by_year, zones_by_region
from web.services import services
from web.site.forms import Form
from web.words.language import gettext as _
from web.words.sentences import in_words

NEW_TOKEN = "new-token"
TEST_SHOWN = 10 * MINUTE
TEST_LASTS = 2 * MINUTE
"""Longer than a test message can take, unless the server was stopped meanwhile."""


def show_account(form: Form, status: int = 200) -> Response:
    found = own_account()
    page = render_template(
        "profile/account.html",
        form=form,
        blank=Form(),
        account=found,
        new_token=session.pop(NEW_TOKEN, ""),
        said=session.pop(SAID, ""),
        settings=services().settings,
        rest=rest_shown(found.id),
        sessions=sessions_shown(found.id),
        tokens=services().people.tokens(found.id),
        scopes=MEANINGS,
        tests=tests_shown(found.id),
        push_key=services().courier.pusher.keys.public if services().settings.notices.push else "",
        device_name=device,
        lost_devices=lost_devices(found),
        muted=muted_shown(found),
    )
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response


SAID = "said"


def own_account() -> Account:
    """The reader's account; whoever has none is sent to log in."""
    me = visitor()
    found = services().people.get(me.person) if me.account else None
    if found is None:
        abort(redirect(url_for("login", next=url_for("account")), 303))
    return found


def done(sentence: str, part: str) -> ResponseReturnValue:
    """Back to the page, which says so once."""
    session[SAID] = sentence
    return redirect(url_for("account", _anchor=part), 303)


class SessionLine(msgspec.Struct, frozen=True):
    """Where somebody is logged in."""

    key: str
    device: str
    begun: int
    used: int
    here: bool


def sessions_shown(person: str) -> list[SessionLine]:
    """Where the reader is logged in, this browser first."""
    here = session_key(session_word())
    lines = [
        SessionLine(key, device(each), each.begun, each.used, key == here)
        for key, each in services().sessions.of(person).items()
    ]
    return sorted(lines, key=lambda line: not line.here)


def device(session: Session | Subscription) -> str:
    """The kind of device, in words."""
    if session.browser and session.system:
        return _("{browser} on {system}").format(browser=session.browser, system=session.system)
    return session.browser or session.system or _("Another program")


def tests_shown(person: str) -> dict[str, str]:
    """What the account page says of test messages, by the webhooks' keys: nothing after a while,
    and an empty sentence while one is on its way."""
    now, shown = services().clocks.now(), {}
    for key, test in services().outbox.box(person).tests.items():
        if now - test.time > TEST_SHOWN:
            continue
        sentence = test.sentence or (SILENT if now - test.time > TEST_LASTS else "")
        shown[key] = in_words(sentence, {"status": test.status}) if sentence else ""
    return shown


def lost_devices(account: Account) -> int:
    """How many devices were found to be gone when a test message was sent to them."""
    now, tests = services().clocks.now(), services().outbox.box(account.id).tests
    return sum(
        test.sentence == GONE and now - test.time <= TEST_SHOWN
        for key, test in tests.items()
        if key not in account.subscriptions
    )


class MutedGame(msgspec.Struct, frozen=True):
    """A game of which the reader is told nothing, by the others who sit there."""

    id: str
    names: list[str]


def muted_shown(account: Account) -> list[MutedGame]:
    return [
        MutedGame(table.id, [each.name for each in table.seats if each.person != account.id])
        for table in services().lobby.find_many(account.muted)
    ]


class HolidayLine(msgspec.Struct, frozen=True):
    """A holiday that is on or to come."""

    key: int
    first: str
    last: str
    running: bool


def rest_shown(person: str) -> dict[str, Any]:
    """What the account page shows of somebody's rest."""
    rest, now = services().rests.of(person), services().clocks.now()
    habit = rest.habits[-1] if rest.habits else Habit(since=0)
    this_year = datetime.fromtimestamp(now / 1000, UTC).year
    return {
        "zone": habit.zone,
        "chosen": bool(rest.habits),
        "zones": zones_by_region(),
        "begins": clock(habit.begins) if habit.begins != habit.ends else "",
        "ends": clock(habit.ends) if habit.begins != habit.ends else "",
        "holidays": holidays(rest, now),
        "taken": days_by_year(list(rest.holidays)).get(this_year, 0),
        "most": MOST_DAYS,
    }


def holidays(rest: Rest, now: int) -> list[HolidayLine]:
    return [
        HolidayLine(each.begins, day(each.first), day(each.last), each.begins <= now)
        for each in rest.holidays
        if each.ends > now
    ]


def day(iso: str) -> str:
    return str(format_date(date.fromisoformat(iso), "medium"))


def clock(minute: int) -> str:
    """A minute of the day as it stands on a clock.

    >>> clock(23 * 60 + 5)
    '23:05'
    """
    return f"{minute // 60:02}:{minute % 60:02}"
