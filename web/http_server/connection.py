"""One connection: uvicorn's, with deadlines, and with an end to what is never taken."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.http_server import limits
from web.site.limits.addresses import network_of
from web.site.streams import Stream

if TYPE_CHECKING:
    from web.http_server.server import Server

ENDLESS = re.compile(rb"\r\ncontent-length:[ \t]*\d{20,}[ \t]*\r\n", re.IGNORECASE)
"""A size that is one, and of which the parser knows only that it has too many digits."""


class Parser(h11.Connection):
    """Takes bodies in pieces of some size: each costs the loop its time, however small it is."""

    chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.chunks = 0
        elif isinstance(event, h11.Data) and event.chunk_start:
            self.chunks += 1
            if self.chunks > limits.MOST_CHUNKS:
                raise h11.RemoteProtocolError("Too many chunks", error_status_hint=413)
        return event


class Connection(H11Protocol):
    """A connection that knows since when it waits for the rest of a request."""

    def __init__(self, owner: Server) -> None:
        super().__init__(owner.config, owner.state, {"connection": self}, owner.loop)
        self._owner = owner
        self.conn = Parser(h11.SERVER, limits.MOST_HEAD)
        self.network = ""
        self.asked = False
        """Whether a request has ever come in whole."""
        self.begun: float | None = time.monotonic()
        """When the request that is coming in began; none while nothing comes in."""
        self.used: float = time.monotonic()
        """When something last came in."""
        self._unsent, self._unsent_since = 0, 0.0
        self._received = b""
        self._stream: Stream | None = None
        self._ended: asyncio.Future[None] | None = None
        self._pushed = 0.0

    @property
    def answering(self) -> bool:
        """Whether a request is in whole and its answer is not."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    @property
    def in_body(self) -> bool:
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and cycle.more_body

    @property
    def half_open(self) -> bool:
        """Whether it waits for a request, or for the rest of one."""
        return not self.answering and (self.begun is not None or not self.asked)

    @property
    def holds_answer(self) -> bool:
        """Whether there is an answer that nobody has taken yet."""
        return self.transport.get_write_buffer_size() > 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        if not self._owner.admit(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._owner.forget(self)
        self.end()

    def data_received(self, data: bytes) -> None:
        self._received, self.used = data, time.monotonic()
        if self.begun is None and not self.answering:
            self.begun = self.used
        super().data_received(data)
        self._received = b""
        self._note_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The next request may have come with this one.
        if self.in_body:
            self.begun = time.monotonic()
        self._note_request()

    def _note_request(self) -> None:
        if self.answering:
            self.begun, self.asked = None, True

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, or one whose size alone is too much."""
        error = sys.exception()
        status = error.error_status_hint if isinstance(error, h11.ProtocolError) else 400
        if ENDLESS.search(self._received):
            status = 413
        headers = [
            *self.server_state.default_headers,
            (b"connection", b"close"),
            (b"content-length", b"0"),
        ]
        answer = h11.Response(
            status_code=status, headers=headers, reason=HTTPStatus(status).phrase.encode()
        )
        try:
            self.transport.write(self.conn.send(answer))
            self.transport.write(self.conn.send(h11.EndOfMessage()))
        except h11.LocalProtocolError:  # the answer to something else has begun
            self.transport.abort()
        self.transport.close()

    def look(self, now: float) -> None:
        """Close it when it is late; give it a sign of life when it is long silent."""
        if self.is_late(now) or self.is_stuck(now):
            self.transport.abort()
        elif self._stream is not None and now - self._pushed > limits.QUIET_SECONDS:
            self.push(self._stream.heartbeat)

    def is_late(self, now: float) -> bool:
        """Whether a request has taken too long to come in."""
        if not self.half_open or self.begun is None:
            return False
        patience = limits.HEAD_SECONDS + (limits.BODY_SECONDS if self.in_body else 0)
        return now - self.begun > patience

    def is_stuck(self, now: float) -> bool:
        """Whether nobody has taken anything of an answer for long."""
        unsent = self.transport.get_write_buffer_size()
        if not unsent or unsent != self._unsent:
            self._unsent, self._unsent_since = unsent, now
        return bool(unsent) and now - self._unsent_since > limits.IDLE_SECONDS

    async def hold(self, stream: Stream) -> None:
        """Keep an answer open that has begun, until either side has had enough."""
        self._ended, self._stream = self.loop.create_future(), stream
        self._pushed = time.monotonic()
        if self.transport.is_closing():
            self.end()

        stream.open(lambda data: self._soon(self.push, data), lambda: self._soon(self.end))
        try:
            await self._ended
        finally:
            self._stream = None
            stream.close()

    def _soon(self, call: Callable[..., None], *args: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the server may have stopped
            self.loop.call_soon_threadsafe(call, *args)

    def push(self, data: bytes) -> None:
        """Send on what belongs to an open answer."""
        if self._stream is None or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > limits.MOST_UNSENT:
            self.transport.abort()
            return
        self._pushed = time.monotonic()
        self.transport.write(self.conn.send(h11.Data(data=data)) or b"")

    def end(self) -> None:
        """End the open answer, if there is one."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
