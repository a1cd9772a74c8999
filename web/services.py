"""The services that pages and API share, and how a request finds them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import cast

from flask import current_app
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFProtect

from events.store import Store
from projections.keeper import Keeper
from web.anonymity import Anonymity
from web.bots import BotRunner
from web.branches import Branches
from web.chats import Chats
from web.clocks import Clocks
from web.games import Games
from web.lobby import Lobby
from web.notebooks import Notebooks
from web.notepads import Notepads
from web.notices.courier import Courier
from web.notices.outbox import Outbox
from web.notices.unsubscribing import Unsubscribing
from web.orders.book import OrderBook
from web.orders.runner import OrderRunner
from web.people import People
from web.plans import Plans
from web.referee import Referee
from web.replays import Replays
from web.rests import Rests
from web.settings import Settings
from web.votes import Votes


@dataclass(frozen=True)
class Services:
    """What the pages and the API work with."""

    store: Store
    people: People
    lobby: Lobby
    games: Games
    replays: Replays
    notebooks: Notebooks
    branches: Branches
    plans: Plans
    chats: Chats
    notepads: Notepads
    keeper: Keeper
    bots: BotRunner
    settings: Settings
    anonymity: Anonymity
    outbox: Outbox
    courier: Courier
    unsubscribing: Unsubscribing
    rests: Rests
    clocks: Clocks
    votes: Votes
    referee: Referee
    orders: OrderBook
    order_runner: OrderRunner


limiter = Limiter(key_func=get_remote_address, storage_uri="memory://")
csrf = CSRFProtect()


def services() -> Services:
    """The services of the running application."""
    return cast(Services, current_app.extensions["lacitta"])


def now() -> int:
    """Milliseconds since 1970, for people's clocks; no rule reads it."""
    return int(time.time() * 1000)
