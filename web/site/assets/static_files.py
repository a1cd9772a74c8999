"""Static files under addresses that carry the digest of all of them: whoever has one need never ask
for it again, and a new version of the site has new addresses.

`url_for("static", filename=…)` makes the address. Several files go out as one: `site+table.css` is
both after each other, `site+table.js` both modules with all they import. The plain address of a
file, without a digest, works as ever.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, abort, g, request, url_for
from markupsafe import Markup

from web.site.assets.modules import link
from web.site.cache import Cache

FOLDER = Path(__file__).parents[2] / "static"
FOR_EVER = "public, max-age=31536000, immutable"
MOST_BUNDLES = 64
SMALL = 600
"""Bytes that fit into a packet with their headers, and are not packed."""


class File(msgspec.Struct, frozen=True):
    """What goes out under a name, as it is and packed where that is shorter."""

    data: bytes
    packed: bytes | None
    mimetype: str

    @property
    def etag(self) -> str:
        return hashlib.sha256(self.data).hexdigest()[:20]


class StaticFiles:
    """A folder's files as they were when it was read, and the digest of all."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder, self._stamp = folder, stamp(folder)
        self._data = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        summary = hashlib.sha256()
        for name, data in self._data.items():
            summary.update(b"%s\0%d\0%s" % (name.encode(), len(data), data))
        self.digest = summary.hexdigest()[:16]
        self._files: Cache[str, File] = Cache(len(self._data) + MOST_BUNDLES)

    @property
    def are_current(self) -> bool:
        """Whether the folder still holds what was read."""
        return stamp(self.folder) == self._stamp

    def find(self, name: str) -> File | None:
        """A file, or several files as one; nothing where one of them is not there."""
        if (known := self._files.get(name)) is not None:
            return known
        data = self._data.get(name) or self._bundle(name)
        return None if data is None else self._files.get_or_make(name, lambda: file_of(name, data))

    def text(self, name: str) -> str:
        return self._data[name].decode()

    def _bundle(self, name: str) -> bytes | None:
        together, _, kind = name.rpartition(".")
        names = together.split("+")
        all_there = all(f"{each}.{kind}" in self._data for each in names)
        if kind not in ("css", "js") or not all_there or len(set(names)) < len(names):
            return None
        if kind == "css":
            return b"\n".join(self._data[f"{each}.css"] for each in names)
        return link(names, lambda each: self.text(f"{each}.js")).encode()


def stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """By what a change in a folder is seen."""
    found = ((path.name, path.stat()) for path in sorted(folder.rglob("*")))
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in found)


def file_of(name: str, data: bytes) -> File:
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = None
    if len(data) > SMALL and not mimetype.startswith(("image/png", "font/")):
        packed = gzip.compress(data, mtime=0)
    return File(data, packed if packed and len(packed) < len(data) else None, mimetype)


def init_app(app: Flask) -> None:
    """Serve the files, and let `url_for` give their addresses."""
    app.extensions["static"] = StaticFiles()

    def files() -> StaticFiles:
        known: StaticFiles = app.extensions["static"]
        if app.debug and not known.are_current:
            known = app.extensions["static"] = StaticFiles(known.folder)
        return known

    def serve(filename: str, digest: str = "") -> Response:
        held = files()
        if (found := held.find(filename)) is None:
            abort(404)
        response = Response(found.data, mimetype=found.mimetype)
        response.set_etag(found.etag)
        response.headers["Vary"] = "Accept-Encoding"
        # Of two hosts one may be newer: the page of one is not to keep the other's files.
        lifetime = {held.digest: FOR_EVER, "": "no-cache"}.get(digest, "no-store")
        response.headers["Cache-Control"] = lifetime
        if found.packed and request.accept_encodings["gzip"]:
            response.set_data(found.packed)
            response.headers["Content-Encoding"] = "gzip"
            # The same file in other bytes: alike, and no longer the same.
            response.set_etag(found.etag, weak=True)
        response.make_conditional(request)
        return response

    def add_digest(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("digest", files().digest)

    app.url_defaults(add_digest)
    app.add_url_rule("/static/<path:filename>", "static", serve)
    app.add_url_rule("/static/v/<digest>/<path:filename>", "static", serve)
    app.jinja_env.globals.update(
        need=need, bundle=bundle, inline=lambda name: Markup(files().text(name))
    )


def need(kind: str, *names: str) -> str:
    """While a page is made: it needs these styles or scripts. Nothing is written there."""
    needed(kind).update(dict.fromkeys(names))
    return ""


def bundle(kind: str) -> str:
    """The address of all that a page needs of a kind, in the order in which it was said."""
    return url_for("static", filename=f"{'+'.join(needed(kind))}.{kind}")


def needed(kind: str) -> dict[str, None]:
    found: dict[str, None] = g.setdefault(f"needed_{kind}", {})
    return found
