"""The server under load, and beside it, on the same server, the floor: an empty Flask route."""

from __future__ import annotations

import sys

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from events.store.stores import open_store
from tests.web.world import CHEAP
from web.app import create_app
from web.cli.serving.serve import claim
from web.http_server.server import http_server
from web.settings import Limits, Settings


def main(db: str) -> None:
    floor = Flask("floor")
    floor.add_url_rule("/", view_func=lambda: "")
    with open_store(db) as store:
        # All clients of the test come from one address, so the limits per address are lifted.
        app = create_app(store, hasher=CHEAP, limits=False)
        place = claim("127.0.0.1", 0)
        settings = Settings(limits=Limits(connections_per_address=2000))
        server = http_server(DispatcherMiddleware(app, {"/floor": floor}), place, settings)
        print(f"at http://127.0.0.1:{place.getsockname()[1]}/", flush=True)
        server.run()


if __name__ == "__main__":
    main(sys.argv[1])
