"""`lacitta serve`: the game on this machine's network address, until it is stopped."""

from __future__ import annotations

import signal
import socket
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
from waitress import create_server

from events.messages.sentence import about
from events.store.names import place_of
from events.store.stores import open_store
from projections.words.effects import retold
from web.app import create_app
from web.cli.language import by_the_system, spoken, tell
from web.cli.language import gettext as _
from web.jobs.pool import ProcessPool, default_size
from web.services import Services
from web.settings import Proxy, Settings, summary

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 8
CONNECTIONS = 2000
SHORT_TURN = 0.0005
PRELOAD = ("web.games.thinking", "web.cli.main")
"""What worker processes load before they work: the modules of all tasks."""
NO_PROXY = Proxy()


def serve(settings: Settings) -> None:
    """Serve a store's games. Stops on Ctrl-C and on a polite signal, with nothing half-written."""
    host, db = settings.server.host, settings.server.db
    with open_store(db) as store:
        place = claim(host, settings.server.port)
        pool = ProcessPool(settings.compute.processes or default_size(), PRELOAD)
        app = create_app(store, settings=settings, pool=pool)
        services: Services = app.extensions["lacitta"]
        server = http_server(app, place, settings.proxy)
        services.followers.start()
        services.courier.start()
        services.referee.start()
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


def http_server(app: WSGIApplication, place: socket.socket, proxy: Proxy = NO_PROXY) -> Any:
    """The server as it is always set up. Only a proxy that is named may say who asks."""
    # Bots think in this process. With Python's five milliseconds, an answer would wait as long for
    # them each time that it has read from the database.
    sys.setswitchinterval(SHORT_TURN)
    trust: dict[str, Any] = {}
    if proxy.trusted:
        trust = {
            "trusted_proxy": proxy.trusted,
            "trusted_proxy_headers": set(proxy.headers),
            "trusted_proxy_count": proxy.count,
        }
    return create_server(
        app,
        sockets=[place],
        threads=THREADS,
        # An open page holds a connection, so there must be room for many of them.
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        ident="lacitta",
        clear_untrusted_proxy_headers=True,
        **trust,
    )


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
