"""`lacitta serve`: the game on this machine's network address, until it is stopped."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import click

from events.messages.sentence import about
from events.store.names import place_of
from events.store.protocol import Store
from events.store.stores import open_store, sqlite_path
from projections.words.effects import retold
from web.app import create_app
from web.cli.language import by_the_system, spoken, tell
from web.cli.language import gettext as _
from web.cli.serving.siblings import Siblings
from web.cli.serving.supervisor import Supervisor
from web.http_server.server import http_server
from web.jobs.pool import ProcessPool, default_size
from web.replica.replicator import Replicator
from web.services import Services
from web.settings import Settings, summary

PRELOAD = (
    "web.games.folding",
    "web.games.thinking",
    "web.games.refolding",
    "web.plans.unfolding",
    "web.review.judging",
    "web.share.making",
    "web.cli.main",
)
"""What worker processes load before they work: the modules of all tasks."""
SHARES_PORTS = sys.platform == "linux"
"""Whether the system shares connections out between sockets with one address. Elsewhere one socket
is handed on to all processes, and whoever is first accepts."""


def serve(settings: Settings) -> None:
    """Serve a store's games. Stops on Ctrl-C and on a polite signal, with nothing half-written."""
    several = settings.server.workers > 1
    replicator = _replicator(settings)
    with open_store(settings.server.db, replicated=replicator is not None) as store:
        place = claim(settings.server.host, settings.server.port)
        if several and SHARES_PORTS:
            # Another server would share its port, too, so it was asked for alone at first.
            port = place.getsockname()[1]
            place.close()
            place = claim(settings.server.host, port, shared=True)
        if not several:
            run(settings, store, place, replicator, lambda: announce_address(settings, place))
    if several:
        # What this process has opened is closed again: it only looks after the others.
        signal.signal(signal.SIGTERM, stop)
        if not SHARES_PORTS:
            place.listen()
        with shared_folder() as folder:
            supervisor = Supervisor(settings.server.workers, run_worker, settings, place, folder)
            supervisor.run(lambda: announce_address(settings, place))
    tell(_("Stopped."))


@contextmanager
def shared_folder() -> Iterator[Path | None]:
    """A folder in which several processes find each other; None where there is room for none."""
    try:
        folder = TemporaryDirectory(prefix="lacitta-", ignore_cleanup_errors=True)
    except OSError:
        yield None
        return
    with folder as name:
        yield Path(name)


def run_worker(
    settings: Settings, place: socket.socket, folder: Path | None, number: int, ready: Event
) -> None:
    """One of several server processes. It ends with the one that started it, however that ends."""
    # Ctrl-C reaches all processes of a terminal; the one that started this tells it to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    replicator = _replicator(settings)
    if SHARES_PORTS:
        with place:
            place = claim(settings.server.host, place.getsockname()[1], shared=True)
    with open_store(settings.server.db, replicated=replicator is not None) as store:
        replicator = replicator if number == 1 else None
        run(settings, store, place, replicator, ready.set, number, folder)
    parent = multiprocessing.parent_process()
    if folder is not None and parent is not None and not parent.is_alive():
        shutil.rmtree(folder, ignore_errors=True)


def run(
    settings: Settings,
    store: Store,
    place: socket.socket,
    replicator: Replicator | None,
    announce: Callable[[], None],
    number: int = 0,
    folder: Path | None = None,
) -> None:
    """Serve at an address until this process is asked to stop; of several, it has a number, and
    they meet in a folder."""
    processes = settings.compute.processes or default_size()
    pool = ProcessPool(max(1, processes // settings.server.workers), PRELOAD)
    app = create_app(store, settings=settings, pool=pool, replicator=replicator)
    services: Services = app.extensions["lacitta"]
    siblings = Siblings(app.extensions["lacitta-metrics"].registry, number, folder)
    if number:
        app.config["SIBLINGS"] = siblings
        siblings.start()
    server = http_server(app, place, settings)
    services.news_streams.start()
    services.followers.start()
    services.checkpoints.start()
    services.courier.start()
    services.account_letters.start()
    services.referee.start()
    if replicator is not None:
        replicator.start()
    # An exception could come up in the middle of an answer, and be taken for that one's.
    for sign in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(sign) != signal.SIG_IGN:
            signal.signal(sign, lambda *_: server.stop())
    announce()
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.close()
        siblings.stop()
        for worker in services.workers:
            worker.stop()
        services.jobs.stop()


def announce_address(settings: Settings, place: socket.socket) -> None:
    host = settings.server.host
    tell(
        _("La Città is at {address} (games in {place}; Ctrl-C stops it)"),
        address=f"http://{f'[{host}]' if ':' in host else host}:{place.getsockname()[1]}/",
        place=place_of(settings.server.db),
    )
    for line in summary(settings):
        click.echo(retold(line, spoken()))


def end_with_parent() -> None:
    """Who is killed cannot tell others to stop."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _replicator(settings: Settings) -> Replicator | None:
    path = sqlite_path(settings.server.db) if settings.server.replica else None
    return None if path is None else Replicator(path, settings.server.replica)


def claim(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """The address to listen on, or one line that says why it cannot be had. With `shared`, other
    processes of ours may have it, too, and the system shares connections out between them."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        place = socket.socket(family, kind, proto)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared and SHARES_PORTS:
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        place.bind(address)
    except OSError as error:
        reason = about(f"{host}:{port}", by_the_system(error))
        raise click.ClickException(retold(reason, spoken())) from None
    return place


def stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
