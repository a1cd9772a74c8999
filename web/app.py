"""The Flask application: one store, the services around it, and how every answer leaves."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta

from argon2 import PasswordHasher
from flask import Flask

from events.store.protocol import Store
from projections.readmodels.lists import make_lists
from projections.readmodels.projector import Projector
from web import endpoints, security
from web.accounts.claims import Claims
from web.accounts.links import Links
from web.accounts.passkeys import Passkeys
from web.accounts.service import People
from web.accounts.sessions import Sessions
from web.accounts.visitor import visitor
from web.chat import page as chat_page
from web.chat.service import Chats
from web.games.bots import BotRunner
from web.games.lines import Branches
from web.games.live import Games
from web.games.replays import Replays
from web.games.standings import Standings
from web.jobs import requests as jobs_pages
from web.jobs.pool import InlinePool, Pool
from web.jobs.queue import Jobs
from web.jobs.shared import SharedResults
from web.lobby import page as pages
from web.material import page as material
from web.moderation import invitations_page, reports_page
from web.moderation import page as moderation
from web.moderation.audit import AuditLog
from web.moderation.hosts import Hosts
from web.moderation.invitations import Invitations
from web.moderation.reports import Reports
from web.news.service import NewsStreams
from web.notepad.service import Notepads
from web.notes.service import Notebooks
from web.notices.account_letters import AccountLetters
from web.notices.courier import Courier
from web.notices.followers import Followers
from web.notices.outbox import Outbox
from web.notices.presence import Presence
from web.notices.reach import Reach
from web.notices.unsubscribing import Unsubscribing
from web.orders.service import OrderBook
from web.orders.worker import OrderRunner
from web.pace import page as absence
from web.pace.clocks import Clocks
from web.pace.due import DueClocks
from web.pace.referee import Referee
from web.pace.rest import Rests
from web.pace.votes import Votes
from web.plans import page as plan_page
from web.plans.service import Plans
from web.replica.replicator import Replicator
from web.review import learn
from web.review.service import Reviews
from web.review.worker import ReviewRunner
from web.rules import page as rules
from web.rulesets import page as rulesets
from web.seating.anonymity import Anonymity
from web.seating.new_table import house_of
from web.seating.service import Lobby
from web.services import Services, csrf, limiter, now
from web.settings import Compute, Settings
from web.share import cases as test_cases
from web.share import downloads as share_pages
from web.share import import_page
from web.share.checkpoints import CheckpointMaker
from web.site import metrics
from web.site.assets import compression as packing
from web.site.assets import installed, static_files
from web.site.secrets import server_secret
from web.site.sizes import MAX_REQUEST
from web.studies import guess as guess_page
from web.table import endings
from web.table import page as table_page
from web.viewer import other_rules, why
from web.viewer import page as replay_page
from web.words import language

POLL_MS = 3000
"""How often an open table asks for news."""
LOOK_MS = 15_000
"""How often any open page asks which games wait."""
PATIENCE_MS = 15_000
"""How long a page waits for one answer before it asks again."""


def create_app(
    store: Store,
    *,
    hasher: PasswordHasher | None = None,
    limits: bool = True,
    secure_cookies: bool = False,
    run_bots: bool = True,
    settings: Settings | None = None,
    clock: Callable[[], int] = now,
    pool: Pool | None = None,
    replicator: Replicator | None = None,
) -> Flask:
    """The application on a store. Tests lower the cost of passwords, lift the limits and turn
    the clock; without a pool of processes everything is computed at once, where it is asked for."""
    app = Flask(__name__, static_folder=None)
    # Without settings bots wait for nobody.
    settings = settings or Settings(compute=Compute(bots_wait=0))
    app.config.update(
        SECRET_KEY=cookie_key(store),
        MAX_CONTENT_LENGTH=MAX_REQUEST,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure_cookies or settings.secure_cookies,
        SESSION_COOKIE_NAME="lacitta",
        PERMANENT_SESSION_LIFETIME=timedelta(days=180),
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
        POLL_MS=POLL_MS,
        LOOK_MS=LOOK_MS,
        PATIENCE_MS=PATIENCE_MS,
        RATELIMIT_ENABLED=limits,
        RATELIMIT_HEADERS_ENABLED=True,
    )
    games, anonymity = Games(store, clock), Anonymity(store)
    lobby = Lobby(store, clock, house_of(settings.server))
    people = People(store, hasher or PasswordHasher(), clock)
    sessions, links = Sessions(store, clock), Links(store, clock)
    unsubscribing = Unsubscribing(app.config["SECRET_KEY"])
    reach = Reach(people, settings)
    outbox = Outbox(store, lobby, clock, people.can_be_told, reach)
    people.changed = outbox.refresh
    chats = Chats(store, clock)
    rests, due_clocks = Rests(store, clock), DueClocks(store)
    reach.rest_of = rests.of

    def rest_changed(person: str) -> None:
        due_clocks.look_again(lobby.ids_of(person))
        outbox.refresh(person)

    rests.changed = rest_changed
    clocks = Clocks(rests, clock)
    votes = Votes(store, lobby, games, clocks, clock)
    orders = OrderBook(store, games, clock)
    projector = Projector(store, anonymity)
    make_lists(store.read_models)
    presence = Presence(store.claims if settings.server.is_shared else None)
    shared = SharedResults(store) if settings.server.is_shared else None
    jobs = Jobs(pool or InlinePool(), settings.compute, shared)
    replays = Replays(store, jobs_pages.compute)
    reviews = Reviews(store, jobs, settings.compute.review, app.config["SECRET_KEY"], clock)
    all_services = Services(
        store=store,
        people=people,
        hosts=Hosts(store),
        audit=AuditLog(store, clock),
        invitations=Invitations(store, clock),
        reports=Reports(store, clock),
        sessions=sessions,
        claims=Claims(store),
        links=links,
        passkeys=Passkeys(store, people, clock),
        account_letters=AccountLetters(store, people, links, settings, clock),
        lobby=lobby,
        games=games,
        standings=Standings(store, games),
        replays=replays,
        notebooks=Notebooks(store, clock, app.config["SECRET_KEY"]),
        branches=Branches(),
        plans=Plans(store),
        chats=chats,
        notepads=Notepads(store, clock),
        projector=projector,
        jobs=jobs,
        bots=BotRunner(store, games, lobby, jobs, settings.compute.bots_wait),
        settings=settings,
        anonymity=anonymity,
        outbox=outbox,
        presence=presence,
        news_streams=NewsStreams(store, lobby, chats, outbox, settings.limits, presence),
        courier=Courier(
            outbox, people, sessions, reach, lobby, games, unsubscribing, settings, clock
        ),
        unsubscribing=unsubscribing,
        rests=rests,
        clocks=clocks,
        votes=votes,
        referee=Referee(store, lobby, games, clocks, votes, outbox, due_clocks, clock),
        orders=orders,
        order_runner=OrderRunner(store, games, orders),
        reviews=reviews,
        review_runner=ReviewRunner(store, reviews, replays, jobs),
        followers=Followers(store, projector, outbox),
        checkpoints=CheckpointMaker(store, clock),
        replicator=replicator,
    )
    all_services.courier.checks.answered = orders.will_answer
    all_services.courier.checks.is_present = presence.is_present
    all_services.account_letters.purges += [sessions.purge, all_services.passkeys.purge]
    app.extensions["lacitta"] = all_services
    metrics.init_app(app)
    jobs_pages.init_app(app)
    csrf.init_app(app)
    limiter.account = account_asking
    limiter.init_app(app, store, settings.limits.place(settings.server))
    language.init_app(app)
    # What is done last to an answer comes first here.
    packing.init_app(app)
    security.init_app(app)
    static_files.init_app(app)
    installed.init_app(app)
    endpoints.init_app(app)
    pages.init_app(app)
    app.register_blueprint(table_page.bp)
    app.register_blueprint(endings.bp)
    app.register_blueprint(plan_page.bp)
    app.register_blueprint(chat_page.bp)
    app.register_blueprint(absence.bp)
    app.register_blueprint(why.bp)
    app.register_blueprint(rules.bp)
    app.register_blueprint(rulesets.bp)
    app.register_blueprint(material.bp)
    guess_page.init_app(app)
    import_page.init_app(app)
    share_pages.init_app(app)
    test_cases.init_app(app)
    app.register_blueprint(replay_page.bp)
    app.register_blueprint(other_rules.bp)
    learn.init_app(app)
    moderation.init_app(app)
    app.register_blueprint(invitations_page.bp)
    app.register_blueprint(reports_page.bp)
    if run_bots:
        all_services.bots.start()
        all_services.order_runner.start()
        all_services.review_runner.start()
    return app


def account_asking() -> str:
    """For the limits: the account that asks, if one does."""
    found = visitor()
    return found.person if found.account else ""


def cookie_key(store: Store) -> str:
    """The key that signs cookies: made once, kept in the store, the same for every worker."""
    return server_secret(store, "cookie-key", lambda: secrets.token_hex(32))
