"""The pages around the table: the lobby, taking a seat, the waiting room."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Flask, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date
from markupsafe import Markup

from engine.bots import BOTS, DEFAULT_BOT
from engine.errors import BadMaterial
from engine.material import library
from events.store.errors import StoreError
from replays.files.rulesets import own_ruleset, read_choices, split_mix
from web.accounts.visitor import Visitor, be_guest, visitor
from web.games.seats import my_games, start_if_full
from web.lobby.rematch import rematch
from web.notices.letters import LETTER
from web.pace import choice as paces
from web.profile import page as account_pages
from web.rules.rulesets import described, explained, offered_rulesets, title
from web.seating.new_table import NewTable
from web.seating.service import Table
from web.services import limiter, now, services
from web.site.csrf import masked_token
from web.site.forms import Form, person_name
from web.site.paging import page_in_query, paged
from web.site.problems import Problem
from web.site.redirects import here, to_log_in
from web.table import page as table_page
from web.table.endings import address_of
from web.words import terms
from web.words.language import gettext as _
from web.words.language import ngettext
from web.words.sentences import error_in_words, in_words

SHOWN = 12
"""How many tables of others the lobby lists."""
LOOKED_THROUGH = 100
"""Open games, the newest first, among which running and finished ones are found."""
MOST_OPEN = 500
"""Open tables that can be paged through; older ones come up as those are filled."""


def init_app(app: Flask) -> None:
    app.add_url_rule("/", "lobby", lobby)
    app.add_url_rule("/play", "play", play, methods=["POST"])
    app.add_url_rule("/tables", "create_table", create_table, methods=["POST"])
    app.add_url_rule("/table/<id_>", "table", table_)
    app.add_url_rule("/table/<id_>/join", "join", join, methods=["POST"])
    app.add_url_rule("/table/<id_>/leave", "leave", leave, methods=["POST"])
    app.add_url_rule("/table/<id_>/rematch", "rematch", rematch, methods=["POST"])
    app.add_url_rule("/join/<id_>/<invitation>", "invitation", invited)
    app.add_url_rule("/next", "next_game", next_game)
    account_pages.init_app(app)
    app.context_processor(surroundings)
    app.add_template_filter(ago)
    app.add_template_filter(day)
    app.add_template_filter(iso_time)


def surroundings() -> dict[str, Any]:
    """What every page knows: who reads it, and how to come back to it."""
    try:
        me = visitor()
    except (Problem, StoreError):
        # The page that tells of this very problem must not stumble over it again.
        me = Visitor()
    return {
        "me": me,
        "here": here,
        "csrf_field": csrf_field,
        "ruleset_title": lambda table: title(table.played_by),
        "paces": paces,
    }


def csrf_field() -> Markup:
    """The token that proves that a form was sent from a page of ours."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(masked_token())


def lobby() -> ResponseReturnValue:
    return show_lobby(Form())


def show_lobby(form: Form, status: int = 200) -> ResponseReturnValue:
    me, tables = visitor(), services().lobby
    own = set(tables.ids_of(me.person))
    running, finished = games_to_watch(own)
    open_ids = [id_ for id_ in tables.open_ids(MOST_OPEN) if id_ not in own]
    open_page = paged(open_ids, page_in_query("open"), SHOWN)
    return render_template(
        "lobby/lobby.html",
        form=form,
        blank_form=Form(),
        own_games=my_games(me.person, page_in_query("games")),
        games_link=lambda page: url_for("lobby", games=page, _anchor="my-games"),
        open_tables=msgspec.structs.replace(open_page, items=tables.find_many(open_page.items)),
        open_link=lambda page: url_for("lobby", open=page, _anchor="open-title"),
        running=tables.find_many(running),
        finished=tables.find_many(finished),
        rulesets=offered_rulesets(services().settings.server.ruleset),
        explained=explained(),
        house=tables.house,
        levels=terms.levels(),
        default_level=DEFAULT_BOT,
    ), status


def games_to_watch(own: set[str]) -> tuple[list[str], list[str]]:
    """The newest open games of others that run, and those that are over. Which are over is not
    among what they are listed by, so no more are looked through than a request has time for."""
    newest = services().lobby.watched_ids(LOOKED_THROUGH + min(len(own), MOST_OPEN))
    left = [id_ for id_ in newest if id_ not in own][:LOOKED_THROUGH]
    running: list[str] = []
    finished: list[str] = []
    while left and min(len(running), len(finished)) < SHOWN:
        some, left = left[: 2 * SHOWN], left[2 * SHOWN :]
        for id_, standing in services().standings.of(some).items():
            (finished if standing.over else running).append(id_)
    return running[:SHOWN], finished[:SHOWN]


@limiter.limit("60 per hour", act="create-table")
def play() -> ResponseReturnValue:
    """Play at once: alone against bots, or with others at this screen."""
    if not (visitor().person or services().settings.server.guests):
        return to_log_in(url_for("lobby"))
    form = Form.sent(request.form.get("kind", "now"))
    together = form.name == "hot-seat"
    people = form.number("people", 2, 5, 2) if together else 1
    if together:
        bots = form.number("bots", 0, 3, 0)
        if people + bots > 5:
            form.wrong("bots", _("At most five can play; please choose fewer bots."))
    else:
        bots = form.number("players", 2, 5, 2) - 1
    wish = wished(form)
    name = person_name(form, required=False)
    if form.errors:
        return show_lobby(form, 422)
    wish = msgspec.structs.replace(
        wish, players=people + bots, bots=bots, open=False, hot_seat=together
    )
    me = be_guest(name or _("Guest"))
    shown = name or (_("Player") if together else me.name or _("Guest"))
    return created(form, wish, me.person, shown)


@limiter.limit("60 per hour", act="create-table")
def create_table() -> ResponseReturnValue:
    """A table for people with accounts; it waits until its seats are taken."""
    me = visitor()
    if not me.account:
        return to_log_in(url_for("lobby"))
    form = Form.sent("table")
    players, bots = form.number("players", 2, 5, 2), form.number("bots", 0, 3, 0)
    if bots > players - 2:
        form.wrong("bots", _("Please leave a seat for somebody else, or choose Play now."))
    wish, pace = wished(form), paces.from_form(form)
    if form.errors:
        return show_lobby(form, 422)
    wish = msgspec.structs.replace(
        wish, players=players, bots=bots, open=form.text("open") != "invitation", pace=pace
    )
    return created(form, wish, me.person, me.name)


def created(form: Form, wish: NewTable, person: str, name: str) -> ResponseReturnValue:
    """The way to the new table; back to the form where the host's board does not go with it."""
    try:
        table = services().lobby.create(wish, person, name)
    except Problem as problem:
        if problem.code != "bad-material":
            raise
        form.wrong("board", in_words(problem.template, problem.params))
        return show_lobby(form, 422)
    return redirect(url_for("table", id_=start_if_full(table).id), 303)


def wished(form: Form) -> NewTable:
    """The set-up, the rules, the bots' level, the board and the box that a table is made with."""
    house = services().lobby.house
    offered = {
        "ruleset": [house.ruleset, *library.RULESETS],
        "level": [DEFAULT_BOT, *BOTS],
        "board": house.boards(),
        "box": house.boxes(),
    }
    named = {field: form.text(field) or those[0] for field, those in offered.items()}
    for field, those in offered.items():
        if named[field] not in those:
            form.wrong(field, _("Please choose one of these."))
    ruleset, choices = house_rules(form, named["ruleset"])
    return NewTable(
        setup="expert" if form.text("setup") == "expert" else "beginner",
        ruleset=ruleset,
        choices=choices,
        level=named["level"],
        board=named["board"],
        box=named["box"],
    )


def house_rules(form: Form, ruleset: str) -> tuple[str, dict[str, Any]]:
    """What somebody wrote into the form: the ruleset, another one where that names one, and what
    differs from it."""
    text = form.text("house_rules").strip()
    if not text or form.errors:
        return ruleset, {}
    try:
        named, fields = read_choices(text)
        base, own = split_mix(named or ruleset)
        own_ruleset(base, own | fields)
    except BadMaterial as error:
        form.wrong("house_rules", error_in_words(error))
        return ruleset, {}
    return named or ruleset, fields


def table_(id_: str) -> ResponseReturnValue:
    """A table: its game once it has started, its waiting room until then."""
    table = services().lobby.get(id_)
    if LETTER in request.args:
        own = url_for("table", id_=id_)
        return redirect(own, 303) if visitor().account else to_log_in(own)
    if table.started:
        return table_page.show(table)
    seated = bool(table.seats_of(visitor().person))
    return render_template(
        "lobby/waiting.html",
        table=table,
        seated=seated,
        ruleset=described(table.played_by),
        link=invitation_link(table) if seated else "",
    )


def invitation_link(table: Table) -> str:
    """The link to hand on: at the address that the host names, or at which the reader is."""
    return address_of(url_for("invitation", id_=table.id, invitation=table.invitation))


def invited(id_: str, invitation: str) -> ResponseReturnValue:
    """What an invitation leads to: the table, and a button to sit down."""
    table = services().lobby.get(id_)
    if table.started or table.seats_of(visitor().person):
        return redirect(url_for("table", id_=id_), 303)
    if not table.open and not table.invites(invitation):
        raise Problem(403, "by-invitation", "This table is by invitation.")
    return render_template(
        "lobby/join.html", table=table, invitation=invitation, ruleset=described(table.played_by)
    )


def join(id_: str) -> ResponseReturnValue:
    me = visitor()
    invitation = request.form.get("invitation", "")
    if not me.account:
        back = url_for("table", id_=id_)
        if invitation:
            back = url_for("invitation", id_=id_, invitation=invitation)
        return to_log_in(back)
    start_if_full(services().lobby.join(id_, me.person, me.name, invitation))
    return redirect(url_for("table", id_=id_), 303)


def leave(id_: str) -> ResponseReturnValue:
    services().lobby.leave(id_, visitor().person)
    return redirect(url_for("lobby"), 303)


def next_game() -> ResponseReturnValue:
    """On to the game that waits longest for the reader."""
    for game in my_games(visitor().person).items:
        if game.waiting_since:
            return redirect(url_for("table", id_=game.table.id), 303)
    return redirect(url_for("lobby"), 303)


def ago(milliseconds: int) -> str:
    """How long ago something was, roughly."""
    minutes = max(0, now() - milliseconds) // 60_000
    if minutes < 1:
        return _("for a moment")
    if minutes < 60:
        return ngettext("for {n} minute", "for {n} minutes", minutes).format(n=minutes)
    hours = minutes // 60
    if hours < 48:
        return ngettext("for {n} hour", "for {n} hours", hours).format(n=hours)
    return ngettext("for {n} day", "for {n} days", hours // 24).format(n=hours // 24)


def day(milliseconds: int) -> str:
    return str(format_date(datetime.fromtimestamp(milliseconds / 1000, UTC), "medium"))


def iso_time(milliseconds: int) -> str:
    """For a `time` element, which tells it by the reader's clock."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
