"""`lacitta serve`: the game on this machine's network address, until it is stopped."""

from __future__ import annotations

import signal
import socket
from types import FrameType

import click

from events.messages.sentence import about
from events.store.names import place_of
from events.store.stores import open_store, sqlite_path
from projections.words.effects import retold
from web.app import create_app
from web.cli.language import by_the_system, spoken, tell
from web.cli.language import gettext as _
from web.http_server.server import http_server
from web.jobs.pool import ProcessPool, default_size
from web.replica.worker import Replicator
from web.services import Services
from web.settings import Settings, summary

PRELOAD = (
    "web.games.folding",
    "web.games.thinking",
    "web.games.refolding",
    "web.plans.unfolding",
    "web.share.making",
    "web.cli.main",
)
"""What worker processes load before they work: the modules of all tasks."""


def serve(settings: Settings) -> None:
    """Serve a store's games. Stops on Ctrl-C and on a polite signal, with nothing half-written."""
    host, db = settings.server.host, settings.server.db
    replicator = _replicator(settings)
    with open_store(db, replicated=replicator is not None) as store:
        place = claim(host, settings.server.port)
        pool = ProcessPool(settings.compute.processes or default_size(), PRELOAD)
        app = create_app(store, settings=settings, pool=pool, replicator=replicator)
        services: Services = app.extensions["lacitta"]
        server = http_server(app, place, settings)
        services.followers.start()
        services.checkpoints.start()
        services.courier.start()
        services.account_letters.start()
        services.referee.start()
        if replicator is not None:
            replicator.start()
        signal.signal(signal.SIGTERM, stop)
        address = f"http://{f'[{host}]' if ':' in host else host}:{place.getsockname()[1]}/"
        tell(
            _("La Città is at {address} (games in {place}; Ctrl-C stops it)"),
            address=address,
            place=place_of(db),
        )
        for line in summary(settings):
            click.echo(retold(line, spoken()))
        try:
            server.run()
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            server.close()
            for worker in services.workers:
                worker.stop()
            services.jobs.stop()
    tell(_("Stopped."))


def _replicator(settings: Settings) -> Replicator | None:
    path = sqlite_path(settings.server.db) if settings.server.replica else None
    return None if path is None else Replicator(path, settings.server.replica)


def claim(host: str, port: int) -> socket.socket:
    """The address to listen on, or one line that says why it cannot be had."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        place = socket.socket(family, kind, proto)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except OSError as error:
        reason = about(f"{host}:{port}", by_the_system(error))
        raise click.ClickException(retold(reason, spoken())) from None
    return place


def stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
