"""`lacitta serve`: the game on this machine's network address, until it is stopped."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
from waitress import create_server

from events.store import Store, open_store
from events.store_errors import StoreError
from projections.keeper import Keeper
from web.app import create_app
from web.services import Services

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 8
CONNECTIONS = 2000
SHORT_TURN = 0.0005
PATIENCE = 1.0
log = logging.getLogger(__name__)


def serve(host: str, port: int, db: str) -> None:
    """Serve a store's games. Stops on Ctrl-C and on a polite signal, with nothing half-written."""
    with open_store(db) as store:
        place = claim(host, port)
        app = create_app(store)
        services: Services = app.extensions["lacitta"]
        followers = Followers(store, services.keeper)
        server = http_server(app, place)
        followers.start()
        signal.signal(signal.SIGTERM, stop)
        address = f"http://{f'[{host}]' if ':' in host else host}:{place.getsockname()[1]}/"
        click.echo(f"La Città is at {address} (games in {db}; Ctrl-C stops it)")
        try:
            server.run()
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            server.close()
            services.bots.stop()
            followers.stop()
    click.echo("Stopped.")


def http_server(app: WSGIApplication, place: socket.socket) -> Any:
    """The server as it is always set up."""
    # Bots think in this process. With Python's five milliseconds, an answer would wait as long for
    # them each time that it has read from the database.
    sys.setswitchinterval(SHORT_TURN)
    return create_server(
        app,
        sockets=[place],
        threads=THREADS,
        # An open page holds a connection, so there must be room for many of them.
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        ident="lacitta",
        clear_untrusted_proxy_headers=True,
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
        raise click.ClickException(f"{host}:{port}: {error.strerror or error}") from None
    return place


def stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


class Followers:
    """Keeps the read models up with the log while the server runs."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self._store, self._keeper = store, keeper
        self._stop = threading.Event()
        # One keeper holds folds in memory, so only one thread may use it at a time.
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="read models", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=2 * PATIENCE)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._lock:
                    position = self._keeper.catch_up()
                self._store.wait(position, PATIENCE)
            except StoreError:
                log.exception("read models wait for the store")
                self._stop.wait(1)
