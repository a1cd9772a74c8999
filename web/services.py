"""The services that pages and API share, and how a request finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import current_app

from events.store.protocol import Store
from projections.readmodels.projector import Projector
from web.accounts.claims import Claims
from web.accounts.links import Links
from web.accounts.passkeys import Passkeys
from web.accounts.service import People
from web.accounts.sessions import Sessions
from web.chat.service import Chats
from web.games.bots import BotRunner
from web.games.lines import Branches
from web.games.live import Games
from web.games.replays import Replays
from web.games.standings import Standings
from web.jobs.queue import Jobs
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
from web.notices.unsubscribing import Unsubscribing
from web.orders.service import OrderBook
from web.orders.worker import OrderRunner
from web.pace.clocks import Clocks
from web.pace.referee import Referee
from web.pace.rest import Rests
from web.pace.votes import Votes
from web.plans.service import Plans
from web.replica.replicator import Replicator
from web.review.service import Reviews
from web.review.worker import ReviewRunner
from web.seating.anonymity import Anonymity
from web.seating.service import Lobby
from web.settings import Settings
from web.share.checkpoints import CheckpointMaker
from web.site.clock import now as now
from web.site.csrf import MaskedCSRF
from web.site.limits.limiter import VisitorLimits
from web.site.worker import Worker


@dataclass(frozen=True)
class Services:
    """What the pages and the API work with."""

    store: Store
    people: People
    hosts: Hosts
    audit: AuditLog
    invitations: Invitations
    reports: Reports
    sessions: Sessions
    claims: Claims
    links: Links
    passkeys: Passkeys
    account_letters: AccountLetters
    lobby: Lobby
    games: Games
    standings: Standings
    replays: Replays
    notebooks: Notebooks
    branches: Branches
    plans: Plans
    chats: Chats
    notepads: Notepads
    projector: Projector
    jobs: Jobs
    bots: BotRunner
    settings: Settings
    anonymity: Anonymity
    outbox: Outbox
    presence: Presence
    news_streams: NewsStreams
    courier: Courier
    unsubscribing: Unsubscribing
    rests: Rests
    clocks: Clocks
    votes: Votes
    referee: Referee
    orders: OrderBook
    order_runner: OrderRunner
    reviews: Reviews
    review_runner: ReviewRunner
    followers: Followers
    checkpoints: CheckpointMaker
    replicator: Replicator | None = None

    @property
    def workers(self) -> tuple[Worker, ...]:
        """In the order in which they are stopped."""
        return (
            self.news_streams,
            self.bots,
            self.order_runner,
            self.review_runner,
            self.courier,
            *self.courier.senders.workers,
            self.account_letters,
            self.referee,
            self.followers,
            self.checkpoints,
            *((self.replicator,) if self.replicator else ()),
        )


limiter = VisitorLimits()
csrf = MaskedCSRF()


def services() -> Services:
    """The services of the running application."""
    return cast(Services, current_app.extensions["lacitta"])
