"""The page of a review without a browser: what it takes, what it refuses, and how it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from events.errors import BadLog
from replays.corpus.games import CORPUS
from replays.files.rulesets import load_ruleset
from replays.rulechange.review.decisions import Decision, Verdict, load_decisions
from replays.rulechange.review.renewal import Signature, find_project
from replays.rulechange.review.settling import Settlement, settle
from replays.rulechange.review.sources import Progress, Review, review_rulesets, review_stored
from tests.replays.rulechange.review.making import make_project
from web.rulechange.server import create_app
from web.rulechange.session import ReviewSession, ReviewTask

TOKEN = "let-me-in"
BONUS = "R43 / points on the table / the end of a year"


def session_of(review: Review, known: dict[str, Decision] | None = None) -> ReviewSession:
    """A review that is folded, and stores nothing."""

    def forget(found: Review, verdicts: dict[str, Verdict], by: str, why: str) -> Settlement:
        return Settlement(found.games, differing=bool(found.groups), left=len(found.groups))

    session = ReviewSession(ReviewTask(lambda moved: review, forget, known or {}, "Anna", ""))
    session._fold()
    return session


@pytest.fixture(scope="module")
def review() -> Review:
    return review_rulesets(CORPUS, load_ruleset("straight-distance"), None)


@pytest.fixture
def session(review: Review) -> ReviewSession:
    return session_of(review)


@pytest.fixture
def client(session: ReviewSession) -> Iterator[FlaskClient]:
    with create_app(session, TOKEN, "en").test_client() as client:
        yield client


def press(client: FlaskClient, session: ReviewSession, key: str) -> TestResponse:
    cause = session.judging.group.cause.key
    return client.post(f"/{TOKEN}/press", data={"key": key, "cause": cause})


def test_only_the_address_with_its_token_opens_it(client: FlaskClient) -> None:
    assert client.get(f"/{TOKEN}/").status_code == 200
    for path in ("/", "/let-me-im/", "/let-me-in-too/", f"/{TOKEN}/../", "/static/theme.css"):
        assert client.get(path).status_code == 404
    assert client.post("/wrong/press", data={"key": "a"}).status_code == 404


def test_another_host_and_another_page_are_refused(
    client: FlaskClient, session: ReviewSession
) -> None:
    """A name of somebody else's that leads to this machine does not help them."""
    for host in ("evil.example", "evil.example:4711", "127.0.0.1.evil.example", ""):
        assert client.get(f"/{TOKEN}/", headers={"Host": host}).status_code in (400, 404)
    assert client.get(f"/{TOKEN}/", headers={"Host": "localhost:4711"}).status_code == 200
    form = {"key": "a", "cause": session.judging.group.cause.key}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:80", "http://localhost:4711"):
        refused = client.post(f"/{TOKEN}/press", data=form, headers={"Origin": origin})
        assert refused.status_code == 403
    assert session.judging.verdicts == {}
    own = {"Origin": "http://127.0.0.1:4711", "Host": "127.0.0.1:4711"}
    assert client.post(f"/{TOKEN}/press", data=form, headers=own).status_code == 303
    assert len(session.judging.verdicts) == 1


def test_nothing_from_elsewhere_is_loaded_and_nothing_is_kept(client: FlaskClient) -> None:
    answer = client.get(f"/{TOKEN}/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'style="' not in answer.text
    assert not re.search(r'(?:src|href)="https?:', answer.text)


def test_too_much_is_refused(client: FlaskClient) -> None:
    assert client.post(f"/{TOKEN}/press", data={"key": "a" * 100_000}).status_code == 413


def test_keys_do_what_they_do_at_a_terminal(client: FlaskClient, session: ReviewSession) -> None:
    judging = session.judging
    first = judging.group.cause.key
    shown = client.get(f"/{TOKEN}/").text
    assert shown.count('class="lc lc-board"') == 1
    # Where an action is refused nothing on the board differs; what it is about is ringed.
    assert "note-yellow" in shown
    for key, words in (("o", "Recorded with"), ("n", "Recorded with"), ("d", "--- as it was")):
        press(client, session, key)
        assert words in client.get(f"/{TOKEN}/").text
    press(client, session, "t")
    press(client, session, "s")
    assert (judging.place, judging.verdicts) == (1, {})
    press(client, session, "r")
    assert list(judging.verdicts.values()) == ["reject"]
    client.post(f"/{TOKEN}/go", data={"place": "0"})
    assert judging.group.cause.key == first
    press(client, session, "A")
    assert judging.verdicts[first] == "accept"


def test_a_page_that_is_out_of_date_decides_nothing(
    client: FlaskClient, session: ReviewSession
) -> None:
    late = session.judging.group.cause.key
    press(client, session, "s")
    answer = client.post(f"/{TOKEN}/press", data={"key": "a", "cause": late})
    assert answer.status_code == 409
    assert "nothing was decided" in answer.text
    assert session.judging.verdicts == {}
    assert client.post(f"/{TOKEN}/sign", data={"by": "Anna", "why": "So."}).status_code == 303
    assert session.stage == "judging"
    assert client.post(f"/{TOKEN}/go", data={"place": "no number"}).status_code == 303
    client.post(f"/{TOKEN}/go", data={"place": "-7"})
    client.post(f"/{TOKEN}/go", data={"place": "999999"})
    assert client.get(f"/{TOKEN}/").status_code == 200


def test_what_was_decided_before_is_quoted(review: Review) -> None:
    key = review.groups[0].cause.key
    known = Decision("reject", key, "", 1, 0, "Bob", "2026-11-18", "<b>No.</b>")
    with create_app(session_of(review, {key: known}), TOKEN, "en").test_client() as client:
        text = client.get(f"/{TOKEN}/", headers={"Host": "127.0.0.1"}).text
    assert "rejected by Bob on 2026-11-18" in text
    assert "&lt;b&gt;No.&lt;/b&gt;" in text


def test_a_decision_needs_a_name_and_a_reason(client: FlaskClient, session: ReviewSession) -> None:
    press(client, session, "a")
    press(client, session, "q")
    assert session.stage == "signing"
    for by, why in (("", "So."), ("Anna", " "), ("A" * 2001, "So.")):
        assert client.post(f"/{TOKEN}/sign", data={"by": by, "why": why}).status_code == 422
    assert 'value="Anna"' in client.get(f"/{TOKEN}/").text
    assert client.post(f"/{TOKEN}/sign", data={"by": "Anna", "why": "So."}).status_code == 303
    assert session.over.wait(30)
    with client.get(f"/{TOKEN}/") as ended:
        assert "are not accepted" in ended.text
    assert session.end_read.is_set()


def test_ending_at_once_writes_nothing(client: FlaskClient, session: ReviewSession) -> None:
    press(client, session, "q")
    assert session.over.is_set()
    assert "Nothing was decided" in client.get(f"/{TOKEN}/").text


def test_progress_is_shown_and_an_error_is_told(review: Review) -> None:
    def broken(moved: Progress) -> Review:
        moved(7, 63)
        raise BadLog("a.jsonl: line 2 is no event")

    session = session_of(review)
    session.stage, session.task = "folding", ReviewTask(broken, session.task.settle, {}, "", "")
    session.moved(7, 63)
    with create_app(session, TOKEN, "en").test_client() as client:
        text = client.get(f"/{TOKEN}/").text
        assert 'value="7" max="63"' in text
        session.begin()
        assert session.over.wait(30)
        assert "a.jsonl: line 2 is no event" in client.get(f"/{TOKEN}/").text
    assert isinstance(session.error, BadLog)


def test_accepting_renews_just_what_the_terminal_renews(tmp_path: Path) -> None:
    project = find_project(None, make_project(tmp_path))
    assert project is not None
    file = project.chronicles / "decisions.jsonl"

    def store(review: Review, verdicts: dict[str, Verdict], by: str, why: str) -> Settlement:
        signature = Signature("stored → now", by, "2026-11-18", why)
        return settle(review, verdicts, file, project, signature)

    task = ReviewTask(
        lambda moved: review_stored(project.corpus, project.chronicles, moved), store, {}, "", ""
    )
    session = ReviewSession(task)
    session.begin()
    with create_app(session, TOKEN, "en").test_client() as client:
        while session.stage == "folding":
            assert client.get(f"/{TOKEN}/").status_code == 200
        assert "points on the table" in client.get(f"/{TOKEN}/").text
        press(client, session, "a")
        client.post(f"/{TOKEN}/sign", data={"by": "Anna", "why": "It was meant."})
        assert session.over.wait(60)
        ended = client.get(f"/{TOKEN}/").text
    (decision,) = load_decisions(file)
    assert (decision.cause, decision.verdict, decision.by) == (BONUS, "accept", "Anna")
    assert "Renewed: " in ended
    assert (tmp_path / "renewed").exists()
    assert review_stored(project.corpus, project.chronicles).groups == []
