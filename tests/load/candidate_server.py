"""The server as it is, with the application that all servers are compared by."""

from __future__ import annotations

import sys
from collections.abc import Callable

from flask import Response, request

from tests.load import candidate_app
from web.cli.serving.serve import claim
from web.http_server.server import http_server
from web.settings import Limits, Settings
from web.site.streams import holder


class Listener:
    """A page that watches a table."""

    heartbeat = b":\n\n"

    def __init__(self, table: int) -> None:
        self._listeners = candidate_app.listeners.setdefault(table, [])

    def open(self, push: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self._listeners.append(push)

    def close(self) -> None:
        pass


def stream(table: int) -> Response:
    hold = holder(request.environ)
    assert hold is not None
    hold(Listener(table))
    return Response(b": open\n\n", mimetype="text/event-stream")


if __name__ == "__main__":
    candidate_app.flask_app.view_functions["stream"] = stream
    # All pages come from one address here.
    settings = Settings(limits=Limits(connections_per_address=2000))
    http_server(candidate_app.flask_app, claim("127.0.0.1", int(sys.argv[1])), settings).run()
