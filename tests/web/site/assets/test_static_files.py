"""Static files have addresses of their version; what a page needs goes out as one file."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask, url_for

import web
from web.site.assets.static_files import FOR_EVER, StaticFiles

GZIP = {"Accept-Encoding": "gzip, br"}
TEMPLATES = Path(web.__file__).parent / "templates"


def address(app: Flask, name: str) -> str:
    with app.test_request_context():
        return url_for("static", filename=name)


def test_an_address_holds_for_ever_and_the_plain_one_is_asked_anew(app: Flask) -> None:
    client = app.test_client()
    versioned = address(app, "site.css")
    assert re.fullmatch(r"/static/v/[0-9a-f]{16}/site\.css", versioned)
    answer, plain = client.get(versioned), client.get("/static/site.css")
    assert answer.headers["Cache-Control"] == FOR_EVER
    assert plain.headers["Cache-Control"] == "no-cache"
    assert answer.data == plain.data
    for each in (answer, plain):
        # Any cache on the way may keep it for everybody.
        assert each.headers.get_all("Vary") == ["Accept-Encoding"]
        assert "Set-Cookie" not in each.headers
        known = {"If-None-Match": each.headers["ETag"]}
        assert client.get("/static/site.css", headers=known).status_code == 304


def test_files_of_another_version_are_not_to_be_kept(app: Flask) -> None:
    answer = app.test_client().get("/static/v/0123456789abcdef/site.css")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_they_go_packed(app: Flask) -> None:
    client = app.test_client()
    for name in ("table.js", "theme+site.css", "site+table.js"):
        path = address(app, name)
        plain, packed = client.get(path), client.get(path, headers=GZIP)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
        known = {**GZIP, "If-None-Match": packed.headers["ETag"]}
        assert client.get(path, headers=known).status_code == 304
        assert client.get(path, headers={"Accept-Encoding": "gzip;q=0"}).data == plain.data


@pytest.mark.parametrize(
    "name",
    [
        "nothing.css",
        "site+nothing.css",
        "site+site.css",
        "+site.css",
        "site+favicon.svg",
        "../app.py",
        "%2e%2e/app.py",
        "..%2f..%2fpyproject+site.css",
        "+".join(["site"] * 3000) + ".css",
    ],
)
def test_what_is_not_there_is_not_found(app: Flask, name: str) -> None:
    for path in (f"/static/{name}", f"/static/v/{app.extensions['static'].digest}/{name}"):
        assert app.test_client().get(path).status_code == 404


def test_a_change_of_any_file_changes_all_addresses(tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "large.svg").write_text("<svg/>")
    (tmp_path / "one.css").write_text("a {}")
    (tmp_path / "two.css").write_text("b {}")
    before = StaticFiles(tmp_path)
    assert before.find("icons/large.svg") is not None
    found = before.find("two+one.css")
    assert found is not None
    assert found.data == b"b {}\na {}"
    assert before.digest == StaticFiles(tmp_path).digest
    assert before.are_current
    (tmp_path / "icons" / "large.svg").write_text("<svg></svg>")
    assert not before.are_current
    assert before.digest != StaticFiles(tmp_path).digest
    (tmp_path / "two.css").rename(tmp_path / "three.css")
    assert len({before.digest, StaticFiles(tmp_path).digest}) == 2


def test_who_develops_sees_a_change_at_once(app: Flask, tmp_path: Path) -> None:
    (tmp_path / "one.css").write_text("a {}")
    app.extensions["static"] = StaticFiles(tmp_path)
    before = address(app, "one.css")
    (tmp_path / "one.css").write_text("a { color: red }")
    assert address(app, "one.css") == before
    app.debug = True
    assert address(app, "one.css") != before
    assert app.test_client().get(address(app, "one.css")).text == "a { color: red }"


def test_a_page_asks_for_one_stylesheet_and_one_module(app: Flask) -> None:
    """Two scripts of one page would hold two copies of what both import."""
    for path in ("/", "/login", "/rules", "/nowhere"):
        page = app.test_client().get(path).text
        assert len(re.findall("rel=.stylesheet", page)) == 1
        assert len(re.findall("type=.module", page)) == 1
    written = [
        path.name for path in TEMPLATES.rglob("*.html") if 'type="module"' in path.read_text()
    ]
    assert sorted(written) == ["base.html", "embed.html"]
