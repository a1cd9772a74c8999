"""How large a request may be, for the server that takes it in and the application alike."""

from __future__ import annotations

MAX_REQUEST = 64 * 1024
