"""How often somebody may do something: counted per account and per address, for page and API
alike, in this process, in the store, or in Redis, where all workers find the counts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import limits
from flask import Flask, Response, request
from flask_limiter import Limiter

from events.store.protocol import Store
from web.site.limits.addresses import network_of
from web.site.limits.counts import MEMORY, uri_of
from web.site.problems import Problem

View = TypeVar("View", bound=Callable[..., Any])
LOGGING_IN = "10 per minute"
TRIES_PER_NAME = "20 per minute; 100 per hour"
"""From one address: enough for its owner, too few to guess a password."""
TRIES_EVERYWHERE = limits.parse("20 per minute")
"""Under one name, from wherever its owner has not been. Strangers who try could lock the owner out,
so beyond this it is not refused but only goes slowly:"""
SLOWLY = limits.parse("1 per 5 seconds")
KNOWN = limits.parse("1 per 90 days")
"""How long an address is remembered from which somebody has logged in."""
PROVING = "10 per minute"
"""Saying one's password again, for whatever asks for it."""
REGISTERING = "20 per hour"


class VisitorLimits:
    """What Flask-Limiter counts. Who is logged in is counted twice: by the account, wherever it
    comes from, and by the address, whichever account comes from there."""

    def __init__(self) -> None:
        # Should Redis be away, each worker counts for itself until it is back.
        self._limiter = Limiter(key_func=by_address, in_memory_fallback_enabled=True)
        self.account: Callable[[], str] = lambda: ""
        """The account that asks, if one does."""

    def init_app(self, app: Flask, store: Store, storage: str) -> None:
        """Count where the host wants it: "memory", "store", or an address of Redis."""
        own = {"memory": f"{MEMORY}://", "store": uri_of(store, app.config["SECRET_KEY"])}
        app.config["RATELIMIT_STORAGE_URI"] = own.get(storage, storage)
        self._limiter.init_app(app)

    @property
    def enabled(self) -> bool:
        return self._limiter.enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._limiter.enabled = value

    def reset(self) -> None:
        self._limiter.reset()

    def limit(
        self,
        value: str,
        *,
        act: str = "",
        key_func: Callable[[], str] | None = None,
        methods: list[str] | None = None,
        deduct_when: Callable[[Response], bool] | None = None,
    ) -> Callable[[View], View]:
        """Limit a page or an endpoint. Those that are one `act` share one count."""
        counts: list[tuple[Callable[[], str], Callable[[], bool] | None]]
        if key_func is not None:
            counts = [(key_func, None)]
        else:
            counts = [(by_address, None), (self._by_account, self._is_nobody)]

        def decorate(view: View) -> View:
            for key, exempt in counts:
                options: dict[str, Any] = {
                    "key_func": key,
                    "methods": methods,
                    "deduct_when": deduct_when,
                    "exempt_when": exempt,
                }
                limiter = self._limiter
                limit = limiter.shared_limit(value, act, **options) if act else None
                view = cast(View, (limit or limiter.limit(value, **options))(view))
            return view

        return decorate

    def log_in(self, view: View) -> View:
        """Limit tries to log in: from one address, and under one name."""

        @functools.wraps(view)
        def slowed(*args: Any, **parts: Any) -> Any:
            if request.method == "POST" and self.enabled:
                self._slow_down(by_name_tried())
            return view(*args, **parts)

        tries = self.limit(
            TRIES_PER_NAME, act="log-in-by-name", key_func=by_name_and_address, methods=["POST"]
        )
        limited = self.limit(LOGGING_IN, act="log-in", methods=["POST"])(cast(View, slowed))
        return tries(limited)

    def remember(self, name: str) -> None:
        """Whoever has this name is here."""
        if self.enabled:
            self._limiter.limiter.hit(KNOWN, by_address(), f"name {name.casefold()}")

    def _slow_down(self, name: str) -> None:
        """Of many tries under one name let a few pass, and those from where its owner has been."""
        count = self._limiter.limiter
        is_known = not count.test(KNOWN, by_address(), name)
        if not is_known and not count.hit(TRIES_EVERYWHERE, name) and not count.hit(SLOWLY, name):
            raise Problem(
                429,
                "busy",
                "The server is busy. Please try again in {seconds} seconds.",
                seconds=SLOWLY.multiples,
            )

    def register(self, view: View) -> View:
        """Limit new accounts."""
        return self.limit(REGISTERING, act="register", methods=["POST"])(view)

    def _by_account(self) -> str:
        return f"account {self.account()}"

    def _is_nobody(self) -> bool:
        return not self.account()


def by_address() -> str:
    return f"address {network_of(request.remote_addr or '')}"


def by_name_and_address() -> str:
    return f"{by_name_tried()} {by_address()}"


def by_name_tried() -> str:
    """The name that somebody wants to be known by, in a form or in JSON."""
    sent: Any = request.get_json(silent=True) if request.is_json else request.form
    name = sent.get("name") if isinstance(sent, Mapping) else ""
    return f"name {str(name)[:100].strip().casefold()}"
