"""What a host watches: /health for whoever restarts servers, /metrics for Prometheus."""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from bisect import bisect_left
from collections import Counter

import msgspec
from flask import Flask, Response, current_app, g, jsonify, request
from flask.typing import ResponseReturnValue

from events.store.documents import Collection
from events.store.errors import StoreError
from events.store.stores import Store
from projections.years.game_fold import Waiting
from web.services import services
from web.site.problems import Problem

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds that requests are sorted by."""
HOLDS = 5.0
"""Seconds that an answer about health holds: asking often must not write often."""
_waiting = msgspec.json.Decoder(list[Waiting])


class Beat(msgspec.Struct, frozen=True):
    """Written to see that the store takes it."""

    count: int = 0


class Metrics:
    """Counts the requests of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0
        self._health: tuple[float, bool] = (-HOLDS, True)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests[method, route, status] += 1
            self._buckets[bisect_left(BOUNDS, seconds)] += 1
            self._seconds += seconds

    def healthy(self, store: Store) -> bool:
        """Whether the store can be read and written, as of a moment ago."""
        asked, answer = self._health
        if time.monotonic() - asked < HOLDS:
            return answer
        beats = Collection(store, "health", Beat)
        try:
            store.position()
            beats.change(lambda: {"beat": Beat((beats.get("beat") or Beat()).count + 1)})
            answer = True
        except StoreError:
            answer = False
        self._health = (time.monotonic(), answer)
        return answer

    def lines(self) -> list[str]:
        """The requests so far, in Prometheus's text format."""
        with self._lock:
            requests, buckets = sorted(self._requests.items()), list(self._buckets)
            seconds = self._seconds
        lines = ["# TYPE lacitta_requests_total counter"]
        lines += [
            f'lacitta_requests_total{{method="{method}",route="{escaped(route)}",'
            f'status="{status}"}} {number}'
            for (method, route, status), number in requests
        ]
        lines.append("# TYPE lacitta_request_seconds histogram")
        total = 0
        for bound, number in zip((*BOUNDS, "+Inf"), buckets, strict=True):
            total += number
            lines.append(f'lacitta_request_seconds_bucket{{le="{bound}"}} {total}')
        lines.append(f"lacitta_request_seconds_sum {seconds:.6f}")
        lines.append(f"lacitta_request_seconds_count {total}")
        return lines


def escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def init_app(app: Flask) -> None:
    app.extensions["lacitta-metrics"] = Metrics()
    app.before_request(start_watch)
    app.after_request(count_request)
    app.add_url_rule("/health", "health", health)
    app.add_url_rule("/metrics", "metrics", metrics)


def counted() -> Metrics:
    found: Metrics = current_app.extensions["lacitta-metrics"]
    return found


def start_watch() -> None:
    g.began = time.perf_counter()


def count_request(response: Response) -> Response:
    route = request.url_rule.rule if request.url_rule else "-"
    method = request.method if request.url_rule else "-"
    seconds = time.perf_counter() - g.get("began", time.perf_counter())
    counted().count(method, route, response.status_code, seconds)
    return response


def health() -> ResponseReturnValue:
    """Whether games can be read and written: 200, or 503."""
    if counted().healthy(services().store):
        return jsonify({"status": "ok"})
    return jsonify({"status": "the store does not answer"}), 503


def metrics() -> ResponseReturnValue:
    if not may_read():
        raise Problem(403, "not-for-you", "This is not for you.")
    return Response("\n".join([*counted().lines(), *games()]) + "\n", mimetype="text/plain")


def may_read() -> bool:
    """Who shows the token; without one, this machine. Behind a proxy that is not named everyone
    seems to be this machine, so then nobody."""
    settings = services().settings
    if token := settings.metrics.token:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(shown.encode(), token.encode())
    if settings.server.url and not settings.proxy.trusted:
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def games() -> list[str]:
    """How the games are doing, from the store: the same in every worker."""
    kept = services()
    running = [_waiting.decode(body) for _, body in kept.store.read_models.items("waiting")]
    position = kept.store.position()
    gauges = {
        "games_running": len(running),
        "bot_turns_waiting": sum(any(each.bot for each in owed) for owed in running),
        "outbox_waiting": kept.outbox.size(),
        "read_models_behind": position - kept.store.read_models.position("waiting"),
    }
    lines = ["# TYPE lacitta_events_total counter", f"lacitta_events_total {position}"]
    for name, value in gauges.items():
        lines += [f"# TYPE lacitta_{name} gauge", f"lacitta_{name} {value}"]
    return lines
