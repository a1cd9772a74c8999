"""Pages go packed, and how long they come out does not tell what is secret in them."""

from __future__ import annotations

import gzip
import random
import re
import zlib
from statistics import mean

import pytest
from flask import Flask, session
from flask.testing import FlaskClient
from flask_wtf.csrf import generate_csrf

from tests.web.world import CSRF
from web.site.assets import compression
from web.site.csrf import mask, unmask

OWN = {"Accept-Encoding": "gzip, br", "Sec-Fetch-Site": "same-origin"}


def test_pages_and_json_go_packed(app: Flask) -> None:
    client = app.test_client()
    for path in ("/", "/rules", "/nowhere", "/api/openapi.json"):
        plain, packed = client.get(path), client.get(path, headers=OWN)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip", path
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
        alike = re.compile(rb'(csrf[-_]token" (?:content|value)=")[^"]+')
        assert alike.sub(b"", gzip.decompress(packed.data)) == alike.sub(b"", plain.data)
        for each in (plain, packed):
            told = ", ".join(each.headers.get_all("Vary"))
            assert {"Accept-Encoding", "Cookie", "Accept-Language"} <= set(told.split(", "))


def test_what_is_small_stays_as_it_is(app: Flask) -> None:
    answer = app.test_client().get("/api/me", headers=OWN)
    assert answer.mimetype == "application/json"
    assert len(answer.data) < compression.SMALL
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize(
    ("by", "has_cookies", "is_packed"),
    [
        ("same-origin", True, True),
        ("none", True, True),
        ("cross-site", True, False),
        ("same-site", True, False),
        ("cross-site", False, False),
        ("", True, False),
        ("", False, True),
    ],
)
def test_another_site_never_has_a_page_packed(
    app: Flask, by: str, has_cookies: bool, is_packed: bool
) -> None:
    client = app.test_client()
    if has_cookies:
        client.get("/login")
    headers = {"Accept-Encoding": "gzip", **({"Sec-Fetch-Site": by} if by else {})}
    assert ("Content-Encoding" in client.get("/login", headers=headers).headers) == is_packed


def test_a_token_is_taken_in_any_mask_and_in_no_other_session(app: Flask) -> None:
    client, other = app.test_client(), app.test_client()

    def shown(who: FlaskClient) -> str:
        found = CSRF.search(who.get("/login").text)
        assert found
        return found[1]

    tokens = {shown(client) for _ in range(3)}
    assert len(tokens) == 3
    for token in tokens:
        for who, status in ((client, 303), (other, 403)):
            shown(other)
            form = {"csrf_token": token, "language": "de", "next": "/"}
            assert who.post("/language", data=form).status_code == status
    for broken in ("", "A", token[:-8], token[::-1], "ä" * 20, "A" * 60_000):
        form = {"csrf_token": broken, "language": "de", "next": "/"}
        assert client.post("/language", data=form).status_code == 403
    # As pages of the version before have it.
    plain = unmask(token)
    assert "." in plain
    form = {"csrf_token": plain, "language": "de", "next": "/"}
    assert client.post("/language", data=form).status_code == 303


def length(client: FlaskClient, guess: str) -> float:
    """How long a page becomes, on average, that repeats a guess."""
    answers = [client.get(f"/login?next=/{guess}", headers=OWN) for _ in range(20)]
    assert all(guess.encode() in gzip.decompress(each.data) for each in answers)
    return mean(len(each.data) for each in answers)


def test_the_length_of_a_page_does_not_tell_a_guessed_token(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "MOST_PADDING", 0)  # the mask alone has to do
    client, chance = app.test_client(), random.Random(1)
    client.get("/login")
    with client.session_transaction() as held:
        secret = held["csrf_token"]

    def guess(token: str) -> str:
        """What of a signed token is the same at all times."""
        with app.test_request_context():
            session["csrf_token"] = token
            return str(generate_csrf()).partition(".")[0]

    right = guess(secret)
    wrong = [guess(chance.randbytes(20).hex()) for _ in range(6)]
    masked = [length(client, each) for each in wrong]
    assert min(masked) - 3 <= length(client, right) <= max(masked) + 3
    # Without it, the right guess would save most of its letters.
    monkeypatch.setattr("web.site.csrf.mask", lambda token: token)
    assert length(client, right) < min(length(client, each) for each in wrong) - 10


def test_the_length_of_the_same_text_is_another_each_time() -> None:
    text = random.Random(1).randbytes(3000).hex().encode()
    found = [compression.packed(text) for _ in range(400)]
    assert all(gzip.decompress(each) == text for each in found)
    least = len(zlib.compress(text, compression.LEVEL))
    spread = {len(each) - least for each in found}
    assert max(spread) - min(spread) > compression.MOST_PADDING * 0.9
    assert len(spread) > compression.MOST_PADDING * 0.9


def test_masks_differ_and_hide() -> None:
    masks = {mask("abc.def") for _ in range(50)}
    assert len(masks) == 50
    assert {unmask(each) for each in masks} == {"abc.def"}
