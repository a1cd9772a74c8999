"""Reports: received once, seen by hosts alone with what they are about, and settled by an act."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from replays.chat import ChatMoment, Said, Unsaid
from replays.notes import annotations as a
from replays.notes.annotations import Author, Content, Place
from tests.web.moderation.moderating import Club
from tests.web.world import holder
from web.moderation import reports
from web.moderation.reports import DAY, KEPT, MOST_OF_ONE
from web.notices.account_letters import compose
from web.site.problems import Problem

LINE = "chat/game/s1"


@pytest.fixture
def time() -> list[int]:
    return [10**12]


@pytest.fixture
def club(tmp_path: Path, time: list[int]) -> Iterator[Club]:
    club = Club(tmp_path, clock=lambda: time[0])
    bert = Author(name="Bert", person=club.bert.id)
    said = Said(by=bert, said="s1", seat=2, words=["You fool."], at=ChatMoment(number=2, year=1))
    club.services.chats.write("game", said)
    club.seat(
        "done",
        play_out(new_game(2, "done"), RandomBot(1)),
        [holder(club.anna, "Anna"), holder(club.bert, "Bert")],
    )
    for note, seen_by in (("n1", "all"), ("n2", "me"), ("n3", "link")):
        written = a.Noted(
            by=bert,
            note=note,
            at=Place(number=3),
            content=Content(text=f"Foolish {note}."),
            seen_by=seen_by,  # type: ignore[arg-type]
        )
        club.services.notebooks.write("game/done", lambda _, written=written: written)
    yield club
    club.close()


def report(club: Club, subject: str = LINE, reason: str = "insult", text: str = "Look.") -> int:
    form = {"reason": reason, "text": text}
    return club.anna.ask("POST", f"/report/{subject}", form=form).status_code


def test_a_report_is_received_and_comes_to_the_hosts_with_its_context(club: Club) -> None:
    form = {"reason": "insult", "text": "He always does."}
    answer = club.anna.ask("POST", f"/report/{LINE}", form=form)
    assert "The hosts have received your report." in answer.text
    page = club.hanna.get("/host").text
    for words in ("Insult or threat", "You fool.", "Bert", "He always does.", "Anna"):
        assert words in page
    assert "/table/game#said-s1" in page
    assert club.anna.get("/api/reports").json == [
        {"subject": LINE, "reason": "insult", "time": 10**12, "state": "open"}
    ]


def test_only_hosts_are_told_how_many_wait(club: Club) -> None:
    report(club)
    assert "open reports" in club.hanna.get("/").text
    assert "open reports" not in club.bert.get("/").text


def test_who_is_reported_learns_nothing_of_it(club: Club) -> None:
    paths = ("/", "/table/game", "/account", "/account/export", "/api/reports", "/api/me")
    before = [club.bert.get(path).text.count("Anna") for path in paths]
    report(club, text="A remark of the reporter.")
    for path, count in zip(paths, before, strict=True):
        page = club.bert.get(path).text
        assert page.count("Anna") == count
        assert "A remark of the reporter." not in page
    assert club.bert.get("/api/reports").json == []


def test_one_open_report_per_person_and_subject(club: Club) -> None:
    assert report(club) == 200
    assert report(club) == 422
    again = club.anna.post("/api/reports", {"subject": LINE, "reason": "spam"})
    assert (again.status_code, (again.json or {})["code"]) == (409, "reported-already")
    assert report(club, "seat/game/2") == 200
    assert len(club.services.reports.waiting()) == 2
    club.act(f"/host/acts/{LINE}", act="dismiss", reason="A joke between friends.")
    assert report(club) == 200


@pytest.mark.parametrize(
    ("act", "entry"),
    [
        ("remove", "text-removed"),
        ("name", "name-removed"),
        ("close", "account-closed"),
        ("dismiss", "report-dismissed"),
    ],
)
def test_a_host_acts_and_the_report_is_settled(act: str, entry: str, club: Club) -> None:
    report(club)
    club.act(f"/host/acts/{LINE}", act=act, reason="Insults.")
    assert club.services.reports.waiting() == []
    (only,) = club.services.audit.page()
    assert (only.entry.act, only.entry.by) == (entry, club.hanna.id)
    (mine,) = club.anna.get("/api/reports").json or []
    assert mine["state"] == ("dismissed" if act == "dismiss" else "done")
    # What stood there is kept no longer than the report is open.
    assert b"You fool." not in b"".join(body for _, body in club.store.documents.items("reports"))


def test_what_was_withdrawn_after_the_report_is_still_known_to_hosts(club: Club) -> None:
    report(club)
    by = Author(name="Bert", person=club.bert.id)
    club.services.chats.write("game", Unsaid(by=by, said="s1"))
    page = club.hanna.get("/host").text
    assert "It is not there any more." in page
    assert "You fool." in page


def test_nobody_reports_what_they_may_not_read_or_their_own(club: Club) -> None:
    eve, guest = club.person("Eve"), club.guest()
    link = club.services.notebooks.link("game/done", club.bert.id)
    for who, subject, status in (
        (eve, LINE, 403),
        (guest, LINE, 403),
        (guest, "note/game/done/n1", 201),
        (guest, "note/game/done/n2", 404),
        (guest, "note/game/done/n3", 404),
        (eve, "seat/game/2", 201),
        (club.bert, LINE, 409),
        (club.bert, "seat/game/2", 409),
        (club.anna, "seat/game/3", 404),
        (club.anna, "study/none", 404),
        (club.nobody(), "note/game/done/n1", 401),
    ):
        answer = who.post("/api/reports", {"subject": subject, "reason": "insult"})
        assert answer.status_code == status, (subject, answer.text)
    by_link = club.anna.get(f"/report/note/game/done/n3?by={link}")
    assert "Foolish n3." in by_link.text
    assert club.nobody().get(f"/report/{LINE}").location.startswith("/login")


@pytest.mark.parametrize(
    "form", [{}, {"reason": "boring"}, {"reason": "spam", "text": "x" * 501}, {"text": "x"}]
)
def test_a_report_has_a_reason_and_bounds(form: dict[str, str], club: Club) -> None:
    assert club.anna.ask("POST", f"/report/{LINE}", form=form).status_code == 422
    assert club.services.reports.waiting() == []


def test_reports_are_bounded_and_forgotten(
    club: Club, time: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = club.services.reports
    for number in range(MOST_OF_ONE):
        kept.add(f"note/game/done/a{number}", "person-x", "spam", "", "")
    with pytest.raises(Problem, match="wait until the hosts"):
        kept.add("note/game/done/b", "person-x", "spam", "", "")
    monkeypatch.setattr(reports, "MOST", MOST_OF_ONE + 1)
    kept.add("note/game/done/b", "person-y", "spam", "", "")
    with pytest.raises(Problem, match="wait until the hosts"):
        kept.add("note/game/done/b", "person-z", "spam", "", "")
    for number in range(MOST_OF_ONE):
        kept.settle(f"note/game/done/a{number}", "dismissed")
    time[0] += KEPT + DAY
    kept.add("note/game/done/c", "person-z", "spam", "", "")
    assert len(club.store.documents.items("reports")) == 2
    kept.forget("person-z")
    assert kept.of("person-z") == []


def test_reporting_is_limited(tmp_path: Path) -> None:
    club = Club(tmp_path, limits=True)
    body = {"subject": "note/game/game/none", "reason": "spam"}
    statuses = [club.anna.post("/api/reports", body).status_code for _ in range(21)]
    club.close()
    assert statuses == [404] * 20 + [429]


def test_every_text_and_name_of_others_has_a_button(club: Club) -> None:
    opened = a.StudyOpened(
        by=Author(name="Bert", person=club.bert.id), title="Quarries", seen_by="all"
    )
    club.services.notebooks.write("study/s1", lambda _: opened)
    for path, subject in (
        ("/table/game", LINE),
        ("/table/game", "seat/game/2"),
        ("/replay/done/3", "note/game/done/n1"),
        ("/study/s1", "study/s1"),
        ("/", "seat/game/2"),
    ):
        assert f'href="/report/{subject}' in club.anna.get(path).text, (path, subject)
        assert f'href="/report/{subject}' not in club.bert.get(path).text, (path, subject)


def test_a_host_may_act_without_a_report(club: Club) -> None:
    assert "As a host" not in club.anna.get(f"/report/{LINE}").text
    club.services.hosts.add(club.anna.id, 1)
    assert "As a host" in club.anna.get(f"/report/{LINE}").text


def test_one_letter_tells_the_hosts_of_all_that_waits(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    letters = club.services.account_letters
    monkeypatch.setattr(letters, "ask", lambda *errand: asked.append(errand))
    report(club)
    assert asked == []  # the host has no address
    club.act(f"/host/acts/{LINE}", act="dismiss", reason="A joke.")
    club.services.people.change(
        club.hanna.id,
        lambda me: msgspec.structs.replace(me, email="hanna@example.org", confirmed=True),
    )
    report(club)
    report(club, "seat/game/2")
    assert asked == [("reported", club.hanna.id, "hanna@example.org")]
    hanna = club.services.people.get(club.hanna.id)
    assert hanna is not None
    link = "https://play.example.org/host"
    letter = compose("reported", hanna, hanna.email, link, "games@example.org", 10**12)
    told = letter.get_body(("plain",))
    assert told is not None
    assert link in told.get_content()
    for secret in ("Anna", "Bert", "fool"):
        assert secret not in told.get_content()
