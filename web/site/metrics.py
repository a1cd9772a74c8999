"""What a host watches: /health for whoever restarts servers, /metrics for Prometheus."""

from __future__ import annotations

import ipaddress
import secrets
import time
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Flask, Response, current_app, g, jsonify, request
from flask.typing import ResponseReturnValue
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from events.store.collection import Collection
from events.store.errors import StoreError
from events.store.protocol import Store
from projections.readmodels.lists import count_games
from web.services import Services, services
from web.site.problems import Problem

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds that requests are sorted by."""
MOST_NAMED = 20
HOLDS = 5.0
"""Seconds that an answer about health holds: asking often must not write often."""
# When each thing was first counted would be as many lines again.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Beat(msgspec.Struct, frozen=True):
    """Written to see that the store takes it."""

    count: int = 0


class Metrics:
    """The figures of one application, of which a process may have several."""

    def __init__(self, all_services: Services) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "lacitta_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "lacitta_request_seconds",
            "How long answers took.",
            ("route",),
            buckets=BOUNDS,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.registry.register(Figures(all_services))
        self._health: tuple[float, bool] = (-HOLDS, True)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)

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


class Figures(Collector):
    """How games and workers are doing, looked up when somebody asks."""

    def __init__(self, all_services: Services) -> None:
        self._services = all_services

    def collect(self) -> Iterator[Metric]:
        running = count_games(self._services.store.read_models, "running")
        waiting = count_games(self._services.store.read_models, "bots")
        position = self._services.store.position()
        behind = position - self._services.store.read_models.position("waiting")
        outbox = self._services.outbox.size()
        yield CounterMetricFamily("lacitta_events", "Events in the log.", position)
        pages = self._services.news_streams.count
        yield GaugeMetricFamily("lacitta_open_pages", "Pages that news is pushed to.", pages)
        yield GaugeMetricFamily("lacitta_games_running", "Games that go on.", running)
        yield GaugeMetricFamily("lacitta_bot_turns_waiting", "Games that wait for a bot.", waiting)
        yield GaugeMetricFamily("lacitta_outbox_waiting", "What has still to be told.", outbox)
        yield GaugeMetricFamily(
            "lacitta_read_models_behind", "Events that read models have not seen.", behind
        )
        aside = GaugeMetricFamily(
            "lacitta_games_set_aside", "Games that read models cannot follow.", labels=("game",)
        )
        for game in sorted(self._services.projector.troubles())[:MOST_NAMED]:
            aside.add_metric((game,), 1)
        yield aside
        errors = CounterMetricFamily(
            "lacitta_worker_errors", "Unexpected errors of a worker.", labels=("worker",)
        )
        heartbeat = GaugeMetricFamily(
            "lacitta_worker_heartbeat_timestamp_seconds",
            "When a round of a worker last went well.",
            labels=("worker",),
        )
        aside = GaugeMetricFamily(
            "lacitta_bot_game_set_aside", "Games whose bots fail each time.", labels=("game",)
        )
        for game in sorted(self._services.bots.set_aside)[:MOST_NAMED]:
            aside.add_metric((game,), 1)
        yield aside
        yield from self._jobs()
        age = GaugeMetricFamily(
            "lacitta_worker_heartbeat_age_seconds",
            "How long ago a worker that runs gave a sign of life.",
            labels=("worker",),
        )
        left_alone = GaugeMetricFamily(
            "lacitta_worker_left_alone",
            "How often a part of a worker's work has failed in a row.",
            labels=("worker", "subject", "reason"),
        )
        standing_by = GaugeMetricFamily(
            "lacitta_worker_standing_by",
            "Whether another process does a worker's work for all.",
            labels=("worker",),
        )
        for worker in self._services.workers:
            standing_by.add_metric((worker.name,), worker.standing_by)
            errors.add_metric((worker.name,), worker.errors)
            heartbeat.add_metric((worker.name,), worker.heartbeat)
            age.add_metric((worker.name,), worker.age)
            for subject, failed in list(worker.left_alone.items())[-MOST_NAMED:]:
                left_alone.add_metric((worker.name, subject, failed.reason), failed.failures)
        yield errors
        yield heartbeat
        yield age
        yield left_alone
        yield standing_by

    def _jobs(self) -> Iterator[Metric]:
        """How much there is to compute, and how long it took."""
        jobs = self._services.jobs
        yield GaugeMetricFamily("lacitta_jobs_waiting", "Jobs in the queue.", jobs.waiting)
        yield GaugeMetricFamily("lacitta_jobs_running", "Jobs being computed.", jobs.running)
        yield CounterMetricFamily(
            "lacitta_jobs_refused", "Jobs that found no room or no time left.", jobs.refused
        )
        seconds = CounterMetricFamily(
            "lacitta_job_seconds", "Processor time of jobs.", labels=("kind",)
        )
        failures = CounterMetricFamily(
            "lacitta_job_failures", "Jobs that failed or took too long.", labels=("kind",)
        )
        for kind, spent in list(jobs.seconds.items()):
            seconds.add_metric((kind,), spent)
        for kind, count in list(jobs.failures.items()):
            failures.add_metric((kind,), count)
        yield seconds
        yield failures


def init_app(app: Flask) -> None:
    app.extensions["lacitta-metrics"] = Metrics(app.extensions["lacitta"])
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
    """Whether games can be read and written, and all workers work: 200, or 503."""
    if not counted().healthy(services().store):
        return jsonify({"status": "the store does not answer"}), 503
    if failing := [worker.name for worker in services().workers if worker.failing]:
        return jsonify({"status": "workers fail", "workers": failing}), 503
    # Which ones they are is for the host: the log and /metrics name them.
    answer: dict[str, Any] = {"status": "ok"}
    if aside := len(services().projector.troubles()):
        answer["games_set_aside"] = aside
    if standing_by := [worker.name for worker in services().workers if worker.standing_by]:
        answer["standing_by"] = standing_by
    return jsonify(answer)


def metrics() -> ResponseReturnValue:
    if not may_read():
        raise Problem(403, "not-for-you", "This is not for you.")
    figures: Collector = current_app.config.get("SIBLINGS") or counted().registry
    return Response(generate_latest(figures), content_type=CONTENT_TYPE_LATEST)


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
