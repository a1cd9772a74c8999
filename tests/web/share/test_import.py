"""Files that people upload: proved and stored under new ids, or refused in a sentence."""

from __future__ import annotations

import bz2
import gzip
import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import encode_events, load_game, write_game
from replays.amendments import amend, write_amendments
from replays.files.stores import check_game, stored_amendments
from replays.files.study import write_study
from replays.notation import annotated, write_text
from replays.notes.annotations import Author, ChapterPut, Content, Noted, Place, StudyOpened
from replays.notes.notebook import as_read_by, read_notebook
from tests.replays.rulechange.review.making import forge_digest
from tests.web.access.test_safe import Reader
from tests.web.jobs.pools import HeldPool
from tests.web.world import Someone, World
from web.jobs import queue
from web.settings import Server, Settings

EVIL = "<script>alert(1)</script>"
EVENTS = play_out(new_game(2, "import"), RandomBot(1)).events
LOG = write_game("g1", EVENTS)


def evil_study() -> bytes:
    """Everything that is text is a script."""
    by = Author(name=EVIL)
    text = f"{EVIL} <img src=x onerror=alert(2)> [a](javascript:alert(3)) <svg onload=alert(4)>"
    opened = EVENTS[0]
    seats = [msgspec.structs.replace(seat, name=EVIL) for seat in opened.seats]  # type: ignore[union-attr]
    events = [msgspec.structs.replace(opened, seats=seats), *EVENTS[1:9]]  # type: ignore[type-var]
    book = read_notebook(
        [
            StudyOpened(by=by, title=EVIL, introduction=text, seen_by="all"),
            ChapterPut(by=by, chapter="c1", title=EVIL, game="g1", introduction=text),
            Noted(
                by=by,
                chapter="c1",
                note="n1",
                at=Place(number=1),
                content=Content(text=text, city="c7"),
                seen_by="all",
            ),
        ]
    )
    return write_study("s1", as_read_by(book, ""), lambda game: encode_events(events))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("import"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def anna(world: World) -> Someone:
    return world.person("Anna")


def part(field: str, name: str, data: bytes) -> bytes:
    head = f'--line\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
    return head.encode() + b"Content-Type: text/plain\r\n\r\n" + data + b"\r\n"


def upload(
    who: Someone,
    data: bytes,
    name: str = "file.json",
    language: str = "en",
    amendment: bytes | None = None,
) -> TestResponse:
    """As a browser sends it. What the test client makes of a large file, it does not close."""
    signed = b"" if amendment is None else part("amendment", "file.amendment.json", amendment)
    return who.client.post(
        "/import",
        data=part("file", name, data) + signed + b"--line--\r\n",
        headers={"X-CSRFToken": who.csrf(), "Accept-Language": language},
        content_type="multipart/form-data; boundary=line",
    )


def test_a_log_gets_an_id_of_its_own(world: World, anna: Someone) -> None:
    first, second = upload(anna, LOG).location, upload(anna, LOG).location
    assert first != second
    for place in (first, second):
        found = re.fullmatch(r"/replay/([0-9a-f]{16})/1", place)
        assert found is not None
        assert [record.decode() for record in world.store.read(found[1])] == EVENTS
        assert world.nobody().get(place).status_code == 200


def test_notation_brings_its_notes_and_they_are_the_importers(world: World, anna: Someone) -> None:
    by = Author(name="Zoe")
    note = Noted(by=by, note="n1", at=Place(number=3), content=Content(text="Hm."), seen_by="all")
    text = write_text(annotated("g1", EVENTS, read_notebook([note])))
    place = upload(anna, text.encode(), "game.txt").location
    game = place.split("/")[2]
    answer = anna.get(f"/api/notebooks/game/{game}").json
    assert answer is not None
    assert [(each["content"]["text"], each["yours"]) for each in answer["notes"]] == [("Hm.", True)]


def test_an_amendment_comes_along_and_is_offered_beside_the_log(
    world: World, anna: Someone, tmp_path: Path
) -> None:
    file = tmp_path / "g1.jsonl"
    file.write_bytes(LOG)
    forged = forge_digest(file)
    assert "digest" in upload(anna, forged).text
    signed = amend(load_game(file).events, "a → b", "Anna", "2026-11-18", EVIL)
    assert signed is not None
    data = write_amendments("g1", [signed])
    assert "file.amendment.json: " in upload(anna, forged, amendment=b"{}").text
    place = upload(anna, forged, amendment=data).location
    game = place.split("/")[2]
    assert check_game(world.store, game).proof.amended == signed
    # From the viewer it goes on to wherever the log does.
    beside = f"/replay/{game}/log.amendment.json"
    assert beside in anna.get(place).text
    again = upload(
        anna,
        anna.get(f"/replay/{game}/log.jsonl").data,
        amendment=anna.get(beside).data,
    )
    text = upload(anna, anna.get(f"/replay/{game}/game.txt").data, "game.txt")
    for found in (again.location, text.location):
        assert stored_amendments(world.store, found.split("/")[2]) == [signed]
    other = upload(anna, LOG).location
    assert "amendment.json" not in anna.get(other).text
    assert anna.get(f"{other[:-1]}log.amendment.json").status_code == 404


def test_a_study_is_the_importers_alone_and_nothing_in_it_runs(world: World, anna: Someone) -> None:
    place = upload(anna, evil_study()).location
    assert re.fullmatch(r"/study/[0-9a-f]{16}", place)
    assert world.nobody().get(place).status_code == 404
    assert world.services.notebooks.get(place[1:]).by.name == "Anna"
    for path in ("/studies", place, f"{place}/c1", f"{place}/c1/1/parts", f"{place}/c1/2"):
        page = anna.get(path)
        assert page.status_code == 200
        reader = Reader()
        reader.feed(page.text)
        assert reader.wrong == []
        assert "alert(1)</script>" not in page.text
    assert "&lt;script&gt;alert(1)" in anna.get(place).text


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("study.json", data)
    return buffer.getvalue()


def changed(change: Callable[[Any], object]) -> bytes:
    made = json.loads(evil_study())
    change(made)
    return json.dumps(made).encode()


DEEP = b'{"format":"lacitta-study","version":1,"study":"s","games":[{"events":['
BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "file.json: the file is empty"),
    "gzip bomb": (gzip.compress(bytes(30_000_000), 9), "compressed files (gzip) are not opened"),
    "zip bomb": (zipped(bytes(30_000_000)), "compressed files (zip) are not opened"),
    "bzip2": (bz2.compress(LOG), "compressed files (bzip2) are not opened"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "file.json, line 3: this is not a text file"),
    "prose": (b"Dear Anna,\n", "file.json, line 1: "),
    "bad notation": (b'[Seat1 "A"]\n[Seat2 "B"]\n1 glod', "line 3: there is no action glod"),
    "wrong chain": (write_game("g1", EVENTS, head="0" * 64), "the file's head is not that of its"),
    "other order": (write_game("g1", [*EVENTS[:5], EVENTS[6], EVENTS[5]]), "file.json, line 7: "),
    "wrong digest": (
        re.sub(rb'"digest":"[0-9a-f]{64}"\}\n', b'"digest":"' + b"0" * 64 + b'"}\n', LOG),
        "(digest-differs, R42)",
    ),
    "deep": (b'{"a":' * 100_000, "file.json, line 1: "),
    "deep study": (DEEP + b"[" * 100_000 + b"]" * 100_000 + b"]}]}", "deep"),
    "study of nothing": (changed(lambda s: s.update(written=[])), "length >= 1"),
    "study without game": (changed(lambda s: s.update(games=[])), "the game g1 is missing"),
    "study with other chain": (
        changed(lambda s: s["games"][0].update(head="0" * 64)),
        "the file's head is not that of its events",
    ),
    "long name": (
        changed(lambda s: s["written"][0]["by"].update(name="x" * 41)),
        "length <= 40",
    ),
    "foreign account": (
        changed(lambda s: s["written"][0]["by"].update(person="x" * 65)),
        "length <= 64",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_hold_is_refused_in_a_sentence(
    name: str, world: World, anna: Someone
) -> None:
    data, sentence = BAD[name]
    before = world.store.position(), world.store.notes.position()
    answer = upload(anna, data)
    assert answer.status_code == 422
    shown = re.search(r'role="alert"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert shown is not None
    assert sentence in html.unescape(shown[1])
    assert (world.store.position(), world.store.notes.position()) == before


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("nothing", "file.json: die Datei ist leer"),
        ("bad notation", "file.json, Zeile 3: es gibt keine Aktion glod"),
        ("wrong chain", "der Kopf der Datei ist nicht der ihrer Ereignisse"),
        ("study without game", "die Partie g1 fehlt"),
    ],
)
def test_it_is_refused_in_the_readers_language(bad: str, said: str, anna: Someone) -> None:
    answer = upload(anna, BAD[bad][0], language="de-AT, en;q=0.5")
    assert answer.status_code == 422
    assert said in html.unescape(answer.text)


def test_an_account_named_in_a_file_owns_nothing(world: World, anna: Someone) -> None:
    bert = world.person("Bert")
    data = changed(lambda s: [each["by"].update(person=bert.id) for each in s["written"]])
    place = upload(anna, data).location
    assert bert.get(place).status_code == 404
    assert anna.get(place).status_code == 200
    assert bert.id not in anna.get(f"/api/notebooks{place}").text


def test_a_file_name_is_text(anna: Someone) -> None:
    answer = upload(anna, b"", f"../../{EVIL}.json")
    assert answer.status_code == 422
    assert "alert(1)</script>" not in answer.text


def test_four_megabytes_here_and_nowhere_else(world: World, anna: Someone) -> None:
    assert upload(anna, b"{" + b" " * 3_999_000).status_code == 422
    assert upload(anna, b"x" * 4_200_000).status_code == 413
    assert upload(world.nobody(), b"x" * 100_000).status_code == 413
    large = {"title": "x" * 70_000}
    for path in ("/studies", "/study/s1"):
        assert anna.ask("POST", path, form=large).status_code == 413
    assert anna.post("/api/studies", large).status_code == 413


def test_nobody_without_an_account_brings_anything(world: World) -> None:
    for who in (world.nobody(), world.guest()):
        assert upload(who, LOG).location == "/login?next=/import"
    page = world.guest().get("/studies").text
    assert "/import" not in page


def test_whoever_sends_a_file_waits_on_a_page_until_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is imported once, however often that page is asked for."""
    monkeypatch.setattr(queue, "GRACE", 0.0)
    pool = HeldPool()
    world = World(tmp_path, pool=pool)
    try:
        anna, bert = world.person("Anna"), world.person("Bert")
        sent = upload(anna, LOG)
        assert sent.status_code == 303
        assert sent.location.startswith("/import/")
        waiting = anna.get(sent.location)
        assert waiting.status_code == 202
        assert '<meta http-equiv="refresh"' in waiting.text
        assert "This is being computed." in waiting.text
        assert bert.get(sent.location).status_code == 404
        pool.free.set()
        while (answer := anna.get(sent.location)).status_code == 202:
            pass
        assert answer.status_code == 303
        assert answer.location.startswith("/replay/")
        assert anna.get(sent.location).status_code == 404
        assert len(list(world.store.games())) == 1
    finally:
        pool.stop()
        world.close()


def test_a_file_that_is_being_read_is_found_at_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "GRACE", 0.0)
    pool, settings = HeldPool(), Settings(server=Server(workers=2))
    one, other = (World(tmp_path, pool=pool, settings=settings) for _ in range(2))
    try:
        anna = one.person("Anna")
        sent = upload(anna, LOG)
        assert sent.status_code == 303
        there = other.browser_of(anna.id, "Anna")
        assert there.get(sent.location).status_code == 202
        pool.free.set()
        while (answer := there.get(sent.location)).status_code == 202:
            pass
        assert answer.status_code == 303
        assert answer.location.startswith("/replay/")
        assert anna.get(sent.location).status_code == 404, "it is imported once"
        assert len(list(one.store.games())) == 1
    finally:
        pool.stop()
        other.close()
        one.close()
